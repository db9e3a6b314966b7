"""Stories, their branches and chapters, and how the writer wants them made."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from store.models.base import Id, Line, Passage, Record
from store.models.form import DEFAULT_FORM, Form, FormSpec, Narration, Tense
from store.models.scoring import ScoringRule, general_rules
from store.text import Unit, length_unit

PREMISE_LIMIT = 200_000
"""The most characters of a premise that are kept; a model may be able to read fewer."""

MOST_CHAPTERS = 5_000
ARC_CHAPTERS = 12
"""Chapters that are outlined ahead in a story without a planned end."""
LEAST_WORDS, MOST_WORDS = 150, 5_000
"""How long a story can be planned, and how short and how long a chapter can be asked for."""
SAMPLE_LIMIT = 20_000
"""The most characters of a sample of the writer's style that are kept."""
AVOIDED_LIMIT = 6_000
"""The most characters of the list of words to avoid."""


class Gate(StrEnum):
    """A point at which a run can ask the writer."""

    CONFIGURATION = "configuration"
    OUTLINE = "outline"
    GOALS = "goals"
    CANDIDATES = "candidates"
    PLAN = "plan"
    DRAFT = "draft"


class GateMode(StrEnum):
    """Whether a gate waits for the writer or goes on automatically."""

    ASK = "ask me"
    GO_ON = "go on by itself"


class Brief(Record):
    """What the writer asked for, as typed."""

    premise: Annotated[str, StringConstraints(max_length=PREMISE_LIMIT)] = ""
    form: Form = DEFAULT_FORM
    language: Line = ""
    """Empty: the language of the premise."""
    author: Line = ""
    """The name on the title page of the book."""
    wishes: Passage = ""
    """What must or must not be in the story."""

    @property
    def unit(self) -> Unit:
        """What the length of its texts counts: words, or characters where words have no spaces."""
        return length_unit(self.language, self.premise)


def default_gates() -> dict[Gate, GateMode]:
    """Return the gates of a new story: the writer is asked about what shapes the story."""
    asked = {Gate.CONFIGURATION, Gate.OUTLINE, Gate.CANDIDATES, Gate.DRAFT}
    return {gate: GateMode.ASK if gate in asked else GateMode.GO_ON for gate in Gate}


class OutlineUse(StrEnum):
    """What a story's accepted outline, if any, is used for when chapters are plotted.

    As a guide, what it has for the chapter is considered when goals are set. To follow it, what it
    has for the chapter is the goal.
    """

    IGNORE = "leave aside"
    GUIDE = "guide"
    FOLLOW = "follow"


class StorySettings(Record):
    """How a story is made; part of the story, so another machine makes it the same way."""

    gates: dict[Gate, GateMode] = Field(default_factory=default_gates)
    goals: Annotated[int, Field(ge=1, le=5)] = 3
    """How many different goals, and so candidates, a chapter gets (K)."""
    roles: Annotated[int, Field(ge=1, le=8)] = 3
    """How many people take part in a relay."""
    rounds: Annotated[int, Field(ge=1, le=3)] = 1
    """How many turns each of them takes."""
    is_woven: bool = True
    """Whether the characters weave a plot in turns (PlotWeave), or one agent writes all of it."""
    is_direct: bool = False
    """Whether one agent writes the story from one prompt a chapter, without cast and graphs."""
    recalls: bool = True
    """Whether agents look for what a chapter should recall and prepare before it is written."""
    rules: Annotated[tuple[ScoringRule, ...], Field(max_length=30)] = Field(
        default_factory=general_rules
    )
    """What candidates are scored by."""
    outline_use: OutlineUse = OutlineUse.GUIDE
    chapter_cap: Annotated[int, Field(ge=1, le=MOST_CHAPTERS)] = 12
    """How many chapters the story is to have, unless it is open-ended."""
    is_open_ended: bool = False
    """Whether the story has no planned length: a serial that goes on as long as it is wanted."""
    opens_late: bool = False
    """Whether new threads may be planted in the last tenth of the story, too."""
    words: Annotated[int, Field(ge=LEAST_WORDS, le=MOST_WORDS)] | None = None
    """How many words a chapter is to have; None: as many as the model does well."""
    words_per_scene: Annotated[int, Field(ge=50, le=3_000)] = DEFAULT_FORM.spec.scene_words
    is_sketched: bool = True
    """Whether a short story is first told in several ways by an able model, for a reader to choose one."""
    reviews: Annotated[int, Field(ge=0, le=2)] = 1
    """How often an able model reads a chapter that it has written, and revises it."""
    words_a_day: Annotated[int, Field(ge=0, le=50_000)] = 0
    """How many words the writer wants to write a day; 0: no target."""
    style_notes: Line = ""
    """How the text is to sound, in the writer's words."""
    tense: Tense = Tense.ANY
    narration: Narration = Narration.ANY
    words_to_avoid: Annotated[str, StringConstraints(max_length=AVOIDED_LIMIT)] = ""
    """Words and phrases that the text is not to use, one a line; `*` stands for any ending."""
    avoids_worn: bool = False
    """Whether the text is to do without what language models wear out, too."""
    style_sample: Annotated[str, StringConstraints(max_length=SAMPLE_LIMIT)] = ""
    """A piece of the writer's own prose, for the text to sound like."""

    @field_validator("rules")
    @classmethod
    def _names_each_rule_once(cls, rules: tuple[ScoringRule, ...]) -> tuple[ScoringRule, ...]:
        if len({rule.key for rule in rules}) < len(rules):
            raise ValueError("two rules have the same key")
        return rules

    @property
    def planned(self) -> int | None:
        """How many chapters the story is to have; None if it is open-ended."""
        return None if self.is_open_ended else self.chapter_cap

    @property
    def last_chapter(self) -> int:
        """The last chapter that can be plotted."""
        return MOST_CHAPTERS if self.is_open_ended else self.chapter_cap

    def outlined_until(self, told: int) -> int:
        """Return the last chapter that an outline covers: of a serial, that of its next arc."""
        return (
            max(self.chapter_cap, told + ARC_CHAPTERS) if self.is_open_ended else self.chapter_cap
        )

    def for_form(self, before: FormSpec, after: FormSpec) -> StorySettings:
        """Return the settings for another form: its scene length, unless the writer set one."""
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
    """When it was put away, if it is: not listed, and otherwise as it was."""


class Branch(Record):
    """A line of chapters. It starts after `fork_chapter` of its parent, or from nothing."""

    id: Id
    story: Id
    name: Line
    parent: Id | None = None
    fork_chapter: int | None = None
    fork_commit: int | None = None
    """The newest commit that the branch shares with its parent."""
    what_if: Line = ""
    """What the writer wants to see come true in the first chapter after the start, in their words."""
    number: int = 0
    """The branch's number in the order in which a story's branches started, from 0."""
    deleted: datetime | None = None
    """When it was put away, if it is: not listed, and otherwise as it was."""


CommitKind = Literal[
    "configuration", "chapter", "edit", "import", "merge", "undo", "redo", "untell", "retell"
]
"""What a commit does. `untell` takes back the newest chapter and `retell` restores it; `undo` and
`redo` do the same with an edit, an import or a merge. What is undone is never named: it is always
the newest commit not undone yet, and what is redone is what was undone last."""


class Commit(Record):
    """One committed Delta, a link of the branch's hash chain.

    `origin` is what was committed (a candidate's id, an edit's id): a branch commits it only once.
    `hash` is SHA-256, in hexadecimal, over the parent's hash and the content.
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
    """The open branch."""
    chapters: int
    """Plotted chapters of the branch, chapter 0 not counted."""
