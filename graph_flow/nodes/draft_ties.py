"""Stage 1: what ties the people together, and where the story can begin."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.answers.founding import TiesAnswer, ties_schema
from graph_flow.context import Job, StoryContext
from graph_flow.founding import scenes_from, ties_from
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.memory import person_line
from graph_flow.state import StoryState
from store.delta import apply, diff
from store.models.prototype import Snapshot


def draft_ties(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Complete the configuration with relationships and first scenes.

    Without a usable answer there are none yet: the writer adds them, or has them drafted again.
    """
    context = runtime.context
    configuration = context.configuration
    proposed = apply(Snapshot(), configuration.delta, 0)
    cast, foundation = proposed.characters, proposed.foundation
    names = [person.name for person in cast]
    job = Job(
        agent="ties",
        step=f"0/{state['round']}/ties",
        words="Tying the people together",
        variables={
            "premise": context.brief.premise,
            "language": context.language,
            "people": [person_line(person) for person in cast],
            "note": context.note(state),
        },
        turn=state["round"],
    )
    try:
        answer = context.ask(job, ties_schema(names))
    except UnusableAnswer:
        answer = TiesAnswer(relationships=[], scenes=[])
    parts = (foundation, *cast, *ties_from(answer, cast), *scenes_from(answer))
    whole = Snapshot(entities={part.id: part for part in parts})
    context.store.proposals.save_configuration(
        configuration.model_copy(update={"delta": diff(Snapshot(), whole), "is_complete": True})
    )
    return {}
