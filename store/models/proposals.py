"""What agents propose: a configuration, goals, candidates with their scores (CreAgentive, stages 1 and 2)."""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Line, Name, Paragraph, Passage, Record
from store.models.delta import Delta
from store.models.scoring import HIGHEST, LOWEST, USUAL, Judge, Weight, judge_of

SKETCH_LIMIT = 100_000
"""The most characters of a sketch that are kept."""


class Sketch(Record):
    """One of the stories that the premise could become, told before anything of it is worked out.

    Of a longer story only the first chapters are told, and `road` says where it goes. `idea` is its place among
    them, from 1.
    """

    idea: Annotated[int, Field(ge=1)]
    is_whole: bool = True
    road: Passage = ""
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=SKETCH_LIMIT)]
    remark: Paragraph = ""
    """What its reader says of it."""
    wishes: Line = ""
    """A checksum of what the writer had asked of the text when it was told."""

    @property
    def whole(self) -> str:
        """All that is said of its story: its text, and before that where it goes."""
        return f"{self.road}\n\n{self.text}" if self.road else self.text

    @property
    def title(self) -> str:
        """Its title, which is its first line; empty if it has none."""
        first = self.text.partition("\n")[0]
        return first.removeprefix("# ").strip() if first.startswith("# ") else ""

    @property
    def body(self) -> str:
        """Its text below the title."""
        return self.text.partition("\n")[2].strip() if self.title else self.text


class Configuration(Record):
    """A proposed chapter 0: title, foundation, cast, relationships, first scenes.

    It fills up while agents draft it, and the writer edits it before it is committed.
    """

    id: Id
    branch: Id
    round: int
    title: Line = ""
    delta: Delta = Delta()
    is_titled: bool = False
    """Whether the writer gave the title."""
    is_complete: bool = False
    ideas: tuple[Paragraph, ...] = ()
    """The stories that agents saw in the premise, as one would tell a friend."""
    idea: Annotated[int, Field(ge=0)] = 0
    """Which of them this is, from 1; 0 if it is none of them."""
    sketches: tuple[Sketch, ...] = ()
    """Those of them that were told, for a reader to choose by."""

    @property
    def other_ideas(self) -> dict[int, str]:
        """The ideas that this is not, by their places."""
        return {at: text for at, text in enumerate(self.ideas, start=1) if at != self.idea}

    @property
    def sketch(self) -> str:
        """What the sketch says that this is worked out from; empty if there is none."""
        found = self.sketch_of(self.idea)
        return found.whole if found else ""

    @property
    def is_told(self) -> bool:
        """Whether its story was told whole, as a sketch."""
        found = self.sketch_of(self.idea)
        return found is not None and found.is_whole

    def sketch_of(self, idea: int) -> Sketch | None:
        """Return the sketch of an idea, given by its place; None if there is none."""
        return next((one for one in self.sketches if one.idea == idea), None)


class Aim(Record):
    """What one person goes into a chapter for, as they see it themselves."""

    role: Id
    text: Passage
    finds: Passage = ""
    """What they come upon in their turn: the author lets them know it from then on."""
    recalls: tuple[Id, ...] = ()
    """Earlier events that they need to have whole before their eyes, as far as they know of them."""


