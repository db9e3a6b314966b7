"""Stage 1: from the premise to a title, a world and a goal."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.agents import CAST, FOUNDATION
from graph_flow.founding.answers import FOUNDATION_SCHEMA, WHOLE_FOUNDATION, WholeFoundation
from graph_flow.founding.cast import foundation_from, held, redrafted, settled_fields
from graph_flow.founding.plan import book_begun
from graph_flow.prompting.length import length_words
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

    What the writer has locked or changed in an earlier configuration is kept.
    """
    context, brief = runtime.context, runtime.context.brief
    round_ = state["round"]
    context.progress.begin_step("Drafting the world and the cast", _CALLS[context.strength(CAST)])
    earlier = context.store.proposals.configuration(context.branch)
    kept = held(apply(Snapshot(), earlier.delta, 0), brief.premise) if earlier else Snapshot()
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
                **book_begun(context),
            },
            turn=round_,
        ),
        _FORMS,
    )
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
        )
    )
    return {}
