"""Whether a judge prefers what it has written itself: it tells our texts anew, and chooses between both.

Nobody knows which of the two is the better, so there is no bound: what counts is how two judges differ.
"""

from __future__ import annotations

from statistics import fmean

from graph_flow.llm.errors import UnusableAnswer
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.telling.evaluation.agents import CARD_WRITER
from graph_flow.telling.evaluation.card.spoiling import Specimen
from graph_flow.telling.evaluation.judging import LANGUAGE, mark_of
from graph_flow.telling.evaluation.pairing import Pair, PairResult, compare_pair
from store.models.desk.judge import CardTest
from store.text import count_words, likeness

NAME = "liking for its own texts"
_TOKENS_PER_WORD = 1.8
_COPIED, _LEAST = 0.95, 0.25
"""How alike a text is that is none of its own, and how long one is, as a share of ours, that can be chosen."""


def own_against_given(context: StoryContext, specimen: Specimen, step: str) -> PairResult | None:
    """Return what a judge makes of its own version (the first) and ours; None if it wrote none.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the work was asked to stop; what was paid for is found again.
    """
    length = count_words(specimen.text)
    variables: Variables = {
        "language": LANGUAGE,
        "mark": mark_of(specimen.text),
        "story": specimen.text,
        "words": length,
    }
    job = Job(
        CARD_WRITER,
        f"{step}/write",
        "Testing the judge: a text of its own",
        variables,
        tokens=int(length * _TOKENS_PER_WORD),
        # One that runs on is cut off there, and need not come to an end of its own.
        enough=int(length * _LEAST),
    )
    try:
        own = context.write_text(job).strip()
        if count_words(own) < length * _LEAST or likeness(own, specimen.text) > _COPIED:
            return None
        return compare_pair(context, Pair(own, specimen.text, f"{step}/pair"))
    except UnusableAnswer:
        return None


def liking(results: list[PairResult | None]) -> CardTest:
    """Return how often a judge prefers its own text in both orders; no choice is half of one."""
    chosen = [_share(one) for one in results if one is not None]
    return CardTest(name=NAME, value=fmean(chosen) if chosen else 0.5, of=len(chosen))


def _share(result: PairResult) -> float:
    return 1.0 if result.margin > 0 else 0.5 if not result.margin else 0.0
