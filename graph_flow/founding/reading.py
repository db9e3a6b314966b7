"""Two sketches of one premise, or two drafts of one story, read side by side."""

from __future__ import annotations

from graph_flow.founding.agents import SHARE_OF_SKETCHES, SKETCH_READER
from graph_flow.founding.answers import SKETCH_MARKS_SCHEMA, SKETCH_READING_SCHEMA, SketchReading
from graph_flow.founding.ranking import Pair, is_retold, pairs
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.length import breadth_of
from graph_flow.runtime.context import Job, StoryContext


def read_pair(context: StoryContext, round_: int, pair: Pair) -> None:
    """Have a reader read two sketches, given by their places from 0; the call keeps what they say.

    An answer that is of no use counts for nothing. If there is no other, no more are asked for.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was asked to stop.
    """
    try:
        context.ask_one_of_many(_job(context, round_, pair), _schema(context, pair))
    except UnusableAnswer:
        if not readings_of(context, round_):
            context.ask_for_less(SKETCH_READER)


def readings_of(context: StoryContext, round_: int) -> dict[Pair, SketchReading]:
    """Return what readers have said of each two sketches, as far as it is of use."""
    said = {
        pair: context.answered_whole(_job(context, round_, pair), _schema(context, pair))
        for pair in pairs(len(context.configuration.sketches))
    }
    return {pair: reading for pair, reading in said.items() if reading is not None}


def _schema(context: StoryContext, pair: Pair) -> AnswerSchema[SketchReading]:
    is_retelling = is_retold(pair, len(context.configuration.sketches))
    return SKETCH_READING_SCHEMA if is_retelling else SKETCH_MARKS_SCHEMA


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


def _job(context: StoryContext, round_: int, pair: Pair) -> Job:
    sketches, (first, second) = context.configuration.sketches, pair
    return _beside(
        context,
        f"0/{round_}/sketch_reader/{first + 1}/{second + 1}",
        "Reading the stories that it could become",
        (sketches[first].whole, sketches[second].whole),
        retells=is_retold(pair, len(sketches)),
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
