"""Stage 1: which of several stories that were told whole is worked out."""

from __future__ import annotations

from collections.abc import Mapping

from langgraph.runtime import Runtime

from graph_flow.founding.answers import SketchReading
from graph_flow.founding.ranking import is_retold, standing
from graph_flow.founding.reading import readings_of
from graph_flow.prompting.headings import beginning
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which sketch readers prefer to the others, and each story as one of them retells it.

    Without a reading that can be used, the first sketch stands.
    """
    context = runtime.context
    count = len(context.configuration.sketches)
    if count:
        said = readings_of(context, state["round"])
        retold = {pair[0]: one for pair, one in said.items() if is_retold(pair, count)}
        best, *_ = standing(count, {pair: one.marks.margin for pair, one in said.items()})
        _keep(context, retold, best)
    return {}


def _keep(context: StoryContext, retold: Mapping[int, SketchReading], best: int) -> None:
    """Save what is said of the sketches, and which is the best, by its place from 0."""
    configuration = context.configuration
    readings = [retold.get(at) for at in range(len(configuration.sketches))]
    both = list(zip(configuration.sketches, readings, strict=True))
    sketches = [
        sketch.model_copy(update={"idea": number, "remark": reading.remark if reading else ""})
        for number, (sketch, reading) in enumerate(both, start=1)
    ]
    ideas = [
        (reading.idea if reading else "") or beginning(sketch.text) for sketch, reading in both
    ]
    context.store.proposals.save_configuration(
        configuration.model_copy(
            update={"sketches": tuple(sketches), "ideas": tuple(ideas), "idea": best + 1}
        )
    )
