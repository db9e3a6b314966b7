"""What somebody adds to a chapter, whole: beats. A small model's move is widened into one beat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, model_validator

from graph_flow.llm.schema import AnswerSchema
from graph_flow.plot.answers import (
    CHANGEABLE,
    NEW_PLACE,
    SOMEBODY_NEW,
    PlotAnswer,
    RoleAnswer,
    moves_of,
    named,
)
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    WholeStrength,
    usable,
)
from store.models.cast import Life, RelationshipKind
from store.models.plot import Part

_MOST_BEATS, _MOST_BEATS_OF_ALL = 3, 20
_MOST_PRESENT, _MOST_CHANGES, _MOST_FEELINGS = 6, 3, 4
"""What is kept of an answer."""

_LIFE = "life"
_LIFE_WORDS = {"die": Life.DEAD, "dead": Life.DEAD, "kill": Life.DEAD, "miss": Life.MISSING}
"""How it may be put that somebody is dead or missing, by how the word that says it begins."""

_PART_WORDS = {"told": Part.IS_TOLD, "wit": Part.WITNESSES, "see": Part.WITNESSES, "act": Part.ACTS}
"""How somebody's part may be put, by how the word that says it begins."""


def _part(said: Any) -> Part:
    """Return somebody's part, however it is put; affected, if it cannot be told."""
    words = said.casefold().split() if isinstance(said, str) else []
    parts = (
        part for word in words for start, part in _PART_WORDS.items() if word.startswith(start)
    )
    return next(parts, Part.IS_AFFECTED)


def _spoken(said: Any) -> Any:
    """Return lines that were given one by one as one text."""
    return (
        " ".join(said)
        if isinstance(said, list) and all(isinstance(one, str) for one in said)
        else said
    )


def _changeable(field: str) -> str:
    """Return the name of a field that a role may change.

    Raises:
        ValueError: if it is another.
    """
    name = field.casefold()
    if name not in (*CHANGEABLE, _LIFE):
        raise ValueError("this does not change")
    return name


class Presence(WholeAnswer):
    """Somebody who is there, or is told of it, and what they come to believe through it."""

    name: Annotated[WholeName, Required]
    part: Annotated[Part, BeforeValidator(_part)] = Part.IS_AFFECTED
    learns: WholeLine = ""
    newcomer: WholeLine = ""
    """Who they are, if they are new to the story; empty for people who are in it."""

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_bare_name(cls, said: Any) -> Any:
        return {"name": said} if isinstance(said, str) else said


class SelfChange(WholeAnswer):
    """What changes in the one who acts."""

    field: Annotated[WholeName, AfterValidator(_changeable)]
    value: Annotated[WholeLine, Required]

    @property
    def life(self) -> Life | None:
        """Whether they are dead or missing now; None if the change is another."""
        words = self.value.casefold().split() if self.field == _LIFE else []
        lives = (
            life for word in words for start, life in _LIFE_WORDS.items() if word.startswith(start)
        )
        return next(lives, None)


class Feeling(WholeAnswer):
    """How the one who acts stands toward somebody now, and why."""

    toward: Annotated[WholeName, Required]
    tie: RelationshipKind
    strength: WholeStrength = 5
    reason: WholeLine = ""


class Beat(WholeAnswer):
    """Something that one person does. All but `inner` and `emotion` can be seen by those present."""

    title: WholeName = ""
    observed: Annotated[WholeParagraph, Required]
    inner: WholeParagraph = ""
    said: Annotated[WholeParagraph, BeforeValidator(_spoken)] = ""
    place: WholeName = ""
    present: Annotated[tuple[Presence, ...], usable(_MOST_PRESENT)] = ()
    emotion: WholeLine = ""
    consequence: WholeLine = ""
    """What comes of it for the one who acts."""
    outcome: WholeLine = ""
    """What is different now, for anybody to see."""
    because_of: WholeName = ""
    changes: Annotated[tuple[SelfChange, ...], usable(_MOST_CHANGES)] = ()
    feelings: Annotated[tuple[Feeling, ...], usable(_MOST_FEELINGS)] = ()
    tells: WholeName = ""
    pays_off: WholeName = ""
    plants: WholeLine = ""


