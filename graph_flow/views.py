"""What the pages show: values put together for reading, never written back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph_flow.continuity.finding import Finding
from store.deltas.delta import describe
from store.deltas.sentences import Sentence
from store.models.delta import Delta
from store.models.proposals import Candidate, Goal
from store.models.prototype import EntityKind, Snapshot
from store.models.run import Outcome, PromptSource
from store.models.story import Branch, Story
from store.models.telling import DraftState

Stage = Literal["plot", "write", "outline"]

PlotStep = Literal["Goals", "Weave", "Score", "Choose"]
"""The steps to the plot of a chapter, as a page calls them."""


class View(BaseModel):
    """An immutable value for a page."""

    model_config = ConfigDict(frozen=True)


class ChapterCard(View):
    """A plotted chapter in a strip or list. `line` says in one sentence what happens."""

    number: int
    title: str
    line: str
    draft: DraftState | None = None
    words: int = 0


class ChangeLine(View):
    """One change in a writer's words, with its mark (＋ new, ± changed, − ended)."""

    mark: str
    text: str


class Moment(View):
    """What one chapter changed in something; chapter 0 is the beginning."""

    chapter: int
    changes: tuple[ChangeLine, ...]


class Step(View):
    """Something that was done on a branch: a chapter, an edit. `commit` tells it from the others."""

    commit: int
    chapter: int
    kind: str
    is_chapter: bool
    """Whether it told a chapter."""
    title: str
    when: datetime
    changes: tuple[ChangeLine, ...]
    is_undone: bool


class History(View):
    """The steps of a branch, the newest first; `undo` and `redo` say what these would do, if anything."""

    undo: str | None
    redo: str | None
    entries: tuple[Step, ...]


class MergeQuestion(View):
    """What two branches changed, each in its own way: which side holds? All texts are plain."""

    key: str
    text: str
    base: str
    ours: str
    theirs: str


class MergeView(View):
    """What bringing a branch into another would change.

    `kept` says what stays because the writer has locked it. `is_straight`: the other has not
    changed since, so the chapters come over as they are.
    """

    changes: tuple[ChangeLine, ...]
    kept: tuple[str, ...]
    questions: tuple[MergeQuestion, ...]
    is_straight: bool


class FindingView(View):
    """A finding of the continuity check; `intended` is why the writer means it so, if they do."""

    story: str
    finding: Finding
    intended: str | None = None


class GoalView(View):
    """A goal of a chapter. `movables` are what it could move, in words, by id.

    `parts` is what the outline has for it, in order.
    """

    goal: Goal
    movables: dict[str, str]
    parts: tuple[str, ...]


class CardLine(View):
    """One line of a candidate's card; `id` is the entity whose change it tells, with all that it needs.

    `title` is that of an event; other lines have none.
    """

    id: str
    mark: str
    text: str
    title: str = ""


class Circle(View):
    """The people whom a candidate touches and the ties between them, before and after it.

    Both hold people and relationships only. `others` counts the people for whom there was no room.
    """

    before: Snapshot
    after: Snapshot
    others: int = 0


class CandidateView(View):
    """A candidate as a card: what happens, what changes, what to mind, what it is worth.

    `rest` are changes of other kinds; they cannot be taken one by one. `skipped` says who gave
    nothing, and why. `notes` say what its parts could not both have.
    """

    candidate: Candidate
    goal: Goal
    happenings: tuple[CardLine, ...]
    people: tuple[CardLine, ...]
    threads: tuple[CardLine, ...]
    rest: tuple[CardLine, ...]
    warnings: tuple[str, ...]
    skipped: tuple[str, ...]
    findings: tuple[FindingView, ...]
    """Where the candidate would break the story's continuity."""
    circle: Circle | None
    """None where nobody changes."""
    is_best: bool
    notes: tuple[str, ...] = ()


class SearchHitView(View):
    """Something that a search found. `chapter` is where it was first told, `excerpt` where it says so."""

    id: str
    kind: EntityKind
    label: str
    excerpt: str
    chapter: int


class Comparison(View):
    """Two states of a story, and in a writer's words what leads from the left one to the right."""

    left: Snapshot
    right: Snapshot
    sentences: tuple[Sentence, ...]


class PromptRecord(View):
    """One call to an agent: what it was told, what that was made of, and what it answered.

    `about` is the goal that it worked for, where it worked for one.
    """

    id: str
    stage: Stage
    words: str
    about: str
    sources: tuple[PromptSource, ...]
    prompt: str
    answer: str
    outcome: Outcome
    problem: str
    tokens_in: int
    tokens_out: int
    cost: float
    milliseconds: int


class BranchStatus(View):
    """Where a branch stands: what the frame shows on every page."""

    story: Story
    branch: Branch
    is_founded: bool
    """Whether chapter 0 is committed."""
    people: int
    """People in the cast, as it is now."""
    plotted: int
    written: int
    is_reached: bool
    """Whether the exit agent found the long-term goal reached."""


class ModelUse(View):
    """A model, and the agents that ask it, by name."""

    label: str
    agents: tuple[str, ...]
    is_usual: bool
    """Whether it is asked by all agents that were given no other."""


class ModelChip(View):
    """Which models are in use, in a few words. `is_embedded` tells of the usual one."""

    label: str
    is_embedded: bool


class RunEstimate(View):
    """What a run is about to take, before it starts.

    `seconds` is None where no call has been made that could tell how long one takes.
    """

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float | None = None
    is_priced: bool = False
    """Whether the endpoint's prices are known."""


def change_lines(delta: Delta, snapshot: Snapshot) -> tuple[ChangeLine, ...]:
    """Return what a Delta changes, in a writer's words; `snapshot` is what it applies to."""
    return tuple(ChangeLine(mark=one.mark, text=one.text) for one in describe(delta, snapshot))


def finding_views(
    story_id: str, findings: Iterable[Finding], reasons: Mapping[str, str]
) -> tuple[FindingView, ...]:
    """Return findings, each with the reason for which the writer means it so, if they do."""
    return tuple(
        FindingView(story=story_id, finding=one, intended=reasons.get(one.key)) for one in findings
    )
