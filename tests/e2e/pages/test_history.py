"""Branches and history in a browser: a what-if that comes back, and an edit that leaves a mark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graph_flow.branching.impact import mark_stale
from store.models.base import new_id
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.open import Store
from tests.desk import going_on
from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    choose_chapter,
    expect_no_exception,
    expect_no_sideways_scroll,
    run_of_page,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import main_branch
from tests.e2e.writer import Writer, library_of
from tests.fakes.scripted_server import ScriptedServer
from tests.pages.told_story import tell
from tests.store.builders import altered

pytestmark = pytest.mark.browser

AS_ON_THE_OTHER = "to be rid of the light"
AS_ON_MAIN = "to find out who broke it"


@pytest.fixture
def app(tmp_path: Path, scripted_server: ScriptedServer) -> Iterator[RunningApp]:
    """An app whose library has a story of three plotted and written chapters."""
    scripted_server.answer = going_on
    environment = {
        "OPENAI_BASE_URL": scripted_server.url,
        "OPENAI_API_KEY": "sk-scripted-0123456789",
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
    }
    app = RunningApp(tmp_path, environment, is_preloaded=True)
    with library_of(app) as store:
        branch = main_branch(store, tell(store).id).id
        for chapter in (1, 2, 3):
            plan = WritingPlan(
                id=new_id(), branch=branch, chapter=chapter, attempt=1, form=Form.NOVEL
            )
            draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "")
            store.manuscript.update_draft_text(draft.id, f"What chapter {chapter} tells.")
            store.manuscript.finish_draft(draft.id)
    with app:
        yield app


def story_in(app: RunningApp) -> str:
    with library_of(app) as store:
        return store.library.stories()[0].story.id


def change_hale(writer: Writer, motivation: str) -> None:
    """Say on the Premise page what Hale wants."""
    writer.turn_to("Premise")
    writer.press("Edit Hale")
    writer.type("Motivation", motivation)
    expect(writer.page.get_by_text("Saved:")).to_be_visible()
    writer.press("Done")


def test_what_if_is_plotted_and_brought_back(
    app: RunningApp, page: Page, console_errors: list[str]
) -> None:
    writer, story = Writer(page, app), story_in(app)
    writer.open("history", story)
    begin_what_if(writer, chapter=2, name="What if Hale puts out the lamp")
    expect(writer.sidebar.get_by_role("link", name="Write 2/2")).to_be_visible()

    writer.turn_to("Plot")
    writer.press("Plot the next chapter")
    writer.wait_for("Choose")
    writer.press("Choose")
    writer.wait_for("Plot the next chapter")
    change_hale(writer, AS_ON_THE_OTHER)
    writer.turn_to("Write")
    expect(page.get_by_text("What chapter 2 tells.")).to_be_hidden()
    expect(writer.main.get_by_role("button", name="Write this chapter")).to_be_visible()

    switch_to(writer, "Main")
    change_hale(writer, AS_ON_MAIN)
    writer.turn_to("History")
    row = writer.main.locator('[class*="st-key-branch-"]').filter(has_text="puts out the lamp")
    row.get_by_role("button", name="Bring into …").click()
    expect(writer.main.get_by_text("1 question left to decide.")).to_be_visible()
    expect(writer.button("Bring into “Main”")).to_be_disabled()
    writer.main.get_by_text(AS_ON_THE_OTHER).last.click()
    expect(writer.button("Bring into “Main”")).to_be_enabled()
    writer.press("Bring into “Main”")

    expect(writer.sidebar.get_by_role("link", name="Write 3/4")).to_be_visible()
    expect_no_exception(page)
    assert console_errors == []
    with library_of(app) as store:
        main = main_branch(store, story).id
        assert store.prototype.snapshot(main).get(Character, "hale").motivation == AS_ON_THE_OTHER
        assert len(store.library.branches(story)) == 2
        store.prototype.verify(main)


def test_edit_leaves_a_mark_until_the_writer_has_looked(
    app: RunningApp, new_window: WindowOpener
) -> None:
    story = story_in(app)
    with library_of(app) as store:
        edit_first_chapter(store, story)
    writer = Writer(new_window(DESKTOP), app)
    writer.open("write", story)
    choose_chapter(writer.page, 2)
    expect(writer.main.get_by_role("heading", name="2. A light at sea")).to_be_visible()
    expect(writer.main.get_by_text("Chapter 1 was changed")).to_contain_text("to keep the light")
    phone = Writer(new_window(PHONE), app)
    phone.open("history", story)
    expect(phone.main.get_by_role("heading", name="To review")).to_be_visible()
    expect_no_sideways_scroll(phone.page)

    writer.press("Still fits")

    expect(writer.main.get_by_text("Chapter 1 was changed")).to_have_count(0)
    expect_no_exception(writer.page)
    with library_of(app) as store:
        stale = store.staleness.open_marks(main_branch(store, story).id)
        assert {mark.chapter for mark in stale} == {1, 3}


def begin_what_if(writer: Writer, chapter: int, name: str) -> None:
    """Begin a branch at a chapter that is told in the list, and wait until its own list is drawn."""
    step = writer.main.locator('[class*="st-key-step-"]').filter(has_text=f"Chapter {chapter} ·")
    step.get_by_role("button", name="What if … from here").click()
    writer.main.get_by_label("What if …?").fill(name)
    writer.press("Begin the branch")
    expect(writer.main.get_by_text(f"Nothing has been done on “{name}” yet.")).to_be_visible()


def switch_to(writer: Writer, name: str) -> None:
    """Turn to another branch by the chip in the sidebar."""
    writer.sidebar.get_by_label("Branch").click()
    with run_of_page(writer.page):
        writer.page.get_by_role("option", name=name, exact=True).click()


def edit_first_chapter(store: Store, story: str) -> None:
    """Change what Mara wants from chapter 1 on, as the editor beside the graphs does."""
    branch = main_branch(store, story).id
    mara = store.prototype.snapshot(branch, 1).get(Character, "mara")
    edit = Change(before=mara, after=altered(mara, motivation="to keep the light"))
    delta = Delta(changes=(edit,))
    commit = store.prototype.commit(branch, delta, chapter=1, kind="edit", origin=new_id())
    mark_stale(store, commit, delta)
