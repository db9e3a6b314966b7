"""Stage 1: who is in the story, and what lies between them; from a small model, each of them alone."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import relationship_line
from graph_flow.cognition.omniscient import past_lines
from graph_flow.founding.agents import CAST, CHARACTER
from graph_flow.founding.answers import (
    CHARACTER_SCHEMA,
    WHOLE_CAST,
    PersonAnswer,
    WholeCast,
    cast_schema,
)
from graph_flow.founding.cast import (
    bare_character,
    character_from,
    held,
    is_same_person,
    names_in,
    past_among,
    past_from,
    redrafted,
    relationships_among,
    roster,
    scenes_among,
    scenes_from,
    settled_people,
    ties_from,
    whole_cast_from,
)
from graph_flow.founding.plan import answer_tokens, sketch_beside, what_is_settled
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.base import WHOLE
from store.models.cast import Character
from store.models.plot import Foundation
from store.models.prototype import AnyEntity, Snapshot

_CALLS_AROUND_PEOPLE = 4
"""Foundation, cast, relationships, scenes."""


def draft_cast(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Draft the cast into the configuration.

    An able model drafts it with its relationships, its past and its places, so that the secrets of
    one bear on another's. A small one is asked for one person at a time, for the writer to watch.
    People whom the writer has locked, changed or added stay in the cast, and so do those to whom
    anything else of this kind refers.
    """
    context = runtime.context
    configuration = context.configuration
    proposed = apply(Snapshot(), configuration.delta, 0)
    kept = held(proposed, context.brief.premise)
    answer = _find_whole_cast(state, context, proposed.foundation, kept)
    if answer is not None:
        entities = _whole_cast(context, proposed, kept, answer)
        delta = diff(Snapshot(), Snapshot(entities=entities))
        context.store.proposals.save_configuration(
            configuration.model_copy(update={"delta": delta, "is_complete": True})
        )
        return {}
    people = _find_people(state, context, proposed.foundation, kept.characters)
    context.progress.expect(_CALLS_AROUND_PEOPLE + len(people))
    whole: dict[str, AnyEntity] = {proposed.foundation.id: proposed.foundation, **kept.entities}
    for person in people:
        one = _redraft(state, context, person, (people, kept.characters))
        whole[one.id] = one
        context.store.proposals.save_configuration(
            configuration.model_copy(update={"delta": diff(Snapshot(), Snapshot(entities=whole))})
        )
    return {}


def _find_whole_cast(
    state: StoryState, context: StoryContext, foundation: Foundation, kept: Snapshot
) -> WholeCast | None:
    """Return the cast that an able model drafts; None if the model is small."""
    job = Job(
        agent=CAST,
        step=f"0/{state['round']}/cast",
        words="Finding the people of the story, and what lies between them",
        variables={
            **what_is_settled(context, foundation),
            "sketch": sketch_beside(context.configuration, foundation),
            "kept": _settled(kept),
            "note": context.note(state),
        },
        turn=state["round"],
        tokens=answer_tokens(context, CAST),
    )
    return context.ask_whole(job, WHOLE_CAST)


def _settled(kept: Snapshot) -> list[str]:
    """Return what a redraft has to fit around, in lines."""
    return [
        *settled_people(kept),
        *(relationship_line(kept, one) for one in kept.relationships),
        *past_lines(kept).values(),
        *(f"the place {scene.name}" for scene in kept.scenes),
    ]


def _whole_cast(
    context: StoryContext, proposed: Snapshot, kept: Snapshot, answer: WholeCast
) -> dict[str, AnyEntity]:
    """Return a whole configuration as an answer describes it, with what was kept."""
    premise = context.brief.premise
    cast = whole_cast_from(answer.people, kept.characters, premise)
    drafted: list[AnyEntity] = [
        proposed.foundation,
        *cast,
        *relationships_among(ties_from(answer.relationships, cast), kept.relationships),
        *past_among(past_from(answer.past, cast), kept),
        *scenes_among(scenes_from(answer.places), kept.scenes),
    ]
    entities = {one.id: one for one in drafted}
    return entities | {id_: one for id_, one in kept.entities.items() if id_ not in entities}


def _find_people(
    state: StoryState, context: StoryContext, foundation: Foundation, kept: Sequence[Character]
) -> list[PersonAnswer]:
    brief = context.brief
    named = [person.name for person in kept]
    named += [name for name in names_in(brief.premise) if _among(kept, name) is None]
    job = Job(
        agent=CAST,
        step=f"0/{state['round']}/cast",
        words="Finding the people of the story",
        variables={
            "premise": brief.premise,
            "wishes": brief.wishes,
            "background": foundation.background,
            "goal": foundation.long_term_goal,
            "named": named,
            "note": context.note(state),
        },
        turn=state["round"],
    )
    return roster(context.ask(job, cast_schema(len(named))), named)


def _redraft(
    state: StoryState,
    context: StoryContext,
    person: PersonAnswer,
    around: tuple[Sequence[PersonAnswer], Sequence[Character]],
) -> Character:
    people, kept = around
    same = _among(kept, person.name)
    if same is None:
        return _bring_to_life(state, context, person, people)
    if WHOLE in same.locked:
        return same
    return redrafted(_bring_to_life(state, context, person, people), same)


def _among(kept: Sequence[Character], name: str) -> Character | None:
    return next((person for person in kept if is_same_person(person.name, name)), None)


def _bring_to_life(
    state: StoryState, context: StoryContext, person: PersonAnswer, people: Sequence[PersonAnswer]
) -> Character:
    position = people.index(person)
    premise = context.brief.premise
    job = Job(
        agent=CHARACTER,
        step=f"0/{state['round']}/character/{position}",
        words=f"Bringing {person.name} to life",
        variables={
            "premise": premise,
            "name": person.name,
            "part": person.part,
            "others": [f"{other.name}, {other.part}" for other in people if other is not person],
            "note": context.note(state),
        },
        turn=state["round"] + position,
    )
    answer = context.ask_if_usable(job, CHARACTER_SCHEMA)
    return character_from(person, answer, premise) if answer else bare_character(person, premise)
