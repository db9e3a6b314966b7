"""Stage 1: where the story goes, which its author knows and none of its people do."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.agents import SPINE
from graph_flow.founding.answers import SPINE_OF_SKETCH, SPINE_SCHEMA
from graph_flow.founding.cast import held, redrafted, settled_fields, spine_from, with_arcs
from graph_flow.founding.plan import answer_tokens, plan_so_far, sketch_beside
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.prototype import Snapshot


def draft_spine(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Add the spine, and everybody's arc, to the configuration; leave both to the writer otherwise.

    Only an able model is asked: what a small one says of a whole story helps nobody.
    """
    context, configuration = runtime.context, runtime.context.configuration
    proposed = apply(Snapshot(), configuration.delta, 0)
    earlier = held(proposed, context.brief.premise)
    job = Job(
        agent=SPINE,
        step=f"0/{state['round']}/spine",
        words="Deciding where the story goes",
        variables={
            **plan_so_far(context, proposed),
            "sketch": sketch_beside(configuration, proposed.foundation),
            "is_told": configuration.is_told,
            "history": [],
            "kept": settled_fields(earlier.spine),
            "note": context.note(state),
        },
        turn=state["round"],
        tokens=answer_tokens(context, SPINE),
    )
    schema = SPINE_OF_SKETCH if configuration.is_told else SPINE_SCHEMA
    answer = context.ask_whole(job, schema)
    if answer is None:
        return {}
    spine = redrafted(spine_from(answer), earlier.spine)
    cast = {person.id: person for person in with_arcs(proposed.characters, answer.arcs)}
    whole = {**proposed.entities, **cast, spine.id: spine}
    context.store.proposals.save_configuration(
        configuration.model_copy(update={"delta": diff(Snapshot(), Snapshot(entities=whole))})
    )
    return {}
