"""Going on after a crash: nothing that was finished is lost, done twice or paid for again."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from graph_flow.errors import NothingToContinue
from graph_flow.machine.owner import is_alive
from graph_flow.workbench.workbench import Workbench
from store.models.plot import Event, Occurrence
from store.models.proposals import Candidate, CandidateState
from store.models.run import Decision, PlotChapters, Question, Run, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from store.open import Store
from store.records.runs import Owners, RunStore
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import refuse
from tests.graph_flow.processes import begin_command, kill
from tests.graph_flow.scripting import (
    Held,
    expect_none_again,
    finished_prompts,
    saying,
    the_nth,
)
from tests.graph_flow.structure import expect_whole_story, expect_written

SECONDS = 120
Open = Callable[[], Workbench]


def killed_while_held(
    desk: Desk, library: Path, story: Story, held: Held, *arguments: str
) -> set[str]:
    """Play a story on in a process of its own, and kill it when the reply is held back.

    Returns the prompts of all calls that had finished by then.
    """
    desk.server.answer = held
    process = begin_command(library, desk.server, "run", "--story", story.id, *arguments)
    try:
        assert held.has_come.wait(SECONDS), "the request that was to be held never came"
    finally:
        kill(process)
        held.let_go()
    with closing(Store.open(library)) as store:
        return finished_prompts(store, desk.branch(story))


def progress(workbench: Workbench, story: Story) -> Run:
    found = workbench.runs.progress(workbench.library.main_branch(story.id).id)
    assert found is not None
    return found.run


def move_about(workbench: Workbench, branch: str) -> None:
    """Let the events of the newest chapter take place in turns in two places."""
    head = workbench.prototype.snapshot(branch)
    order = {event.id: place for place, event in enumerate(head.of(Event))}
    moved = {
        one.id: one.model_copy(update={"scene": head.scenes[order[one.event] % 2].id})
        for one in head.of(Occurrence)
    }
    workbench.story.edit(branch, head.model_copy(update={"entities": {**head.entities, **moved}}))


@pytest.mark.parametrize(("agent", "number"), [("role", 5), ("exit", 1)])
def test_chapter_completes_after_a_kill_in_its_middle(
    desk: Desk, store: Store, library_path: Path, agent: str, number: int
) -> None:
    story = desk.founded()
    branch = desk.branch(story)
    held = Held(the_nth(agent, number))

    finished = killed_while_held(desk, library_path, story, held, "--chapters", "1")

    assert progress(desk.workbench, story).state is RunState.INTERRUPTED
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_whole_story(desk.workbench, store, branch, chapters=1)
    expect_none_again(desk.server, finished)
    assert len(store.prototype.commits(branch)) == 2
    assert len(store.proposals.goals(branch, 1)) == 3


def test_writing_goes_on_after_a_kill_in_the_second_scene(
    desk: Desk, library_path: Path, store: Store
) -> None:
    story = desk.plotted()
    branch, chapter = desk.branch(story), 1
    move_about(desk.workbench, branch)
    held = Held(the_nth("writer_novel", 2))

    finished = killed_while_held(desk, library_path, story, held, "--chapters", "1", "--write")

    begun = desk.workbench.manuscript.draft(branch, chapter)
    assert begun is not None
    assert begun.text.strip(), "the first scene was finished and is there"
    assert progress(desk.workbench, story).state is RunState.INTERRUPTED
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_written(desk.workbench, branch, chapter)
    expect_none_again(desk.server, finished)
    [draft] = desk.workbench.manuscript.versions(branch, chapter)
    assert draft.id == begun.id
    assert draft.text.startswith(begun.text.strip())
    assert len(store.manuscript.plans(branch, chapter)) == 1


def test_cast_completes_after_a_kill_in_its_middle(
    desk: Desk, store: Store, library_path: Path
) -> None:
    story = desk.story()
    branch = desk.branch(story)
    held = Held(the_nth("character", 2))

    finished = killed_while_held(desk, library_path, story, held, "--chapters", "1")

    assert desk.workbench.story.proposed_snapshot(branch).characters, "the first person is there"
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    assert desk.workbench.branches.status(branch).is_founded
    expect_none_again(desk.server, finished)
    assert len(store.proposals.configurations(branch)) == 1
    store.prototype.verify(branch)


def test_command_goes_on_by_itself_after_a_kill(
    desk: Desk, store: Store, library_path: Path
) -> None:
    story = desk.founded()
    branch = desk.branch(story)
    held = Held(the_nth("role", 12))
    finished = killed_while_held(desk, library_path, story, held, "--chapters", "2")

    again = begin_command(library_path, desk.server, "run", "--story", story.id, "--chapters", "2")
    _, said = again.communicate(timeout=SECONDS)

    assert again.returncode == 0, said
    expect_whole_story(desk.workbench, store, branch, chapters=2)
    expect_none_again(desk.server, finished)


def test_run_of_a_living_process_cannot_be_taken_over(desk: Desk, open_workbench: Open) -> None:
    story = desk.founded()
    held = Held(the_nth("role", 1))
    desk.server.answer = held
    run = desk.workbench.runs.start(desk.branch(story), PlotChapters(is_autopilot=True))
    assert held.has_come.wait(SECONDS)

    other = open_workbench()

    assert progress(other, story).state is RunState.RUNNING
    with pytest.raises(NothingToContinue):
        other.runs.resume(run.branch)
    held.let_go()
    assert desk.settle(run).state is RunState.DONE


def test_plot_that_broke_off_goes_on_after_another_chapter_was_written(
    desk: Desk, store: Store
) -> None:
    story = desk.plotted()
    branch = desk.branch(story)
    desk.server.answer = saying(scorer=refuse(401, "no such key"))
    broken = desk.do(story, PlotChapters(is_autopilot=True))
    assert broken.state is RunState.FAILED
    desk.server.answer = going_on
    assert desk.do(story, WriteChapter(chapter=1, is_autopilot=True)).state is RunState.DONE
    finished = finished_prompts(store, branch)

    found = desk.workbench.runs.progress(branch, "plot", "choose")
    again = desk.workbench.runs.resume(branch, "plot")

    assert found is not None
    assert found.run == broken
    assert again.id == broken.id
    assert desk.workbench.runs.wait(again, SECONDS)
    assert store.runs.run(again.id).state is RunState.DONE
    expect_none_again(desk.server, finished)
    expect_whole_story(desk.workbench, store, branch, chapters=2)


def test_only_the_newest_plot_can_go_on(desk: Desk) -> None:
    story = desk.founded()
    desk.server.answer = saying(scorer=refuse(401, "no such key"))
    first = desk.do(story, PlotChapters(is_autopilot=True))
    second = desk.do(story, PlotChapters(is_autopilot=True))
    desk.server.answer = going_on

    again = desk.settle(desk.workbench.runs.resume(desk.branch(story), "plot"))

    assert again.id == second.id != first.id
    with pytest.raises(NothingToContinue):
        desk.workbench.runs.resume(desk.branch(story))


# Between two steps


@pytest.fixture
def dead_store(library_path: Path) -> Iterator[Store]:
    """The library as a process had it open that is now gone."""
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    opened = Store.open(library_path, Owners(f"{socket.gethostname()}/{ended.pid}/word", is_alive))
    yield opened
    opened.close()


def choosing(desk: Desk) -> tuple[Question, Candidate]:
    """Return the question which candidate to choose, and one that is not the best."""
    story = desk.founded({"goals": 2, "roles": 2, "gates": {Gate.GOALS: GateMode.GO_ON}})
    branch = desk.do(story, PlotChapters()).branch
    [question] = desk.workbench.runs.pending(branch)
    views = desk.workbench.plot.candidates(branch, 1)
    return question, min(views, key=lambda view: view.candidate.total or 0).candidate


def test_choice_counts_though_the_process_died_before_it_had_effect(
    desk: Desk, store: Store, dead_store: Store
) -> None:
    question, chosen = choosing(desk)
    branch = question.branch
    claimed = dead_store.runs.claim_again(dead_store.runs.run_of_thread(question.thread))
    assert claimed is not None
    dead_store.runs.record_decision(question.id, branch, Decision(choice=chosen.id))

    assert desk.workbench.branches.status(branch).plotted == 0
    assert store.proposals.candidate(chosen.id).state is CandidateState.PROPOSED
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE

    assert store.proposals.candidate(chosen.id).state is CandidateState.CHOSEN
    expect_whole_story(desk.workbench, store, branch, chapters=1)


def test_question_stands_again_where_the_process_died_before_it_kept_the_answer(
    desk: Desk, dead_store: Store
) -> None:
    question, chosen = choosing(desk)
    branch = question.branch
    assert dead_store.runs.claim_again(dead_store.runs.run_of_thread(question.thread))

    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.WAITING

    [again] = desk.workbench.runs.pending(branch)
    assert (again.gate, again.chapter, again.round) == (Gate.CANDIDATES, 1, 1)
    run = desk.settle(desk.workbench.runs.decide(again, Decision(choice=chosen.id)))
    assert run.state is RunState.DONE


def test_chapter_is_committed_once_though_its_checkpoint_was_lost(
    desk: Desk, store: Store, library_path: Path
) -> None:
    """A power cut may come after the commit and before the machine has noted it."""
    question, chosen = choosing(desk)
    branch = question.branch
    checkpoints = library_path.with_name("library.checkpoints.db")
    before = library_path.with_name("before.db")
    copy(checkpoints, before)
    desk.server.answer = saying(exit=refuse(401, "no such key"))
    failed = desk.settle(desk.workbench.runs.decide(question, Decision(choice=chosen.id)))
    assert failed.state is RunState.FAILED
    committed = store.prototype.commits(branch)
    assert [commit.kind for commit in committed] == ["configuration", "chapter"]

    copy(before, checkpoints)
    desk.server.answer = going_on

    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    assert store.prototype.commits(branch) == committed
    expect_whole_story(desk.workbench, store, branch, chapters=1)


def copy(source: Path, target: Path) -> None:
    """Copy a database into another, whoever has them open."""
    with closing(sqlite3.connect(source)) as taken, closing(sqlite3.connect(target)) as given:
        taken.backup(given)


def test_run_that_another_process_took_up_is_left_to_it(desk: Desk, store: Store) -> None:
    """After a long sleep of the machine, say: two must not work on one run."""
    story = desk.founded()
    held = Held(the_nth("role", 1))
    desk.server.answer = held
    run = desk.workbench.runs.start(desk.branch(story), PlotChapters(is_autopilot=True))
    assert held.has_come.wait(SECONDS)

    no_lease = RunStore(store.database, Owners("elsewhere/1"), lease=timedelta(0))
    taken = no_lease.claim_again(run)

    assert taken is not None
    assert desk.workbench.runs.wait(run, SECONDS)
    assert store.runs.run(run.id).owner == taken.owner
    assert not store.prototype.chapters(run.branch)[1:]
    held.let_go()


def test_story_goes_on_without_its_checkpoints(
    desk: Desk, open_workbench: Open, library_path: Path
) -> None:
    """What is worth keeping stands in the library: without the other file a step begins afresh."""
    question, _ = choosing(desk)
    branch = question.branch
    desk.workbench.close()
    for file in library_path.parent.glob("library.checkpoints.db*"):
        file.unlink()

    again = Desk(open_workbench(), desk.server, library_path)

    assert again.workbench.runs.pending(branch) == []
    run = again.settle(again.workbench.runs.start(branch, PlotChapters(is_autopilot=True)))
    assert run.state is RunState.DONE
    assert again.workbench.branches.status(branch).plotted == 1
    assert {view.candidate.round for view in again.workbench.plot.candidates(branch, 1)} == {1, 2}
