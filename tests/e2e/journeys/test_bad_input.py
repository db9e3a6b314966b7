"""What a writer or a model may say that is bad: a message, nothing lost, and a way to go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.desk import PREMISE, going_on
from tests.e2e.browsing import expect_no_exception, expect_no_sideways_scroll, run_of_page
from tests.e2e.pictures import drawn_picture, switch_to
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import expect_whole_plot, main_branch
from tests.e2e.writer import DONE_WITH_CAST, Writer, library_of
from tests.fakes.scripted_server import (
    Reply,
    ScriptedServer,
    hang,
    refuse,
    say,
    say_json,
    too_many,
    truncated,
)
from tests.graph_flow.scripting import Held, asked, request_of, saying, the_nth

pytestmark = pytest.mark.browser

ABOUT = "What is your story about?"
LONG = "The lamp goes out, and comes back. " * 3_000
HTML = "<img src=x onerror=\"document.title='owned';alert(1)\">"
SQL = "Robert'); DROP TABLE characters;--"


class Script(NamedTuple):
    """A story in a script, as a writer and then the agents tell it."""

    premise: str
    title: str
    world: str
    names: tuple[str, str, str]
    wants: str


CHINESE = Script(
    premise="守灯人林玛拉独自住在礁石上。最后一班船带来了检查员何尔。等玛拉知道他为何而来,故事就结束了。",
    title="灯塔与账本",
    world="海中一块礁石,只有一盏灯,每月来一班船。",
    names=("林玛拉", "何尔", "陶彬"),
    wants="她想知道那天夜里谁在灯室。",
)
ARABIC = Script(
    premise="تعيش مارا وحدها على الصخرة وتحرس المنارة. جاء هيل مع آخر سفينة. تنتهي القصة حين تعرف مارا لماذا جاء.",
    title="المنارة والدفتر",
    world="صخرة في البحر عليها مصباح واحد، وسفينة كل شهر.",
    names=("مارا", "هيل", "توبن"),
    wants="تريد أن تعرف من كان في غرفة المصباح.",
)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    """The model of this module's app."""
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def shared(
    server: ScriptedServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningApp]:
    """One app for these tests; each has a story of its own in it."""
    environment = {
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": "sk-scripted-0123456789",
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
    }
    folder = tmp_path_factory.mktemp("bad-input")
    with RunningApp(folder, environment, is_preloaded=True) as running:
        yield running


@pytest.fixture
def guest(page: Page, shared: RunningApp, server: ScriptedServer) -> Writer:
    """A writer at the shared app, whose model is well."""
    server.answer = going_on
    server.history.clear()
    return Writer(page, shared)


def test_empty_premise_is_told(guest: Writer, server: ScriptedServer) -> None:
    guest.tell_premise("   ")

    guest.press("Draft the cast")

    told = guest.main.get_by_test_id("stAlert")
    expect(told).to_contain_text("what your story is about")
    assert server.history == []
    guest.main.get_by_label(ABOUT).fill(PREMISE)
    guest.press("Draft the cast")
    guest.wait_for(DONE_WITH_CAST)


def test_premise_that_is_too_long_is_kept_and_can_be_shortened(
    guest: Writer, server: ScriptedServer
) -> None:
    assert len(LONG) > 100_000
    guest.tell_premise(LONG)

    guest.press("Draft the cast")

    told = guest.main.get_by_text(f"Your premise has {len(LONG):,} characters.")
    expect(told).to_be_visible()
    assert server.history == []
    guest.page.reload()
    expect(guest.main.get_by_label(ABOUT)).to_have_value(LONG)
    guest.main.get_by_role("button", name=re.compile("^Use the first")).click()
    expect(told).to_have_count(0)
    guest.press("Draft the cast")
    guest.wait_for(DONE_WITH_CAST)


