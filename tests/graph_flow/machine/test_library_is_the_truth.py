"""A library and checkpoints that do not fit together: what is in the library counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graph_flow.machine.checkpoints import open_checkpoints
from store.models.run import Initialize, PlotChapters, Run, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, Settings, going_on
from tests.fakes.scripted_server import refuse
from tests.graph_flow.scripting import Say, asked, the_nth

ON_ITS_OWN: Settings = {"gates": dict.fromkeys(Gate, GateMode.GO_ON), "goals": 2, "roles": 2}


def asking(gate: Gate) -> Settings:
    modes = {one: GateMode.ASK if one is gate else GateMode.GO_ON for one in Gate}
    return {**ON_ITS_OWN, "gates": modes}


def forget(library: Path) -> None:
    """Delete every checkpoint, as if their file had been lost."""
    with closing(sqlite3.connect(library.with_name(f"{library.stem}.checkpoints.db"))) as file:
        file.execute("DELETE FROM checkpoints")
        file.execute("DELETE FROM writes")
        file.commit()


def failing(agent: str, number: int) -> Say:
    """Return a script in which the nth call of an agent is refused."""
    is_it = the_nth(agent, number)
    return lambda sent: refuse(401, "no such key") if is_it(sent) else going_on(sent)


def stopped_at(desk: Desk, story: Story, agent: str, number: int, task: PlotChapters) -> Run:
    """Plot until the nth call of an agent fails."""
    desk.server.answer = failing(agent, number)
    run = desk.do(story, task)
    desk.server.answer = going_on
    assert run.state is RunState.FAILED
    return run


def test_as_many_chapters_are_plotted_as_were_asked_for(desk: Desk, library_path: Path) -> None:
    story = desk.story(settings=ON_ITS_OWN)
    desk.do(story, Initialize())
    stopped_at(desk, story, "goals", 3, PlotChapters(chapters=4, is_autopilot=True))
    branch = desk.branch(story)
    plotted = desk.workbench.branches.status(branch).plotted
    assert 0 < plotted < 4

    forget(library_path)
    run = desk.settle(desk.workbench.runs.resume(branch))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(branch).plotted == 4
    assert any("did not fit the library" in note for note in run.notes)


def test_nothing_is_left_to_do_when_the_library_has_it_all(desk: Desk, library_path: Path) -> None:
    story = desk.story(settings=ON_ITS_OWN)
    desk.do(story, Initialize())
    stopped_at(desk, story, "exit", 2, PlotChapters(chapters=2, is_autopilot=True))
    branch = desk.branch(story)
    assert desk.workbench.branches.status(branch).plotted == 2

    forget(library_path)
    run = desk.workbench.runs.resume(branch)

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(branch).plotted == 2


def test_goals_and_their_candidates_are_not_doubled_nor_paid_for_again(
    desk: Desk, library_path: Path, store: Store
) -> None:
    story = desk.story(settings=ON_ITS_OWN)
    desk.do(story, Initialize())
    stopped_at(desk, story, "scorer", 1, PlotChapters())
    branch = desk.branch(story)
    before = {agent: len(asked(desk.server, agent)) for agent in ("goals", "role")}

    forget(library_path)
    run = desk.settle(desk.workbench.runs.resume(branch))

    assert run.state is RunState.DONE
    assert {agent: len(asked(desk.server, agent)) for agent in before} == before
    assert [goal.round for goal in store.proposals.goals(branch, 1)] == [1, 1]
    assert len(store.proposals.candidates(branch, 1)) == 2


def test_plan_and_draft_are_not_doubled(desk: Desk, library_path: Path, store: Store) -> None:
    story = desk.story(settings=ON_ITS_OWN)
    desk.do(story, Initialize())
    desk.do(story, PlotChapters())
    branch = desk.branch(story)
    desk.server.answer = failing("writer_novel", 1)
    assert desk.do(story, WriteChapter(chapter=1)).state is RunState.FAILED
    desk.server.answer = going_on
    planned = len(asked(desk.server, "plan"))

    forget(library_path)
    run = desk.settle(desk.workbench.runs.resume(branch))

    assert run.state is RunState.DONE
    assert len(asked(desk.server, "plan")) == planned
    assert [plan.attempt for plan in store.manuscript.plans(branch, 1)] == [1]
    assert [draft.version for draft in store.manuscript.versions(branch, 1)] == [1]


def test_text_that_is_written_again_gets_an_attempt_of_its_own(
    desk: Desk, library_path: Path, store: Store
) -> None:
    """The attempt before belongs to a run that is done: it must not be taken for this one's."""
    story = desk.story(settings=ON_ITS_OWN)
    desk.do(story, Initialize())
    desk.do(story, PlotChapters())
    desk.do(story, WriteChapter(chapter=1))
    branch = desk.branch(story)
    first = store.manuscript.draft(branch, 1)
    desk.server.answer = failing("writer_novel", 1)
    assert desk.do(story, WriteChapter(chapter=1)).state is RunState.FAILED
    desk.server.answer = going_on

    forget(library_path)
    desk.settle(desk.workbench.runs.resume(branch))

    assert [plan.attempt for plan in store.manuscript.plans(branch, 1)] == [2, 1]
    assert store.manuscript.versions(branch, 1)[-1] == first


