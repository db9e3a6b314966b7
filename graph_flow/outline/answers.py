"""Answers of the outline agents: storylines, events, links, a review, and parts in chapters."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from graph_flow.prompting.schema import list_of, narrowed, one_of, one_of_or_nothing
from graph_flow.prompting.text import Answer, Phrase, Sentence, Title
from store.models.plot import LinkKind

MOST_PARTS = 4
"""The most parts that one event can have."""

_MOST_REMARKS = 3
_MOST_IN = 3
"""The most people in one event."""


class StorylineAnswer(Answer):
    """A storyline: who and what it is about, and the newcomer it brings in, or *nobody*."""

    name: Title
    lead: str
    about: Sentence
    newcomer: Title


class StorylinesAnswer(BaseModel):
    """The storylines of a story."""

    lines: list[StorylineAnswer]


class EventAnswer(Answer):
    """An event planned on a storyline."""

    title: Title
    who: list[str]
    setting: Phrase
    action: Sentence
    conflict: Phrase
    twist: Phrase


class EventsAnswer(BaseModel):
    """The next events of a storyline, in order."""

    events: list[EventAnswer]


class LinkAnswer(BaseModel):
    """How one event relates to another."""

    source: str
    link: LinkKind
    target: str


class LinksAnswer(BaseModel):
    """The links between the events of an outline."""

    links: list[LinkAnswer]


class WeakPoint(BaseModel):
    """An event that should be changed, and why."""

    event: str
    remark: Sentence


class ReviewAnswer(BaseModel):
    """Whether an outline works, and where it does not."""

    weak: list[WeakPoint]
    goal_reached_in: str
    holds: bool


class PartAnswer(BaseModel):
    """A part of an event, and the chapter that should tell it."""

    event: str
    happens: Sentence
    chapter: str


class PartsAnswer(BaseModel):
    """Events split into parts."""

    parts: list[PartAnswer]


def storylines_schema(count: int, people: Sequence[str]) -> type[StorylinesAnswer]:
    """Return the answer with exactly `count` storylines, each about one of the people named."""
    line = narrowed(StorylineAnswer, lead=one_of(people))
    return narrowed(StorylinesAnswer, lines=list_of(line, count, count))


def events_schema(count: int, people: Sequence[str]) -> type[EventsAnswer]:
    """Return the answer with `count` events that involve only the people named."""
    who = list_of(one_of(people), 1, min(_MOST_IN, max(1, len(people))))
    return narrowed(EventsAnswer, events=list_of(narrowed(EventAnswer, who=who), count, count))


def links_schema(labels: Sequence[str], most: int) -> type[LinksAnswer]:
    """Return the answer that can link only the labelled events."""
    link = narrowed(LinkAnswer, source=one_of(labels), target=one_of(labels))
    return narrowed(LinksAnswer, links=list_of(link, 1, most))


def review_schema(labels: Sequence[str]) -> type[ReviewAnswer]:
    """Return the answer that can name only the labelled events."""
    weak = narrowed(WeakPoint, event=one_of(labels))
    return narrowed(
        ReviewAnswer,
        weak=list_of(weak, 0, _MOST_REMARKS),
        goal_reached_in=one_of_or_nothing(labels),
    )


def parts_schema(labels: Sequence[str], chapters: Sequence[int], least: int) -> type[PartsAnswer]:
    """Return the answer that splits the labelled events into `least` parts or a few more."""
    part = narrowed(
        PartAnswer,
        event=one_of(labels),
        chapter=one_of([chapter_label(chapter) for chapter in chapters]),
    )
    most = min(least + len(labels), MOST_PARTS * len(labels))
    return narrowed(PartsAnswer, parts=list_of(part, min(least, most), most))


def chapter_label(chapter: int) -> str:
    """Return the label of a chapter in an answer."""
    return f"chapter {chapter}"
