"""Bringing a branch back into another."""

from __future__ import annotations

from store.models.cast import Character
from store.models.story import Story
from tests.pages.desk import HOSTILE, Desk, expect_only_text, primaries, words
from tests.pages.history.actions import edit_person, history, press


def test_chapters_come_over_as_they_are_where_nothing_changed(desk: Desk, told: Story) -> None:
    main = desk.branch(told)
    other = desk.workbench.branches.start(main, 3, "One")
    edit_person(desk, other.id, "mara", status="gone")
    desk.workbench.library.switch_branch(told.id, other.id)
    window = history(desk, told)

    press(window, f"bring-{other.id}")
    assert "has not changed since" in words(window)
    assert primaries(window) == ["Bring into “Main”"]
    press(window, "do-merge")

    assert desk.workbench.prototype.snapshot(main).get(Character, "mara").status == "gone"
    assert window.query_params["branch"] == main
    press(window, "undo")
    assert desk.workbench.prototype.snapshot(main).get(Character, "mara").status == "free to go"


def test_what_both_changed_is_a_question(desk: Desk, told: Story) -> None:
    main = desk.branch(told)
    other = desk.workbench.branches.start(main, 2, HOSTILE)
    edit_person(desk, other.id, "hale", motivation="to go home", health="tired")
    edit_person(desk, main, "hale", motivation="to stay")
    window = history(desk, told)

    press(window, f"bring-{other.id}")
    expect_only_text(window, HOSTILE)
    assert window.button(key="do-merge").disabled
    assert "1 question left to decide" in words(window)
    window.main.radio[0].set_value("theirs").run()
    press(window, "do-merge")

    hale = desk.workbench.prototype.snapshot(main).get(Character, "hale")
    assert (hale.motivation, hale.health) == ("to go home", "tired")
    assert desk.workbench.branches.status(main).plotted == 3
    assert desk.workbench.branches.status(other.id).plotted == 2


def test_branch_that_brings_nothing_says_so(desk: Desk, told: Story) -> None:
    other = desk.workbench.branches.start(desk.branch(told), 2, "One")
    window = history(desk, told)

    press(window, f"bring-{other.id}")
    assert "has nothing that “Main” does not have" in words(window)
    press(window, "merge-nothing")

    assert "Bring “One” into another branch" not in words(window)
