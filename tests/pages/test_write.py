"""Writing: the plan, the text as it comes, the editor, and every version of it."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from graph_flow.workbench.beside.contents import Seen
from pages.components.words import plain
from store.formats.exports import MARKDOWN
from store.formats.reading.files import NamedFile
from store.models.form import Form
from store.models.manuscript import DraftState, PlannedScene, WritingPlan
from store.models.run import RunState, WriteChapter
from store.models.story import GateMode, Story
from store.texts.notes import NewNote
from tests.fakes.scripted_server import refuse, say
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
from tests.pages.prose import EditorField, look_beside

NO_PLAN_GATE: dict[str, Any] = {
    "gates": {"configuration": GateMode.ASK, "plan": GateMode.GO_ON, "draft": GateMode.ASK}
}


def write(desk: Desk, story: Story) -> AppTest:
    window = desk.window("write", story)
    expect_whole(window)
    return window


def drafted(desk: Desk) -> Story:
    """Return a story whose first chapter waits for approval of its text."""
    return desk.reviewing(NO_PLAN_GATE)


def editor(window: AppTest) -> EditorField:
    """Return the field that holds the chapter's text."""
    return EditorField(window)


def text(desk: Desk, story: Story) -> str:
    draft = desk.workbench.manuscript.draft(desk.branch(story), 1)
    return draft.text if draft else ""


def plan(desk: Desk, story: Story) -> WritingPlan:
    found = desk.workbench.manuscript.plan(desk.branch(story), 1)
    assert found is not None
    return found


def test_without_a_plot_it_leads_to_the_plot(desk: Desk) -> None:
    window = write(desk, desk.story())

    assert "Nothing to write yet" in words(window)
    button(window, "Go to the plot").click().run()

    assert texts_of(window.title) == ["Plot"]


def test_chapter_is_written_in_the_background_and_then_waits(desk: Desk) -> None:
    story = desk.plotted(1, NO_PLAN_GATE)
    desk.server.latency = 0.2
    window = write(desk, story)
    assert primaries(window) == ["Write this chapter"]

    button(window, "Write this chapter").click().run()
    expect_whole(window)
    assert window.main.button(key="stop").label == "Stop"
    desk.settle(story)
    window.run()

    expect_whole(window)
    assert primaries(window) == ["Approve"]
    assert editor(window).value == text(desk, story)
    button(window, "Approve").click().run()
    desk.settle(story)
    draft = desk.workbench.manuscript.draft(desk.branch(story), 1)
    assert draft is not None
    assert draft.state is DraftState.APPROVED


def test_chapter_is_told_in_the_form_that_was_chosen(desk: Desk) -> None:
    story = desk.plotted(1, NO_PLAN_GATE)
    window = write(desk, story)

    window.selectbox(key=f"form-{desk.branch(story)}").set_value(Form.SCREENPLAY)
    button(window, "Write this chapter").click().run()
    desk.settle(story)

    assert plan(desk, story).form == "screenplay"


def test_edit_is_a_new_version_and_an_old_one_can_be_taken_back(desk: Desk) -> None:
    story = drafted(desk)
    before = text(desk, story)
    window = write(desk, story)

    editor(window).type("Mara <b>lit</b> the lamp.")
    expect_whole(window)
    assert text(desk, story) == "Mara <b>lit</b> the lamp."
    turn_to(window, "settings")
    turn_to(window, "write")
    assert editor(window).value == "Mara <b>lit</b> the lamp."

    look_beside(window, "Versions")
    window.selectbox(key=f"version-{desk.branch(story)}-1-2").set_value(1).run()
    assert f":red[~~{plain(before.split('. ')[0])}" in words(window)
    window.segmented_control(key=f"way-version-{desk.branch(story)}-1").set_value("All of it").run()
    assert plain(before.split("\n\n")[0]) in words(window)
    button(window, "Restore this version").click().run()
    expect_whole(window)
    assert "the text it replaces is kept as a version" in words(window)
    assert text(desk, story) == before
    assert len(desk.workbench.manuscript.versions(desk.branch(story), 1)) == 3
    assert editor(window).value == before


def test_same_text_makes_no_version(desk: Desk) -> None:
    story = drafted(desk)
    window = write(desk, story)
    before = text(desk, story)

    editor(window).type(f"{before} x")
    editor(window).type(f"{before} x")

    assert len(desk.workbench.manuscript.versions(desk.branch(story), 1)) == 2


