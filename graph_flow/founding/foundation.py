"""The foundation of a story, as its agent drafts it: from a premise, an idea, or a sketch."""

from __future__ import annotations

from graph_flow.founding.agents import FOUNDATION
from graph_flow.founding.answers import FOUNDATION_SCHEMA, WHOLE_FOUNDATION, WholeFoundation
from graph_flow.founding.cast import foundation_from, redrafted, settled_fields
from graph_flow.founding.plan import book_begun
from graph_flow.prompting.length import length_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import diff
from store.models.delta import Delta
from store.models.prototype import Snapshot

_FORMS = AnswerForms(
    WHOLE_FOUNDATION,
    FOUNDATION_SCHEMA,
    lambda part: WholeFoundation.model_validate(part.model_dump()),
)


def ask_foundation(
    context: StoryContext, state: StoryState, kept: Snapshot, step: str, given: Variables
) -> WholeFoundation:
    """Return a draft of the foundation; `given` is what it is made from, besides premise and settings.

    `step` names the call within the round, and `kept` holds what the writer has settled.
    """
    brief, round_ = context.brief, state["round"]
    return context.ask_in_form(
        Job(
            agent=FOUNDATION,
            step=f"0/{round_}/{step}",
            words="Imagining the world and how the story could end",
            variables={
                "premise": brief.premise,
                "wishes": brief.wishes,
                "form": brief.form.spec.described,
                "is_prose": brief.form.spec.is_prose,
                "length": length_words(context.settings, context.unit),
                "kept": settled_fields(kept.foundation),
                "note": context.note(state),
                "idea": "",
                "last": "",
                "seen": [],
                "sketch": "",
                **book_begun(context),
                **given,
            },
            turn=round_,
        ),
        _FORMS,
    )


def founded(answer: WholeFoundation, kept: Snapshot, premise: str) -> Delta:
    """Return a configuration that consists of a foundation and of what is kept."""
    foundation = redrafted(foundation_from(answer, premise), kept.foundation)
    entities = {**kept.entities, foundation.id: foundation}
    return diff(Snapshot(), Snapshot(entities=entities))
