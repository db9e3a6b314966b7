"""Stories, their branches and chapters, and how the writer wants them made."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from store.models.base import Id, Line, Passage, Record
from store.models.form import DEFAULT_FORM, Form, FormSpec
from store.models.scoring import ScoringRule, general_rules

PREMISE_LIMIT = 200_000
"""Characters of a premise that are kept; how many a model can read is for its endpoint to say."""


class Gate(StrEnum):
    """Where a run asks the writer."""

    CONFIGURATION = "configuration"
    OUTLINE = "outline"
    GOALS = "goals"
    CANDIDATES = "candidates"
    PLAN = "plan"
    DRAFT = "draft"


class GateMode(StrEnum):
    """Whether a gate waits for the writer or goes on by itself."""

    ASK = "ask me"
    GO_ON = "go on by itself"


class Brief(Record):
    """What the writer asked for, as typed."""

    premise: Annotated[str, StringConstraints(max_length=PREMISE_LIMIT)] = ""
    form: Form = DEFAULT_FORM
    language: Line = ""
    """Empty: the language of the premise."""
    wishes: Passage = ""
    """What must or must not be in the story."""


def default_gates() -> dict[Gate, GateMode]:
    """Return the gates as a new story has them: the writer is asked for what shapes the story."""
    asked = {Gate.CONFIGURATION, Gate.OUTLINE, Gate.CANDIDATES, Gate.DRAFT}
    return {gate: GateMode.ASK if gate in asked else GateMode.GO_ON for gate in Gate}


class OutlineUse(StrEnum):
    """What a story's accepted outline is for when its chapters are plotted; without one, nothing.

    A guide: goals are set with regard to what it has for the chapter. To follow: what it has for
    the chapter is the goal.
    """

    IGNORE = "leave aside"
    GUIDE = "guide"
    FOLLOW = "follow"


class StorySettings(Record):
    """How a story is made; part of the story, so that another machine makes it the same way."""

    gates: dict[Gate, GateMode] = Field(default_factory=default_gates)
    goals: Annotated[int, Field(ge=1, le=5)] = 3
    """How many different goals, and so candidates, a chapter gets (K)."""
    roles: Annotated[int, Field(ge=1, le=8)] = 3
    """How many people take part in a relay."""
    rounds: Annotated[int, Field(ge=1, le=3)] = 1
    """How often each of them moves."""
    is_woven: bool = True
    """Whether the people of a plot weave it in turns (PlotWeave), or one agent writes all of it."""
    recalls: bool = True
    """Whether what a chapter should recall and prepare is looked for before it is written."""
    rules: Annotated[tuple[ScoringRule, ...], Field(max_length=30)] = Field(
        default_factory=general_rules
    )
    """What candidates are scored by."""
    outline_use: OutlineUse = OutlineUse.GUIDE
    chapter_cap: Annotated[int, Field(ge=1, le=5_000)] = 12
    """The loop always ends with this chapter."""
    words_per_scene: Annotated[int, Field(ge=50, le=3_000)] = DEFAULT_FORM.spec.scene_words

    @field_validator("rules")
    @classmethod
    def _names_each_rule_once(cls, rules: tuple[ScoringRule, ...]) -> tuple[ScoringRule, ...]:
        if len({rule.key for rule in rules}) < len(rules):
            raise ValueError("two rules have the same key")
        return rules

    @property
    def turns(self) -> int:
        """How many calls one candidate takes: a turn of each role in each round, or one author's."""
        return self.roles * self.rounds if self.is_woven else 1

    def for_form(self, before: FormSpec, after: FormSpec) -> StorySettings:
        """Return the settings for another form: its usual length of a scene, unless the writer set one."""
        if self.words_per_scene != before.scene_words:
            return self
        return self.model_copy(update={"words_per_scene": after.scene_words})

    def asks(self, gate: Gate) -> bool:
        """Return whether a gate waits for the writer."""
        return self.gates.get(gate, GateMode.ASK) is GateMode.ASK


class Story(Record):
    """A story in the library."""

    id: Id
    title: Line = ""
    brief: Brief = Brief()
    settings: StorySettings = Field(default_factory=StorySettings)
    created: datetime
    touched: datetime
    deleted: datetime | None = None


class Branch(Record):
    """A line of chapters. It starts at `fork_chapter` of its parent, or at nothing."""

    id: Id
    story: Id
    name: Line
    parent: Id | None = None
    fork_chapter: int | None = None
    fork_commit: int | None = None
    """The newest commit that the branch shares with its parent."""
    number: int = 0
    """Counts the branches of a story in the order in which they started; the first one is 0."""


CommitKind = Literal[
    "configuration", "chapter", "edit", "import", "merge", "undo", "redo", "untell", "retell"
]
"""What a commit is. `untell` takes the newest chapter back and `retell` brings it again; `undo` and
`redo` do so with an edit, an import or a merge. What is undone is never named: it is always the
newest that is not undone yet, and what is redone is what was undone last."""


class Commit(Record):
    """One committed Delta, a link of the branch's hash chain.

    `origin` is what was committed (a candidate's id, an edit's id): on one branch it is
    committed once. `hash` is SHA-256, in hexadecimal, over the parent's hash and the content.
    """

    id: int
    branch: Id
    chapter: int
    kind: CommitKind
    title: Line = ""
    origin: Id
    parent_hash: str
    hash: str
    told: int
    """The newest chapter of the branch after this commit."""
    created: datetime


class StoryCard(Record):
    """A story as the library shows it."""

    story: Story
    branch: Id
    """The open one."""
    chapters: int
    """Plotted chapters of the branch, chapter 0 not counted."""
    words: int
    """Words of the chapters that have text."""