@pytest.mark.parametrize("script", [CHINESE, ARABIC], ids=["chinese", "arabic"])
def test_any_script_is_read_and_shown(
    guest: Writer, server: ScriptedServer, script: Script
) -> None:
    server.answer = saying(
        foundation=say_json(
            {
                "title": script.title,
                "background": script.world,
                "long_term_goal": script.wants,
                "themes": script.title,
                "tone": script.title,
            }
        ),
        cast=say_json({"people": [{"name": one, "part": script.title} for one in script.names]}),
        character=say_json(
            {
                "gender": script.title,
                "age": "33",
                "occupation": script.title,
                "personality": script.title,
                "motivation": script.wants,
                "secret": script.world,
            }
        ),
    )

    guest.draft_cast(script.premise)

    assert script.premise in request_of(asked(server, "foundation")[0])
    expect(guest.main.get_by_label("Title")).to_have_value(script.title)
    expect(guest.main.get_by_label("World")).to_have_value(script.world)
    for name in script.names:
        expect(guest.button(f"Edit {name}")).to_be_visible()
    expect(guest.main.get_by_text(script.wants)).to_have_count(len(script.names) + 1)
    guest.open_fold("Your premise")
    expect(guest.main.get_by_text(script.premise)).to_be_visible()
    guest.press(DONE_WITH_CAST)
    guest.wait_for("Plot the first chapter")
    expect(guest.sidebar.locator(".st-key-open-story").get_by_text(script.title)).to_be_visible()
    guest.turn_to("Graphs")
    guest.main.get_by_label("Look at").click()
    for name in script.names:
        expect(guest.page.get_by_role("option", name=name, exact=True)).to_be_visible()
    expect_no_sideways_scroll(guest.page)


def test_names_that_are_code_are_shown_as_text_everywhere(
    guest: Writer, server: ScriptedServer, console_errors: list[str]
) -> None:
    dialogs: list[str] = []
    refuse_dialogs(guest.page, dialogs)
    guest.draft_cast(PREMISE)
    name_the_cast(guest, HTML, SQL)
    guest.type("Title", HTML)
    guest.press(DONE_WITH_CAST)
    guest.wait_for("Plot the first chapter")
    expect(guest.sidebar.locator(".st-key-open-story").get_by_text(HTML)).to_be_visible()

    for look_at in (names_at_work, names_in_plot, names_in_graphs, names_in_writing, names_at_rest):
        look_at(guest, server)
        expect_only_text(guest)

    assert dialogs == []
    assert console_errors == []
    with library_of(guest.app) as store:
        expect_whole_plot(store, guest.story, 1)
        people = store.prototype.snapshot(main_branch(store, guest.story).id).characters
    assert {HTML, SQL} <= {person.name for person in people}


def names_at_work(guest: Writer, server: ScriptedServer) -> None:
    """Look at the names where it is told who speaks at this moment."""
    held = Held(the_nth("role", 1))
    server.answer = held
    guest.press("Plot the first chapter")
    assert held.has_come.wait(30)
    expect(guest.main.locator(".st-key-at-work")).to_contain_text(re.compile("<img|Robert"))
    guest.turn_to("Graphs")
    expect(guest.page.locator(".st-key-run-chip")).to_contain_text(re.compile("<img|Robert"))
    guest.turn_to("Plot")
    held.let_go()


def names_in_plot(guest: Writer, _: ScriptedServer) -> None:
    """Look at the names on the candidates, and take one."""
    expect(guest.cards).to_have_count(3)
    expect(guest.cards.first).to_contain_text("DROP TABLE")
    expect_only_text(guest)
    guest.cards.first.get_by_role("button", name="Choose").click()
    guest.wait_for("Plot the next chapter")


def names_in_graphs(guest: Writer, _: ScriptedServer) -> None:
    """Look at the names in both pictures, and beside them."""
    guest.turn_to("Graphs")
    drawn_picture(guest.page)
    guest.pick("Look at", HTML)
    expect(guest.main.get_by_role("heading", name=HTML)).to_be_visible()
    switch_to(guest.page, "Plot Graph")
    guest.pick("Look at", SQL)
    expect(guest.main.get_by_role("heading", name=SQL)).to_be_visible()


def names_in_writing(guest: Writer, _: ScriptedServer) -> None:
    """Look at the names in a chapter and its plan."""
    guest.turn_to("Write")
    guest.press("Write this chapter")
    guest.wait_for("Approve")
    guest.main.get_by_role("tab", name="Plan").click()
    expect(guest.main.get_by_text(re.compile("through the eyes of")).first).to_be_visible()


def names_at_rest(guest: Writer, _: ScriptedServer) -> None:
    """Look at the names in the cast, and at the title in the library."""
    story = guest.story
    guest.turn_to("Premise")
    expect(guest.button(f"Edit {HTML}")).to_be_visible()
    expect(guest.button(f"Edit {SQL}")).to_be_visible()
    expect_only_text(guest)
    guest.open()
    expect(guest.main.get_by_role("heading", name=HTML)).to_be_visible()
    guest.open("premise", story)


def refuse_dialogs(page: Page, seen: list[str]) -> None:
    """Close every dialog that opens, and add its words to `seen`."""

    def close(dialog: Dialog) -> None:
        seen.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", close)


