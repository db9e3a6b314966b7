"""The library: stories to open, premises to start from, import, delete and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from graph_flow.workbench.assembly import assemble
from pages.components.library import strings
from pages.components.library.begin import load_samples
from pages.components.words import plain
from pages.serving import services
from store.formats.exports import WHOLE_STORY
from store.models.story import Brief
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    texts_of,
    turn_to,
    words,
)


def found(window: AppTest) -> list[str]:
    return [text for text in texts_of(window.main.subheader) if text.startswith("Story")]


def upload(window: AppTest, content: bytes) -> AppTest:
    window.file_uploader(key="import-file").upload("story.json", content, "application/json")
    return window.run()


def test_book_in_two_files_is_imported_and_opens_where_it_is_written(desk: Desk) -> None:
    window = desk.window()
    field = window.file_uploader(key="import-file")
    second = ("2 Dawn.txt", b"Nobody came.", "text/plain")
    field.set_value([second, ("1 The door.md", b"# The door\n\nIt shut.", "text/markdown")]).run()
    assert desk.workbench.library.stories() == [], "another file may still be on its way"

    button(window, "Import these 2 files as one book").click().run()

    expect_whole(window)
    assert texts_of(window.title) == ["Write"]
    [card] = desk.workbench.library.stories()
    branch = desk.branch(card.story)
    assert [one.title for one in desk.workbench.desk.chapters(branch)] == ["The door", "Dawn"]

    button(window, "Have the story read from it").click().run()
    assert texts_of(window.title) == ["Premise"]


def test_book_that_cannot_be_read_is_refused_and_can_be_taken_out(desk: Desk) -> None:
    window = desk.window()
    field = window.file_uploader(key="import-file")
    field.set_value(("b.docx", b"no zip", "application/octet-stream")).run()
    button(window, "Import this book").click().run()

    assert plain("“b.docx” cannot be read") in window.error[0].value
    assert desk.workbench.library.stories() == []
    expect_whole(window)


def test_story_file_among_the_files_of_a_book_is_said(desk: Desk) -> None:
    window = desk.window()
    files = [("a.json", b"{}", "application/json"), ("b.txt", b"B.", "text/plain")]
    window.file_uploader(key="import-file").set_value(files).run()
    assert [one.value for one in window.error] == [strings.IMPORT_MIXED]


def test_first_visit_offers_samples_to_start_from(desk: Desk) -> None:
    window = desk.window()

    expect_whole(window)
    assert labels(window).count("Start from this one") == 3
    sample = load_samples()[0]
    window.button(key=f"sample-{sample.name}").click().run()

    assert texts_of(window.title) == ["Premise"]
    assert window.text_area[0].value == sample.brief.premise


def test_writer_with_stories_can_still_start_from_a_sample(desk: Desk) -> None:
    desk.story()
    window = desk.window()

    expect_whole(window)
    assert [one.label for one in window.expander] == [
        "Start from a sample premise",
        "Health and backups",
    ]
    assert not window.expander[0].proto.expanded, "the stories come first"
    sample = load_samples()[1]
    window.button(key=f"sample-{sample.name}").click().run()

    assert texts_of(window.title) == ["Premise"]
    assert window.text_area[0].value == sample.brief.premise
    assert len(desk.workbench.library.stories()) == 2


def test_new_story_opens_its_premise_and_is_listed_once_something_is_typed(desk: Desk) -> None:
    window = desk.window()

    button(window, "New story").click().run()

    assert texts_of(window.title) == ["Premise"]
    assert desk.workbench.library.stories() == []
    turn_to(window, "app")
    assert labels(window).count("Start from this one") == 3, "as on the first visit"

    turn_to(window, "premise")
    window.text_area[0].set_value("A lamp.").run()
    turn_to(window, "app")
    assert [one.story.brief.premise for one in desk.workbench.library.stories()] == ["A lamp."]
    assert "A lamp" in words(window)


def test_every_page_has_a_link_to_the_library(desk: Desk) -> None:
    story = desk.story()
    desk.workbench.library.rename(story.id, "The lamp")
    window = desk.window("premise", story)

    assert "Library" in [link.proto.label for link in window.sidebar.get("page_link")]
    assert "**The lamp**" in texts_of(window.sidebar.markdown)


def test_more_than_a_few_stories_can_be_searched(desk: Desk) -> None:
    titles = [f"Story {letter}" for letter in "ABCDEF"]
    for title in titles:
        desk.workbench.library.create_story(Brief(premise="Rain."), title)
    window = desk.window()
    assert "library-search" not in {one.key for one in window.text_input}
    desk.workbench.library.create_story(Brief(premise="Snow on the pass."), "Story G")
    window.run()

    window.text_input(key="library-search").set_value("snow story").run()
    assert found(window) == ["Story G"]
    window.text_input(key="library-search").set_value("nobody").run()
    assert found(window) == []
    assert strings.SEARCH_NOTHING in words(window)
    window.text_input(key="library-search").set_value("").run()
    assert len(found(window)) == 7
    expect_whole(window)


def test_story_is_renamed_where_it_stands(desk: Desk) -> None:
    first, second = desk.story(), desk.story()
    desk.workbench.library.rename(second.id, "Second")
    window = desk.window()

    window.button(key=f"rename-{first.id}").click().run()
    window.text_input(key=f"title-{first.id}").set_value("Ash").run()

    assert desk.workbench.library.story(first.id).title == "Ash"
    opened = [one.key for one in window.button if (one.key or "").startswith("open-")]
    assert opened == [f"open-{second.id}", f"open-{first.id}"], "a field does not move away"
    window.button(key=f"renamed-{first.id}").click().run()
    assert texts_of(window.main.subheader)[:2] == ["Ash", "Second"]
    expect_whole(window)


def test_title_from_the_library_outlasts_the_approval_of_the_cast(desk: Desk) -> None:
    story = desk.drafted()
    desk.workbench.story.rename(story.id, "Ash")

    desk.answer(story)

    assert desk.workbench.library.story(story.id).title == "Ash"


def test_story_is_duplicated_whole(desk: Desk) -> None:
    story = desk.written()
    title = desk.workbench.library.story(story.id).title
    window = desk.window()

    window.button(key=f"duplicate-{story.id}").click().run()

    expect_whole(window)
    copy, original = (card.story for card in desk.workbench.library.stories())
    assert (copy.title, original.title) == (f"{title}, copy", title)
    assert f"{title}, copy" in "\n".join(texts_of(window.toast))
    sides = [desk.branch(one) for one in (copy, original)]
    texts = [[one.text for one in desk.workbench.manuscript.versions(side)] for side in sides]
    assert texts[0] == texts[1] != []
    states = [desk.workbench.prototype.snapshot(side) for side in sides]
    assert states[0].entities == states[1].entities != {}


def test_card_tells_what_a_story_is_and_opens_it(desk: Desk) -> None:
    story = desk.written()
    window = desk.window()

    expect_whole(window)
    said = words(window)
    assert plain(desk.workbench.library.story(story.id).title) in said
    assert plain("Mara Lenz keeps the lamp.") in said
    assert "1 chapter · " in said
    button(window, "Open").click().run()

    assert texts_of(window.title) == ["Plot"]


def test_story_that_was_only_typed_is_counted_and_opens_where_it_is_written(desk: Desk) -> None:
    story = desk.story()
    for chapter, text in enumerate(("The lamp went out.", "Nobody saw it."), start=1):
        desk.workbench.desk.begin_chapter(desk.branch(story), chapter)
        desk.workbench.manuscript.save_text(desk.branch(story), chapter, text)
    window = desk.window()

    expect_whole(window)
    assert "2 chapters · 7 words · " in words(window)
    button(window, "Open").click().run()

    assert texts_of(window.title) == ["Write"]


def test_hostile_title_and_premise_are_shown_as_text(desk: Desk) -> None:
    story = desk.story(premise=HOSTILE)
    desk.workbench.library.rename(story.id, HOSTILE)

    window = desk.window()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    assert plain(HOSTILE) in words(window)


def test_deleting_can_be_undone(desk: Desk) -> None:
    story = desk.story()
    desk.workbench.library.rename(story.id, "The lamp")
    window = desk.window()

    button(window, "Delete").click().run()
    assert desk.workbench.library.stories() == []
    assert "“The lamp” was deleted" in words(window)

    button(window, "Restore").click().run()
    assert [card.story.id for card in desk.workbench.library.stories()] == [story.id]
    assert "Restore" not in labels(window)


def test_exported_story_comes_in_as_a_new_one(desk: Desk) -> None:
    bundle = desk.workbench.files.export(desk.branch(desk.written()), WHOLE_STORY)
    window = desk.window()

    upload(window, bundle)

    assert texts_of(window.title) == ["Premise"]
    assert len(desk.workbench.library.stories()) == 2


def test_file_that_is_no_story_is_refused_in_words(desk: Desk) -> None:
    desk.story()
    window = desk.window()

    for content in (b"\xff\xfe\x00", b"[" * 100_000, b'{"stories": "<b>"}', b""):
        upload(window, content)
        expect_whole(window)
        assert len(window.error) == 1
        assert texts_of(window.title) == ["Library"]
    assert len(desk.workbench.library.stories()) == 1


def test_library_of_the_app_s_former_name_is_taken_over(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = assemble(tmp_path / "former" / "library.db")
    story = former.library.create_story(Brief(premise="A lamp that nobody lit."))
    former.close()
    monkeypatch.delenv("TELLWRIGHT_LIBRARY")
    monkeypatch.setenv("FABULA_LIBRARY", str(tmp_path / "former" / "library.db"))
    for variable in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    services.forget()

    window = desk.window()
    expect_whole(window)
    button(window, "Copy my stories").click().run()

    expect_whole(window)
    taken = services.workbench()
    assert [card.story.id for card in taken.library.stories()] == [story.id]
    assert "Copy my stories" not in labels(window)
    taken.close()
