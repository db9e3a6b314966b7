"""What the pages show: values for reading only, never written back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph_flow.cognition.continuity.finding import Finding
from store.deltas.delta import describe
from store.deltas.sentences import Sentence
from store.models.delta import Delta
from store.models.edits.comparison import ChangedPassage
from store.models.manuscript import DraftState, ThreadMove
from store.models.proposals import Candidate, Goal
from store.models.prototype import EntityKind, Snapshot
from store.models.run import Outcome, PromptSource
from store.models.story import Branch, Story

Stage = Literal["plot", "write", "outline"]

PlotStep = Literal["Goals", "Weave", "Score", "Choose"]
"""The steps in plotting a chapter, as the page names them."""


class View(BaseModel):
    """An immutable value for a page."""

    model_config = ConfigDict(frozen=True)


class SideState(StrEnum):
    """How a piece of work beside runs stands."""

    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True)
class SideWorkSeen:
    """A piece of work beside runs as it stands: see `graph_flow.machine.side_work`.

    `text` is what an agent has written so far, also after a stop; `words` say what is being done, and
    `trouble` why it waits. `message` is for the writer, once it was stopped or has failed; `result` is
    what came of it, once it is done.
    """

    state: SideState
    text: str = ""
    words: str = ""
    trouble: str = ""
    seconds: float = 0.0
    message: str = ""
    result: object = None


class ChapterCard(View):
    """A chapter in a strip or list. `line` says in one sentence what happens.

    `number` is that of the plot. One that the writer has typed by hand may have no plot. `place` is where
    it stands in the book, from 1, and `as_of` the plotted chapter at whose end it is told: in lists of
    the book.
    """

    number: int
    place: int = 0
    as_of: int = 0
    title: str
    line: str
    draft: DraftState | None = None
    words: int = 0
    is_plotted: bool = True


class MergedChapter(View):
    """A chapter that was merged into another; `is_there` says whether its text is still found in that."""

    chapter: int
    title: str
    is_there: bool


class EventHere(View):
    """An event that a paragraph tells."""

    id: str
    title: str
    summary: str


class PersonHere(View):
    """Somebody in a paragraph, as of its chapter. `remembers` names events of earlier chapters."""

    id: str
    name: str
    wants: str = ""
    hides: str = ""
    voice: str = ""
    remembers: list[str] = []


class ThreadHere(View):
    """A thread that is open; with a `move`, what the plan does with it at this place."""

    id: str
    title: str
    move: ThreadMove | None = None
    how: str = ""


class ParagraphView(View):
    """What belongs to a paragraph of a text. `beat` is what the plan says of its scene."""

    events: list[EventHere] = []
    people: list[PersonHere] = []
    threads: list[ThreadHere] = []
    beat: str = ""


class ChangeLine(View):
    """One change in a writer's words, with its mark (+ new, ± changed, − ended)."""

    mark: str
    text: str


class Moment(View):
    """What one chapter changed about something; chapter 0 is the beginning."""

    chapter: int
    changes: tuple[ChangeLine, ...]


class Step(View):
    """Something that was done on a branch: a chapter or an edit. `commit` identifies it."""

    commit: int
    chapter: int
    kind: str
    is_chapter: bool
    """Whether it plotted a chapter."""
    title: str
    when: datetime
    changes: tuple[ChangeLine, ...]
    is_undone: bool


class History(View):
    """The steps of a branch, newest first; `undo` and `redo` say what each would do, if anything."""

    undo: str | None
    redo: str | None
    entries: tuple[Step, ...]


class MergeQuestion(View):
    """Something that two branches changed in different ways, for the writer to decide. Plain texts."""

    key: str
    text: str
    base: str
    ours: str
    theirs: str


class MergeView(View):
    """What merging one branch into another would change.

    `kept` lists what stays because the writer has locked it. `is_straight` says that the other
    branch has not changed since, so that the chapters are taken over as they are.
    """

    changes: tuple[ChangeLine, ...]
    kept: tuple[str, ...]
    questions: tuple[MergeQuestion, ...]
    is_straight: bool


class FindingView(View):
    """A finding of the continuity check; `intended` is the writer's reason, if it is intentional."""

    story: str
    finding: Finding
    intended: str | None = None


