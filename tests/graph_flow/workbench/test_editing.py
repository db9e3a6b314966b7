"""A writer's edits through the door: at any chapter, told when they come too late."""

from __future__ import annotations

import pytest

from graph_flow.workbench.workbench import Workbench
from store.deltas.delta import diff
from store.errors import DeltaInvalid, StoryMoved
from store.models.cast import Character
from store.models.delta import Delta
from store.models.prototype import Snapshot
from store.models.story import Brief
from store.open import Store
from tests.desk import Desk
from tests.store.builders import (
    CAST,
    CAUSE,
    CHAPTER_ONE,
    LAMP_ROOM,
    LOCKED,
    MARA,
    adding,
    altered,
    begin,
    changing,
    go_on,
    removing,
)


@pytest.fixture
def bench(desk: Desk) -> Workbench:
    return desk.workbench


@pytest.fixture
def branch(store: Store) -> str:
    """A story of two chapters, told into the library of the workbench."""
    story = store.library.create_story(Brief(premise="A keeper."))
    main = store.library.main_branch(story.id).id
    begin(store, main, adding(*CAST))
    go_on(store, main, adding(*CHAPTER_ONE))
    go_on(store, main, changing(MARA, status="free"))
    return main


def with_mara(snapshot: Snapshot, **values: object) -> Snapshot:
    mara = altered(snapshot.get(Character, "mara"), **values)
    return snapshot.model_copy(update={"entities": {**snapshot.entities, "mara": mara}})


def test_edit_holds_from_its_chapter_on(bench: Workbench, branch: str) -> None:
    commit = bench.story.edit(
        branch, with_mara(bench.prototype.snapshot(branch, 1), health="ill", status="x"), 1
    )

    assert commit is not None
    assert (commit.chapter, commit.kind) == (1, "edit")
    states = [
        bench.prototype.snapshot(branch, chapter).get(Character, "mara") for chapter in (0, 1, 2)
    ]
    assert [state.health for state in states] == ["", "ill", "ill"]
    assert [state.status for state in states] == ["", "x", "free"]


def test_edit_without_a_chapter_is_of_the_newest(bench: Workbench, branch: str) -> None:
    commit = bench.story.edit(branch, with_mara(bench.prototype.snapshot(branch), age="41"))

    assert commit is not None
    assert commit.chapter == 2
    assert bench.prototype.snapshot(branch, 1).get(Character, "mara").age == ""


def test_edit_that_changes_nothing_is_no_step(bench: Workbench, branch: str) -> None:
    assert bench.story.edit(branch, bench.prototype.snapshot(branch, 1), 1) is None
    assert bench.story.commit_edit(branch, Delta(), 1) is None


def test_edit_of_what_changed_meanwhile_is_told(bench: Workbench, branch: str) -> None:
    found = bench.prototype.snapshot(branch)
    ours = diff(found, with_mara(found, age="41"))
    bench.story.edit(branch, with_mara(found, age="50"))

    with pytest.raises(StoryMoved):
        bench.story.commit_edit(branch, ours, 2)

    assert bench.prototype.snapshot(branch).get(Character, "mara").age == "50"


def test_what_a_later_chapter_needs_cannot_be_taken_away(bench: Workbench, branch: str) -> None:
    found = bench.prototype.snapshot(branch, 0)
    kept = {id_: one for id_, one in found.entities.items() if id_ not in {"mara", "distrust"}}

    with pytest.raises(DeltaInvalid, match="chapter 1"):
        bench.story.edit(branch, found.model_copy(update={"entities": kept}), 0)

    assert bench.prototype.snapshot(branch, 0) == found


def test_what_depends_on_an_edit_is_marked_as_stale(bench: Workbench, branch: str) -> None:
    event = altered(LOCKED, id="more", title="More")
    bench.story.commit_edit(branch, adding(event, altered(CAUSE, id="leads", target="more")), 2)

    bench.story.commit_edit(branch, changing(LOCKED, summary="Nobody comes."), 1)

    assert [mark.target for mark in bench.branches.stale(branch)] == ["more"]


def test_place_and_event_can_go_together(bench: Workbench, branch: str) -> None:
    found = bench.prototype.snapshot(branch)
    gone = [
        one
        for id_, one in found.entities.items()
        if id_ in {"locked", "lamp-room", "mara-locked", "in-lamp-room", "cause"}
    ]

    bench.story.commit_edit(branch, removing(*gone), 2)

    assert {LAMP_ROOM.id, LOCKED.id}.isdisjoint(bench.prototype.snapshot(branch).entities)
