"""Stage 1: from the premise to a title, a world and a goal."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.agents import CAST, FOUNDATION
from graph_flow.founding.answers import FOUNDATION_SCHEMA, WHOLE_FOUNDATION, WholeFoundation
from graph_flow.founding.cast import foundation_from, held, redrafted, settled_fields
from graph_flow.founding.plan import book_begun
from graph_flow.prompting.length import length_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.base import new_id
from store.models.endpoint import ModelStrength
from store.models.proposals import Configuration
from store.models.prototype import Snapshot

_CALLS = {ModelStrength.ABLE: 4, ModelStrength.SMALL: 7}
"""Calls in the whole stage: foundation, cast, spine and their reader; or one for each part of a cast
of three."""

_FORMS = AnswerForms(
    WHOLE_FOUNDATION,
    FOUNDATION_SCHEMA,
    lambda part: WholeFoundation.model_validate(part.model_dump()),
)


def draft_foundation(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Draft the foundation as the beginning of a new configuration.

    What the writer has locked or changed in an earlier configuration is kept, and so are the stories that
    the premise could become, unless others were asked for.
    """
    context, brief = runtime.context, runtime.context.brief
    round_ = state["round"]
    context.progress.begin_step("Drafting the world and the cast", _CALLS[context.strength(CAST)])
    earlier = context.store.proposals.configuration(context.branch)
    kept = held(apply(Snapshot(), earlier.delta, 0), brief.premise) if earlier else Snapshot()
    taken = _taken(context, state, earlier)
    answer = context.ask_in_form(
        Job(
            agent=FOUNDATION,
            step=f"0/{round_}/foundation",
            words="Imagining the world and how the story could end",
            variables={
                "premise": brief.premise,
                "wishes": brief.wishes,
                "form": brief.form.spec.described,
                "is_prose": brief.form.spec.is_prose,
                "length": length_words(context.settings, context.unit),
                "kept": settled_fields(kept.foundation),
                "note": context.note(state),
                **_seen_before(context, state, earlier, taken),
                **book_begun(context),
            },
            turn=round_,
        ),
        _FORMS,
    )
    ideas, place = _ideas(answer, earlier, taken)
    foundation = redrafted(foundation_from(answer, brief.premise), kept.foundation)
    entities = {**kept.entities, foundation.id: foundation}
    context.store.proposals.save_configuration(
        Configuration(
            id=new_id(),
            branch=context.branch,
            round=round_,
            title=earlier.title
            if earlier and earlier.is_titled
            else context.story.title or answer.title,
            is_titled=bool(earlier and earlier.is_titled),
            delta=diff(Snapshot(), Snapshot(entities=entities)),
            ideas=ideas,
            idea=place,
        )
    )
    return {}


def _taken(context: StoryContext, state: StoryState, earlier: Configuration | None) -> int:
    """Return which of the earlier ideas the writer wants to have drafted, from 1; 0 if none."""
    decision = context.decision(state)
    choice = decision.choice if decision else None
    place = int(choice) if choice and choice.isdecimal() else 0
    return place if earlier and place <= len(earlier.ideas) else 0


def _seen_before(
    context: StoryContext, state: StoryState, earlier: Configuration | None, taken: int
) -> Variables:
    """Return what the writer has seen of the story, as variables of a prompt.

    Whoever takes an idea gets that; whoever says what should be different, the last attempt with it; whoever
    only asks again, another story than they have seen. Whoever begins anew has turned nothing down.
    """
    if earlier is None or context.decision(state) is None:
        return {"idea": "", "last": "", "seen": []}
    last = apply(Snapshot(), earlier.delta, 0).foundation.idea
    has_note, seen = bool(context.note(state)), list(earlier.ideas) or [last]
    return {
        "idea": earlier.ideas[taken - 1] if taken else "",
        "last": last if has_note and not taken else "",
        "seen": [] if has_note or taken else list(filter(None, seen)),
    }


def _ideas(
    answer: WholeFoundation, earlier: Configuration | None, taken: int
) -> tuple[tuple[str, ...], int]:
    """Return the stories that the premise could become, and which of them is drafted."""
    found = tuple(filter(None, answer.considered))
    if earlier is not None and (taken or not found):
        return earlier.ideas, taken or earlier.idea
    return found, answer.number if answer.number <= len(found) else 0
