"""Stage 1: which of several sketches is the story, and what it lays down."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.founding.agents import SKETCH_READER
from graph_flow.founding.answers import SKETCH_READING_SCHEMA, SketchReading
from graph_flow.founding.cast import held
from graph_flow.founding.foundation import ask_foundation, founded
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply
from store.models.proposals import Configuration, Sketch
from store.models.prototype import Snapshot


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Draft the foundation from the sketch that a reader prefers to the others.

    If there is no sketch, or the reader gives no answer that can be used, the story is the one that was
    drafted first.
    """
    context, configuration = runtime.context, runtime.context.configuration
    found = [configuration.sketch_of(idea) for idea in sorted(state["to_sketch"])]
    sketches = [one for one in found if one is not None]
    chosen = _chosen(context, state, configuration, sketches)
    if chosen is None:
        return {}
    kept = held(apply(Snapshot(), configuration.delta, 0), context.brief.premise)
    given = {"idea": configuration.ideas[chosen.idea - 1], "sketch": chosen.text}
    answer = ask_foundation(context, state, kept, f"foundation/{chosen.idea}", given)
    newest = context.configuration
    context.store.proposals.save_configuration(
        newest.model_copy(
            update={
                "title": newest.title if newest.is_titled else answer.title,
                "delta": founded(answer, kept, context.brief.premise),
                "idea": chosen.idea,
            }
        )
    )
    return {}


def _chosen(
    context: StoryContext,
    state: StoryState,
    configuration: Configuration,
    sketches: Sequence[Sketch],
) -> Sketch | None:
    """Return the sketch to go on from: the only one, or that which its reader likes best."""
    if len(sketches) < 2:
        return next(iter(sketches), None)
    reading = context.ask_whole(_job(context, state, sketches), SKETCH_READING_SCHEMA)
    if reading is None or reading.best > len(sketches):
        return next((one for one in sketches if one.idea == configuration.idea), sketches[0])
    said = _remarks(reading)
    for number, sketch in enumerate(sketches, start=1):
        remarked = sketch.model_copy(update={"remark": said.get(number, "")})
        context.store.proposals.save_sketch(context.branch, remarked)
    return sketches[reading.best - 1]


def _job(context: StoryContext, state: StoryState, sketches: Sequence[Sketch]) -> Job:
    return Job(
        agent=SKETCH_READER,
        step=f"0/{state['round']}/sketch_reader",
        words="Reading the stories that it could become",
        variables={
            "premise": context.brief.premise,
            "wishes": context.brief.wishes,
            "sketches": [one.text for one in sketches],
        },
        turn=state["round"],
    )


def _remarks(reading: SketchReading) -> dict[int, str]:
    return {one.number: one.remark for one in reading.remarks if one.number}
