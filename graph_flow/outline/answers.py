"""Answers of the outline agents: storylines, events, links, a review, and parts in chapters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized, or_nothing
from graph_flow.prompting.text import Answer, Phrase, Sentence, Title
from store.models.plot import LinkKind

MOST_PARTS = 4
"""The most parts that one event can have."""

_MOST_REMARKS = 3
_MOST_IN = 3
"""The most people in one event."""

Label = Annotated[str, OneOf("labels")]
"""The label of an event of the outline."""


class StorylineAnswer(Answer):
    """A storyline: who and what it is about, and the newcomer it brings in, or *nobody*."""

    name: Title
    lead: Annotated[str, OneOf("people")]
    about: Sentence
    newcomer: Title


class StorylinesAnswer(BaseModel):
    """The storylines of a story."""

    lines: Annotated[list[StorylineAnswer], Sized("lines")]


class EventAnswer(Answer):
    """An event planned on a storyline."""

    title: Title
    who: Annotated[list[Annotated[str, OneOf("people")]], Sized("who")]
    setting: Phrase
    action: Sentence
    conflict: Phrase
    twist: Phrase


class EventsAnswer(BaseModel):
    """The next events of a storyline, in order."""

    events: Annotated[list[EventAnswer], Sized("events")]


class LinkAnswer(BaseModel):
    """How one event relates to another."""

    source: Label
    link: LinkKind
    target: Label


class LinksAnswer(BaseModel):
    """The links between the events of an outline."""

    links: Annotated[list[LinkAnswer], Sized("links")]


class WeakPoint(BaseModel):
    """An event that should be changed, and why."""

    event: Label
    remark: Sentence


class ReviewAnswer(BaseModel):
    """Whether an outline works, and where it does not."""

    weak: Annotated[list[WeakPoint], Field(min_length=0, max_length=_MOST_REMARKS)]
    goal_reached_in: Annotated[str, OneOf("endings")]
    holds: bool


class PartAnswer(BaseModel):
    """A part of an event, and the chapter that should tell it."""

    event: Label
    happens: Sentence
    chapter: Annotated[str, OneOf("chapters")]


class PartsAnswer(BaseModel):
    """Events split into parts."""

    parts: Annotated[list[PartAnswer], Sized("parts")]


def storylines_schema(count: int, people: Sequence[str]) -> AnswerSchema[StorylinesAnswer]:
    """Return the answer with exactly `count` storylines, each about one of the people named."""
    return AnswerSchema(
        StorylinesAnswer, choices={"people": people}, sizes={"lines": Size(count, count)}
    )


def events_schema(count: int, people: Sequence[str]) -> AnswerSchema[EventsAnswer]:
    """Return the answer with `count` events that involve only the people named."""
    who = Size(1, min(_MOST_IN, max(1, len(people))))
    return AnswerSchema(
        EventsAnswer,
        choices={"people": people},
        sizes={"events": Size(count, count), "who": who},
    )


def links_schema(labels: Sequence[str], most: int) -> AnswerSchema[LinksAnswer]:
    """Return the answer that can link only the labelled events."""
    return AnswerSchema(LinksAnswer, choices={"labels": labels}, sizes={"links": Size(1, most)})


def review_schema(labels: Sequence[str]) -> AnswerSchema[ReviewAnswer]:
    """Return the answer that can name only the labelled events."""
    return AnswerSchema(ReviewAnswer, choices={"labels": labels, "endings": or_nothing(labels)})


def parts_schema(
    labels: Sequence[str], chapters: Sequence[int], least: int
) -> AnswerSchema[PartsAnswer]:
    """Return the answer that splits the labelled events into `least` parts or a few more."""
    most = min(least + len(labels), MOST_PARTS * len(labels))
    return AnswerSchema(
        PartsAnswer,
        choices={"labels": labels, "chapters": [chapter_label(chapter) for chapter in chapters]},
        sizes={"parts": Size(min(least, most), most)},
    )


def chapter_label(chapter: int) -> str:
    """Return the label of a chapter in an answer."""
    return f"chapter {chapter}"
