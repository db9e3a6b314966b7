"""Stage 1: which of several stories that were told whole is worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime

from graph_flow.founding.answers import SketchReading
from graph_flow.founding.ranking import Pair, is_retold, pairs, standing
from graph_flow.founding.reading import reading_of
from graph_flow.prompting.headings import beginning
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Sketch


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which sketch readers prefer to the others, and each story as one of them retells it.

    Without a reading that can be used, the first sketch stands.
    """
    context = runtime.context
    sketches = context.configuration.sketches
    if not sketches:
        return {}
    count = len(sketches)
    readings = {pair: reading_of(context, state["round"], pair) for pair in pairs(count)}
    found = {pair: reading for pair, reading in readings.items() if reading is not None}
    margins = {pair: reading.marks.margin for pair, reading in found.items()}
    _keep(context, sketches, _retold(found, count), standing(count, margins)[0])
    return {}


def _retold(readings: Mapping[Pair, SketchReading], count: int) -> dict[int, SketchReading]:
    """Return the readings in which a story is retold, by its place from 0."""
    return {pair[0]: reading for pair, reading in readings.items() if is_retold(pair, count)}


def _keep(
    context: StoryContext, sketches: Sequence[Sketch], said: Mapping[int, SketchReading], best: int
) -> None:
    readings = [said.get(at) for at in range(len(sketches))]
    told = [
        sketch.model_copy(update={"idea": place, "remark": reading.remark if reading else ""})
        for place, (sketch, reading) in enumerate(zip(sketches, readings, strict=True), start=1)
    ]
    ideas = [
        (reading.idea if reading else "") or beginning(sketch.text)
        for sketch, reading in zip(sketches, readings, strict=True)
    ]
    context.store.proposals.save_configuration(
        context.configuration.model_copy(
            update={"sketches": tuple(told), "ideas": tuple(ideas), "idea": best + 1}
        )
    )
