"""Versions of one text against each other, by how well each hangs together as a model expects it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.llm.budget import Budget
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.agents import CHAPTER_ANALYSIS
from graph_flow.telling.evaluation.likelihood.card import VERSION, make_card
from graph_flow.telling.evaluation.likelihood.reading import Coherence, weigh, whole
from graph_flow.telling.evaluation.likelihood.versions import (
    ALIKE,
    Difference,
    difference,
    shared_part,
)
from graph_flow.views import SideWorkSeen
from graph_flow.workbench.beside.evaluating import card_branch
from graph_flow.workbench.beside.pairing import MOST_TEXTS, Contestant
from store.models.desk.evaluation import JudgeName
from store.models.desk.judge import JudgeCard
from store.models.manuscript import PARAGRAPH_BREAK
from store.models.run import Caps, Totals
from store.open import Store

_KEY = "likelihood"


class WeighedVersion(NamedTuple):
    """A version of a text, what is known of it, and how the first one differs from it."""

    name: str
    coherence: Coherence
    difference: Difference | None


class LikelihoodService:
    """Versions of texts, weighed: every paragraph is asked about once."""

    def __init__(self, store: Store, side_work: SideWork, book: EndpointBook) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book

    @property
    def judge(self) -> JudgeName:
        """Which model weighs: the one that judges chapters."""
        endpoint = self._book.current(CHAPTER_ANALYSIS.name)
        return JudgeName(endpoint=endpoint.name, model=cut(f"{endpoint.model}, by likelihood", 400))

    @property
    def card(self) -> JudgeCard | None:
        """What is known of the model that weighs now; None if it was not tested."""
        return self._store.judge_cards.newest(self.judge, VERSION)

    def begin(self, texts: Sequence[Contestant], caps: Caps | None = None) -> str:
        """Begin to weigh versions of a text, the model's card first; return where the calls are kept.

        Raises:
            BranchBusy: if that is under way.
            WorkbenchError: if they are too few or too many, or not versions of one text.
        """
        place = likelihood_place(texts)
        judge = self.judge

        def work(context: StoryContext) -> list[WeighedVersion]:
            within = replace(context, budget=Budget(caps, Totals())) if caps else context
            if self._store.judge_cards.newest(judge, VERSION) is None:
                make_card(replace(within, branch=card_branch(judge)).at_step(), judge)
            found = [weigh(within, one.text, f"“{one.name}”") for one in texts]
            return [
                WeighedVersion(
                    one.name, whole(it), difference(found[0], it) if it is not found[0] else None
                )
                for one, it in zip(texts, found, strict=True)
            ]

        self._side_work.begin(place, _KEY, work)
        return place

    def seen(self, place: str) -> SideWorkSeen | None:
        """Return how the work stands; its result is a list of `WeighedVersion`."""
        return self._side_work.seen(place, _KEY)

    def stop(self, place: str) -> None:
        """Stop weighing; what is done is not asked again."""
        self._side_work.stop(place, _KEY)

    def wait(self, place: str, seconds: float | None = None) -> bool:
        """Wait until the work has ended; return False if that takes too long."""
        return self._side_work.wait(place, _KEY, seconds)


def likelihood_place(texts: Sequence[Contestant]) -> str:
    """Return where the calls about some versions are kept.

    Raises:
        WorkbenchError: if they are too few or too many, or not versions of one text.
    """
    if not 2 <= len(texts) <= MOST_TEXTS:
        raise WorkbenchError(f"From 2 to {MOST_TEXTS} versions can be compared.")
    first, *others = ([one.strip() for one in it.text.split(PARAGRAPH_BREAK)] for it in texts)
    for one, text in zip(others, texts[1:], strict=True):
        if shared_part(first, one) < ALIKE:
            raise WorkbenchError(
                f"“{texts[0].name}” and “{text.name}” are not versions of one text: they share less "
                "than half of their paragraphs, word for word. How likely texts are says nothing of which is better."
            )
    prints = sorted({one.fingerprint for one in texts})
    if len(prints) < len(texts):
        raise WorkbenchError("Two of these texts are the same.")
    return f"likelihood-{hashlib.sha256(' '.join(prints).encode()).hexdigest()[:24]}"
