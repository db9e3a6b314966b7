"""What a task needs before it can start, and the state in which its run begins or goes on.

A run goes on from its checkpoints, as long as they fit the library. The library is the truth: a copy
of it may have been put back, or a power cut may have cost the checkpoints their last writes. Then the
run takes up what is in the library: what is committed is not done again, and what was paid for is
found in the ledger.
"""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from graph_flow.machine.runner import Position
from graph_flow.runtime.state import StoryState
from graph_flow.views import BranchStatus
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.form import Form
from store.models.manuscript import DraftState
from store.models.proposals import Configuration
from store.models.prototype import SPINE_ID
from store.models.run import (
    ChooseAgain,
    DraftOutline,
    Initialize,
    PlotChapters,
    ReadBook,
    ReadStory,
    Run,
    Task,
    WriteChapter,
)
from store.models.story import Story
from store.open import Store


def check_task(task: Task, status: BranchStatus) -> None:
    """Check that the story is ready for a task.

    Raises:
        WorkbenchError: if it is not; the message says what comes first.
    """
    if isinstance(task, Initialize):
        if status.is_founded:
            raise WorkbenchError("This story has already begun. Edit its cast instead.")
        return
    if not status.is_founded:
        raise WorkbenchError("Approve the cast and the world first, on the Premise page.")
    _check_direct(task, status)
    _check_place(task, status)


def _check_place(task: Task, status: BranchStatus) -> None:
    """Check that a task begins where the story stands."""
    match task:
        case PlotChapters() | DraftOutline():
            _check_plotting(status)
        case ReadStory():
            _check_written(status)
        case ReadBook():
            _check_next(task.chapters[0], status)
        case ChooseAgain():
            _check_choosing(task.chapter, status)
        case WriteChapter() if status.plotted < (last := task.chapters[-1]) < FIRST_OF_TELLING:
            raise WorkbenchError(f"Chapter {last} has no plot yet. Plot it first.")


def _check_choosing(chapter: int, status: BranchStatus) -> None:
    if chapter != status.plotted + 1:
        raise WorkbenchError(f"Chapter {chapter} is not the next chapter to choose a plot for.")


def _check_direct(task: Task, status: BranchStatus) -> None:
    if status.story.settings.is_direct and isinstance(
        task, DraftOutline | ChooseAgain | ReadStory | ReadBook
    ):
        raise WorkbenchError(
            "This story is made directly, one prompt a chapter, without outline, plots and revision. "
            "Change that in Settings, under “Leave out”."
        )


def _check_written(status: BranchStatus) -> None:
    missing = status.plotted - status.written
    if missing or not status.written:
        raise WorkbenchError("Write all of its chapters first: then the story is read as a whole.")


def _check_next(chapter: int, status: BranchStatus) -> None:
    if chapter <= status.plotted:
        raise WorkbenchError(f"Chapter {chapter} is part of the story already.")


def _check_plotting(status: BranchStatus) -> None:
    if not (status.people or status.story.settings.is_direct):
        raise WorkbenchError(
            "There is nobody in this story yet. Add people on the Premise page first."
        )
    last = status.story.settings.last_chapter
    if status.plotted >= last:
        raise WorkbenchError(
            f"The story has all of its {last:,} chapters. Plan more on the Premise page to go on."
        )


def entry_for(task: Task, status: BranchStatus, round_: int = 1) -> StoryState:
    """Return the state in which a run of this task begins.

    `round_` is the newest round of candidates, for a chapter that is chosen again.
    """
    if isinstance(task, Initialize):
        return {
            "task": "initialize",
            "is_autopilot": task.is_autopilot,
            "chapter": 0,
            "round": 1,
            "asked_by": "",
        }
    if isinstance(task, DraftOutline):
        return {
            "task": "outline",
            "is_autopilot": task.is_autopilot,
            "chapter": status.plotted,
            "round": 1,
            "draft": 1,
            "asked_by": "",
        }
    if isinstance(task, PlotChapters):
        return {
            "task": "plot",
            "is_autopilot": task.is_autopilot,
            "stops_at_goal": task.stops_at_goal,
            "last_chapter": status.plotted + task.chapters,
            "is_reached": False,
        }
    if isinstance(task, ChooseAgain):
        return {
            "task": "choose",
            "is_autopilot": False,
            "chapter": task.chapter,
            "last_chapter": task.chapter,
            "round": round_,
            "asked_by": "",
            "is_reached": False,
        }
    if isinstance(task, ReadStory):
        return {"task": "read", "is_autopilot": task.is_autopilot, "chapter": status.written}
    if isinstance(task, ReadBook):
        return {
            "task": "book",
            "is_autopilot": task.is_autopilot,
            "chapter": 0,
            "last_chapter": task.chapters[-1],
        }
    form = form_of(task, status.story)
    return {
        "task": "write",
        "is_autopilot": task.is_autopilot,
        # Of several, the first is sought that has no text.
        "chapter": task.chapter - bool(task.then),
        # Those of a telling can stand in any order: only when none is left, the last one has come.
        "last_chapter": max(task.chapters) + (task.is_of_telling and bool(task.then)),
        "form": form.value,
        "asked_by": "",
    }


