"""Runs, the questions they stop at, the writer's decisions, and the ledger of calls."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from store.models.base import Id, Line, Passage, Record
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.form import Form
from store.models.story import Gate


class Caps(Record):
    """What a run may use before it stops and asks: calls, tokens in and out together, money.

    None: no limit. Going on after a stop allows as much again.
    """

    calls: Annotated[int, Field(ge=1)] | None = None
    tokens: Annotated[int, Field(ge=1)] | None = None
    cost: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None

    def times(self, portions: int) -> Caps:
        """Return the total that may be used when this much is allowed several times."""
        return Caps(
            calls=self.calls and self.calls * portions,
            tokens=self.tokens and self.tokens * portions,
            cost=self.cost and self.cost * portions,
        )


class Initialize(Record):
    """Turn the premise into a configuration, then chapter 0; on autopilot, without asking."""

    kind: Literal["initialize"] = "initialize"
    is_autopilot: bool = False
    caps: Caps = Caps()


class PlotChapters(Record):
    """Plot the next `chapters` chapters; on autopilot, no gate asks.

    With `stops_at_goal`, end early when the exit agent finds the story's goal reached.
    """

    kind: Literal["plot"] = "plot"
    chapters: Annotated[int, Field(ge=1)] = 1
    is_autopilot: bool = False
    stops_at_goal: bool = False
    caps: Caps = Caps()


class DraftOutline(Record):
    """Draft an outline of the whole story, have it reviewed, and spread it over the chapters."""

    kind: Literal["outline"] = "outline"
    is_autopilot: bool = False
    caps: Caps = Caps()


class ChooseAgain(Record):
    """Choose again among the candidates of a chapter that was taken back; the writer is asked."""

    kind: Literal["choose"] = "choose"
    chapter: Annotated[int, Field(ge=1)]
    is_autopilot: Literal[False] = False
    caps: Caps = Caps()


class WriteChapter(Record):
    """Write a plotted chapter, or several, one after the other.

    One alone is written whether it has a text or not. Of several, those that have one by the time that
    it is their turn are left alone.
    """

    kind: Literal["write"] = "write"
    chapter: Annotated[int, Field(ge=1)]
    then: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """The numbers of the chapters after it, in order."""
    form: Form | None = None
    """None: the story's own form."""
    is_autopilot: bool = False
    caps: Caps = Caps()

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        is_in_order = all(earlier < later for earlier, later in pairwise(self.chapters))
        is_each_once = len(set(self.chapters)) == len(self.chapters)
        if not (is_each_once if self.is_of_telling else is_in_order):
            raise ValueError("Chapters are written in the order of the story, each once.")
        return self

    @property
    def is_of_telling(self) -> bool:
        """Whether the chapters are another telling's, which are known by keys in any order."""
        return min(self.chapters) >= FIRST_OF_TELLING

    @property
    def chapters(self) -> tuple[int, ...]:
        """The numbers of all its chapters, in order."""
        return (self.chapter, *self.then)


class ReadStory(Record):
    """Have the whole story read, and its chapters revised where a first reader stumbles."""

    kind: Literal["read"] = "read"
    is_autopilot: bool = False
    caps: Caps = Caps()


class ReadBook(Record):
    """Read chapters that were typed by hand into the story, one after the other.

    What is found in each waits for the writer, and stops none of the next.
    """

    kind: Literal["book"] = "book"
    chapters: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)]
    """Their numbers, in order."""
    is_autopilot: bool = False
    caps: Caps = Caps()


Task = Annotated[
    Initialize | DraftOutline | PlotChapters | ChooseAgain | WriteChapter | ReadStory | ReadBook,
    Field(discriminator="kind"),
]


class RunState(StrEnum):
    """The state of a run. `INTERRUPTED` is a running one whose process has died."""

    RUNNING = "running"
    WAITING = "waiting"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    DONE = "done"


class StepDown(Record):
    """An agent of a run whose model gave no whole answer that could be used.

    It is asked for less from then on, as a small model is.
    """

    agent: str
    model: str
    since: datetime


class Run(Record):
    """One task under way on a branch.

    `owner` is the process that works on it, `heartbeat` its last sign of life.
    """

    id: Id
    branch: Id
    thread: Id
    task: Task
    state: RunState
    message: Line = ""
    """Why it failed or stopped, in words for the writer."""
    notes: tuple[Line, ...] = ()
    """What the writer should know of it besides, in words: that a model had to be asked for less."""
    step_downs: tuple[StepDown, ...] = ()
    is_capped: bool = False
    """Whether it stopped because it had used what it was allowed."""
    from_chapter: int | None = None
    """The chapter that was plotted last when it began; None if that is not known."""
    portions: Annotated[int, Field(ge=1)] = 1
    """How many times it was allowed its caps."""
    owner: str = ""
    is_to_stop: bool = False
    """Whether somebody asked for its end who is not its owner."""
    is_last_chapter: bool = False
    """Whether it was asked to stop once the chapter that it writes is done."""
    at_chapter: int | None = None
    """Which of several chapters it has come to; None before the first, or if it writes only one."""
    started: datetime
    heartbeat: datetime
    ended: datetime | None = None

    @property
    def allowed(self) -> Caps:
        """What it may use in all, from the start."""
        return self.task.caps.times(self.portions)

    @property
    def writes(self) -> int | None:
        """The chapter whose text it is at, or was at last; None if it writes none."""
        return (
            (self.at_chapter or self.task.chapter) if isinstance(self.task, WriteChapter) else None
        )