def test_hostile_text_is_shown_as_text(desk: Desk) -> None:
    story = desk.plotted(1, NO_PLAN_GATE)
    desk.server.answer = lambda sent: None if sent.schema else say(f"{HOSTILE} went out.\n\n" * 20)
    desk.do(story, WriteChapter(chapter=1))

    window = write(desk, story)

    look_beside(window, "Versions")
    window.segmented_control(key=f"way-version-{desk.branch(story)}-1").set_value("All of it").run()
    expect_only_text(window, HOSTILE)
    assert plain(HOSTILE) in words(window)
    desk.workbench.manuscript.save_text(desk.branch(story), 1, "")
    window.segmented_control(key=f"way-version-{desk.branch(story)}-1").set_value(
        "What changed"
    ).run()
    expect_only_text(window, HOSTILE)
    assert f":red[~~{plain(HOSTILE)}" in words(window)


def test_a_version_is_named_and_only_the_open_tab_reads_texts(desk: Desk) -> None:
    story = drafted(desk)
    branch = desk.branch(story)
    for number in range(40):
        desk.workbench.manuscript.save_text(branch, 1, f"Line {number}.\n\n" * 300)
    window = write(desk, story)
    assert "Name of this version" not in [one.label for one in window.text_input]

    look_beside(window, "Versions")
    expect_whole(window)
    [field] = [one for one in window.text_input if one.label == "Name of this version"]
    field.set_value("Before the storm").run()
    expect_whole(window)

    assert desk.workbench.versions.listed(branch, 1)[1].name == "Before the storm"
    assert "Before the storm" in window.selectbox(key=f"version-{branch}-1-41").options[1]
    shown = [one for one in texts_of(window.markdown) if ":red[" in one]
    assert [one.count("\n\n") + 1 for one in shown] == [30]
    button(window, "Show more changes").click().run()
    shown = [one for one in texts_of(window.markdown) if ":red[" in one]
    assert [one.count("\n\n") + 1 for one in shown] == [60]


def test_writing_again_tells_the_agent_the_note(desk: Desk) -> None:
    story = drafted(desk)
    window = write(desk, story)
    question = desk.workbench.runs.pending(desk.branch(story))[0]
    desk.server.history.clear()

    window.text_area(key=f"note-{question.id}").set_value("Fewer lamps.")
    window.button(key=f"again-{question.id}").click().run()
    desk.settle(story)
    window.run()

    expect_whole(window)
    assert any("Fewer lamps." in sent.prompt for sent in desk.server.history)
    assert len(desk.workbench.manuscript.versions(desk.branch(story), 1)) == 2


def test_plan_can_be_edited_before_it_is_written(desk: Desk) -> None:
    story = desk.plotted()
    desk.do(story, WriteChapter(chapter=1))
    scenes = (plan(desk, story).scenes[0], PlannedScene(beat="Hale follows her."))
    desk.workbench.manuscript.change_plan(
        plan(desk, story), lambda kept: kept.model_copy(update={"scenes": scenes})
    )
    window = write(desk, story)
    before = plan(desk, story)
    assert primaries(window) == ["Write it like this"]

    window.number_input(key=f"plan-{before.id}-words").set_value(400).run()
    first = "-".join(before.scenes[0].events)
    window.text_area(key=f"plan-{before.id}-0-{first}-beat").set_value("Mara waits.").run()
    eyes = [box for box in window.selectbox if box.label == "Through whose eyes"]
    others = {
        person.id for person in desk.workbench.prototype.snapshot(desk.branch(story)).characters
    }
    other = min(others - {before.scenes[0].point_of_view})
    eyes[0].set_value(other).run()
    window.button(key=f"move-{before.id}-0-1").click().run()
    expect_whole(window)

    after = plan(desk, story)
    assert after.words == 400
    assert after.scenes[1].beat == "Mara waits."
    assert after.scenes[1].point_of_view == other
    assert after.scenes[0] == before.scenes[1]
    button(window, "Write it like this").click().run()
    assert desk.settle(story).state is RunState.WAITING
    assert any("Mara waits." in sent.prompt for sent in desk.server.history)


def test_recollections_and_threads_can_be_left_out(desk: Desk) -> None:
    story = desk.plotted(3)
    desk.do(story, WriteChapter(chapter=3))
    branch = desk.branch(story)
    before = desk.workbench.manuscript.plan(branch, 3)
    assert before is not None
    window = write(desk, story)
    events, threads = list(before.recall), list(before.threads)
    assert events + list(threads), "the model found nothing to leave out"

    for item in events:
        window.button(key=f"recall-{before.id}-0-{item.event}").click().run()
    for cue in threads:
        window.button(key=f"cue-{before.id}-0-{cue.thread}").click().run()

    expect_whole(window)
    after = desk.workbench.manuscript.plan(branch, 3)
    assert after is not None
    assert (after.recall, after.threads) == ((), ())


