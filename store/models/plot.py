"""The Plot Graph: scenes, events, who is in them, what leads to what, and when it happens.

Sources: CreAgentive for the graph, StoryWriter for links between events.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from store.models.base import Entity, Id, Line, Name, Paragraph, Passage
from store.models.fields import Shown


class Foundation(Entity):
    """What holds for the whole story: its world, its goal, its themes and its tone."""

    kind: Literal["foundation"] = "foundation"
    idea: Annotated[
        Passage,
        Shown(
            "The story in short",
            "How its author would tell it to a friend: who tells it, what happens, how it comes out.",
            is_long=True,
        ),
    ] = ""
    """Known to the author alone."""
    background: Annotated[
        Passage, Shown("World", "The world, its nature and its past.", is_long=True)
    ] = ""
    truth: Annotated[
        Passage,
        Shown(
            "What is really the case",
            "What lies behind it all, until it is found out.",
            is_long=True,
        ),
    ] = ""
    """Known to the author alone; what somebody knows of it stands with that person."""
    long_term_goal: Annotated[
        Paragraph, Shown("Long-term goal", "The condition that ends the story.", is_long=True)
    ] = ""
    themes: Annotated[
        Line, Shown("Themes", "What the story is about.", is_long=True, is_plural=True)
    ] = ""
    tone: Annotated[Paragraph, Shown("Tone", "How the story sounds.", is_long=True)] = ""


class Spine(Entity):
    """Where the story goes, known to its author and to none of its people.

    In a story without a planned length it is that of the present arc.
    """

    kind: Literal["spine"] = "spine"
    inciting: Annotated[
        Passage, Shown("What sets it off", "What begins the trouble.", is_long=True)
    ] = ""
    turns: Annotated[
        Passage, Shown("Turns", "Where the story turns, in order.", is_long=True, is_plural=True)
    ] = ""
    holds: Annotated[
        Passage,
        Shown(
            "What must hold",
            "What nobody may learn or do before its time.",
            is_long=True,
        ),
    ] = ""
    crisis: Annotated[
        Passage, Shown("Crisis", "The choice that cannot be put off any longer.", is_long=True)
    ] = ""
    ending: Annotated[
        Passage,
        Shown("Ending", "How the long-term goal comes true, or fails.", is_long=True),
    ] = ""
    cost: Annotated[Passage, Shown("Cost", "What the ending costs, and whom.", is_long=True)] = ""
    last_image: Annotated[
        Passage, Shown("Last image", "What the reader sees last.", is_long=True)
    ] = ""


class Scene(Entity):
    """A place at a time, with its mood; events occur in it."""

    kind: Literal["scene"] = "scene"
    name: Annotated[Name, Shown("Name", "What the scene is called.", is_searched=True)]
    place: Annotated[Line, Shown("Place", "Where a scene is set.", is_searched=True)] = ""
    time: Annotated[Line, Shown("Time", "When a scene takes place.", is_searched=True)] = ""
    atmosphere: Annotated[
        Line, Shown("Mood", "The mood of a scene.", is_long=True, is_searched=True)
    ] = ""


class Event(Entity):
    """Something that happens. `position` orders the events of one chapter, from 0.

    `story_order` is when it happens in the story, whichever chapter tells it, on a scale on which
    chapter n begins at n: a flashback told in chapter 7 may be at 2.5. None: when it is told.
    `story_date` is a date in the story's own calendar.
    """

    kind: Literal["event"] = "event"
    title: Annotated[
        Name,
        Shown("Title", "What the event is called.", is_searched=True, is_rewordable=True),
    ]
    summary: Annotated[
        Passage,
        Shown(
            "Summary",
            "What happens in an event.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ]
    consequences: Annotated[
        Line,
        Shown(
            "Consequences",
            "What an event leads to.",
            is_long=True,
            is_plural=True,
            is_searched=True,
        ),
    ] = ""
    spoken: Annotated[
        Paragraph,
        Shown(
            "Spoken lines",
            "What is said in an event, word for word, with who says it.",
            is_long=True,
            is_plural=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    position: Annotated[
        int,
        Field(ge=0),
        Shown("Position", "The position of an event in its chapter, from 0."),
    ] = 0
    story_order: Annotated[
        Annotated[float, Field(allow_inf_nan=False)] | None,
        Shown(
            "Story time",
            "When an event happens, on a scale on which chapter n begins at n; "
            "if empty, when it is told.",
        ),
    ] = None
    story_date: Annotated[
        Line,
        Shown(
            "Story date", "When an event happens, in the story's own calendar.", is_searched=True
        ),
    ] = ""


class Part(StrEnum):
    """How a person takes part in an event, which limits what they can know about it."""

    ACTS = "acts"
    IS_AFFECTED = "is affected"
    WITNESSES = "witnesses"
    IS_TOLD = "is told"


class Participation(Entity):
    """`IN_EVENT`: a character's part in an event, with their own emotion and the impact on them."""

    kind: Literal["participation"] = "participation"
    character: Annotated[Id, Shown("Person", "Who takes part.")]
    event: Annotated[Id, Shown("Event", "The event that somebody takes part in.")]
    part: Annotated[
        Part, Shown("Part", "How somebody takes part: acts, is affected, witnesses or is told.")
    ] = Part.ACTS
    emotion: Annotated[
        Line, Shown("Feeling", "What somebody feels in an event.", is_searched=True)
    ] = ""
    impact: Annotated[
        Line, Shown("Impact", "What an event does to somebody.", is_searched=True)
    ] = ""
    inner: Annotated[
        Passage,
        Shown(
            "Thoughts",
            "What somebody thinks and means in an event, which nobody else can see.",
            is_long=True,
            is_plural=True,
            is_searched=True,
        ),
    ] = ""
    learned: Annotated[
        Passage,
        Shown(
            "Learned",
            "What somebody comes to believe through an event; it may be false.",
            is_long=True,
            is_searched=True,
        ),
    ] = ""


