"""The Plot Graph: scenes, events, who is in them, what leads to what, and when it happens.

Sources: CreAgentive for the graph, StoryWriter for links between events.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from store.models.base import Entity, Id, Line, Name, Passage


class Foundation(Entity):
    """What holds for the whole story: its world, the condition that ends it, its themes and tone."""

    kind: Literal["foundation"] = "foundation"
    background: Passage = ""
    long_term_goal: Line = ""
    themes: Line = ""
    tone: Line = ""


class Scene(Entity):
    """A place at a time, with its mood; events occur in it."""

    kind: Literal["scene"] = "scene"
    name: Name
    place: Line = ""
    time: Line = ""
    atmosphere: Line = ""


class Event(Entity):
    """Something that happens. `position` orders the events of one chapter, from 0.

    `story_order` is when it happens in the story, apart from the chapter that tells it, on a scale
    on which chapter n begins at n: a flashback that chapter 7 tells may stand at 2.5. None: when it
    is told. `story_date` is a date as the story's own calendar says it.
    """

    kind: Literal["event"] = "event"
    title: Name
    summary: Passage
    consequences: Line = ""
    position: Annotated[int, Field(ge=0)] = 0
    story_order: Annotated[float, Field(allow_inf_nan=False)] | None = None
    story_date: Line = ""


class Part(StrEnum):
    """How a person takes part in an event; what limits what they can know of it."""

    ACTS = "acts"
    IS_AFFECTED = "is affected"
    WITNESSES = "witnesses"
    IS_TOLD = "is told"


class Participation(Entity):
    """`IN_EVENT`: a character's part in an event, with their own emotion and the impact on them."""

    kind: Literal["participation"] = "participation"
    character: Id
    event: Id
    part: Part = Part.ACTS
    emotion: Line = ""
    impact: Line = ""


class Occurrence(Entity):
    """`OCCURRED_IN`: the scene in which an event takes place."""

    kind: Literal["occurrence"] = "occurrence"
    event: Id
    scene: Id


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
    source: Id
    target: Id
    link: LinkKind

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
    """Something the reader is made to wait for (foreshadowing).

    `planted_in` and `paid_off_in` are the chapters in which that happened or, while `state` has
    not come so far, in which it is meant to happen; None where that is open.
    """

    kind: Literal["thread"] = "thread"
    title: Name
    description: Line = ""
    state: ThreadState = ThreadState.PLANNED
    planted_in: Annotated[int, Field(ge=0)] | None = None
    paid_off_in: Annotated[int, Field(ge=0)] | None = None


_STEP = 0.5
"""How far from the first or last event of the story an event is that is put before or after it."""


def moment(event: Event, told_in: int) -> float:
    """Return when an event happens, on the scale of `Event.story_order`: chapter n begins at n.

    An event without an order of its own happens when it is told. Where it stands in its chapter
    then follows from its position alone, so that it need not be known what else the chapter tells.
    """
    if event.story_order is not None:
        return event.story_order
    return told_in + (event.position + 0.5) / (event.position + 2)


def right_before(anchor: float, others: Iterable[float]) -> float:
    """Return a moment between `anchor` and the last of the others that lies before it."""
    earlier = max((one for one in others if one < anchor), default=None)
    return anchor - _STEP if earlier is None else (earlier + anchor) / 2


def right_after(anchor: float, others: Iterable[float]) -> float:
    """Return a moment between `anchor` and the first of the others that lies after it."""
    later = min((one for one in others if one > anchor), default=None)
    return anchor + _STEP if later is None else (anchor + later) / 2
