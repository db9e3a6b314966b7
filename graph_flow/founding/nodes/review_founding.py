"""Stage 1: what a hard reader finds wrong with the plan of a story, mended before anything is written."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.cognition.omniscient import spine_lines
from graph_flow.founding.agents import FOUNDING_REVIEW
from graph_flow.founding.answers import FOUNDING_REVIEW_SCHEMA
from graph_flow.founding.cast import held, mended, settled_fields
from graph_flow.founding.plan import answer_tokens, book_begun, plan_so_far
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.prototype import SPINE_ID, Snapshot


def review_founding(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Mend the configuration where its first reader finds a fault, and note the faults for the writer.

    Only an able model is asked, and only of a story that has a spine. What the writer has typed or
    locked stays. A book that was begun and a story that was sketched whole have had their readers, and whoever
    knows their plan alone would mend it away from what is written.
    """
    context, configuration = runtime.context, runtime.context.configuration
    proposed = apply(Snapshot(), configuration.delta, 0)
    is_told = configuration.is_told or bool(book_begun(context)["book"])
    if SPINE_ID not in proposed.entities or is_told:
        return {}
    answer = context.ask_whole(_job(context, state, proposed), FOUNDING_REVIEW_SCHEMA)
    if answer is None:
        return {}
    delta = diff(Snapshot(), mended(proposed, answer))
    context.store.proposals.save_configuration(configuration.model_copy(update={"delta": delta}))
    if answer.faults:
        context.store.runs.add_note(context.run, _note(answer.faults))
    return {}


def _job(context: StoryContext, state: StoryState, proposed: Snapshot) -> Job:
    kept = held(proposed, context.brief.premise)
    return Job(
        agent=FOUNDING_REVIEW,
        step=f"0/{state['round']}/founding_review",
        words="Reading the plan with a hard eye",
        variables={
            **plan_so_far(context, proposed),
            "spine": list(spine_lines(proposed.spine).values()),
            "kept": [
                *settled_fields(kept.foundation),
                *settled_fields(kept.spine),
                *(f"{one.name}: {line}" for one in kept.characters for line in settled_fields(one)),
            ],
            "note": context.note(state),
        },
        turn=state["round"],
        tokens=answer_tokens(context, FOUNDING_REVIEW),
    )


def _note(faults: tuple[str, ...]) -> str:
    count = "a fault" if len(faults) == 1 else f"{len(faults)} faults"
    return (
        f"The first reader of the plan found {count} in it, and mended what could be: {faults[0]}"
    )