def form_of(task: WriteChapter, story: Story) -> Form:
    """Return the form in which a chapter is written: the task's, or else the story's own."""
    return task.form or story.brief.form


def entry_again(run: Run, status: BranchStatus, store: Store) -> StoryState | None:
    """Return the state in which a run without checkpoints goes on; None if nothing is left to do."""
    entry = entry_for(run.task, status)
    entry["goes_on"] = True
    branch = status.branch.id
    match run.task:
        case Initialize():
            configuration = store.proposals.configuration(branch)
            if configuration is not None:
                entry["round"] = configuration.round
                entry["is_drafted"] = _is_drafted(configuration, run, store)
            return None if status.is_founded else entry
        case PlotChapters(chapters=chapters):
            began = status.plotted if run.from_chapter is None else run.from_chapter
            entry["last_chapter"] = began + chapters
            return entry if status.plotted < began + chapters else None
        case WriteChapter(then=then):
            chapter = run.writes or 0
            entry["goes_on"] = _has_begun_text(run, chapter, branch, store)
            entry["chapter"] = chapter if entry["goes_on"] or not then else chapter - 1
        case ChooseAgain(chapter=chapter):
            return entry if chapter == status.plotted + 1 else None
    return entry


def _has_begun_text(run: Run, chapter: int, branch: str, store: Store) -> bool:
    """Return whether a run has begun a text of a chapter; of several, one that is not done yet."""
    attempt = store.manuscript.next_attempt(branch, chapter) - 1
    is_ours = store.calls.has_called(run.id, f"{chapter}/text/{attempt}/")
    draft = store.manuscript.draft(branch, chapter) if run.at_chapter else None
    return is_ours and (draft is None or draft.state not in _WRITER_HAS_IT)


def _is_drafted(configuration: Configuration, run: Run, store: Store) -> bool:
    """Return whether a run has drafted all that it asks the writer to approve."""
    has_spine = any(change.id == SPINE_ID for change in configuration.delta.changes)
    is_small = store.calls.has_called(run.id, f"0/{configuration.round}/ties")
    return configuration.is_complete and (has_spine or is_small)


_PLOTTING = frozenset(
    {"set_goals", "approve_goals", "weave_plot", "score_candidates", "choose_candidate"}
)
_CLOSING = frozenset({"check_exit", "update_spine"})
_AFTER_GOALS = _PLOTTING - {"set_goals"}
_WRITER_HAS_IT = frozenset({DraftState.APPROVED, DraftState.EDITED})
_AFTER_PLAN = frozenset({"approve_plan", "write_chapter"})
_AFTER_TEXT = frozenset({"review_chapter", "revise_chapter", "approve_draft", "approve_text"})
_FOUNDING = frozenset({"approve_configuration", "commit_configuration"})


def fits(at: Position, status: BranchStatus, store: Store) -> bool:
    """Return whether the library is as the checkpoints of a run say."""
    steps, branch = set(at.steps), status.branch.id
    match at.state.get("task"):
        case "initialize":
            has_cast = store.proposals.configuration(branch) is not None
            return not status.is_founded and (has_cast or not steps & _FOUNDING)
        case "plot" | "choose":
            return _fits_plot(at.state, steps, status, store)
        case "write":
            return _fits_text(at.state, steps, status, store)
    return True


def _fits_plot(state: StoryState, steps: set[str], status: BranchStatus, store: Store) -> bool:
    chapter, branch = state.get("chapter", 0), status.branch.id
    ahead = chapter - status.plotted
    if steps & _PLOTTING:
        has_goals = bool(store.proposals.goals(branch, chapter, state["round"]))
        return ahead == 1 and (has_goals or not steps & _AFTER_GOALS)
    if "commit_chapter" in steps:
        return ahead in {0, 1} and _has_candidates(state, branch, store)
    if steps & _CLOSING:
        # Alone after the last chapter, or beside the goals of the next one.
        return ahead in {0, 1}
    return chapter == 0 or ahead == 0


def _fits_text(state: StoryState, steps: set[str], status: BranchStatus, store: Store) -> bool:
    chapter, branch = state["chapter"], status.branch.id
    if status.plotted < chapter < FIRST_OF_TELLING:
        return False
    if steps & _AFTER_TEXT:
        return store.manuscript.draft(branch, chapter) is not None
    attempts = {plan.attempt for plan in store.manuscript.plans(branch, chapter)}
    return state.get("round", 0) in attempts or not steps & _AFTER_PLAN


def _has_candidates(state: StoryState, branch: str, store: Store) -> bool:
    woven = store.proposals.candidates(branch, state["chapter"], state["round"])
    choice = state.get("choice")
    every = store.proposals.candidates(branch, state["chapter"]) if choice else woven
    return any(one.id == choice for one in every) if choice else bool(woven)
