"""The agents of stage 1, which turn the premise into a configuration."""

from __future__ import annotations

from functools import partial
from math import ceil

from graph_flow.founding.answers import (
    CHARACTER_SCHEMA,
    FOUNDATION_SCHEMA,
    FOUNDING_REVIEW_SCHEMA,
    SCENES_SCHEMA,
    SKETCH_READING_SCHEMA,
    SPINE_SCHEMA,
    SPINE_UPDATE_SCHEMA,
    cast_schema,
    relationships_schema,
)
from graph_flow.founding.ranking import pairs
from graph_flow.prompting.agent import (
    NO_CALLS,
    Agent,
    Calls,
    CallSize,
    Work,
    line_names,
    of_sketch,
    once_at_the_beginning,
    only_if,
)
from graph_flow.prompting.length import is_short
from store.models.endpoint import ModelStrength
from store.models.run import ChooseAgain, Initialize, PlotChapters, ReadStory

_PEOPLE = 3
"""The size of cast that a premise usually leads to."""
SKETCHES = 5
"""How many stories that a premise could become are told whole, for readers to choose from."""
SHARE_OF_SKETCHES = 0.75
"""How much of a reader's window two sketches may fill."""


def _one_a_person(work: Work) -> Calls:
    return Calls(_PEOPLE, _PEOPLE) if isinstance(work.task, Initialize) else NO_CALLS


def is_sketched(work: Work) -> bool:
    """Whether a task is expected to have several stories told or begun that a premise could become."""
    return (
        isinstance(work.task, Initialize)
        and work.strength is ModelStrength.ABLE
        and work.settings.is_sketched
    )


def _reading_two(work: Work) -> Calls:
    """Expect readers of each two sketches and, of a short story, of its two drafts in both orders."""
    if is_sketched(work):
        count = len(pairs(SKETCHES))
        return Calls(count, ceil(count / work.at_once))
    is_short_reading = isinstance(work.task, ReadStory) and is_short(work.settings)
    return Calls(2, 2) if is_short_reading and work.strength is ModelStrength.ABLE else NO_CALLS


def _reading_the_plan(work: Work) -> Calls:
    """Expect a reader of the plan, unless the story itself has had readers."""
    is_read = is_sketched(work) and is_short(work.settings)
    return NO_CALLS if is_read else once_at_the_beginning(work)


def _with_sketch(work: Work) -> CallSize | None:
    """Expect a call with a sketch."""
    return of_sketch(read=1)(work) if is_sketched(work) else None


def _beside_the_next_goals(work: Work) -> Calls:
    """Expect a call after each chapter, for which nothing waits if two calls can run at once.

    There is none after the last of the chapters that a sketch has told.
    """
    match work.task:
        case ChooseAgain():
            return Calls(1, 0)
        case PlotChapters(chapters=chapters):
            count = chapters - (work.is_as_told and work.reaches_end)
            return Calls(count, count if work.at_once == 1 else 0)
    return NO_CALLS


_KEPT = {"kept": "What you have settled"}
_SKETCH = {"sketch": "The sketch"}
_BOOK = {"book": "Your book", "book_end": "Your book"}

_agent = partial(Agent, stage="founding")

FOUNDATION = _agent(
    name="foundation",
    label="World and goal",
    calls=once_at_the_beginning,
    size=_with_sketch,
    answer=FOUNDATION_SCHEMA,
    labels={
        "is_prose": "The task",
        "last": "What you have seen",
        "seen": "What you have seen",
        **_SKETCH,
        **_KEPT,
        **_BOOK,
    },
)
SKETCH_READER = _agent(
    name="sketch_reader",
    label="Readers of two texts",
    calls=_reading_two,
    size=of_sketch(read=2),
    answer=SKETCH_READING_SCHEMA,
    labels={"retells": "The task", "first": "The two texts", "second": "The two texts"},
)
CAST = _agent(
    name="cast",
    label="Cast",
    calls=once_at_the_beginning,
    size=_with_sketch,
    answer=lambda example: cast_schema(len(example.given["named"])),
    labels={"named": "Names in the premise", **_SKETCH, **_KEPT, **_BOOK},
)
CHARACTER = _agent(
    name="character",
    label="Characters",
    calls=only_if(ModelStrength.SMALL, _one_a_person),
    answer=CHARACTER_SCHEMA,
    labels={"name": "Who they are", "part": "Who they are"},
)
RELATIONSHIPS = _agent(
    name="ties",
    label="Relationships",
    calls=only_if(ModelStrength.SMALL, once_at_the_beginning),
    answer=lambda example: relationships_schema(line_names(example.given["people"])),
)
SCENES = _agent(
    name="scenes",
    label="Places",
    calls=only_if(ModelStrength.SMALL, once_at_the_beginning),
    answer=SCENES_SCHEMA,
)

SPINE = _agent(
    name="spine",
    label="Spine",
    calls=only_if(ModelStrength.ABLE, once_at_the_beginning),
    size=_with_sketch,
    answer=SPINE_SCHEMA,
    labels={
        "themes": "The world",
        "tone": "The world",
        "past": "What happened before",
        "is_told": "The task",
        **_SKETCH,
        **_KEPT,
        **_BOOK,
    },
)

FOUNDING_REVIEW = _agent(
    name="founding_review",
    label="First reader of the plan",
    calls=only_if(ModelStrength.ABLE, _reading_the_plan),
    answer=FOUNDING_REVIEW_SCHEMA,
    labels={
        "themes": "The world",
        "tone": "The world",
        "past": "What happened before",
        "spine": "Where the story goes",
        **_KEPT,
    },
)

SPINE_UPDATE = _agent(
    name="spine_update",
    label="Spine, after each chapter",
    calls=only_if(ModelStrength.ABLE, _beside_the_next_goals),
    answer=SPINE_UPDATE_SCHEMA,
    labels={
        "events": "What happened in the chapter",
        "is_last": "The task",
        "is_serial": "The task",
        "place": "The task",
        "spine": "Where the story goes",
    },
)

AGENTS = (
    FOUNDATION,
    SKETCH_READER,
    CAST,
    CHARACTER,
    RELATIONSHIPS,
    SCENES,
    SPINE,
    FOUNDING_REVIEW,
    SPINE_UPDATE,
)
