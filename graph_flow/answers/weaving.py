"""Answers of stage 2: what a role adds to a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, Field, model_validator

from graph_flow.answers.names import NOTHING, list_of, narrowed, one_of, one_of_or_nothing, reduced
from graph_flow.answers.text import Answer, Phrase, Sentences, Title
from store.models.cast import RelationshipKind

NEW_PLACE = "a new place"
"""What a role answers as its scene when it takes the story somewhere new."""

SOMEBODY_NEW = "somebody new"
"""Whom a role meets when it brings a new person into the story."""

CHANGEABLE = ("motivation", "health", "status", "personality", "affiliations", "occupation")
"""The attributes of a character that a role may change in a chapter."""

MOST_COMPANY = 3
"""People whom one move brings together with who makes it."""


class Meeting(BaseModel):
    """How a role's relationship to somebody changes."""

    toward: str
    tie: RelationshipKind
    strength: Annotated[int, Field(ge=1, le=10)]


class Move(Answer):
    """What somebody does. What does not count of it is not looked at: a small model writes anything
    there, and would be asked again for nothing."""

    may_say_nothing: ClassVar[frozenset[str]] = frozenset({"change", "newcomer_is", "opens"})

    @model_validator(mode="before")
    @classmethod
    def _says_nothing_that_does_not_count(cls, said: Any) -> Any:
        if not isinstance(said, dict):
            return said
        instead: dict[str, str] = {}
        if said.get("changed") == NOTHING:
            instead["change"] = NOTHING
        if said.get("place") != NEW_PLACE:
            instead["new_place"] = NEW_PLACE
        if SOMEBODY_NEW not in (said.get("together_with") or ()):
            instead |= {"newcomer": NOTHING, "newcomer_is": NOTHING}
        return said | {name: text for name, text in instead.items() if name in said}


class RoleAnswer(Move):
    """What one role adds: its own move, its feeling, and what comes of it."""

    title: Title
    action: Sentences
    place: str
    together_with: list[str]
    emotion: Phrase
    consequence: Phrase
    changed: str
    change: Phrase
    relationship: Meeting
    because_of: str = NOTHING
    """Only asked where something is remembered."""
    new_place: Title = NEW_PLACE
    """Only asked of the role that opens a relay."""
    newcomer: Title = NOTHING
    newcomer_is: Phrase = NOTHING
    """The name of somebody new and who they are; only asked where there is room for one more."""
    tells: str = NOTHING
    """Only asked where the outline has something for the chapter."""
    closes: str = NOTHING
    opens: Phrase = NOTHING
    """Only asked of the role that closes a relay."""


OPTIONAL = frozenset(
    {"because_of", "new_place", "newcomer", "newcomer_is", "tells", "closes", "opens"}
)
"""What is asked of some roles only."""


@dataclass(frozen=True)
class RoleOptions:
    """What a role can name, and what it is asked.

    `others` are the people it can meet, `toward` those it can have feelings for (the dead too),
    `places` the ones it knows, `events` the labels of what it remembers, `threads` the titles of
    those that it can answer, `parts` the labels of what the outline has for the chapter. The role
    that opens a relay may go somewhere new (it must, where it knows no place) and, where there is
    room, bring somebody new; the one that closes it may answer a question, and leave one open.
    """

    others: Sequence[str]
    toward: Sequence[str]
    places: Sequence[str]
    events: Sequence[str]
    threads: Sequence[str] = ()
    parts: Sequence[str] = ()
    is_opening: bool = False
    is_closing: bool = False
    has_room: bool = False


def role_schema(options: RoleOptions) -> type[BaseModel]:
    """Return the answer of a role that can name only what its character can know.

    What is not asked is left out; `role_answer` gives the whole answer.
    """
    may_go = options.is_opening or not options.places
    may_bring = options.is_opening and options.has_room
    others = [*options.others, SOMEBODY_NEW] if may_bring else list(options.others)
    fields: dict[str, Any] = {
        "place": one_of([*options.places, NEW_PLACE] if may_go else options.places),
        "together_with": company_of(others),
        "changed": one_of_or_nothing(CHANGEABLE),
        "relationship": narrowed(Meeting, toward=one_of_or_nothing(options.toward)),
    }
    if options.events:
        fields["because_of"] = one_of_or_nothing(options.events)
    if may_go:
        fields["new_place"] = Title
    if may_bring:
        fields |= {"newcomer": Title, "newcomer_is": Phrase}
    if options.parts:
        fields["tells"] = one_of_or_nothing(options.parts)
    if options.is_closing:
        fields["opens"] = Phrase
        if options.threads:
            fields["closes"] = one_of_or_nothing(options.threads)
    return reduced(RoleAnswer, fields, OPTIONAL - fields.keys())


def company_of(others: Sequence[str]) -> Any:
    """Return the type of a list of those whom a move brings together with who makes it."""
    return list_of(one_of(others) if others else str, 0, min(MOST_COMPANY, len(others)))


def role_answer(answer: BaseModel) -> RoleAnswer:
    """Return an answer to `role_schema` with what was not asked filled in as *nothing*."""
    return RoleAnswer.model_validate(answer.model_dump())


def named(choice: str) -> str | None:
    """Return what was chosen, or None where the answer named nothing."""
    return None if choice == NOTHING else choice
