"""Stage 1: which of several stories that were told whole is worked out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from langgraph.runtime import Runtime

from graph_flow.founding.agents import SKETCH_READER
from graph_flow.founding.answers import SKETCH_READING_SCHEMA, SketchReading
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Sketch

_BEGINNING = 60
"""Words of a sketch that stand for a story that nobody has retold."""


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which sketch a reader prefers, and each story as that reader retells it.

    Of a single sketch, or without an answer that can be used, the story is the first one.
    """
    context = runtime.context
    sketches = context.configuration.sketches
    if not sketches:
        return {}
    reading = _reading(context, state, sketches) if len(sketches) > 1 else None
    said = {one.number: one for one in reading.stories} if reading else {}
    is_found = reading is not None and reading.best <= len(sketches)
    told, ideas = [], []
    for place, sketch in enumerate(sketches, start=1):
        story = said.get(place)
        remark = story.remark if story else ""
        told.append(sketch.model_copy(update={"idea": place, "remark": remark}))
        ideas.append((story.idea if story else "") or _beginning(sketch.text))
    context.store.proposals.save_configuration(
        context.configuration.model_copy(
            update={
                "sketches": tuple(told),
                "ideas": tuple(ideas),
                "idea": reading.best if reading and is_found else 1,
            }
        )
    )
    return {}


def _reading(
    context: StoryContext, state: StoryState, sketches: Sequence[Sketch]
) -> SketchReading | None:
    job = Job(
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
    return context.ask_whole(job, SKETCH_READING_SCHEMA)


def _beginning(text: str) -> str:
    words = (
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
    return " ".join(islice(words, _BEGINNING)) + " …"
