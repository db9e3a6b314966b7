"""Stage 1: which of several stories that were told whole is worked out."""

from __future__ import annotations

from collections.abc import Mapping

from langgraph.runtime import Runtime

from graph_flow.founding.agents import MORE_SKETCHES, SKETCHES
from graph_flow.founding.answers import SketchReading
from graph_flow.founding.ranking import Pair, best_after, standing
from graph_flow.founding.reading import asked_of, order_of, readings_of
from graph_flow.prompting.headings import beginning
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Configuration


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which sketch readers prefer to the others, and each story as one of them retells it.

    After that more are to be told, by whoever knows what was said of the first; one of these is chosen if
    readers prefer it to the best. Without a reading that can be used, the first sketch stands.
    """
    context = runtime.context
    configuration = context.configuration
    asked = asked_of(configuration)
    if len(configuration.sketches) > len(configuration.ideas):
        said = readings_of(context, state["round"], asked)
        retold = {pair[0]: one for pair, one in said.items() if asked[pair]}
        _keep(context, configuration, retold, _best(configuration, said))
    return {"to_sketch": _more(context, state)}


def _more(context: StoryContext, state: StoryState) -> list[int]:
    """Return the places of the sketches that are to be told after the first, if readers have said anything."""
    is_first = state["to_sketch"][:1] == [1]
    if not (is_first and order_of(context, state["round"], len(context.configuration.sketches))):
        return []
    return list(range(SKETCHES + 1, SKETCHES + MORE_SKETCHES + 1))


def _best(configuration: Configuration, said: Mapping[Pair, SketchReading]) -> int:
    """Return which sketch readers prefer, by its place from 0."""
    margins = {pair: reading.marks.margin for pair, reading in said.items()}
    if configuration.ideas:
        return best_after(configuration.idea - 1, margins)
    return standing(len(configuration.sketches), margins)[0]


def _keep(
    context: StoryContext,
    configuration: Configuration,
    retold: Mapping[int, SketchReading],
    best: int,
) -> None:
    """Save what is said of the sketches that nobody had retold, and which is the best."""
    sketches, ideas = list(configuration.sketches), list(configuration.ideas)
    for at, sketch in enumerate(sketches):
        reading = retold.get(at)
        update = {"idea": at + 1, **({"remark": reading.remark} if reading else {})}
        sketches[at] = sketch.model_copy(update=update)
        if at >= len(ideas):
            ideas.append((reading.idea if reading else "") or beginning(sketch.text))
    context.store.proposals.save_configuration(
        configuration.model_copy(
            update={"sketches": tuple(sketches), "ideas": tuple(ideas), "idea": best + 1}
        )
    )
