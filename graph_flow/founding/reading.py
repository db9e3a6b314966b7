"""Two sketches of one premise, read side by side."""

from __future__ import annotations

from graph_flow.founding.agents import SHARE_OF_SKETCHES, SKETCH_READER
from graph_flow.founding.answers import SKETCH_MARKS_SCHEMA, SKETCH_READING_SCHEMA, SketchReading
from graph_flow.founding.ranking import Pair, is_retold
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.runtime.context import Job, StoryContext


def read_pair(context: StoryContext, round_: int, pair: Pair) -> SketchReading | None:
    """Return what a reader says of two sketches, given by their places from 0; None if that is of no use.

    Whoever asks a second time is answered from the call that was made.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was asked to stop.
    """
    sketches, room = context.configuration.sketches, _room(context)
    retells = is_retold(pair, len(sketches))
    first, second = (_cut_to(sketches[at].text, room / 2) for at in pair)
    job = Job(
        agent=SKETCH_READER,
        step=f"0/{round_}/sketch_reader/{pair[0] + 1}/{pair[1] + 1}",
        words="Reading the stories that it could become",
        variables={
            "premise": context.brief.premise,
            "wishes": context.brief.wishes,
            "first": first,
            "second": second,
            "retells": retells,
        },
        turn=round_,
    )
    return context.ask_whole(job, SKETCH_READING_SCHEMA if retells else SKETCH_MARKS_SCHEMA)


def _room(context: StoryContext) -> float:
    """Return how many tokens two sketches may have."""
    return context.window(SKETCH_READER) * SHARE_OF_SKETCHES


def _cut_to(text: str, tokens: float) -> str:
    """Return a text, without its end if it is longer than one of two that are read together may be."""
    share = tokens / max(1, estimate_tokens(text))
    return text if share >= 1 else text[: int(len(text) * share)]
