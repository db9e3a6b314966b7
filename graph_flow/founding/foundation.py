"""The foundation of a story, as its agent drafts it: from a premise, an idea, or a sketch."""

from __future__ import annotations

from collections.abc import Set

from graph_flow.founding.agents import FOUNDATION
from graph_flow.founding.answers import FOUNDATION_SCHEMA, WholeFoundation
from graph_flow.founding.cast import foundation_from, redrafted, settled_fields
from graph_flow.founding.plan import book_begun
from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.length import length_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import diff
from store.models.delta import Delta
from store.models.prototype import Snapshot

_WEIGHED = frozenset({"considered", "number", "next_best"})
"""What is asked only of whoever looks for a story."""


def _forms(*, without: Set[str]) -> AnswerForms[WholeFoundation]:
    return AnswerForms(
        AnswerSchema(WholeFoundation, without=without),
        FOUNDATION_SCHEMA,
        lambda part: WholeFoundation.model_validate(part.model_dump()),
    )


def ask_foundation(
    context: StoryContext, state: StoryState, kept: Snapshot, step: str, given: Variables
) -> WholeFoundation:
    """Return a draft of the foundation; `given` is what it is made from, besides premise and settings.

    `step` names the call within the round, and `kept` holds what the writer has settled.
    """
    brief, round_, book = context.brief, state["round"], book_begun(context)
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
                **book,
                **given,
            },
            turn=round_,
        ),
        _forms(without=_not_asked(given, has_book=bool(book["book"]))),
    )


def _not_asked(given: Variables, *, has_book: bool) -> Set[str]:
    """Return what the prompt does not ask for: of a story that is found, what else it could be."""
    if has_book:
        return _WEIGHED | {"chosen", "idea"}
    if given.get("sketch"):
        return _WEIGHED | {"chosen"}
    return _WEIGHED if given.get("idea") else frozenset()


def founded(answer: WholeFoundation, kept: Snapshot, premise: str) -> Delta:
    """Return a configuration that consists of a foundation and of what is kept."""
    foundation = redrafted(foundation_from(answer, premise), kept.foundation)
    entities = {**kept.entities, foundation.id: foundation}
    return diff(Snapshot(), Snapshot(entities=entities))
