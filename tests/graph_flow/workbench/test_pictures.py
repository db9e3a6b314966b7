"""What the pictures ask the workbench for: what differs between two states, and places that stay."""

from __future__ import annotations

from store.models.cast import Character
from store.open import Store
from tests.desk import Desk
from tests.pages.told_story import tell
from tests.store.builders import adding, go_on


def test_two_chapters_of_a_branch_are_compared_either_way_round(desk: Desk, store: Store) -> None:
    branch = store.library.main_branch(tell(store).id).id

    forward = desk.workbench.story.compare((branch, 1), (branch, 3))
    back = desk.workbench.story.compare((branch, 3), (branch, 1))

    assert (forward.left.chapter, forward.right.chapter) == (1, 3)
    said = {f"{one.mark} {one.text}" for one in forward.sentences}
    assert "− removed: the service of Hale towards Mara" in said
    assert "± Mara: distrust towards Hale, 9 (before: 7)" in said
    assert {f"{one.mark} {one.text}" for one in back.sentences} >= {
        "± Mara: distrust towards Hale, 7 (before: 9)",
        "+ Hale: service towards Mara, 3 of 10",
    }


def test_two_branches_are_compared(desk: Desk, store: Store) -> None:
    branch = store.library.main_branch(tell(store).id).id
    other = desk.workbench.branches.start(branch, 3, "What if").id
    go_on(store, other, adding(Character(id="nell", name="Nell")))

    comparison = desk.workbench.story.compare((branch, 3), (other, 4))

    assert [one.text for one in comparison.sentences] == ["new person: Nell"]
    assert comparison.left.chapter == 3


def test_a_state_does_not_differ_from_itself(desk: Desk, store: Store) -> None:
    branch = store.library.main_branch(tell(store).id).id

    assert desk.workbench.story.compare((branch, 2), (branch, 2)).sentences == ()


def test_workbench_tells_who_came_and_what_chapters_told(desk: Desk, store: Store) -> None:
    branch = store.library.main_branch(tell(store).id).id

    came = [one.person for one in desk.workbench.story.arrivals(branch)]
    assert came == ["mara", "hale", "ida", "tobin", "stranger"]
    assert [one.chapter for one in desk.workbench.story.told(branch, 2, 3)] == [2, 3]