def test_failed_run_tells_why_and_goes_on(desk: Desk) -> None:
    story = desk.plotted(1, NO_PLAN_GATE)
    desk.server.queue(refuse(401, "no such key"))
    run = desk.do(story, WriteChapter(chapter=1))
    window = write(desk, story)

    assert run.state is RunState.FAILED
    assert plain(run.message) in words(window)
    assert primaries(window) == ["Continue"]
    window.main.button(key="continue").click().run()

    assert desk.settle(story).state is RunState.WAITING


def test_chapters_are_listed_with_their_state(desk: Desk) -> None:
    story = desk.plotted(2)
    desk.do(story, WriteChapter(chapter=1, is_autopilot=True))
    window = write(desk, story)
    assert texts_of(window.header)[0].startswith("1")
    assert window.radio[0].value == 1

    button(window, "Go on to chapter 2").click().run()

    expect_whole(window)
    assert texts_of(window.header)[0].startswith("2")
    assert primaries(window) == ["Write this chapter"]
    assert list(window.radio[0].proto.captions)[1] == "not written yet"


def test_chapter_that_waits_is_offered_from_another(desk: Desk) -> None:
    story = desk.plotted(2, NO_PLAN_GATE)
    desk.do(story, WriteChapter(chapter=1))
    window = write(desk, story)

    window.radio[0].set_value(2).run()
    expect_whole(window)
    button(window, "Chapter 1 is waiting for you").click().run()

    expect_whole(window)
    assert "Approve" in labels(window)


def test_chapter_is_typed_before_any_plot(desk: Desk) -> None:
    story = desk.story()
    window = write(desk, story)

    button(window, "Type chapter 1 by hand").click().run()
    expect_whole(window)
    editor(window).type("The lamp went out at nine.")
    expect_whole(window)

    assert text(desk, story) == "The lamp went out at nine."
    assert desk.server.history == []
    branch = desk.branch(story)
    exported = desk.workbench.files.export(branch, MARKDOWN).decode()
    assert "## 1. Chapter 1\n\nThe lamp went out at nine." in exported
    turn_to(window, "export")
    expect_whole(window)
    assert "Download the manuscript" in [one.label for one in window.main.download_button]
    turn_to(window, "write")
    button(window, "Type chapter 2 by hand").click().run()
    assert texts_of(window.header) == ["2\\. Chapter 2"]
    assert [card.words for card in desk.workbench.desk.chapters(desk.branch(story))] == [6, 0]


def test_what_belongs_to_a_paragraph_stands_beside_it(desk: Desk) -> None:
    story = drafted(desk)
    window = write(desk, story)

    draft = desk.workbench.manuscript.draft(desk.branch(story), 1)
    assert draft is not None
    here = desk.workbench.desk.here(desk.branch(story), 1, 0)
    assert [one.id for one in here.events] == list(draft.paragraphs[0].events)
    assert here.people
    said = words(window)
    assert all(plain(one.title) in said for one in here.events)
    button(window, plain(here.people[0].name)).click().run()
    assert texts_of(window.title) == ["Graphs"]


def test_words_are_found_and_replaced_in_the_whole_book(desk: Desk) -> None:
    story = desk.story()
    branch = desk.branch(story)
    for chapter in (1, 2):
        desk.workbench.desk.begin_chapter(branch, chapter)
        desk.workbench.manuscript.save_text(branch, chapter, f"{HOSTILE} lamp, lamp {chapter}.")
    window = write(desk, story)
    assert "Find in the whole book" not in [one.label for one in window.text_input]
    look_beside(window, "Book")
    expect_whole(window)

    window.text_input(key="find in the book, words").set_value("LAMP").run()
    expect_whole(window)
    assert "4 places in 2 chapters" in words(window)
    expect_only_text(window, HOSTILE)
    ticks = [one for one in window.checkbox if "orange-background" in one.label]
    assert len(ticks) == 4
    ticks[1].uncheck().run()
    window.text_input(key="find in the book, put").set_value("light").run()
    button(window, "Replace in 3 places").click().run()

    expect_whole(window)
    assert "Replaced in 3 places of 2 chapters" in words(window)
    assert [
        draft.text if (draft := desk.workbench.manuscript.draft(branch, chapter)) else ""
        for chapter in (1, 2)
    ] == [f"{HOSTILE} light, lamp 1.", f"{HOSTILE} light, light 2."]
    assert texts_of(window.header) == ["2\\. Chapter 2"]
    window.text_input(key="find in the book, words").set_value("lamp 1").run()
    window.button(key="found-chapter-1").click().run()
    assert texts_of(window.header) == ["1\\. Chapter 1"]


