"""The check that candidates are scored by: it finds what the whole check finds, at a cost of its own."""

from __future__ import annotations

import copy

import pytest

from graph_flow.cognition.continuity.check import check_delta, check_losses, check_nearby
from graph_flow.cognition.continuity.chronicle import Chronicle
from graph_flow.cognition.continuity.finding import Finding, Rule
from store.deltas.locks import without_locked
from store.deltas.rebase import rebase
from store.models.base import new_id
from store.models.cast import Life
from store.models.delta import Change, Delta
from store.models.plot import LinkKind
from store.models.prototype import EntityKind
from store.models.story import Branch, Brief
from store.open import Store
from tests.benchmarks.epic import Epic
from tests.graph_flow.cognition.continuity.stories import (
    CAST,
    HALE,
    MARA,
    QUAY,
    TOWER,
    Told,
    delta_to,
    event,
    link,
    rules,
    sentences,
)
from tests.store.builders import altered

DEAD_HALE = altered(HALE, life=Life.DEAD)


@pytest.fixture
def branch(store: Store) -> Branch:
    story = store.library.create_story(Brief(premise="A keeper finds a door."), "The Lamp Room")
    return store.library.main_branch(story.id)


def commit(store: Store, branch: Branch, delta: Delta) -> None:
    head = store.prototype.head(branch.id)
    store.prototype.commit(
        branch.id,
        delta,
        chapter=head.chapter + 1 if head else 0,
        kind="chapter" if head else "configuration",
        origin=new_id(),
    )


def tell(store: Store, branch: Branch, told: Told) -> None:
    commit(store, branch, delta_to(store.prototype.snapshot(branch.id), told))


def propose(store: Store, branch: Branch, told: Told) -> list[Finding]:
    """Return what is found of one candidate for the next chapter."""
    delta = delta_to(store.prototype.snapshot(branch.id), told)
    return check_nearby(store.vicinity.of(branch.id, [delta]), [delta])[0]


def in_full(store: Store, branch: Branch, delta: Delta) -> list[Finding]:
    """Return what the check of the whole story finds of a candidate."""
    now = store.prototype.snapshot(branch.id)
    fitting, _ = without_locked(rebase(delta, now), now)
    before = whole(store, branch)
    return [
        *check_losses(before, delta),
        *check_delta(before, fitting, before.chapter + 1),
    ]


def whole(store: Store, branch: Branch) -> Chronicle:
    """Lay the whole story out, whatever that costs."""
    snapshot = store.prototype.snapshot(branch.id)
    kinds: tuple[EntityKind, ...] = ("character", "relationship", "thread")
    return Chronicle.of(snapshot, store.timelines.of(branch.id, snapshot.chapter, kinds))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_near_is_judged_as_in_the_whole_story(
    store: Store, branch: Branch, seed: int
) -> None:
    epic = Epic(people=6, seed=seed)
    commit(store, branch, epic.beginning())
    found = 0
    for _ in range(14):
        _, delta = epic.next_chapter()
        proposals = [delta, copy.deepcopy(epic).next_chapter()[1]]
        near = store.vicinity.of(branch.id, proposals)
        for proposal, findings in zip(proposals, check_nearby(near, proposals), strict=True):
            assert findings == in_full(store, branch, proposal)
            found += len(findings)
        commit(store, branch, delta)

    assert found, "these stories have something to find"


def test_the_dead_do_not_act_however_long_they_have_been_dead(store: Store, branch: Branch) -> None:
    tell(store, branch, [*CAST, TOWER])
    tell(store, branch, [DEAD_HALE])
    for chapter in range(2, 9):
        tell(store, branch, [altered(MARA, status=f"chapter {chapter}")])

    findings = propose(store, branch, event("feast", "hale"))

    assert sentences(findings) == [
        "Hale has been dead since chapter 1, but acts in “The feast” (chapter 9)."
    ]


def test_candidates_are_judged_each_by_itself(store: Store, branch: Branch) -> None:
    tell(store, branch, [*CAST, TOWER, QUAY])
    now = store.prototype.snapshot(branch.id)
    twice = [*event("watch", "mara", at=TOWER), *event("wait", "mara", at=QUAY, position=1)]
    once = event("watch", "mara", at=TOWER)
    deltas = [delta_to(now, told) for told in (twice, once)]

    found = check_nearby(store.vicinity.of(branch.id, deltas), deltas)

    assert [rules(findings) for findings in found] == [[Rule.TWO_PLACES], []]


def test_word_of_what_is_near_has_to_reach_whoever_acts_on_it(store: Store, branch: Branch) -> None:
    tell(store, branch, [*CAST, TOWER, QUAY])
    tell(store, branch, event("theft", "hale", at=TOWER))
    acts = [*event("search", "mara", at=QUAY), link("theft", LinkKind.CAUSES, "search")]

    assert rules(propose(store, branch, acts)) == [Rule.UNKNOWN]


def test_word_of_what_is_far_is_taken_to_have_come(store: Store, branch: Branch) -> None:
    tell(store, branch, [*CAST, TOWER, QUAY])
    tell(store, branch, event("theft", "hale", at=TOWER))
    for chapter in range(60):
        tell(store, branch, event(f"day-{chapter}", "ida", at=QUAY))
    acts = [*event("search", "mara", at=TOWER), link("day-3", LinkKind.CAUSES, "search")]

    assert rules(in_full(store, branch, delta_to(store.prototype.snapshot(branch.id), acts))) == [
        Rule.UNKNOWN
    ]
    assert propose(store, branch, acts) == []


def test_what_was_removed_since_is_found_lost(store: Store, branch: Branch) -> None:
    tell(store, branch, [*CAST, TOWER])
    delta = delta_to(store.prototype.snapshot(branch.id), event("watch", "mara", at=TOWER))
    commit(store, branch, Delta(changes=(Change(before=TOWER),)))

    [findings] = check_nearby(store.vicinity.of(branch.id, [delta]), [delta])

    assert rules(findings) == [Rule.REMOVED]
    assert findings == in_full(store, branch, delta)


def test_story_that_is_not_begun_has_nothing_to_break(store: Store, branch: Branch) -> None:
    assert propose(store, branch, [*CAST, *event("watch", "mara")]) == []