@pytest.mark.parametrize("gate", [Gate.CONFIGURATION, Gate.GOALS, Gate.CANDIDATES, Gate.PLAN])
def test_question_that_is_lost_is_asked_again_and_what_the_writer_did_stays(
    desk: Desk, library_path: Path, store: Store, gate: Gate
) -> None:
    story = desk.story(settings=asking(gate))
    desk.do(story, Initialize())
    branch = desk.branch(story)
    if gate is not Gate.CONFIGURATION:
        desk.do(story, PlotChapters())
    if gate is Gate.PLAN:
        desk.do(story, WriteChapter(chapter=1))
    [question] = desk.workbench.runs.pending(branch)
    calls = len(desk.server.history)
    if gate is Gate.CONFIGURATION:
        desk.workbench.story.rename_configuration(branch, "The Quill")

    forget(library_path)

    assert desk.workbench.runs.pending(branch) == []
    run = desk.workbench.runs.progress(branch)
    assert run is not None
    assert run.run.state is RunState.STOPPED
    desk.settle(desk.workbench.runs.resume(branch))
    [again] = desk.workbench.runs.pending(branch)
    assert (again.gate, again.chapter, again.round) == (gate, question.chapter, question.round)
    assert len(desk.server.history) == calls
    if gate is Gate.CONFIGURATION:
        configuration = store.proposals.configuration(branch)
        assert configuration is not None
        assert configuration.title == "The Quill"
    assert desk.answer(story).state is RunState.DONE


@pytest.fixture
def earlier(library_path: Path) -> Callable[[], None]:
    """Keep the library as it is now; the function that comes back says when."""
    copy = library_path.with_name("copy.db")

    def keep() -> None:
        with closing(sqlite3.connect(library_path)) as source, closing(sqlite3.connect(copy)) as to:
            source.backup(to)

    return keep


def put_back(library: Path) -> None:
    """Put the copy in place of the library, while the app keeps its checkpoints."""
    copy = library.with_name("copy.db")
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(library)) as to:
        source.backup(to)


def test_copy_of_the_library_from_before_is_gone_on_with(
    desk: Desk, library_path: Path, store: Store, earlier: Callable[[], None]
) -> None:
    story = desk.story(settings=ON_ITS_OWN)
    desk.do(story, Initialize())
    branch = desk.branch(story)
    stopped_at(desk, story, "goals", 2, PlotChapters(chapters=4, is_autopilot=True))
    earlier()
    desk.server.answer = failing("goals", 2)
    desk.settle(desk.workbench.runs.resume(branch))
    desk.server.answer = going_on
    later = desk.workbench.branches.status(branch).plotted

    put_back(library_path)
    assert desk.workbench.branches.status(branch).plotted < later
    run = desk.settle(desk.workbench.runs.resume(branch))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(branch).plotted == 4
    store.prototype.verify(branch)


def test_damaged_checkpoints_are_set_aside_and_nothing_else_is_touched(tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    open_checkpoints(library).conn.close()
    file = tmp_path / "library.checkpoints.db"
    content = file.read_bytes()
    file.write_bytes(content[:512] + b"\xff" * (len(content) - 512))

    saver = open_checkpoints(library)

    assert saver.get_tuple({"configurable": {"thread_id": "none"}}) is None
    saver.conn.close()
    [aside] = tmp_path.glob("library.checkpoints.db.damaged-*")
    assert aside.read_bytes()[512:600] == b"\xff" * 88


def test_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "library.checkpoints.db"
    file.write_text("not a database" * 100)

    open_checkpoints(tmp_path / "library.db").conn.close()

    assert len(list(tmp_path.glob("library.checkpoints.db.damaged-*"))) == 1
