"""The outline of a whole story, for writers who plan (StoryWriter: outline and planning agents).

An outline is a plan, never canon: events and the links between them, each event split into
sub-events that are spread over chapters. What a chapter makes of them becomes canon by its Delta,
like everything else.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from store.models.base import Id, Line, Name, Paragraph, Passage, Record
from store.models.fields import Shown
from store.models.plot import LinkKind

LONGEST = 400
"""The most events in an outline, and the most links."""

MOST_PARTS = 2_000
"""The most sub-events in an outline."""


class OutlineEvent(Record):
    """An event that is planned. `line` is the storyline that it belongs to.

    `characters` are names: of people in the cast, or of some who are yet to appear.
    """

    id: Id
    title: Annotated[Name, Shown("Title", "What the event is called.")]
    line: Annotated[Name, Shown("Storyline", "The storyline that the event belongs to.")]
    setting: Annotated[Line, Shown("Setting", "Where and when it happens.")] = ""
    characters: Annotated[
        tuple[Name, ...], Field(max_length=40), Shown("People", "Who is in it.", is_plural=True)
    ] = ()
    action: Annotated[Passage, Shown("Action", "What happens.", is_long=True)] = ""
    conflict: Annotated[Line, Shown("Conflict", "What stands in the way.", is_long=True)] = ""
    twist: Annotated[Line, Shown("Twist", "How it turns out unexpectedly.", is_long=True)] = ""


class OutlineLink(Record):
    """How one event of an outline bears on another, in the same ways as events of the story."""

    source: Annotated[Id, Shown("Event", "The event that a link starts from.")]
    target: Annotated[Id, Shown("Other event", "The event that a link leads to.")]
    link: Annotated[LinkKind, Shown("Link", "How one event bears on the other.")]

    @model_validator(mode="after")
    def _links_two_events(self) -> Self:
        if self.source == self.target:
            raise ValueError("an event cannot be linked to itself")
        return self


class SubEvent(Record):
    """A part of an event, for one chapter to tell. `chapter` is None until it is placed.

    Within a chapter, sub-events are told in the order in which the outline lists them.
    """

    id: Id
    event: Annotated[Id, Shown("Event", "The event that it is part of.")]
    text: Annotated[Paragraph, Shown("Action", "What happens.", is_long=True)]
    chapter: Annotated[
        Annotated[int, Field(ge=1)] | None, Shown("Chapter", "The chapter that tells it.")
    ] = None


class Remark(Record):
    """A change that the reviewer suggests. `event` is None if it is about the whole outline."""

    event: Id | None = None
    text: Annotated[Paragraph, Field(min_length=1)]


class OutlineState(StrEnum):
    """The state of an outline: a draft, or the one that the story is plotted by.

    A draft that was thrown away is discarded, and an accepted outline that is no longer used is
    laid aside; both can be brought back.
    """

    DRAFT = "draft"
    ACCEPTED = "accepted"
    DISCARDED = "discarded"
    LAID_ASIDE = "laid aside"


class Outline(Record):
    """One version of an outline. `review` is the reviewer's latest comment, in one line.

    Every sub-event belongs to one of the events, and every link joins two of them. `version` counts
    how often the outlines of a branch were saved; a save must name the version it was made from.
    """

    id: Id
    branch: Id
    events: Annotated[tuple[OutlineEvent, ...], Field(max_length=LONGEST)] = ()
    links: Annotated[tuple[OutlineLink, ...], Field(max_length=LONGEST)] = ()
    sub_events: Annotated[tuple[SubEvent, ...], Field(max_length=MOST_PARTS)] = ()
    state: OutlineState = OutlineState.DRAFT
    review: Line = ""
    remarks: Annotated[tuple[Remark, ...], Field(max_length=20)] = ()
    version: Annotated[int, Field(ge=0, lt=2**53)] = 0
    created: datetime

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        events = [event.id for event in self.events]
        known = set(events)
        parts = [part.id for part in self.sub_events]
        if len(known) < len(events) or len(set(parts)) < len(parts):
            raise ValueError("an outline names each event and each part once")
        ends = {end for link in self.links for end in (link.source, link.target)}
        if not (ends | {part.event for part in self.sub_events}) <= known:
            raise ValueError("a link or a part belongs to no event of the outline")
        return self

    def parts_of(self, chapter: int) -> tuple[SubEvent, ...]:
        """Return what a chapter is to tell, in order."""
        return tuple(part for part in self.sub_events if part.chapter == chapter)

    def without_event(self, event: str) -> Outline:
        """Return the outline without an event, its parts, its links and the remarks about it."""
        return self.model_copy(
            update={
                "events": tuple(one for one in self.events if one.id != event),
                "links": tuple(one for one in self.links if event not in (one.source, one.target)),
                "sub_events": tuple(one for one in self.sub_events if one.event != event),
                "remarks": tuple(one for one in self.remarks if one.event != event),
            }
        )
