"""History: steps with undo and redo, branches begun, renamed, switched and brought together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.graphs.navigation import GraphName
from pages.components.words import plain
from store.deltas.delta import diff
from store.models.base import new_id
from store.models.cast import Character
from store.models.form import Form
from store.models.proposals import CandidateState
from store.models.run import PlotChapters, WriteChapter
from store.models.story import Branch, Gate, GateMode, Story
from store.models.telling import WritingPlan
from store.open import Store
from tests.fakes.scripted_server import hang
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
from tests.pages.told_story import tell_into
from tests.wording import says

CHOOSING: dict[str, Any] = {
    "goals": 2,
    "roles": 2,
    "gates": {"configuration": GateMode.ASK, "goals": GateMode.GO_ON, "candidates": GateMode.ASK},
}
"""Settings with which a plot run asks for the choice only."""


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.library.story(tell_into(library_path))


@pytest.fixture
def store(desk: Desk, library_path: Path) -> Iterator[Store]:  # noqa: ARG001 - the desk comes first
    """The library of the desk, from behind."""
    opened = Store.open(library_path)
    yield opened
    opened.close()


def history(desk: Desk, story: Story) -> AppTest:
    window = desk.window("history", story)
    expect_whole(window)
    return window


def press(window: AppTest, key: str) -> None:
    """Press the button with this key, and let the page run."""
    next(one for one in window.button if one.key == key).click().run()
    expect_whole(window)


def branches(desk: Desk, story: Story) -> dict[str, Branch]:
    return {branch.name: branch for branch in desk.workbench.library.branches(story.id)}


def edit_person(
    desk: Desk, branch: str, person: str, chapter: int | None = None, **values: str
) -> None:
    """Change something of a person, as the writer does on the Premise page."""
    before = desk.workbench.prototype.snapshot(branch, chapter)
    changed = before.get(Character, person).model_copy(update=values)
    after = before.model_copy(update={"entities": {**before.entities, person: changed}})
    assert diff(before, after).changes
    desk.workbench.story.edit(branch, after, chapter)


def test_page_before_the_story_has_begun_leads_to_the_premise(desk: Desk) -> None:
    window = history(desk, desk.story())

    assert "no history yet" in words(window)
    button(window, "Go to the premise").click().run()

    assert texts_of(window.title) == ["Premise"]


def test_steps_are_told_newest_first(desk: Desk, told: Story) -> None:
    edit_person(desk, desk.branch(told), "mara", status="gone")
    said = words(history(desk, told))

    places = [said.index(text) for text in ("**Edit**", "The door", "A light at sea", "inspection")]
    assert places == sorted(places)
    assert "gone" in said
    assert "Nothing is lost here" in said


def test_undo_and_redo_say_what_they_do(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    window = history(desk, told)
    assert "chapter 3, “The door”" in words(window)

    press(window, "undo")
    assert desk.workbench.branches.status(branch).plotted == 2
    assert "chapter 2, “A light at sea”" in words(window)
    assert ":gray-badge[undone]" in words(window)
    press(window, "redo")

    assert desk.workbench.branches.status(branch).plotted == 3
    assert button(window, "Redo").disabled


def test_undo_waits_for_a_run_that_is_at_work(desk: Desk) -> None:
    story = desk.plotted(1)
    desk.server.queue(hang())
    desk.workbench.runs.start(desk.branch(story), PlotChapters())
    window = history(desk, story)

    press(window, "undo")

    assert "working" in " ".join(texts_of(window.warning))
    assert desk.workbench.branches.status(desk.branch(story)).plotted == 1
    desk.server.release()
    desk.settle(story)


def test_chapter_taken_back_has_its_candidates_to_choose_from_again(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    branch = desk.branch(story)
    told = desk.workbench.prototype.snapshot(branch, 1)
    window = history(desk, story)

    press(window, "undo")
    desk.settle(story)
    turn_to(window, "plot")

    expect_whole(window)
    assert "Chapter 1" in texts_of(window.header)
    views = desk.workbench.plot.candidates(branch, 1)
    other = next(view.candidate for view in views if not view.is_best)
    window.button(key=f"choose-{other.id}").click().run()
    desk.settle(story)
    assert desk.workbench.story.chapters(branch)[0].title == other.title
    assert desk.workbench.prototype.snapshot(branch, 1) != told
    expect_whole(window.run())


def test_same_candidate_can_be_chosen_again(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    branch = desk.branch(story)
    told = desk.workbench.prototype.snapshot(branch, 1)
    before = desk.workbench.plot.candidates(branch, 1)
    [chosen] = [v.candidate for v in before if v.candidate.state is CandidateState.CHOSEN]
    desk.workbench.branches.undo(branch)
    desk.settle(story)

    window = desk.window("plot", story)
    window.button(key=f"choose-{chosen.id}").click().run()
    desk.settle(story)

    assert desk.workbench.prototype.snapshot(branch, 1) == told
    after = desk.workbench.plot.candidates(branch, 1)
    assert [v.candidate.state for v in after] == [v.candidate.state for v in before]


def test_redo_while_the_plot_page_asks_takes_the_question_away(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    window = history(desk, story)
    press(window, "undo")
    desk.settle(story)

    press(window.run(), "redo")
    turn_to(window, "plot")

    expect_whole(window)
    assert primaries(window) == ["Plot the next chapter"]
    assert desk.workbench.runs.pending(desk.branch(story)) == []


def test_undo_while_a_later_chapter_is_being_chosen(desk: Desk) -> None:
    story = desk.plotted(1, CHOOSING)
    branch = desk.branch(story)
    desk.do(story, PlotChapters())
    assert desk.workbench.runs.pending(branch)[0].chapter == 2
    window = history(desk, story)

    press(window, "undo")
    desk.settle(story)
    turn_to(window, "plot")

    expect_whole(window)
    assert [question.chapter for question in desk.workbench.runs.pending(branch)] == [1]
    assert "Chapter 1" in texts_of(window.header)


def test_chapter_taken_back_is_not_on_the_write_page(desk: Desk) -> None:
    story = desk.written()
    window = desk.window("write", story)
    assert texts_of(window.header)[0].startswith("1")

    desk.workbench.branches.undo(desk.branch(story))
    desk.settle(story)
    expect_whole(window.run())
    assert "Nothing to write yet" in words(window)
    desk.workbench.branches.redo(desk.branch(story))
    expect_whole(window.run())

    assert [one.label for one in window.text_area] == ["Text"]
    assert "To review" not in words(turn_to(window, "history"))


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


def test_edit_of_an_earlier_chapter_marks_what_depends_on_it(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    window = history(desk, told)
    assert "To review" in words(window)
    assert {mark.chapter for mark in desk.workbench.branches.stale(branch)} == {2, 3}

    press(window, "still-fits-0-2")
    assert {mark.chapter for mark in desk.workbench.branches.stale(branch)} == {3}
    press(window, "still-fits-0-3")

    assert "To review" not in words(window)


def test_all_that_an_edit_touched_can_be_said_to_fit(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    window = history(desk, told)

    press(window, "all-still-fit-0")
    assert primaries(window) == ["They still fit"]
    press(window, "keep-marks")
    assert desk.workbench.branches.stale(branch) != []
    press(window, "all-still-fit-0")
    press(window, "do-all-still-fit")

    assert desk.workbench.branches.stale(branch) == []
    assert "To review" not in words(window)


@pytest.mark.parametrize("is_written", [True, False], ids=["text", "event"])
def test_stale_chapter_is_one_click_away(
    desk: Desk, told: Story, store: Store, is_written: bool
) -> None:
    branch = desk.branch(told)
    if is_written:
        plan = WritingPlan(id=new_id(), branch=branch, chapter=2, attempt=1, form=Form.NOVEL)
        store.manuscript.finish_draft(store.manuscript.start_draft(plan, "").id)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    window = history(desk, told)

    next(one for one in window.button if one.key == "go-to-stale-0-2").click().run()

    if is_written:
        assert texts_of(window.title) == ["Write"]
        assert texts_of(window.header)[0].startswith("2")
    else:
        assert texts_of(window.title) == ["Graphs"]
        assert window.segmented_control[0].value == GraphName.PLOT
        assert "Tobin pulls a stranger out of the surf" in texts_of(window.subheader)


def test_stale_chapter_is_marked_on_the_plot_page(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    edit_person(desk, branch, "mara", 1, motivation="to keep the light")
    chapter = max(mark.chapter for mark in desk.workbench.branches.stale(branch))
    window = desk.window("plot", told)
    expect_whole(window)
    assert ":material/sync_problem:" in words(window)

    press(window, f"still-fits-strip-{chapter}")

    assert chapter not in {mark.chapter for mark in desk.workbench.branches.stale(branch)}


def test_stale_text_is_marked_where_it_is_written(desk: Desk) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    for chapter in (1, 2):
        desk.do(story, WriteChapter(chapter=chapter, is_autopilot=True))
    told = desk.workbench.prototype.snapshot(branch, 2)
    person = told.participations_in(told.events_of(2)[0].id)[0].character
    # Nobody in a plot changes it, as they may a motive: then the edit would end with chapter 1.
    edit_person(desk, branch, person, 1, age="ninety-one")
    window = desk.window("write", story)
    window.radio[0].set_value(2).run()
    expect_whole(window)
    assert ":material/sync_problem:" in list(window.radio[0].proto.captions)[1]
    assert "the text" in words(window)

    press(window, "still-fits-write-2")

    assert ":material/sync_problem:" not in list(window.radio[0].proto.captions)[1]
    assert [mark for mark in desk.workbench.branches.stale(branch) if mark.chapter == 2] == []


def test_branch_shows_the_texts_it_shares_and_edits_its_own(desk: Desk) -> None:
    story = desk.written()
    main = desk.branch(story)
    other = desk.workbench.branches.start(main, 1, "One")
    before = desk.workbench.manuscript.draft(main, 1)
    assert before is not None
    desk.workbench.library.switch_branch(story.id, other.id)
    window = desk.window("write", story)
    expect_whole(window)
    [field] = [one for one in window.text_area if one.label == "Text"]
    assert field.value == before.text

    field.set_value("Otherwise.").run()

    expect_whole(window)
    ours, theirs = (
        desk.workbench.manuscript.draft(other.id, 1),
        desk.workbench.manuscript.draft(main, 1),
    )
    assert ours is not None
    assert ours.text == "Otherwise."
    assert theirs == before


def test_text_that_waits_for_approval_goes_with_its_chapter(desk: Desk) -> None:
    story = desk.plotted(2, CHOOSING | {"gates": {**CHOOSING["gates"], "plan": GateMode.GO_ON}})
    branch = desk.branch(story)
    desk.do(story, WriteChapter(chapter=2))
    assert [question.gate for question in desk.workbench.runs.pending(branch)] == [Gate.DRAFT]
    window = desk.window("write", story)
    window.radio[0].set_value(2).run()
    assert primaries(window) == ["Approve"]

    desk.workbench.branches.undo(branch)
    desk.settle(story)
    expect_whole(window.run())

    assert texts_of(window.header) == [
        "1\\. " + plain(desk.workbench.story.chapters(branch)[0].title)
    ]
    assert primaries(window) == ["Write this chapter"]
    turn_to(window, "plot")
    expect_whole(window)
    assert "This chapter was undone" in words(window)


def test_writing_goes_on_beside_a_question_about_the_plot(desk: Desk) -> None:
    story = desk.plotted(2, CHOOSING)
    branch = desk.branch(story)
    desk.workbench.branches.undo(branch)
    desk.settle(story)
    window = desk.window("write", story)
    expect_whole(window)

    button(window, "Write this chapter").click().run()
    desk.settle(story)
    expect_whole(window.run())

    gates = {question.gate for question in desk.workbench.runs.pending(branch)}
    assert Gate.CANDIDATES in gates
    assert len(gates) == 2


def test_many_steps_of_equally_many_lines_stand_beside_each_other(desk: Desk, told: Story) -> None:
    branch = desk.branch(told)
    for now in ("so", "other"):
        edit_person(
            *(desk, branch, "mara"),
            gender=now,
            age=now,
            occupation=now,
            health=now,
            status=now,
            motivation=now,
            personality=now,
        )

    window = history(desk, told)

    assert [one.label for one in window.expander][:2] == ["4 more", "4 more"]