class Action(StrEnum):
    """What a writer can answer at a gate."""

    APPROVE = "approve"
    ASK_AGAIN = "ask again"


class Decision(Record):
    """The writer's answer to a question.

    `choice` is the id of what was chosen (a candidate, say); `note` goes with *ask again*.
    """

    action: Action = Action.APPROVE
    choice: Id | None = None
    note: Line = ""


class Question(Record):
    """A gate that waits for the writer. `id` is answered once."""

    id: Id
    branch: Id
    thread: Id
    gate: Gate
    chapter: int
    round: int


class Outcome(StrEnum):
    """How a call ended."""

    OK = "ok"
    TRUNCATED = "truncated"
    UNUSABLE = "unusable"
    FAILED = "failed"


class PromptSource(Record):
    """One thing that went into a prompt, in a writer's words, with its length in tokens.

    `left_out` counts what was available of the same kind but did not go in.
    """

    name: Line
    tokens: Annotated[int, Field(ge=0)] = 0
    lines: Annotated[int, Field(ge=0)] = 0
    left_out: Annotated[int, Field(ge=0)] = 0


class Call(Record):
    """One call to a model, for the ledger and for resuming without paying twice.

    `step` says what the call was for within its branch ("3/1/role/goal-id/2"); with `prompt_hash`,
    it identifies a finished call. Tokens are counts, `milliseconds` wall time, `cost` in the
    endpoint's currency. `words` is what the writer was shown: "Mara speaks".
    """

    id: Id
    run: Id | None = None
    branch: Id | None = None
    step: str = ""
    agent: str
    endpoint: str
    model: str
    prompt: str = ""
    prompt_hash: str
    words: Line = ""
    sources: tuple[PromptSource, ...] = ()
    answer: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: int = 0
    cost: float = 0.0
    outcome: Outcome
    problem: Line = ""
    created: datetime


class PromptKeeping(Record):
    """Whose prompts and answers are kept; of what is older, only what it cost.

    `chapters` counts those of each branch that were worked on last; None: all of them.
    """

    chapters: Annotated[int, Field(ge=1)] | None = 20


class KeptPrompts(Record):
    """How many calls are kept with prompt and answer, and the bytes that these take."""

    calls: int
    bytes: int


class Totals(Record):
    """What a run, chapter or branch has used so far."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    milliseconds: int = 0


class Activity(Record):
    """What an agent is doing now, in words a writer uses."""

    agent: str
    words: Line
    text: Passage = ""
    """What it has written so far, if it streams."""
    trouble: Line = ""
    """Why it waits, in words for the writer; empty if it does not."""


class ChaptersDone(Record):
    """How far a run is with its chapters."""

    done: int
    of: int
    may_end_early: bool = False
    """Whether the story may reach its goal before the last of them."""
    seconds_left: float | None = None
    """From the chapters that were done since the run began or was continued; None before the first."""


class Progress(Record):
    """A run as the pages show it, whether it is alive or not."""

    run: Run
    step: Line = ""
    """The current step in words: "Weaving chapter 8"."""
    done: int = 0
    expected: int = 0
    """Calls made and calls expected for the current chapter."""
    activities: tuple[Activity, ...] = ()
    totals: Totals = Totals()
    seconds: float = 0.0
    """Since the run began, or was continued, in this process."""
    step_seconds: float = 0.0
    """Since the current step began."""
    chapters: ChaptersDone | None = None
    """If it plots or writes several."""


class Spending(Totals):
    """What some calls used together. Tokens are counts, `milliseconds` the model's time.

    `failed` calls brought no answer. The answers of `repeated` calls could not be used as they
    were: they broke off, or did not have the form that was asked for, so another call followed.
    """

    failed: int = 0
    repeated: int = 0


class AgentSpending(Spending):
    """What the calls of one agent used."""

    agent: str


class ChapterSpending(Spending):
    """What one chapter used, for its plot and its text; 0 is what came before the first."""

    chapter: int


class LineSpending(Record):
    """What a branch used: its own calls, and its parents' up to where it forked off.

    Agents are sorted by what they used, the most first; chapters are in order.
    """

    agents: tuple[AgentSpending, ...] = ()
    chapters: tuple[ChapterSpending, ...] = ()

    @property
    def total(self) -> Spending:
        """What all of it used together."""
        return Spending(
            calls=sum(one.calls for one in self.agents),
            tokens_in=sum(one.tokens_in for one in self.agents),
            tokens_out=sum(one.tokens_out for one in self.agents),
            cost=sum(one.cost for one in self.agents),
            milliseconds=sum(one.milliseconds for one in self.agents),
            failed=sum(one.failed for one in self.agents),
            repeated=sum(one.repeated for one in self.agents),
        )
