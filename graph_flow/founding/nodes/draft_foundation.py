"""Stage 1: from the premise, or from the sketch that was chosen, to a title, a world and a goal."""

from __future__ import annotations

from collections.abc import Set

from langgraph.runtime import Runtime

from graph_flow.founding.agents import FOUNDATION
from graph_flow.founding.answers import FOUNDATION_SCHEMA, WholeFoundation
from graph_flow.founding.cast import foundation_from, redrafted, settled_fields
from graph_flow.founding.earlier import idea_taken, stories_turned_down, story_to_change
from graph_flow.founding.plan import book_begun
from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.length import breadth_of, form_words, length_words
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.delta import Delta
from store.models.proposals import Configuration
from store.models.prototype import Snapshot

_WEIGHED = frozenset({"considered", "number"})
"""What is asked only of whoever looks for a story."""


def draft_foundation(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Draft the foundation into the configuration, with the stories that the premise could become."""
    context = runtime.context
    configuration = context.configuration
    kept = apply(Snapshot(), configuration.delta, 0)
    answer = _ask(context, state, kept, _given(context, state, configuration))
    newest = context.configuration
    is_settled = _is_settled(context, state, newest)
    found = () if is_settled else tuple(filter(None, answer.considered))
    context.store.proposals.save_configuration(
        newest.model_copy(
            update={
                "title": newest.title or answer.title,
                "delta": _founded(answer, kept, context.brief.premise),
                **(_considered(answer, found) if found else {}),
            }
        )
    )
    return {}


def _given(context: StoryContext, state: StoryState, configuration: Configuration) -> Variables:
    """Return what the story is founded on besides its premise, as variables of a prompt.

    That is a story that was chosen, with its sketch if there is one; or what the writer has seen, if they
    want that changed, or another story.
    """
    if _is_settled(context, state, configuration):
        idea = configuration.ideas[configuration.idea - 1]
        return {"idea": idea, "sketch": configuration.sketch}
    if last := story_to_change(context, state):
        return {"last": last}
    return {"seen": stories_turned_down(context, state)}


def _is_settled(context: StoryContext, state: StoryState, configuration: Configuration) -> bool:
    """Return whether it has been chosen which story it is to be."""
    is_taken = idea_taken(context, state, configuration) == configuration.idea
    return bool(configuration.idea) and (is_taken or bool(configuration.sketch))


def _considered(answer: WholeFoundation, found: tuple[str, ...]) -> dict[str, object]:
    """Return the stories that the premise could become, none of which has a sketch."""
    place = answer.number if answer.number <= len(found) else 0
    return {"ideas": found, "idea": place, "sketches": ()}


def _forms(*, without: Set[str]) -> AnswerForms[WholeFoundation]:
    return AnswerForms(
        AnswerSchema(WholeFoundation, without=without),
        FOUNDATION_SCHEMA,
        lambda part: WholeFoundation.model_validate(part.model_dump()),
    )


def _ask(
    context: StoryContext, state: StoryState, kept: Snapshot, given: Variables
) -> WholeFoundation:
    """Return a draft of the foundation; `given` is what it is made from, besides premise and settings.

    `kept` holds what the writer has settled.
    """
    brief, round_, book = context.brief, state["round"], book_begun(context)
    return context.ask_in_form(
        Job(
            agent=FOUNDATION,
            step=f"0/{round_}/foundation",
            words="Imagining the world and how the story could end",
            variables={
                "premise": brief.premise,
                "wishes": brief.wishes,
                "form": form_words(brief.form, context.settings),
                "is_prose": brief.form.spec.is_prose,
                "length": length_words(context.settings, context.unit),
                "breadth": breadth_of(context.settings),
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


def _founded(answer: WholeFoundation, kept: Snapshot, premise: str) -> Delta:
    """Return a configuration that consists of a foundation and of what is kept."""
    foundation = redrafted(foundation_from(answer, premise), kept.foundation)
    entities = {**kept.entities, foundation.id: foundation}
    return diff(Snapshot(), Snapshot(entities=entities))
