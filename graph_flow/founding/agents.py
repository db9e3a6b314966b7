"""The agents of stage 1, which turn the premise into a configuration."""

from __future__ import annotations

from functools import partial

from graph_flow.founding.answers import (
    CHARACTER_SCHEMA,
    FOUNDATION_SCHEMA,
    SCENES_SCHEMA,
    SPINE_SCHEMA,
    cast_schema,
    relationships_schema,
)
from graph_flow.prompting.agent import (
    NO_CALLS,
    Agent,
    Calls,
    Work,
    line_names,
    once_at_the_beginning,
)
from store.models.run import Initialize

_PEOPLE = 3
"""The size of cast that a premise usually leads to."""


def _one_a_person(work: Work) -> Calls:
    return Calls(_PEOPLE, _PEOPLE) if isinstance(work.task, Initialize) else NO_CALLS


_agent = partial(Agent, stage="founding")

FOUNDATION = _agent(
    name="foundation",
    label="World and goal",
    calls=once_at_the_beginning,
    answer=FOUNDATION_SCHEMA,
)
CAST = _agent(
    name="cast",
    label="Cast",
    calls=once_at_the_beginning,
    answer=lambda example: cast_schema(len(example.given["named"])),
    labels={"kept": "What you have locked", "named": "Names in the premise"},
)
CHARACTER = _agent(
    name="character",
    label="Characters",
    calls=_one_a_person,
    answer=CHARACTER_SCHEMA,
    labels={"name": "Who they are", "part": "Who they are"},
)
RELATIONSHIPS = _agent(
    name="ties",
    label="Relationships",
    calls=once_at_the_beginning,
    answer=lambda example: relationships_schema(line_names(example.given["people"])),
)
SCENES = _agent(name="scenes", label="Places", calls=once_at_the_beginning, answer=SCENES_SCHEMA)

SPINE = _agent(
    name="spine",
    label="Spine",
    calls=once_at_the_beginning,
    answer=SPINE_SCHEMA,
    labels={"themes": "The world", "tone": "The world", "past": "What happened before"},
)

AGENTS = (FOUNDATION, CAST, CHARACTER, RELATIONSHIPS, SCENES, SPINE)
