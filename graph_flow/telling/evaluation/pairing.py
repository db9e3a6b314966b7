"""Two texts against each other: asked in both orders, since many judges favour a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from graph_flow.prompting.sample import sample_read
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.telling.evaluation.addressed import without_addressed
from graph_flow.telling.evaluation.agents import PAIR_JUDGE
from graph_flow.telling.evaluation.answers import (
    PAIR_SCHEMA,
    PART_PAIR,
    PairVerdict,
    widened_verdict,
)
from graph_flow.telling.evaluation.judging import LANGUAGE, mark_of
from store.models.endpoint import ModelStrength

_SHARE, _MOST = 0.35, 12_000
"""What is read of each text: a share of the judge's window, at most so many tokens."""
_SMALL = 700
_CHARACTERS = 3
"""Characters that are counted for a token, erring on the low side."""
_THEME = 400

_FORMS = AnswerForms(PAIR_SCHEMA, PART_PAIR, widened_verdict)


@dataclass(frozen=True)
class Pair:
    """Two texts; `step` names the calls."""

    first: str
    second: str
    step: str
    theme: str = ""


class PairResult(NamedTuple):
    """What came of both orders: `margin` is above 0 if the first text is the better, -3 to 3.

    A judge that prefers now one and now the other has not preferred either.
    """

    margin: float
    is_consistent: bool
    reasons: tuple[str, str]


def compare_pair(context: StoryContext, pair: Pair) -> PairResult:
    """Ask a judge which of two texts is the better, in both orders.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    there = _ask(context, pair, is_turned=False)
    back = _ask(context, pair, is_turned=True)
    first, second = _signed(there), -_signed(back)
    is_consistent = (first > 0) == (second > 0) and (first < 0) == (second < 0)
    margin = (first + second) / 2 if is_consistent else 0.0
    return PairResult(margin, is_consistent, (there.reason, back.reason))


def _ask(context: StoryContext, pair: Pair, *, is_turned: bool) -> PairVerdict:
    texts = [_as_read(context, one) for one in (pair.first, pair.second)]
    first, second = reversed(texts) if is_turned else texts
    job = Job(
        PAIR_JUDGE,
        f"{pair.step}/{'ba' if is_turned else 'ab'}",
        "Comparing two texts",
        {
            "first": first,
            "language": LANGUAGE,
            "mark": mark_of(first + second),
            "second": second,
            "theme": cut(pair.theme, _THEME),
        },
        # A worked example must not favour a place: each order has the same one.
        turn=len(pair.first) + len(pair.second),
    )
    return context.ask_in_form(job, _FORMS)


def _as_read(context: StoryContext, text: str) -> str:
    """Return what is read of a text: of a long one, its beginning, its middle and its end."""
    is_small = context.strength(PAIR_JUDGE) is ModelStrength.SMALL
    tokens = _SMALL if is_small else min(int(context.window(PAIR_JUDGE) * _SHARE), _MOST)
    return sample_read(without_addressed(text).text, tokens * _CHARACTERS)


def _signed(verdict: PairVerdict) -> int:
    """Return a margin, above 0 for A; whoever names a better one means at least a little."""
    margin = max(1, verdict.margin)
    return {"A": margin, "B": -margin}.get(verdict.better, 0)