class Occurrence(Entity):
    """`OCCURRED_IN`: the scene in which an event takes place."""

    kind: Literal["occurrence"] = "occurrence"
    event: Annotated[Id, Shown("Event", "The event that takes place in a scene.")]
    scene: Annotated[Id, Shown("Scene", "Where and when an event takes place.")]


class LinkKind(StrEnum):
    """How one event bears on another (StoryWriter's outline)."""

    CAUSES = "causes"
    ENABLES = "enables"
    FORESHADOWS = "foreshadows"
    PAYS_OFF = "pays off"
    CONTRADICTS = "contradicts"
    PARALLELS = "parallels"
    BEFORE = "before"


class EventLink(Entity):
    """A directed link from one event to another."""

    kind: Literal["event_link"] = "event_link"
    source: Annotated[Id, Shown("Event", "The event that a link starts from.")]
    target: Annotated[Id, Shown("Other event", "The event that a link leads to.")]
    link: Annotated[LinkKind, Shown("Link", "How one event bears on the other.")]

    @model_validator(mode="after")
    def _links_two_events(self) -> Self:
        if self.source == self.target:
            raise ValueError("an event cannot be linked to itself")
        return self


class ThreadState(StrEnum):
    """The life of a foreshadowing thread."""

    PLANNED = "planned"
    PLANTED = "planted"
    PAID_OFF = "paid off"
    DROPPED = "dropped"


class Thread(Entity):
    """Something planted, to be paid off later (foreshadowing).

    `planted_in` and `paid_off_in` are the chapters in which that happened or, until `state` gets
    there, is meant to happen; None if undecided.
    """

    kind: Literal["thread"] = "thread"
    title: Annotated[
        Name,
        Shown("Title", "What the thread is called.", is_searched=True, is_rewordable=True),
    ]
    description: Annotated[
        Line,
        Shown(
            "Description",
            "What a thread is about.",
            is_long=True,
            is_searched=True,
            is_rewordable=True,
        ),
    ] = ""
    state: Annotated[
        ThreadState,
        Shown(
            "State",
            "Whether a thread is planned, planted, paid off or dropped.",
            is_changed_by_agents=True,
        ),
    ] = ThreadState.PLANNED
    planted_in: Annotated[
        Annotated[int, Field(ge=0)] | None,
        Shown("Planting chapter", "The chapter in which a thread is planted, or is meant to be."),
    ] = None
    paid_off_in: Annotated[
        Annotated[int, Field(ge=0)] | None,
        Shown(
            "Payoff chapter",
            "The chapter in which a thread is paid off, or is meant to be.",
            is_changed_by_agents=True,
        ),
    ] = None


_STEP = 0.5
"""How far before the first event of the story, or after the last, another one is placed."""


def moment(event: Event, chapter: int) -> float:
    """Return when an event happens, on the scale of `Event.story_order`: chapter n begins at n.

    An event without a story order happens when it is told. When exactly depends on its position
    alone, whatever else the chapter tells.
    """
    if event.story_order is not None:
        return event.story_order
    return chapter + (event.position + 0.5) / (event.position + 2)


def right_before(anchor: float, others: Iterable[float]) -> float:
    """Return a moment between `anchor` and the last of the others before it."""
    earlier = max((one for one in others if one < anchor), default=None)
    return anchor - _STEP if earlier is None else (earlier + anchor) / 2


def right_after(anchor: float, others: Iterable[float]) -> float:
    """Return a moment between `anchor` and the first of the others after it."""
    later = min((one for one in others if one > anchor), default=None)
    return anchor + _STEP if later is None else (anchor + later) / 2