def test_notes_stand_beside_their_paragraph_and_reach_no_agent(desk: Desk) -> None:
    story = drafted(desk)
    branch = desk.branch(story)
    first = NewNote("first", 0, "", f"{HOSTILE} why")
    desk.workbench.notes.add(branch, 1, first)
    desk.workbench.notes.add(branch, 1, NewNote("later", 1, "", "Xylophone"))
    window = write(desk, story)

    expect_only_text(window, HOSTILE)
    [field] = [one for one in window.text_area if one.label == "Note"]
    assert field.value == f"{HOSTILE} why"
    assert "2 open notes in this chapter" in words(window)
    assert "Xylophone" in words(window)
    field.set_value("Xylophone, why").run()
    window.button(key="note-done-here-first").click().run()
    expect_whole(window)
    assert "1 open note in this chapter, 1 done" in words(window)
    assert desk.workbench.notes.of(branch, 1)[0].note.text == "Xylophone, why"
    window.button(key="note-gone-list-later").click().run()
    assert "0 open notes in this chapter, 1 done" in words(window)

    question = desk.workbench.runs.pending(branch)[0]
    desk.server.history.clear()
    window.button(key=f"again-{question.id}").click().run()
    desk.settle(story)
    assert desk.server.history
    assert not [sent for sent in desk.server.history if "Xylophone" in sent.prompt]


def test_chapter_says_which_one_of_the_plot_it_is_where_the_book_has_another_order(
    desk: Desk,
) -> None:
    story = desk.plotted(2)
    branch = desk.branch(story)
    desk.workbench.contents.move(branch, 2, -1, Seen([1, 2]))
    window = write(desk, story)
    expect_whole(window)
    assert texts_of(window.header)[0].startswith("1\\. ")
    assert "Chapter 2 of the plot" in words(window)


def test_chapter_that_another_window_merged_is_left_with_a_word_about_it(desk: Desk) -> None:
    story = desk.story()
    branch = desk.branch(story)
    for chapter in (1, 2):
        desk.workbench.desk.begin_chapter(branch, chapter)
        desk.workbench.manuscript.save_text(branch, chapter, f"Lamp {chapter}.")
    window = write(desk, story)
    assert texts_of(window.header) == ["2\\. Chapter 2"]
    desk.workbench.contents.merge(branch, 1, Seen([1, 2]))
    window.run()
    expect_whole(window)
    assert texts_of(window.header) == ["1\\. Chapter 1"]
    assert "has been merged into another or removed" in words(window)


def test_asks_before_a_chapter_that_was_typed_in_is_rewritten(desk: Desk) -> None:
    story = desk.written(NO_PLAN_GATE)
    window = write(desk, story)
    editor(window).type("Mara lit the lamp herself.")

    window.button(key="write-chapter").click().run()

    expect_whole(window)
    assert "your text stays under" in words(window)
    assert primaries(window) == ["Rewrite it"]
    assert len(desk.workbench.manuscript.versions(desk.branch(story), 1)) == 2
    button(window, "Keep my text").click().run()
    assert "Rewrite it" not in labels(window)
    assert text(desk, story) == "Mara lit the lamp herself."

    window.button(key="write-chapter").click().run()
    button(window, "Rewrite it").click().run()
    desk.settle(story)
    assert text(desk, story) != "Mara lit the lamp herself."
    assert "Mara lit the lamp herself." in {
        version.text for version in desk.workbench.manuscript.versions(desk.branch(story), 1)
    }


def test_rewrites_what_an_agent_wrote_without_asking(desk: Desk) -> None:
    story = desk.written(NO_PLAN_GATE)
    window = write(desk, story)

    window.button(key="write-chapter").click().run()

    assert "Rewrite it" not in labels(window)
    assert desk.settle(story).state is not RunState.FAILED
    assert len(desk.workbench.manuscript.versions(desk.branch(story), 1)) > 1


def test_sample_of_the_writer_s_style_is_taken_from_what_they_typed(desk: Desk) -> None:
    story = desk.workbench.files.import_book([NamedFile("b.txt", b"The lamp went out.")])
    window = desk.window("write", story)
    window.session_state["beside-tabs"] = "Style"
    window.run()

    button(window, "Take it from this chapter").click().run()

    assert desk.workbench.library.story(story.id).settings.style_sample == "The lamp went out."
    assert "Take it from this chapter" not in labels(window)
    expect_whole(window)
