"""Branches: begun, rewound to, renamed, switched to and compared."""

from __future__ import annotations

from store.models.story import Story
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    texts_of,
    turn_to,
    words,
)
from tests.pages.history.actions import branches, history, press
from tests.wording import says


def test_what_if_begins_at_a_chapter_and_is_open(desk: Desk, told: Story) -> None:
    window = history(desk, told)

    press(window, "what if-step-1")
    assert primaries(window) == ["Begin the branch"]
    window.main.text_input[0].set_value(HOSTILE)
    button(window, "Begin the branch").click().run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    made = branches(desk, told)[HOSTILE]
    assert made.fork_chapter == 1
    assert window.query_params["branch"] == made.id
    assert desk.workbench.library.open_branch(told.id) == made
    assert window.sidebar.selectbox[0].value == made.id
    assert window.sidebar.slider[0].label == "As of chapter 1 of 1"


def test_what_if_with_a_name_that_is_taken_keeps_what_was_typed(desk: Desk, told: Story) -> None:
    desk.workbench.branches.start(desk.branch(told), 1, "The other way")
    window = history(desk, told)

    press(window, "what if-any-3")
    window.main.text_input[0].set_value("the other way")
    button(window, "Begin the branch").click().run()

    expect_whole(window)
    assert says(" ".join(texts_of(window.warning)), "name")
    assert window.main.text_input[0].value == "the other way"
    button(window, "Never mind").click().run()
    assert "Begin the branch" not in labels(window)
    assert len(branches(desk, told)) == 2


def test_rewind_asks_and_keeps_the_later_chapters(desk: Desk, told: Story) -> None:
    window = history(desk, told)

    press(window, "rewind-step-1")
    assert "2 later chapters stay on “Main”" in words(window)
    button(window, "Rewind to chapter 1").click().run()

    expect_whole(window)
    new = desk.workbench.library.open_branch(told.id)
    assert window.query_params["branch"] == new.id
    assert desk.workbench.branches.status(new.id).plotted == 1
    assert desk.workbench.branches.status(desk.branch(told)).plotted == 3
    assert "Nothing has been done on" in words(window)


def test_rewind_can_be_thought_better_of(desk: Desk, told: Story) -> None:
    window = history(desk, told)

    window.number_input[0].set_value(0).run()
    press(window, "rewind-any-0")
    button(window, "Stay here").click().run()

    assert "Rewind to the beginning" not in labels(window)
    assert len(branches(desk, told)) == 1


def test_newest_chapter_cannot_be_rewound_to(desk: Desk, told: Story) -> None:
    window = history(desk, told)

    keys = {one.key for one in window.button}

    assert "what if-step-3" in keys
    assert "rewind-step-3" not in keys
    assert "rewind-step-2" in keys


def test_branches_are_told_with_where_they_began(desk: Desk, told: Story) -> None:
    first = desk.workbench.branches.start(desk.branch(told), 2, "One")
    desk.workbench.branches.start(first.id, 1, "Two")
    said = words(history(desk, told))

    assert "**Main** :blue-badge[open]" in said
    assert "from chapter 2 of Main" in said
    assert "from chapter 1 of One" in said


def test_branch_is_renamed_and_switched_to(desk: Desk, told: Story) -> None:
    branch = desk.workbench.branches.start(desk.branch(told), 2, "One")
    window = history(desk, told)

    press(window, f"rename-{branch.id}")
    window.main.text_input[0].set_value("The quiet way")
    button(window, "Save name").click().run()
    press(window, f"switch-{branch.id}")

    assert branches(desk, told).keys() == {"Main", "The quiet way"}
    assert window.query_params["branch"] == branch.id
    assert "The quiet way" in words(window)


def test_branch_is_put_away_and_listed_again_with_what_began_on_it(desk: Desk, told: Story) -> None:
    first = desk.workbench.branches.start(desk.branch(told), 2, "One")
    desk.workbench.branches.start(first.id, 1, "Two")
    window = history(desk, told)

    press(window, f"put-away-{first.id}")
    assert branches(desk, told).keys() == {"Main", "Two"}
    assert not any(one.key == f"put-away-{desk.branch(told)}" for one in window.button)
    assert "Archived branches" in words(window)

    press(window, "bring-branch")
    assert branches(desk, told).keys() == {"Main", "One", "Two"}
    assert "Archived branches" not in words(window)


def test_branches_are_compared_at_their_newest_chapters(desk: Desk, told: Story) -> None:
    branch = desk.workbench.branches.start(desk.branch(told), 2, "One")
    window = history(desk, told)

    next(one for one in window.button if one.key == f"compare-{branch.id}").click().run()

    expect_whole(window)
    assert texts_of(window.title) == ["Graphs"]
    assert "From chapter 3 of “Main” to chapter 2 of “One”" in words(window)


def test_two_windows_stay_each_on_its_own_branch(desk: Desk, told: Story) -> None:
    main = desk.branch(told)
    branch = desk.workbench.branches.start(main, 1, "One")
    here, there = history(desk, told), history(desk, told)

    there.sidebar.selectbox[0].set_value(branch.id).run()
    here.run()

    assert here.query_params["branch"] == main
    assert there.query_params["branch"] == branch.id
    assert here.sidebar.slider[0].label == "As of chapter 3 of 3"
    assert there.sidebar.slider[0].label == "As of chapter 1 of 1"
    assert turn_to(there, "export").query_params["branch"] == branch.id
    fresh = desk.window("export", told)
    assert fresh.query_params["branch"] == branch.id, "a new window is on the branch opened last"


def test_address_of_no_branch_is_told_and_forgotten(desk: Desk, told: Story) -> None:
    desk.workbench.branches.start(desk.branch(told), 1, "One")
    window = desk.window("export", told)
    window.query_params["branch"] = "<script>"
    window.run()

    [told_so] = texts_of(window.warning)
    assert says(told_so, "branch", "address")
    assert window.query_params["branch"] == desk.branch(told)
    window.run()
    assert texts_of(window.warning) == []
