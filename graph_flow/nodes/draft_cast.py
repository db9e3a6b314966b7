"""Stage 1: the people of the story."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.answers.founding import cast_schema
from graph_flow.context import Job, StoryContext
from graph_flow.founding import cast_from, names_in
from graph_flow.state import StoryState
from store.delta import apply, diff
from store.models.prototype import Snapshot


def draft_cast(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Draft the cast into the configuration."""
    context, brief = runtime.context, runtime.context.brief
    configuration = context.configuration
    foundation = apply(Snapshot(), configuration.delta, 0).foundation
    round_ = state.get("round", 1)
    named = names_in(brief.premise)
    answer = context.ask(
        Job(
            agent="cast",
            step=f"0/{round_}/cast",
            words="Finding the people of the story",
            variables={
                "premise": brief.premise,
                "wishes": brief.wishes,
                "language": context.language,
                "background": foundation.background,
                "goal": foundation.long_term_goal,
                "named": named,
                "note": context.note(state),
            },
            turn=round_,
        ),
        cast_schema(max(4, min(len(named), 6))),
    )
    people = cast_from(answer, brief.premise)
    whole = {entity.id: entity for entity in (foundation, *people)}
    context.store.proposals.save_configuration(
        configuration.model_copy(update={"delta": diff(Snapshot(), Snapshot(entities=whole))})
    )
    return {}
