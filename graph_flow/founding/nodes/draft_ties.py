"""Stage 1: the relationships between the people, and where the story can begin."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import person_line
from graph_flow.founding.agents import RELATIONSHIPS, SCENES
from graph_flow.founding.answers import SCENES_SCHEMA, relationships_schema
from graph_flow.founding.cast import (
    held,
    relationships_among,
    relationships_from,
    scenes_among,
    scenes_from,
)
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.cast import Character, Relationship
from store.models.plot import Scene
from store.models.prototype import AnyEntity, Snapshot


def draft_ties(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Complete the configuration with relationships and first scenes.

    If an agent gives no usable answer, there are none: the writer adds them, or has everything
    drafted again. Relationships and scenes that are locked stay.
    """
    context = runtime.context
    configuration = context.configuration
    if configuration.is_complete:
        return {}  # An able model has drafted them with the cast.
    proposed = apply(Snapshot(), configuration.delta, 0)
    kept = held(proposed, context.brief.premise)
    relationships = relationships_among(
        _find_relationships(state, context, proposed.characters), kept.relationships
    )
    scenes = scenes_among(_find_scenes(state, context, proposed), kept.scenes)
    found: list[AnyEntity] = [*relationships, *scenes]
    whole = {**proposed.entities, **{part.id: part for part in found}}
    delta = diff(Snapshot(), Snapshot(entities=whole))
    context.store.proposals.save_configuration(
        configuration.model_copy(update={"delta": delta, "is_complete": True})
    )
    return {}


def _find_relationships(
    state: StoryState, context: StoryContext, cast: Sequence[Character]
) -> list[Relationship]:
    if len(cast) < 2:
        return []
    job = Job(
        agent=RELATIONSHIPS,
        step=f"0/{state['round']}/ties",
        words="Working out their relationships",
        variables={
            "premise": context.brief.premise,
            "people": [person_line(person) for person in cast],
            "note": context.note(state),
        },
        turn=state["round"],
    )
    answer = context.ask_if_usable(job, relationships_schema([person.name for person in cast]))
    return relationships_from(answer, cast) if answer else []


def _find_scenes(state: StoryState, context: StoryContext, proposed: Snapshot) -> list[Scene]:
    job = Job(
        agent=SCENES,
        step=f"0/{state['round']}/scenes",
        words="Finding places where the story can begin",
        variables={
            "premise": context.brief.premise,
            "background": proposed.foundation.background,
            "people": [f"{person.name}, {person.occupation}" for person in proposed.characters],
        },
        turn=state["round"],
    )
    answer = context.ask_if_usable(job, SCENES_SCHEMA)
    return scenes_from(answer.scenes) if answer else []
