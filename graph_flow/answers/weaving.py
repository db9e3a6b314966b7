"""Answers of stage 2: what a role adds to a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field

from graph_flow.answers.names import NOTHING, list_of, narrowed, one_of, one_of_or_nothing, reduced
from graph_flow.answers.text import Answer, Phrase, Sentences, Title
from store.models.cast import RelationshipKind

NEW_PLACE = "a new place"
"""What a role answers as its scene when it takes the story somewhere new."""

CHANGEABLE = ("motivation", "health", "status", "personality", "affiliations", "occupation")
"""The attributes of a character that a role may change in a chapter."""


class Meeting(BaseModel):
    """How a role's relationship to somebody changes."""

    toward: str
    tie: RelationshipKind
    strength: Annotated[int, Field(ge=1, le=10)]


class RoleAnswer(Answer):
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
    opens: Phrase = NOTHING
    """Only asked of the role that closes a relay."""


@dataclass(frozen=True)
class RoleOptions:
    """What a role can name, and what it is asked.

    `others` are the people it can meet, `places` the ones it knows, `events` the labels of what it
    remembers. The role that opens a relay may go somewhere new (it must, where it knows no place);
    the one that closes it may leave a question open.
    """

    others: Sequence[str]
    places: Sequence[str]
    events: Sequence[str]
    is_opening: bool
    is_closing: bool


def role_schema(options: RoleOptions) -> type[BaseModel]:
    """Return the answer of a role that can name only what its character can know.

    What is not asked is left out; `role_answer` gives the whole answer.
    """
    others = options.others
    may_go = options.is_opening or not options.places
    places = [*options.places, NEW_PLACE] if may_go else list(options.places)
    fields: dict[str, Any] = {
        "place": one_of(places),
        "together_with": list_of(one_of(others) if others else str, 0, min(3, len(others))),
        "changed": one_of_or_nothing(CHANGEABLE),
        "relationship": narrowed(Meeting, toward=one_of_or_nothing(others)),
    }
    if options.events:
        fields["because_of"] = one_of_or_nothing(options.events)
    if may_go:
        fields["new_place"] = Title
    if options.is_closing:
        fields["opens"] = Phrase
    return reduced(RoleAnswer, fields, {"because_of", "new_place", "opens"} - fields.keys())


def role_answer(answer: BaseModel) -> RoleAnswer:
    """Return an answer to `role_schema` with what was not asked filled in as *nothing*."""
    return RoleAnswer.model_validate(answer.model_dump())


def named(choice: str) -> str | None:
    """Return what was chosen, or None where the answer named nothing."""
    return None if choice == NOTHING else choice
