"""Answers of the outline agents: storylines, events, links, a review, and parts in chapters.

The whole answers are those of able models. A small one is asked for its parts: one storyline after the
other, a few events at a time, links by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized, or_nothing
from graph_flow.prompting.text import Answer, Phrase, Sentence, Title
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    WholePassage,
    named_in,
    number_in,
    usable,
)
from store.models.plot import LinkKind

MOST_PARTS = 4
"""The most parts that one event can have if a small model splits it."""

_MOST_REMARKS = 3
_MOST_IN = 3
"""The most people in one event of a small model."""
_MOST_LINES, _MOST_EVENTS, _MOST_WHO, _MOST_LINKS = 8, 60, 12, 120
_MOST_WHOLE_REMARKS, _MOST_WHOLE_PARTS = 12, 400
"""What is kept of a whole answer."""


_LATEST = 100_000


def _whole_number(said: Any) -> int | None:
    number = number_in(said)
    return int(number) if number is not None and 1 <= number <= _LATEST else None


_Chapter = Annotated[int | None, BeforeValidator(_whole_number)]
"""The number of a chapter, as one or in words around it; None if none is said."""


class WholeStoryline(WholeAnswer):
    """A storyline: what it is called, and who wants what in it, against what."""

    name: Annotated[WholeName, Required]
    about: WholeParagraph = ""


class WholeEvent(WholeAnswer):
    """An event planned on a storyline."""

    title: Annotated[WholeName, Required]
    line: WholeName = ""
    who: Annotated[tuple[WholeName, ...], usable(_MOST_WHO)] = ()
    setting: WholeLine = ""
    action: Annotated[WholePassage, Required]
    conflict: WholeLine = ""
    twist: WholeLine = ""


class WholeLink(WholeAnswer):
    """How one event relates to another; an event is meant by its label or its title."""

    source: Annotated[WholeName, Required]
    link: Annotated[LinkKind, named_in(LinkKind)]
    target: Annotated[WholeName, Required]


class WholeOutline(WholeAnswer):
    """An outline: its storylines, its events in the order of the story, and what joins them."""

    lines: Annotated[tuple[WholeStoryline, ...], usable(_MOST_LINES)] = ()
    events: Annotated[tuple[WholeEvent, ...], usable(_MOST_EVENTS, least=1)]
    links: Annotated[tuple[WholeLink, ...], usable(_MOST_LINKS)] = ()


class MendedEvent(WholeEvent):
    """An event in place of the one with the label `event`, or a new one that gets that label."""

    event: WholeName = ""


class MendedOutline(WholeAnswer):
    """What changes in an outline: the order of its events by their labels, and those that are not as they were.

    What is not in the order falls away. Links are those that come in addition.
    """

    order: Annotated[tuple[WholeName, ...], usable(2 * _MOST_EVENTS)] = ()
    events: Annotated[tuple[MendedEvent, ...], usable(_MOST_EVENTS)] = ()
    links: Annotated[tuple[WholeLink, ...], usable(_MOST_LINKS)] = ()


class WholeRemark(WholeAnswer):
    """What should be changed, and in which event; without one, in the outline as a whole."""

    event: WholeName = ""
    remark: Annotated[WholeParagraph, Required]


class WholeReview(WholeAnswer):
    """Whether an outline works, and where it does not."""

    weak: Annotated[tuple[WholeRemark, ...], usable(_MOST_WHOLE_REMARKS)] = ()
    goal_reached_in: WholeName = ""
    holds: bool = False


class WholePart(WholeAnswer):
    """A part of an event, and the chapter that should tell it."""

    event: Annotated[WholeName, Required]
    happens: Annotated[WholeParagraph, Required]
    chapter: _Chapter = None


class WholeParts(WholeAnswer):
    """Events split into parts, in the order in which they are told."""

    parts: Annotated[tuple[WholePart, ...], usable(_MOST_WHOLE_PARTS, least=1)]


WHOLE_OUTLINE = AnswerSchema(WholeOutline)
MENDED_OUTLINE = AnswerSchema(MendedOutline)
WHOLE_REVIEW = AnswerSchema(WholeReview)
WHOLE_PARTS = AnswerSchema(WholeParts)


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
        choices={"labels": labels, "chapters": [f"chapter {chapter}" for chapter in chapters]},
        sizes={"parts": Size(min(least, most), most)},
    )


def widened_events(answer: EventsAnswer, line: str) -> list[WholeEvent]:
    """Return a small model's events of a storyline as whole ones."""
    return [WholeEvent.model_validate({**one.model_dump(), "line": line}) for one in answer.events]


def widened_review(answer: ReviewAnswer) -> WholeReview:
    """Return a small model's review as a whole one."""
    return WholeReview.model_validate(answer.model_dump())


def widened_parts(answer: PartsAnswer) -> WholeParts:
    """Return a small model's parts as whole ones."""
    return WholeParts.model_validate(answer.model_dump())
