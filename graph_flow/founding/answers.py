"""Answers of stage 1: the foundation, the cast with what lies between them, the spine.

The whole answers are those of able models. A small one is asked for its parts, one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.text import Answer, PersonName, Phrase, Sentence, Sentences, Title
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    WholePassage,
    WholeStrength,
    named_in,
    number_in,
    usable,
)
from store.models.cast import Awareness, RelationshipKind

_MOST_PEOPLE = 6
_MOST_WHOLE_PEOPLE, _MOST_TIES, _MOST_PAST, _MOST_PLACES, _MOST_FAULTS = 12, 40, 16, 8, 8
_MOST_CONSIDERED = 5
"""What is kept of a whole answer."""


_SHORTEST_PAST = 0.01
"""Years: what happened before the story lies at least some days before it."""


def _years(said: Any) -> float:
    number = number_in(said)
    return 1.0 if number is None else max(_SHORTEST_PAST, abs(number))


class _Considered(WholeAnswer):
    """What was thought of before deciding, for what comes to mind first is what a reader guesses.

    It comes first in an answer.
    """

    considered: Annotated[tuple[WholeParagraph, ...], usable(_MOST_CONSIDERED)] = ()


def _place(said: Any) -> int:
    number = number_in(said)
    return int(number) if number is not None and 1 <= number <= _MOST_CONSIDERED else 0


_Place = Annotated[int, BeforeValidator(_place)]
"""Which of the stories that were considered is meant, from 1; 0 if that is not clear."""


class WholeFoundation(_Considered):
    """The world with its past, and the condition that ends the story; first, which story it becomes.

    `number` says which of the stories that were considered it is, from 1; 0 if that is not said.
    """

    chosen: WholeParagraph = ""
    number: _Place = 0
    title: Annotated[WholeName, Required]
    idea: WholePassage = ""
    background: WholePassage = ""
    truth: WholePassage = ""
    long_term_goal: Annotated[WholeParagraph, Required]
    themes: WholeLine = ""
    tone: WholeParagraph = ""


def _two_marks(said: Any) -> tuple[float, ...]:
    found = tuple(map(number_in, said)) if isinstance(said, list) else ()
    marks = tuple(min(10.0, max(0.0, mark)) for mark in found if mark is not None)
    return marks if len(found) == len(marks) == 2 else ()


_Marks = Annotated[tuple[float, ...], BeforeValidator(_two_marks)]
"""The marks of two sketches on one point, 0 to 10; none if they are not two."""


class SketchMarks(WholeAnswer):
    """How good two sketches are, point by point."""

    relevance: _Marks = ()
    coherence: _Marks = ()
    engagement: _Marks = ()
    creativity: _Marks = ()
    character: _Marks = ()
    dialogue: _Marks = ()
    completeness: _Marks = ()
    prose: _Marks = ()

    @property
    def points(self) -> list[tuple[float, ...]]:
        """The marks on each point that has them."""
        return list(filter(None, dict(self).values()))

    @property
    def margin(self) -> float:
        """By how much the first is better, over all points."""
        return sum(first - second for first, second in self.points)


class SketchReading(WholeAnswer):
    """What a reader says of the first of two sketches, what sets both apart, and their marks.

    What is `weighed` is for the marks alone: who has said where two texts differ judges them better.
    """

    idea: WholeParagraph = ""
    remark: WholeParagraph = ""
    weighed: WholeParagraph = ""
    marks: SketchMarks


def _has_marks(reading: SketchReading) -> None:
    if not reading.marks.points:
        raise ValueError("no point has a mark for each of the two")


class WholePerson(WholeAnswer):
    """Somebody of the cast, with their part in what came before the story."""

    name: Annotated[WholeName, Required]
    part: WholeLine = ""
    gender: WholeLine = ""
    age: WholeLine = ""
    occupation: WholeLine = ""
    personality: WholeLine = ""
    history: WholePassage = ""
    want: WholeParagraph = ""
    fear: WholeLine = ""
    misbelief: WholeLine = ""
    secret: WholeParagraph = ""
    voice: WholeParagraph = ""


class WholeTie(WholeAnswer):
    """What one person is toward another, by name."""

    person: Annotated[WholeName, Required]
    toward: Annotated[WholeName, Required]
    tie: Annotated[RelationshipKind, named_in(RelationshipKind)]
    strength: WholeStrength = 5
    awareness: Annotated[Awareness, named_in(Awareness, Awareness.MUTUAL)] = Awareness.MUTUAL
    reason: WholeLine = ""


def _with_name(said: Any) -> Any:
    return {"name": said} if isinstance(said, str) else said


class ToldPerson(WholeAnswer):
    """Somebody who heard of an event, and what they believe of it, true or false.

    A bare name stands for somebody who was told all of it.
    """

    name: Annotated[WholeName, Required]
    learned: WholeLine = ""


class PastEvent(WholeAnswer):
    """Something that happened before the first chapter, with who knows of it, by name."""

    title: Annotated[WholeName, Required]
    happened: Annotated[WholePassage, Required]
    years_before: Annotated[float, BeforeValidator(_years)] = 1.0
    acted: Annotated[tuple[WholeName, ...], usable(_MOST_WHOLE_PEOPLE)] = ()
    affected: Annotated[tuple[WholeName, ...], usable(_MOST_WHOLE_PEOPLE)] = ()
    saw: Annotated[tuple[WholeName, ...], usable(_MOST_WHOLE_PEOPLE)] = ()
    told: Annotated[
        tuple[Annotated[ToldPerson, BeforeValidator(_with_name)], ...], usable(_MOST_WHOLE_PEOPLE)
    ] = ()


class WholePlace(WholeAnswer):
    """Where the story can happen."""

    name: Annotated[WholeName, Required]
    place: WholeLine = ""
    time: WholeLine = ""
    atmosphere: WholeLine = ""


class WholeCast(WholeAnswer):
    """The people of a story and all that lies between them."""

    people: Annotated[tuple[WholePerson, ...], usable(_MOST_WHOLE_PEOPLE, least=1)]
    relationships: Annotated[tuple[WholeTie, ...], usable(_MOST_TIES)] = ()
    past: Annotated[tuple[PastEvent, ...], usable(_MOST_PAST)] = ()
    places: Annotated[tuple[WholePlace, ...], usable(_MOST_PLACES)] = ()


class PersonArc(WholeAnswer):
    """What somebody must face, and how it changes them."""

    person: Annotated[WholeName, Required]
    arc: Annotated[WholeParagraph, Required]


class PersonUpdate(WholeAnswer):
    """What is different with somebody after a chapter; what is left out or empty is as it was."""

    person: Annotated[WholeName, Required]
    arc: WholeParagraph = ""
    want: WholeParagraph = ""
    hides: WholeParagraph = ""
    fear: WholeLine = ""
    misbelief: WholeLine = ""


class PersonNow(PersonUpdate):
    """What is different with somebody after a chapter, and what is over, with nothing in its place."""

    over: Annotated[tuple[Literal["hides", "fear", "misbelief"], ...], usable(3)] = ()


class PersonMended(PersonUpdate):
    """What a reader of the plan changes in somebody; what is left out or empty is as it was."""

    history: WholePassage = ""


class PastMended(WholeAnswer):
    """An event before the story, by its title, as it shall read."""

    title: Annotated[WholeName, Required]
    happened: Annotated[WholePassage, Required]


class _Spine(WholeAnswer):
    inciting: WholePassage = ""
    turns: WholePassage = ""
    holds: WholePassage = ""
    crisis: WholePassage = ""
    ending: WholePassage = ""
    cost: WholePassage = ""
    last_image: WholePassage = ""


class SpineAnswer(_Spine, _Considered):
    """Where the story goes."""

    ending: Annotated[WholePassage, Required]
    arcs: Annotated[tuple[PersonArc, ...], usable(_MOST_WHOLE_PEOPLE)] = ()


class SpineUpdate(_Spine):
    """What a chapter changes in where the story goes; what is left out or empty stays as it is."""

    people: Annotated[tuple[PersonNow, ...], usable(_MOST_WHOLE_PEOPLE)] = ()


class FoundingReview(_Spine):
    """What a reader of the plan changes in it; what is left out or empty stays as it is."""

    faults: Annotated[tuple[WholeLine, ...], usable(_MOST_FAULTS)] = ()
    background: WholePassage = ""
    truth: WholePassage = ""
    long_term_goal: WholeParagraph = ""
    people: Annotated[tuple[PersonMended, ...], usable(_MOST_WHOLE_PEOPLE)] = ()
    past: Annotated[tuple[PastMended, ...], usable(_MOST_PAST)] = ()


SKETCH_READING_SCHEMA = AnswerSchema(SketchReading, check=_has_marks)
SKETCH_MARKS_SCHEMA = AnswerSchema(
    SketchReading, without=frozenset({"idea", "remark"}), check=_has_marks
)
"""Where the first of them is retold by another reader."""
WHOLE_CAST = AnswerSchema(WholeCast)
SPINE_SCHEMA = AnswerSchema(SpineAnswer)
SPINE_OF_SKETCH = AnswerSchema(SpineAnswer, without=frozenset({"considered", "holds"}))
"""Of a story that has been told once, other roads are not weighed, and what it rests on is plain from it."""
SPINE_UPDATE_SCHEMA = AnswerSchema(SpineUpdate, is_partial=True)
FOUNDING_REVIEW_SCHEMA = AnswerSchema(FoundingReview, is_partial=True)


class FoundationAnswer(Answer):
    """The world and the condition that ends the story."""

    title: Title
    background: Sentences
    long_term_goal: Sentence
    themes: Phrase
    tone: Phrase


class PersonAnswer(BaseModel):
    """Somebody of the cast, in a few words."""

    name: PersonName
    part: Phrase


class CastAnswer(BaseModel):
    """The cast."""

    people: Annotated[list[PersonAnswer], Sized("people")]


class CharacterAnswer(Answer):
    """One person, brought to life."""

    gender: Phrase
    age: Phrase
    occupation: Phrase
    personality: Phrase
    motivation: Sentence
    secret: Sentence


class RelationshipAnswer(BaseModel):
    """What one person is toward another."""

    who: Annotated[str, OneOf("pairs")]
    tie: RelationshipKind
    strength: Annotated[int, Field(ge=1, le=10)]
    awareness: Awareness
    reason: Phrase


class SceneAnswer(BaseModel):
    """A place where the story can begin."""

    name: Title
    place: Phrase
    time: Phrase
    atmosphere: Phrase


class RelationshipsAnswer(BaseModel):
    """What ties the cast together."""

    relationships: Annotated[list[RelationshipAnswer], Sized("relationships")]


class ScenesAnswer(BaseModel):
    """Where the story can begin."""

    scenes: Annotated[list[SceneAnswer], Field(min_length=2, max_length=3)]


FOUNDATION_SCHEMA = AnswerSchema(FoundationAnswer)
CHARACTER_SCHEMA = AnswerSchema(CharacterAnswer)
SCENES_SCHEMA = AnswerSchema(ScenesAnswer)


def cast_schema(named: int) -> AnswerSchema[CastAnswer]:
    """Return the answer for a cast in which `named` people are known already."""
    least = min(max(3, named), _MOST_PEOPLE)
    return AnswerSchema(CastAnswer, sizes={"people": Size(least, max(4, least))})


def pairs_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return every "X toward Y" of the people named, with the two names behind it."""
    return {f"{one} toward {other}": (one, other) for one, other in permutations(names, 2)}


def relationships_schema(names: Sequence[str]) -> AnswerSchema[RelationshipsAnswer]:
    """Return the answer in which relationships stand only between the people named (at least two)."""
    pairs = pairs_of(names)
    least = min(len(names) - 1, len(pairs))
    most = min(len(names) + 1, len(pairs))
    return AnswerSchema(
        RelationshipsAnswer,
        choices={"pairs": list(pairs)},
        sizes={"relationships": Size(least, most)},
    )
