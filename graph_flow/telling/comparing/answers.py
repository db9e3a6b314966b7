"""What a changed text says of its story: facts, each with the words that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, StringConstraints, model_validator

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.changes import WholeChange
from graph_flow.prompting.text import Phrase, Sentence, end_whole
from graph_flow.prompting.whole import (
    NAME,
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    WholePassage,
    WholeStrength,
    as_text,
    number_in,
    usable,
)
from graph_flow.telling.comparing.passages import first_sentence
from store.models.cast import RelationshipKind
from store.models.edits.comparison import ChangedPassage
from store.models.plot import Part

_MOST, _MOST_EVENTS, _MOST_PRESENT, _MOST_NAMES = 16, 24, 8, 4
"""What is kept of an answer."""
_QUOTE = 600
NOBODY = "nobody"

Quote = Annotated[
    str, BeforeValidator(as_text), StringConstraints(strip_whitespace=True, max_length=_QUOTE)
]
"""Words of the text, letter for letter."""


def _part(said: Any) -> Any:
    return said if said in set(Part) else Part.IS_AFFECTED


def _tie(said: Any) -> Any:
    return said.strip().casefold() if isinstance(said, str) else said


class FieldFact(WholeChange):
    """A field of something that exists, as the text has it now."""

    quote: Quote = ""


class PersonFact(WholeAnswer):
    """Somebody whom the text brings into the story."""

    name: Annotated[WholeName, Required]
    also: Annotated[tuple[WholeName, ...], usable(_MOST_NAMES)] = ()
    who: WholeLine = ""
    gender: WholeLine = ""
    age: WholeLine = ""
    personality: WholeParagraph = ""
    wants: WholeParagraph = ""
    hides: WholeParagraph = ""
    history: WholeParagraph = ""
    quote: Quote = ""


class PlaceFact(WholeAnswer):
    """A place that the text brings into the story."""

    name: Annotated[WholeName, Required]
    place: WholeLine = ""
    time: WholeLine = ""
    quote: Quote = ""


class TieFact(WholeAnswer):
    """How somebody stands toward somebody else, which is new or has changed."""

    source: Annotated[WholeName, Required]
    target: Annotated[WholeName, Required]
    tie: Annotated[RelationshipKind, BeforeValidator(_tie)]
    strength: WholeStrength = 5
    reason: WholeLine = ""
    quote: Quote = ""


class PresentFact(WholeAnswer):
    """Somebody who takes part in an event, and what they come to believe through it."""

    name: Annotated[WholeName, Required]
    part: Annotated[Part, BeforeValidator(_part)] = Part.ACTS
    learns: WholeLine = ""

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_bare_name(cls, said: Any) -> Any:
        return {"name": said} if isinstance(said, str) else said


class EventFact(WholeAnswer):
    """Something that happens in the text, and that the story does not know."""

    title: WholeName = ""
    summary: Annotated[WholePassage, Required]
    consequences: WholeLine = ""
    place: WholeName = ""
    present: Annotated[tuple[PresentFact, ...], usable(_MOST_PRESENT)] = ()
    chapter: Annotated[float | None, BeforeValidator(number_in)] = None
    """The earlier chapter in whose time it happens, if the text only looks back on it."""
    years_before: Annotated[float | None, BeforeValidator(number_in)] = None
    """How long before the first chapter it happens, if it does."""
    quote: Quote = ""


class GoneFact(WholeAnswer):
    """What no longer happens, or no longer holds; with a person, only that they take part in it."""

    of: Annotated[WholeName, Required]
    person: WholeName = ""
    quote: Quote = ""


class ChangedFacts(WholeAnswer):
    """All that a text now says of its story, and did not say before."""

    changes: Annotated[tuple[FieldFact, ...], usable(_MOST)] = ()
    people: Annotated[tuple[PersonFact, ...], usable(_MOST)] = ()
    places: Annotated[tuple[PlaceFact, ...], usable(_MOST)] = ()
    ties: Annotated[tuple[TieFact, ...], usable(_MOST)] = ()
    events: Annotated[tuple[EventFact, ...], usable(_MOST_EVENTS)] = ()
    gone: Annotated[tuple[GoneFact, ...], usable(_MOST)] = ()


FACTS_SCHEMA = AnswerSchema(ChangedFacts)


class PartFacts(BaseModel):
    """What a small model says: one thing that happens, and how somebody is now."""

    passage: Annotated[str, OneOf("passages")]
    is_new: Literal["something new happens", "only the words are different"]
    happens: Sentence
    who: Annotated[list[Annotated[str, OneOf("people")]], Sized("who")]
    person: Annotated[str, OneOf("people")]
    situation: Phrase


def passage_labels(passages: Sequence[ChangedPassage]) -> list[str]:
    """Return the labels by which a small model is shown passages, in their order."""
    return [f"A{at}" for at in range(1, len(passages) + 1)]


def part_schema(passages: Sequence[str], people: Sequence[str]) -> AnswerSchema[PartFacts]:
    """Return the answer that can name only these passages and people."""
    return AnswerSchema(
        PartFacts,
        choices={"passages": passages, "people": [*people, NOBODY]},
        sizes={"who": Size(0, 3)},
    )


def widened(part: PartFacts, passages: Sequence[ChangedPassage]) -> ChangedFacts:
    """Return a small model's answer as a whole one; its quote is how the passage that it names begins."""
    at = passage_labels(passages).index(part.passage)
    quote = first_sentence(passages[at].now)[:_QUOTE]
    present = tuple(PresentFact(name=name) for name in part.who if name != NOBODY)
    title = end_whole(part.happens[:NAME], NAME).rstrip(".")
    event = EventFact.model_construct(
        title=title, summary=part.happens, present=present, quote=quote
    )
    change = FieldFact(of=part.person, field="status", value=part.situation, quote=quote)
    return ChangedFacts.model_construct(
        events=(event,) if part.is_new.startswith("something") else (),
        changes=() if part.person == NOBODY else (change,),
    )
