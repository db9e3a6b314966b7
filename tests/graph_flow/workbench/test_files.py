"""A library of before the app's present name: offered while this one is new, and copied whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_flow.workbench.assembly import assemble, library_path
from store.errors import LibraryDamaged, StoreError
from store.models.run import RunState
from store.models.story import Brief
from tests.desk import Desk
from tests.fakes.scripted_server import ScriptedServer


@pytest.fixture
def former(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the former library, with another default place for the present one."""
    path = tmp_path / "former" / "library.db"
    monkeypatch.delenv("TELLWRIGHT_LIBRARY", raising=False)
    monkeypatch.setenv("FABULA_LIBRARY", str(path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TELLWRIGHT_MODEL", "scripted")
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "small")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return path


def test_story_and_its_open_question_are_taken_over(former: Path, server: ScriptedServer) -> None:
    old = Desk(assemble(former), server, former)
    story = old.drafted()
    deleted = old.workbench.library.create_story(Brief(premise="Another."))
    old.workbench.library.delete(deleted.id)
    old.workbench.close()
    before = former.read_bytes()

    new = Desk(assemble(), server, library_path())
    assert new.workbench.files.former_library() == former
    new.workbench.files.take_over_library()

    assert [card.story.id for card in new.workbench.library.stories()] == [story.id]
    assert new.workbench.library.story(deleted.id).brief.premise == "Another."
    assert new.answer(story).state is RunState.DONE
    assert new.workbench.branches.status(new.branch(story)).is_founded
    assert new.workbench.files.former_library() is None
    new.workbench.close()
    assert former.read_bytes() == before


def test_library_with_a_story_is_never_replaced(former: Path) -> None:
    assemble(former).close()
    workbench = assemble()
    story = workbench.library.create_story(Brief(premise="Mine."))
    workbench.library.delete(story.id)

    assert workbench.files.former_library() is None
    with pytest.raises(StoreError, match="already has stories"):
        workbench.files.take_over_library()
    assert workbench.library.story(story.id).brief.premise == "Mine."
    workbench.close()


def test_damaged_library_changes_nothing(former: Path) -> None:
    former.parent.mkdir()
    former.write_bytes(b"no library at all" * 100)
    workbench = assemble()

    with pytest.raises(LibraryDamaged):
        workbench.files.take_over_library()
    assert workbench.library.stories() == []
    assert workbench.library.create_story().brief == Brief()
    workbench.close()


def test_nothing_is_offered_where_a_library_was_chosen_or_none_was_before(
    former: Path, tmp_path: Path, desk: Desk
) -> None:
    assert desk.workbench.files.former_library() is None
    workbench = assemble()
    assert not former.exists()
    assert workbench.files.former_library() is None
    workbench.close()
    assemble(former).close()
    chosen = assemble(tmp_path / "chosen.db")
    assert chosen.files.former_library() is None
    chosen.close()


def test_run_that_goes_on_after_the_taking_over_is_not_begun_anew(
    former: Path, server: ScriptedServer
) -> None:
    old = Desk(assemble(former), server, former)
    story = old.drafted()
    asked = len(server.history)
    old.workbench.close()

    new = Desk(assemble(), server, library_path())
    new.workbench.files.take_over_library()
    [question] = new.workbench.runs.pending(new.branch(story))

    assert question.branch == new.branch(story)
    assert len(server.history) == asked
    progress = new.workbench.runs.progress(new.branch(story), "initialize")
    assert progress is not None
    assert progress.run.state is RunState.WAITING
    new.workbench.close()
