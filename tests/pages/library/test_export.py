"""Export: what is there to take, and that it can be taken."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.fields.downloads import file_stem
from pages.components.plot.strings import NOT_CHOSEN
from store.formats.exports import DATA, INK
from store.models.proposals import CandidateState
from store.models.run import WriteChapter
from tests.pages.desk import HOSTILE, Desk, button, expect_whole, primaries, texts_of, words


def downloads(window: AppTest) -> list[str]:
    return [one.label for one in window.download_button]


def test_story_without_text_can_be_taken_whole_and_leads_on(desk: Desk) -> None:
    window = desk.window("export", desk.plotted())

    expect_whole(window)
    assert downloads(window) == [
        "Download the interactive fiction",
        "Download the whole story",
        "Download the data",
    ]
    assert "nothing to export" in words(window)
    button(window, "Write a chapter").click().run()

    assert texts_of(window.title) == ["Write"]


def test_written_story_can_be_taken_as_a_manuscript(desk: Desk) -> None:
    window = desk.window("export", desk.written())

    expect_whole(window)
    assert downloads(window) == [
        "Download the manuscript",
        "Download the interactive fiction",
        "Download the whole story",
        "Download the data",
    ]
    assert primaries(window) == ["Download the manuscript"]
    assert "1 chapter" in words(window)


def test_story_without_a_cast_has_no_data(desk: Desk) -> None:
    window = desk.window("export", desk.story())

    expect_whole(window)
    assert downloads(window) == ["Download the whole story"]
    assert "no cast yet" in words(window)


def test_data_is_of_the_chapter_that_the_cursor_shows(desk: Desk) -> None:
    window = desk.window("export", desk.plotted(2))
    assert "As of chapter 2 of 2" in words(window)

    window.sidebar.slider[0].set_value(1).run()

    expect_whole(window)
    assert "As of chapter 1 of 2" in words(window)


def test_every_form_of_data_is_offered_and_comes_as_of_its_chapter(desk: Desk) -> None:
    story = desk.plotted(1)
    window = desk.window("export", story)
    assert len(window.radio(key="format-export").options) == len(DATA)

    branch = desk.branch(story)
    for form in DATA:
        early = desk.workbench.files.export(branch, form, 0)
        assert early
        assert desk.workbench.files.export(branch, form) != early


def test_ways_not_taken_are_an_interactive_fiction(desk: Desk) -> None:
    story = desk.plotted()
    window = desk.window("export", story)

    expect_whole(window)
    assert "Download the interactive fiction" in downloads(window)
    assert window.radio(key="format-interactive").options == ["Twine", "Ink"]
    assert "2 ways not taken, told in the few sentences of their plots." in words(window)
    assert NOT_CHOSEN in words(window), "it says where a candidate is kept as a branch"

    views = desk.workbench.plot.candidates(desk.branch(story), 1)
    other = next(
        one.candidate for one in views if one.candidate.state is CandidateState.PASSED_OVER
    )
    kept = desk.workbench.plot.keep_as_branch(other.id, "Another way")
    write = WriteChapter(chapter=1, is_autopilot=True)
    desk.settle(desk.workbench.runs.start(kept.id, write))
    window.run()
    assert "2 ways not taken: 1 has text of its own" in words(window)
    text = desk.workbench.manuscript.require(kept.id, 1).text.split("\n")[0]
    assert text in desk.workbench.files.export(desk.branch(story), INK).decode()


def test_story_told_in_one_way_only_says_what_it_needs(desk: Desk) -> None:
    window = desk.window("export", desk.story())

    assert "no way not taken yet" in words(window)
    assert "Download the interactive fiction" not in downloads(window)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("The lamp", "The lamp"),
        ("../../etc/passwd", "etc passwd"),
        (HOSTILE, "b x b y l javascript a z 2 rocket i x i png"),
        ("灯塔", "灯塔"),
        ("???", "story"),
        ("a" * 100, "a" * 60),
    ],
)
def test_title_makes_a_name_that_any_system_takes(title: str, stem: str) -> None:
    assert file_stem(title) == stem


def test_pdf_is_made_first_and_downloaded_then(desk: Desk) -> None:
    story = desk.written()
    window = desk.window("export", story)
    window.radio(key="format-manuscript").set_value(".pdf").run()
    assert "Download the manuscript" not in downloads(window)

    button(window, "Make the PDF").click().run()

    expect_whole(window)
    assert "Download the manuscript" in downloads(window)
    assert primaries(window) == ["Download the manuscript"]
    desk.workbench.manuscript.save_text(desk.branch(story), 1, "The lamp went out.")
    window.run()
    assert "Download the manuscript" not in downloads(window)


def test_missing_font_is_said(desk: Desk) -> None:
    story = desk.written()
    desk.workbench.manuscript.save_text(desk.branch(story), 1, "\U00010380")
    window = desk.window("export", story)
    window.radio(key="format-manuscript").set_value(".pdf").run()

    button(window, "Make the PDF").click().run()

    assert "no font on this computer can show" in words(window)
    assert "Download the manuscript" not in downloads(window)


def test_novel_is_not_offered_as_a_script(desk: Desk) -> None:
    window = desk.window("export", desk.written())

    assert "Fountain" not in window.radio(key="format-manuscript").options
    assert "Word, as a manuscript" in window.radio(key="format-manuscript").options


def test_name_on_the_title_page_is_typed_where_the_book_is_taken(desk: Desk) -> None:
    story = desk.written()
    window = desk.window("export", story)

    window.text_input(key=f"export-{story.id}-author").set_value("Ada Moor").run()

    assert desk.workbench.library.story(story.id).brief.author == "Ada Moor"
    expect_whole(window)
