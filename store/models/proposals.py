"""What agents propose: a configuration, goals, candidates with their scores (CreAgentive, stages 1 and 2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from store.models.base import Id, Line, Name, Passage, Record
from store.models.delta import Delta


class Configuration(Record):
    """A proposed chapter 0: title, foundation, cast, relationships, first scenes.

    It fills up while agents draft it, and the writer edits it before it is committed.
    """

    id: Id
    branch: Id
    round: int
    title: Line = ""
    delta: Delta = Delta()
    questions: tuple[Line, ...] = ()
    is_complete: bool = False


class Goal(Record):
    """A short-term goal: where one candidate of a chapter would go.

    `round` counts how often the chapter was asked for anew, from 1.
    """

    id: Id
    branch: Id
    chapter: int
    round: int
    position: int
    title: Name
    text: Passage
    is_dropped: bool = False
    is_by_writer: bool = False


class Turn(Record):
    """What one role added to a relay, in words, as the writer watches it."""

    character: Id
    name: Name
    text: Passage
    is_skipped: bool = False
    refused: tuple[Line, ...] = ()
    """Where the role tried to change what the writer has locked."""


class Score(Record):
    """One rule's verdict on a candidate."""

    rule: Line
    weight: Annotated[float, Field(ge=0, le=1)]
    value: Annotated[int, Field(ge=1, le=5)]
    reason: Line = ""


class CandidateState(StrEnum):
    """What became of a candidate; none is ever thrown away."""

    PROPOSED = "proposed"
    CHOSEN = "chosen"
    PASSED_OVER = "passed over"


class Candidate(Record):
    """A proposed Delta for a chapter, with how it came to be and what it is worth."""

    id: Id
    branch: Id
    chapter: int
    round: int
    goal: Id
    title: Name
    delta: Delta
    turns: tuple[Turn, ...] = ()
    scores: tuple[Score, ...] = ()
    comment: Line = ""
    """The scorer's reason in one line."""
    state: CandidateState = CandidateState.PROPOSED
    is_by_writer: bool = False

    @property
    def total(self) -> float | None:
        """The weighted mean of the scores, 1 to 5; None before scoring."""
        weight = sum(score.weight for score in self.scores)
        if not weight:
            return None
        return sum(score.value * score.weight for score in self.scores) / weight


class Verdict(Record):
    """The exit agent's answer after a chapter: is the long-term goal reached, and which events show it?"""

    branch: Id
    chapter: int
    is_reached: bool
    events: tuple[Id, ...] = ()
    reason: Line = ""


class ScoringRule(Record):
    """A rule that candidates are scored by, 1 to 5."""

    name: Line
    question: Line
    weight: Annotated[float, Field(ge=0, le=1)]