class RoleBeats(WholeAnswer):
    """What one role adds at its turn: one to three beats."""

    beats: Annotated[tuple[Beat, ...], usable(_MOST_BEATS, least=1)]

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_bare_beat(cls, said: Any) -> Any:
        is_bare = isinstance(said, dict) and "beats" not in said and "observed" in said
        return {"beats": [said]} if is_bare else said


class AuthoredBeat(Beat):
    """A beat in a plot by a single author."""

    who: Annotated[WholeName, Required]


class PlotBeats(WholeAnswer):
    """A whole plot by a single author."""

    beats: Annotated[tuple[AuthoredBeat, ...], usable(_MOST_BEATS_OF_ALL, least=1)]


A = TypeVar("A", RoleBeats, PlotBeats)
B = TypeVar("B", bound=Beat)


@dataclass(frozen=True)
class BeatsAsked:
    """Which of the things that not every request for beats asks for this one does."""

    has_parts: bool
    """Whether the outline has parts for a beat to bring about."""
    has_threads: bool
    """Whether there are open questions that a beat may answer."""
    may_plant: bool
    """Whether the last beat may leave a question open."""
    may_bring: bool
    """Whether a beat may bring somebody new into the story."""
    may_each_plant: bool = False
    """Whether, if the last beat may leave a question open, any other may as well."""

    def answer(self, whole: type[A]) -> AnswerSchema[A]:
        """Return the answer that a model gives, without what it is not asked for."""
        asked = {
            "tells": self.has_parts,
            "pays_off": self.has_threads,
            "plants": self.may_plant,
            "newcomer": self.may_bring,
        }
        return AnswerSchema(
            whole, without={name for name, is_asked in asked.items() if not is_asked}
        )

    def permitted(self, beats: Sequence[B]) -> list[B]:
        """Return beats without questions and new people that there must not be."""
        return [self._permitted(beat, is_last=beat is beats[-1]) for beat in beats]

    def _permitted(self, beat: B, *, is_last: bool) -> B:
        present = (one.model_copy(update={"newcomer": ""}) for one in beat.present)
        values: dict[str, Any] = {} if self.may_bring else {"present": tuple(present)}
        may_plant = self.may_plant and (is_last or self.may_each_plant)
        return beat.model_copy(update=values if may_plant else values | {"plants": ""})


def widened(move: RoleAnswer) -> Beat:
    """Return a small model's move as a beat. Its texts have been checked, and stay as they are."""
    return Beat.model_construct(
        title=move.title,
        observed=move.action,
        place=move.new_place if move.place == NEW_PLACE else move.place,
        present=tuple(_presences(move)),
        emotion=move.emotion,
        consequence=move.consequence,
        outcome=move.consequence,
        because_of=named(move.because_of) or "",
        changes=tuple(_changes(move)),
        feelings=tuple(_feelings(move)),
        tells=named(move.tells) or "",
        pays_off=named(move.closes) or "",
        plants=named(move.opens) or "",
    )


def widened_plot(plot: PlotAnswer) -> PlotBeats:
    """Return a small model's plot as beats."""
    beats = (
        AuthoredBeat.model_construct(who=who, **dict(widened(move))) for who, move in moves_of(plot)
    )
    return PlotBeats.model_construct(beats=tuple(beats))


def _presences(move: RoleAnswer) -> Iterator[Presence]:
    for name in move.together_with:
        if name != SOMEBODY_NEW:
            yield Presence.model_construct(name=name)
        elif named(move.newcomer):
            who = named(move.newcomer_is) or SOMEBODY_NEW
            yield Presence.model_construct(name=move.newcomer, newcomer=who)


def _changes(move: RoleAnswer) -> Iterator[SelfChange]:
    if named(move.changed):
        yield SelfChange.model_construct(field=move.changed, value=move.change)


def _feelings(move: RoleAnswer) -> Iterator[Feeling]:
    met = move.relationship
    if named(met.toward):
        yield Feeling.model_construct(
            toward=met.toward, tie=met.tie, strength=met.strength, reason=move.consequence
        )