class GoalView(View):
    """A goal of a chapter. `targets` are the things it could advance, in words, by id.

    `parts` are what the outline contributes to it, in order.
    """

    goal: Goal
    targets: dict[str, str]
    parts: tuple[str, ...]


class CardLine(View):
    """One line of a candidate's card; `id` is the entity whose change, with all it needs, it shows.

    `title` is the title of an event; other lines have none.
    """

    id: str
    mark: str
    text: str
    title: str = ""


class Circle(View):
    """The people affected by a candidate and the relationships between them, before and after it.

    Both snapshots hold people and relationships only. `others` counts the people left out for
    lack of space.
    """

    before: Snapshot
    after: Snapshot
    others: int = 0


class CandidateView(View):
    """A candidate as a card: what happens, what changes, what to watch out for, how it scores.

    `rest` are changes of other kinds, which cannot be taken one at a time. `skipped` says who
    contributed nothing, and why. `notes` name the conflicts between its combined parts.
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
    """None if nobody changes."""
    is_best: bool
    notes: tuple[str, ...] = ()


class SearchHitView(View):
    """A search result. `chapter` is where it first appears, `excerpt` the passage that matches."""

    id: str
    kind: EntityKind
    label: str
    excerpt: str
    chapter: int


class Comparison(View):
    """Two states of a story, and, in a writer's words, the changes from the left to the right one."""

    left: Snapshot
    right: Snapshot
    sentences: tuple[Sentence, ...]


class PromptRecord(View):
    """One call to an agent: its prompt, what that was made of, and its answer.

    `about` is the goal that it worked on, if any.
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
    """The state of a branch, as shown on every page."""

    story: Story
    branch: Branch
    is_founded: bool
    """Whether chapter 0 is committed."""
    people: int
    """People in the cast, as it is now."""
    plotted: int
    written: int
    is_reached: bool
    """Whether the exit agent judged that the long-term goal has been reached."""


class ModelUse(View):
    """A model, and the names of the agents that use it."""

    label: str
    agents: tuple[str, ...]
    is_usual: bool
    """Whether it is the default, used by all agents that were not given another."""


class ModelChip(View):
    """The models in use, in a few words. `is_embedded` is about the default one."""

    label: str
    is_embedded: bool


class TextToCompare(View):
    """A text that says something else than the story may know.

    `passages` of it were changed; `is_plot` says that its chapter has no plot.
    """

    passages: tuple[ChangedPassage, ...]
    is_plot: bool = False


class SceneTie(View):
    """A scene of a plan, by its position from 0, and the passage of the text that tells it.

    `paragraphs` are the ids of its paragraphs, `first` and `last` their places, from 1; 0 if there are
    none. `begins` is how the passage begins. `told_reveals` is what the text was to reveal when it was
    written.
    """

    position: int
    paragraphs: tuple[str, ...] = ()
    first: int = 0
    last: int = 0
    begins: str = ""
    told_reveals: tuple[str, ...] = ()
    is_plan_changed: bool = False
    is_text_changed: bool = False


class FoundLineSeen(View):
    """A line of a comparison in a writer's words: see `FoundLine`. `needs` are places of other lines."""

    changes: tuple[ChangeLine, ...]
    quote: str
    needs: tuple[int, ...] = ()
    doubt: str = ""


class RunEstimate(View):
    """What a run will roughly use, before it starts.

    `seconds` is None if there is no earlier call to judge by.
    """

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float | None = None
    is_priced: bool = False
    """Whether the endpoint's prices are known."""
    models: tuple[str, ...] = ()
    """Which models are asked, and where, in a writer's words."""


def change_lines(delta: Delta, snapshot: Snapshot) -> tuple[ChangeLine, ...]:
    """Return what a Delta changes in `snapshot`, in a writer's words."""
    return tuple(ChangeLine(mark=one.mark, text=one.text) for one in describe(delta, snapshot))


def finding_views(
    story_id: str, findings: Iterable[Finding], reasons: Mapping[str, str]
) -> tuple[FindingView, ...]:
    """Return findings, each with the writer's reason if it is intentional."""
    return tuple(
        FindingView(story=story_id, finding=one, intended=reasons.get(one.key)) for one in findings
    )
