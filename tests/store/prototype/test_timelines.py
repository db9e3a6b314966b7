"""How all entities of a kind became what they are, as the snapshots of all chapters tell it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from store.models.delta import Delta
from store.models.prototype import AnyEntity, EntityKind
from store.models.story import Branch, Brief
from store.open import Store
from tests.store.builders import (
    DISTRUST,
    HALE,
    MARA,
    altered,
    begin,
    changing,
    go_on,
    histories,
    removing,
)


@pytest.fixture
def told(store: Store, branch: Branch) -> str:
    begin(store, branch.id)
    go_on(store, branch.id, changing(DISTRUST, strength=4))
    go_on(store, branch.id, removing(altered(DISTRUST, strength=4)))
    return branch.id


def strengths(store: Store, branch: str, chapter: int | None = None) -> list[tuple[int, object]]:
    line = store.timelines.of(branch, chapter, ["relationship"])["distrust"]
    return [(at.chapter, getattr(at.entity, "strength", None)) for at in line]


def test_each_chapter_that_changed_something_is_told_once(store: Store, told: str) -> None:
    assert strengths(store, told) == [(0, 7), (1, 4), (2, None)]
    assert strengths(store, told, chapter=1) == [(0, 7), (1, 4)]
    assert set(store.timelines.of(told, None, ["character", "thread"])) == {"mara", "hale"}


def test_of_one_chapter_the_last_state_counts(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    store.prototype.commit(
        branch.id, changing(DISTRUST, strength=2), chapter=0, kind="edit", origin="edit"
    )
    assert strengths(store, branch.id) == [(0, 2)]


def test_an_edit_of_an_earlier_chapter_carries_forward(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, changing(MARA, status="away"))
    store.prototype.commit(
        branch.id, changing(MARA, age="40"), chapter=0, kind="edit", origin="edit"
    )
    line = store.timelines.of(branch.id, None, ["character"])["mara"]
    assert [(at.chapter, getattr(at.entity, "age", "")) for at in line] == [(0, "40"), (1, "40")]


def test_a_branch_has_its_own_end(store: Store, told: str) -> None:
    other = store.library.fork(told, 1, "What if")
    go_on(store, other.id, changing(HALE, status="ill"))
    assert strengths(store, other.id) == [(0, 7), (1, 4)]
    assert "ill" not in str(store.timelines.of(told, None, ["character"])["hale"])


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories(longest=4))
def test_at_every_chapter_the_timelines_say_what_the_snapshot_says(
    store: Store, deltas: list[Delta]
) -> None:
    branch = store.library.main_branch(store.library.create_story(Brief()).id).id
    for chapter, delta in enumerate(deltas):
        (go_on if chapter else begin)(store, branch, delta)
    kinds: tuple[EntityKind, ...] = ("character", "relationship", "thread", "event")
    lines = store.timelines.of(branch, None, kinds)
    for chapter in range(len(deltas)):
        standing: dict[str, AnyEntity] = {}
        for id_, line in lines.items():
            last = [at.entity for at in line if at.chapter <= chapter]
            if last and last[-1] is not None:
                standing[id_] = last[-1]
        entities = store.prototype.snapshot(branch, chapter).entities
        assert standing == {id_: one for id_, one in entities.items() if one.kind in kinds}