class ChapterSketch(Record):
    """A chapter told before its plot is worked out: its words are the chapter's, if that is what is chosen."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=SKETCH_LIMIT)]
    wishes: Line = ""
    """A checksum of what the writer had asked of the text when it was told."""


class Goal(Record):
    """A short-term goal: where one candidate of a chapter would go.

    `round` is the chapter's round of goals, from 1.
    """

    id: Id
    branch: Id
    chapter: int
    round: int
    position: int
    title: Name
    text: Passage
    moves: Id | None = None
    """The thread or relationship that it would advance, if it names one; or a person, whose secret it is."""
    roles: tuple[Id, ...] = ()
    """Who takes part in its relay, in speaking order; empty: whoever fits."""
    aims: tuple[Aim, ...] = ()
    """What those who take part are after, an aim for each turn, in speaking order; none for whoever
    has only the goal's text."""
    parts: tuple[Id, ...] = ()
    """The sub-events of the outline that it is to tell, if the story has one."""
    is_sketched: bool = False
    """Whether its plot is read from the chapter as it has been told already."""
    sketch: ChapterSketch | None = None
    """The chapter as it was told for this goal; None if the sketch of the whole story tells it, or nothing does."""
    is_pinned: bool = False
    """Whether it is kept when new goals are asked for."""
    is_dropped: bool = False
    is_by_writer: bool = False

    @property
    def speakers(self) -> tuple[Id, ...]:
        """Who has the turns of its relay, in order: whoever has two aims has two turns."""
        spoken = tuple(aim.role for aim in self.aims)
        return spoken if tuple(dict.fromkeys(spoken)) == self.roles else self.roles

    def aim_of(self, role: str, turn: int = 0) -> str:
        """Return what somebody is after in a turn, counted from 0, as they see it.

        In further turns they are after what they were after before; nothing if that is not said.
        """
        aims = [aim.text for aim in self.aims if aim.role == role and aim.text]
        return aims[min(turn, len(aims) - 1)] if aims else ""

    def found_by(self, role: str, turn: int) -> str:
        """Return what somebody comes upon in a turn, counted from 0; mostly nothing."""
        aim = self._aim_in(role, turn)
        return aim.finds if aim else ""

    def recalled_by(self, role: str, turn: int) -> tuple[Id, ...]:
        """Return the events that somebody needs to remember whole in a turn, counted from 0."""
        aim = self._aim_in(role, turn)
        return aim.recalls if aim else ()

    def _aim_in(self, role: str, turn: int) -> Aim | None:
        return next(islice((aim for aim in self.aims if aim.role == role), turn, None), None)


class Telling(Record):
    """An event of a candidate, and the sub-event of an outline that it tells."""

    part: Id
    event: Id


class Turn(Record):
    """What one role added to a relay, in words for the writer."""

    character: Id
    name: Name
    text: Passage
    round: int = 1
    is_skipped: bool = False
    problem: Line = ""
    """Why it was skipped, in words for the writer."""
    refused: tuple[Line, ...] = ()
    """The role's attempts to change what the writer has locked."""


class Score(Record):
    """One rule's score for a candidate, from 1 to `top`, with the rule as it was at the time.

    `evidence` lists the ids of the candidate's events that support it.
    """

    key: Line = ""
    rule: Line
    weight: Weight
    value: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    top: Annotated[int, Field(ge=2, le=HIGHEST)] = USUAL
    reason: Line = ""
    evidence: tuple[Id, ...] = ()

    @property
    def judge(self) -> Judge:
        """Who gave it."""
        return judge_of(self.key)

    @property
    def of_five(self) -> float:
        """The value on a scale from 1 to 5, to weigh it with rules that have other scales."""
        return 1 + (min(self.value, self.top) - 1) * 4 / (self.top - 1)


class CandidateState(StrEnum):
    """What became of a candidate; none is ever thrown away."""

    WEAVING = "being woven"
    """Not all of its roles have had their turns."""
    PROPOSED = "proposed"
    CHOSEN = "chosen"
    PASSED_OVER = "passed over"
    GIVEN_UP = "given up"
    """Too few of its roles answered: it can be read, but not chosen."""


class Chooser(StrEnum):
    """Who chose a candidate: the writer or, on autopilot, the scores."""

    WRITER = "writer"
    SCORES = "scores"


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
    chosen_by: Chooser | None = None
    is_by_writer: bool = False
    is_sketched: bool = False
    """Whether it is what the story's sketch tells of the chapter."""
    parts_of: tuple[Id, ...] = ()
    """The candidates that the writer combined in it."""
    tells: tuple[Telling, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether the scorer has scored it, beyond what needs no model."""
        return any(score.judge.spec.is_agent for score in self.scores)

    @property
    def total(self) -> float | None:
        """The weighted mean of the scores, 1 to 5; None before scoring."""
        weight = sum(score.weight for score in self.scores)
        if not weight:
            return None
        return sum(score.of_five * score.weight for score in self.scores) / weight


class Verdict(Record):
    """The exit agent's verdict on a chapter: whether the goal is reached, and by which events."""

    branch: Id
    chapter: int
    is_reached: bool
    events: tuple[Id, ...] = ()
    reason: Line = ""
