"""Two sketches of one premise, or two drafts of one story, read side by side."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.founding.agents import SHARE_OF_SKETCHES, SKETCH_READER
from graph_flow.founding.answers import SKETCH_MARKS_SCHEMA, SKETCH_READING_SCHEMA, SketchReading
from graph_flow.founding.ranking import Pair, challenges, is_retold, pairs, standing
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.length import breadth_of
from graph_flow.runtime.context import Job, StoryContext
from store.models.proposals import Configuration


def asked_of(configuration: Configuration) -> dict[Pair, bool]:
    """Return which sketches are read together, by their places from 0, and whether the first is retold.

    Each is read beside each of the others; if one of them is the best already, those that have come since
    are read beside that. Each is retold once.
    """
    known, count = len(configuration.ideas), len(configuration.sketches)
    if not known:
        return _of_first(count)
    best = configuration.idea - 1
    return {pair: pair[0] != best for pair in challenges(best, range(known, count))}


def read_pair(context: StoryContext, round_: int, pair: Pair) -> None:
    """Have a reader read two sketches, given by their places from 0; the call keeps what they say.

    An answer that is of no use counts for nothing. If there is no other, no more are asked for.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was asked to stop.
    """
    asked = asked_of(context.configuration)
    retells = asked[pair]
    try:
        context.ask_one_of_many(
            _job(context, round_, pair, retells=retells), _schema(retells=retells)
        )
    except UnusableAnswer:
        if not readings_of(context, round_, asked):
            context.ask_for_less(SKETCH_READER)


def readings_of(
    context: StoryContext, round_: int, asked: Mapping[Pair, bool]
) -> dict[Pair, SketchReading]:
    """Return what readers have said of pairs of sketches (see `asked_of`), as far as it is of use."""
    said = {
        pair: context.answered_whole(
            _job(context, round_, pair, retells=retells), _schema(retells=retells)
        )
        for pair, retells in asked.items()
    }
    return {pair: reading for pair, reading in said.items() if reading is not None}


def order_of(context: StoryContext, round_: int, count: int) -> list[int]:
    """Return the `count` sketches that were told first, by their places from 0, the one preferred first.

    There are none if nothing that readers have said is of use.
    """
    readings = readings_of(context, round_, _of_first(count))
    if not readings:
        return []
    return standing(count, {pair: one.marks.margin for pair, one in readings.items()})


def _of_first(count: int) -> dict[Pair, bool]:
    return {pair: is_retold(pair, count) for pair in pairs(count)}


def _schema(*, retells: bool) -> AnswerSchema[SketchReading]:
    return SKETCH_READING_SCHEMA if retells else SKETCH_MARKS_SCHEMA


def margin_of(context: StoryContext, step: str, first: str, second: str) -> float | None:
    """Have a reader read two texts of the story side by side; return by how much the first is better.

    None if what they say is of no use.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was asked to stop.
    """
    job = _beside(context, step, "Reading both drafts side by side", (first, second))
    said = context.ask_whole(job, SKETCH_MARKS_SCHEMA)
    return said.marks.margin if said else None


def _job(context: StoryContext, round_: int, pair: Pair, *, retells: bool) -> Job:
    sketches, (first, second) = context.configuration.sketches, pair
    return _beside(
        context,
        f"0/{round_}/sketch_reader/{first + 1}/{second + 1}",
        "Reading the stories that it could become",
        (sketches[first].whole, sketches[second].whole),
        retells=retells,
    )


def _beside(
    context: StoryContext, step: str, words: str, texts: tuple[str, str], *, retells: bool = False
) -> Job:
    room = _room(context) / 2
    first, second = (_cut_to(text, room) for text in texts)
    return Job(
        agent=SKETCH_READER,
        step=step,
        words=words,
        variables={
            "premise": context.brief.premise,
            "wishes": context.brief.wishes,
            "first": first,
            "second": second,
            "retells": retells,
            "breadth": breadth_of(context.settings),
        },
    )


def _room(context: StoryContext) -> float:
    """Return how many tokens two sketches may have."""
    return context.window(SKETCH_READER) * SHARE_OF_SKETCHES


def _cut_to(text: str, tokens: float) -> str:
    """Return a text, without its end if it is longer than one of two that are read together may be."""
    share = tokens / max(1, estimate_tokens(text))
    return text if share >= 1 else text[: int(len(text) * share)]
