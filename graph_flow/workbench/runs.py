"""Runs: start, resume, stop and watch them, and answer their questions."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from graph_flow.agents import AGENTS
from graph_flow.errors import AlreadyAnswered, BranchBusy, NothingToContinue, WorkbenchError
from graph_flow.founding.following import follows, goes_on_following, told_text
from graph_flow.founding.premise import check_premise, founding_window
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.runner import Entry, Runner, answer_to
from graph_flow.outline.current import check_outline
from graph_flow.prompting.agent import Work
from graph_flow.prompting.length import chapter_sketches
from graph_flow.runtime.gates import Answer
from graph_flow.views import RunEstimate
from graph_flow.workbench.estimates import estimate_run
from graph_flow.workbench.reading import chapters_done, newest_goals, status_of
from graph_flow.workbench.tasks import check_task, entry_again, entry_for, fits
from store.errors import LibraryUnavailable
from store.models.proposals import CandidateState
from store.models.run import (
    Action,
    Decision,
    Initialize,
    PlotChapters,
    Progress,
    Question,
    Run,
    RunState,
    Task,
    WriteChapter,
)
from store.models.story import Gate
from store.open import Store

_CONTINUABLE = {RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED}

_MOST_NOTED = 50
"""The most runs of which the notes are shown."""

_PLOTTING = frozenset({"plot", "choose"})

_BUSY = "Tellwright is already working on this story. Wait for it to finish, or stop it first."
_LOST = (
    "What it was waiting for no longer exists: the library is not as this run left it, or the file that says "
    "where it stood is lost. It goes on from what is in the library."
)
_TAKEN_UP = (
    "The record of where this run stood was lost, or did not fit the library. It went on from what is "
    "in the library; nothing that is there was done again."
)
_ANSWERED = "That was already answered, perhaps in another window. This is the story as it is now."


class RunService:
    """The runs in the background, and the writer's control of them."""

    def __init__(self, store: Store, runner: Runner, book: EndpointBook) -> None:
        self._store = store
        self._runner = runner
        self._book = book

    def start(self, branch_id: str, task: Task) -> Run:
        """Start a task in the background.

        Raises:
            BranchBusy: if a run is in progress on the branch, or a question about this work waits.
            PremiseUnusable: if the premise is empty or too long for the model.
            WorkbenchError: if the story is not ready for the task.
        """
        status = status_of(self._store, branch_id)
        check_task(task, status)
        if isinstance(task, Initialize):
            check_premise(status.story.brief.premise, founding_window(self._book.current))
        waiting = self._store.runs.waiting(branch_id)
        if any(_same_work(task, one.task) and self._runner.questions(one) for one in waiting):
            raise BranchBusy("A question waits for your answer before this can go on.")
        before = self._store.runs.latest(branch_id, _stage_of(task))
        run = self._store.runs.claim_new(branch_id, task, status.plotted)
        if run is None:
            raise BranchBusy(_BUSY)
        if before is not None and before.state is not RunState.WAITING:
            self._runner.forget(before)  # only the newest run of each stage can be resumed
        return self._launch(run, entry_for(task, status))

    def resume(self, branch_id: str, *kinds: str) -> Run:
        """Resume the newest run (of some kinds, if given) after a stop, a failure or a crash.

        Raises:
            NothingToContinue: if that run is in progress, waiting, or done.
            BranchBusy: if another window was faster.
        """
        run = self._newest(branch_id, kinds)
        if run is None or run.state not in _CONTINUABLE or self._runner.live(run.id):
            raise NothingToContinue("There is nothing to continue. Perhaps it is already running.")
        claimed, status = self._claim(run), status_of(self._store, branch_id)
        position = self._runner.position(claimed)
        if position is not None and fits(position, status, self._store):
            return self._launch(claimed, self._runner.entry_to_continue(claimed))
        entry = entry_again(claimed, status, self._store)
        self._runner.forget(claimed)
        if entry is None:
            return self._store.runs.end_run(claimed.id, RunState.DONE)
        self._store.runs.add_note(claimed.id, _TAKEN_UP)
        return self._launch(claimed, entry)

    def stop_after_chapter(self, branch_id: str) -> None:
        """Let the run in progress on a branch, which writes several chapters, finish only this one."""
        run = self._store.runs.active(branch_id)
        if run is not None:
            self._store.runs.ask_to_stop_after_chapter(run.id)

    def stop(self, branch_id: str) -> None:
        """Stop the run in progress on a branch, without waiting for its current call to finish.

        Another process that works on it, such as the command line, obeys at its next heartbeat.
        """
        run = self._store.runs.active(branch_id)
        if run is not None and not self._runner.stop(run.id):
            self._store.runs.ask_to_stop(run.id)

    @property
    def are_at_work(self) -> bool:
        """Whether this program is working on any story."""
        return self._runner.is_at_work

    def wait(self, run: Run, seconds: float | None = None) -> bool:
        """Wait until a run has ended in this program; return False if that takes too long."""
        return self._runner.wait(run.id, seconds)

    def progress(self, branch_id: str, *kinds: str) -> Progress | None:
        """Return the progress of a branch's newest run; with kinds, of the newest with such a task.

        Return None if there is none.
        """
        run = self._newest(branch_id, kinds)
        if run is None:
            return None
        totals = self._store.ledger.totals(run=run.id)
        live = self._runner.live(run.id)
        if live is None:
            return Progress(run=run, totals=totals, chapters=chapters_done(self._store, run, None))
        done, expected = live.progress.counts
        return Progress(
            run=run,
            step=live.progress.step,
            done=done,
            expected=expected,
            activities=live.progress.activities,
            totals=totals,
            seconds=live.progress.seconds,
            step_seconds=live.progress.step_seconds,
            chapters=chapters_done(self._store, run, live.progress.pace),
        )

    def has_done(self, branch_id: str, kind: str) -> bool:
        """Return whether the newest run of a branch with such a task came to its end."""
        run = self._store.runs.latest(branch_id, (kind,))
        return run is not None and run.state is RunState.DONE

    def noted(self, branch_id: str) -> list[Run]:
        """Return the newest runs of a branch with something for the writer to know, newest first."""
        return self._store.runs.noted(branch_id, _MOST_NOTED)

    def pending(self, branch_id: str) -> list[Question]:
        """Return the questions that wait for the writer.

        A run that waits for an answer to what is gone, or is not as the library has it, is offered to
        be continued instead.
        """
        return [
            question
            for run in self._store.runs.waiting(branch_id)
            for question in self._questions(run)
        ]

    def _questions(self, run: Run) -> list[Question]:
        asked = self._runner.questions(run)
        if asked and all(self._is_still_asked(question) for question in asked):
            return asked
        with suppress(LibraryUnavailable):  # it is said the next time
            self._store.runs.stop_waiting(run.id, _LOST)
        return []

    def _is_still_asked(self, question: Question) -> bool:
        if question.gate not in {Gate.GOALS, Gate.CANDIDATES}:
            return True
        head = self._store.prototype.head(question.branch)
        return question.chapter == (head.chapter if head else 0) + 1

    def decide(self, question: Question, decision: Decision) -> Run:
        """Answer a question and resume its run. Only the first answer counts.

        Raises:
            AlreadyAnswered: if it was answered meanwhile.
            BranchBusy: if another run is in progress on the branch.
            WorkbenchError: if the answer chooses something that is not on offer.
        """
        run = self._store.runs.run_of_thread(question.thread)
        if self._is_answered(question):
            raise AlreadyAnswered(_ANSWERED)
        self._check_decision(question, decision)
        claimed = self._store.runs.claim_again(run)
        if claimed is None:
            raise AlreadyAnswered(_ANSWERED) if self._is_answered(question) else BranchBusy(_BUSY)
        waiting = self._runner.questions(claimed)
        if question not in waiting:
            state = RunState.WAITING if waiting else RunState.STOPPED
            self._store.runs.end_run(claimed.id, state, "")
            raise AlreadyAnswered(_ANSWERED)
        self._store.runs.record_decision(question.id, question.branch, decision)
        answer = Answer(action=decision.action, choice=decision.choice)
        return self._launch(claimed, answer_to(question, answer))

    def estimate(self, branch_id: str, task: Task) -> RunEstimate:
        """Return roughly what a task will use."""
        story = self._store.library.story_of(branch_id)
        head = self._store.prototype.head(branch_id)
        told = head.chapter if head else 0
        follows_sketch = self._follows_sketch(branch_id, task, told)
        sketches = 0 if follows_sketch else chapter_sketches(story.settings)
        work = Work(task, story.settings, story.brief.form, told, follows_sketch, sketches)
        return estimate_run(
            work, self._book.current_of(AGENTS), self._store.ledger.by_agent(branch_id)
        )

    def _follows_sketch(self, branch_id: str, task: Task, told: int) -> bool:
        """Return whether all that a task tells is expected to be as it was told before."""
        match task:
            case WriteChapter(chapters=chapters):
                return all(told_text(self._store, branch_id, one) for one in chapters)
            case PlotChapters(chapters=count):
                return goes_on_following(self._store, branch_id, told, count)
        return follows(self._store, branch_id, told)

    def _claim(self, run: Run) -> Run:
        claimed = self._store.runs.claim_again(run)
        if claimed is None:
            raise BranchBusy(_BUSY)
        return claimed

    def _is_answered(self, question: Question) -> bool:
        run = self._store.runs.run_of_thread(question.thread)
        is_waiting = run.state is RunState.WAITING
        return not is_waiting or self._store.runs.decision(question.id) is not None

    def _newest(self, branch_id: str, kinds: Collection[str] = ()) -> Run | None:
        active = self._store.runs.active(branch_id)
        if active is not None and (not kinds or active.task.kind in kinds):
            return active
        return self._store.runs.latest(branch_id, kinds)

    def _launch(self, run: Run, entry: Entry) -> Run:
        self._runner.launch(run, entry)
        return run

    def _check_decision(self, question: Question, decision: Decision) -> None:
        if question.gate is Gate.CANDIDATES and decision.choice:
            candidate = self._store.proposals.candidate(decision.choice)
            if (candidate.branch, candidate.chapter) != (question.branch, question.chapter):
                raise WorkbenchError("That candidate belongs to another chapter.")
            if candidate.state is CandidateState.GIVEN_UP:
                raise WorkbenchError(
                    "That candidate could not be finished, so it cannot be chosen."
                )
        if question.gate is Gate.GOALS and all(
            goal.is_dropped for goal in newest_goals(self._store, question.branch, question.chapter)
        ):
            raise WorkbenchError("Keep at least one goal, or add your own.")
        if question.gate is Gate.OUTLINE and decision.action is Action.APPROVE:
            check_outline(self._store, question.branch)


def _stage_of(task: Task) -> frozenset[str]:
    """Return the kinds of task that replace each other's runs."""
    return _PLOTTING if task.kind in _PLOTTING else frozenset({task.kind})


def _same_work(task: Task, other: Task) -> bool:
    """Return whether two tasks would work on the same thing, so that only one may be open."""
    if isinstance(task, WriteChapter) and isinstance(other, WriteChapter):
        return not set(task.chapters).isdisjoint(other.chapters)
    return task.kind == other.kind and getattr(task, "chapter", 0) == getattr(other, "chapter", 0)
