"""How one entity came to be what it is, along a branch's line."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.story import Branch, Brief
from store.open import Store
from tests.store.builders import (
    DISTRUST,
    MARA,
    adding,
    altered,
    begin,
    changing,
    go_on,
    histories,
    removing,
)


def test_each_version_comes_with_its_chapter(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, Delta())
    go_on(store, branch.id, changing(MARA, status="awake"))

    versions = store.prototype.versions(branch.id, None, "character", "mara")

    assert [(one.chapter, one.entity) for one in versions] == [
        (0, MARA),
        (2, altered(MARA, status="awake")),
    ]


def test_a_removal_is_a_version_without_an_entity(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, removing(DISTRUST))

    versions = store.prototype.versions(branch.id, None, "relationship", "distrust")

    assert [one.entity for one in versions] == [DISTRUST, None]


def test_later_chapters_are_left_out(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, changing(MARA, status="awake"))

    versions = store.prototype.versions(branch.id, 0, "character", "mara")

    assert [one.entity for one in versions] == [MARA]


def test_a_branch_goes_on_from_its_parents_versions(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    awake = altered(MARA, status="awake")
    go_on(store, branch.id, Delta())
    other = store.library.fork(branch.id, 0, "What if")
    go_on(store, branch.id, Delta(changes=(Change(before=MARA, after=awake),)))
    gone = altered(MARA, status="gone")
    store.prototype.commit(
        other.id,
        Delta(changes=(Change(before=MARA, after=gone),)),
        chapter=1,
        kind="chapter",
        origin="other-1",
    )

    versions = store.prototype.versions(other.id, None, "character", "mara")

    assert [one.entity for one in versions] == [MARA, gone]


@given(histories())
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_last_version_is_what_the_snapshot_holds(store: Store, deltas: list[Delta]) -> None:
    branch = store.library.main_branch(store.library.create_story(Brief()).id).id
    begin(store, branch, deltas[0])
    for delta in deltas[1:]:
        go_on(store, branch, delta)

    snapshot = store.prototype.snapshot(branch)

    for entity in snapshot.entities.values():
        versions = store.prototype.versions(branch, None, entity.kind, entity.id)
        assert versions[-1].entity == entity
        assert versions[0].chapter == snapshot.first_chapter_of(entity.id)


def test_agent_s_value_in_a_later_chapter_stays_invented_after_an_edit_before_it(
    store: Store, branch: Branch
) -> None:
    invented = MARA.model_copy(update={"motivation": "to leave", "invented": ("motivation",)})
    begin(store, branch.id, adding(invented))
    go_on(store, branch.id, changing(invented, motivation="to stay"))

    store.prototype.commit(
        branch.id,
        changing(invented, motivation="to burn it", invented=()),
        chapter=0,
        kind="edit",
        origin="edit",
    )

    mine, theirs = (store.prototype.snapshot(branch.id, at).get(Character, "mara") for at in (0, 1))
    assert (mine.motivation, mine.invented) == ("to burn it", ())
    assert (theirs.motivation, theirs.invented) == ("to stay", ("motivation",))
    store.prototype.verify(branch.id)