def name_the_cast(writer: Writer, *names: str) -> None:
    """Give the first people of a cast these names, and take the others out."""
    edits = writer.main.get_by_role("button", name=re.compile("^Edit .+"))
    expect(edits).to_have_count(4)
    for place, name in enumerate(names):
        with run_of_page(writer.page):
            edits.nth(place).click()
        writer.type(re.compile("^Name"), name)
        writer.press("Done")
        expect(writer.button(f"Edit {name}")).to_be_visible()
    for left in range(3, len(names) - 1, -1):
        with run_of_page(writer.page):
            edits.last.click()
        with run_of_page(writer.page):
            writer.main.get_by_role("button", name=re.compile("^Remove .+")).click()
        writer.press("Remove")
        expect(edits).to_have_count(left)


def expect_only_text(writer: Writer) -> None:
    """Fail if a name became an image, or ran."""
    expect_no_exception(writer.page)
    assert writer.page.locator("img[onerror], img[src='x']").count() == 0
    assert writer.page.title().endswith("· Tellwright")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        pytest.param(say("The weather is fine."), "form", id="nonsense"),
        pytest.param(say(""), "form", id="nothing"),
        pytest.param(truncated('{"people": [{"name": "Ma'), "form", id="half"),
        pytest.param(too_many(retry_after="0"), "too many requests", id="429"),
        pytest.param(refuse(500, "out of order", retry_after="0"), "problem", id="500"),
    ],
)
def test_faulty_model_ends_in_a_message_and_the_work_goes_on_when_it_is_well(
    guest: Writer, server: ScriptedServer, fault: Reply, told: str
) -> None:
    server.answer = saying(cast=fault)
    guest.tell_premise(PREMISE)

    guest.press("Draft the cast")

    expect_halted(guest, told)
    server.answer = going_on
    guest.press("Continue")
    guest.wait_for(DONE_WITH_CAST)
    assert len(asked(server, "foundation")) == 1
    with library_of(guest.app) as store:
        assert store.library.story(guest.story).brief.premise == PREMISE


def expect_halted(writer: Writer, told: str) -> None:
    """Fail unless a message says what happened, with what was typed and finished still there."""
    halted = writer.main.locator(".st-key-halted")
    expect(halted).to_contain_text(told, timeout=30_000)
    expect(halted.get_by_role("button", name="Continue")).to_be_visible()
    expect(writer.main.get_by_label(ABOUT)).to_have_value(PREMISE)
    expect(writer.main.get_by_text("Long-term goal")).to_be_visible()
    expect_no_exception(writer.page)


def test_model_that_never_answers_is_given_up_after_the_time_in_settings(
    writer: Writer, scripted_server: ScriptedServer
) -> None:
    writer.open("settings")
    writer.main.locator("label").filter(has_text="A model of my own").click()
    writer.main.get_by_label("Address").fill(scripted_server.url)
    writer.main.get_by_label("Model", exact=True).fill("scripted")
    writer.main.get_by_role("spinbutton", name="Seconds to wait").fill("1")
    writer.press("Save")
    expect(writer.main.get_by_text("In use now: scripted")).to_be_visible()
    scripted_server.answer = saying(foundation=say_foundation(), cast=hang())
    writer.tell_premise(PREMISE)

    writer.press("Draft the cast")

    expect_halted(writer, "1 second")
    scripted_server.answer = going_on
    writer.press("Continue")
    writer.wait_for(DONE_WITH_CAST)
    assert len(asked(scripted_server, "foundation")) == 1


def say_foundation() -> Reply:
    """Say the ground of a story."""
    return say_json(
        {
            "title": "The Lamp",
            "background": "A rock in the sea with one lamp.",
            "long_term_goal": "The story ends when Mara knows why Hale came back.",
            "themes": "trust",
            "tone": "quiet",
        }
    )


def test_chapter_that_broke_off_is_kept_and_goes_on(guest: Writer, server: ScriptedServer) -> None:
    guest.begin(PREMISE)
    guest.plot_by_itself()
    guest.turn_to("Write")
    server.answer = saying(plan=too_many(retry_after="0"))
    guest.press("Write this chapter")
    expect(guest.main.locator(".st-key-halted")).to_contain_text("too many requests")

    server.answer = going_on
    guest.press("Continue")

    guest.wait_for("Approve")
    assert len(asked(server, "recall")) <= 1
    with library_of(guest.app) as store:
        expect_whole_plot(store, guest.story, 1)
