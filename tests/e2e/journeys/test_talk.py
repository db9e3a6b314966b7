"""Talk in a browser: the story answers and proposes, and a person of it knows what they can know."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from store.models.base import new_id
from store.models.cast import Character
from store.open import Store
from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    expect_no_exception,
    expect_no_sideways_scroll,
    run_of_page,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.e2e.structure import main_branch
from tests.e2e.writer import Writer, library_of
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, in_halves, say, say_json
from tests.graph_flow.scripting import agent_of, asked
from tests.pages.told_story import tell_into
from tests.store.builders import changing

pytestmark = pytest.mark.browser

CANARY = "canarymeadow"
"""Stands only in what Mara hides."""
ANSWER = "Mara broke it, and nobody has asked her yet."
REPLY = "I would not know. Ask whoever keeps it."


@pytest.fixture
def rest() -> Iterator[threading.Event]:
    """Lets the second half of the first answer come."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def app(
    tmp_path: Path, scripted_server: ScriptedServer, rest: threading.Event
) -> Iterator[RunningApp]:
    """An app with a story of three chapters, in which Mara hides something, and an able model."""
    whole = say_json({"answer": ANSWER, "evidence": ["E1", "C2", "E99"]}).text

    def answer(sent: Sent) -> Reply:
        if agent_of(sent) == "person_talk":
            return say(REPLY)
        if "afraid of the dark" in sent.messages[-1]["content"].rpartition("The writer says:")[2]:
            change = {"of": "P1", "field": "fear", "value": "the dark"}
            return say_json({"answer": "So be it.", "changes": [change]})
        return in_halves(whole + " " * 40, rest)

    scripted_server.answer = answer
    app = RunningApp(
        tmp_path,
        {"OPENAI_BASE_URL": scripted_server.url, "TELLWRIGHT_MODEL": "scripted"},
        is_preloaded=True,
    )
    story = tell_into(app.library)
    store = Store.open(app.library)
    branch = store.library.main_branch(story).id
    mara = store.prototype.snapshot(branch).get(Character, "mara")
    secret = changing(mara, secrets=f"She buried the {CANARY} box.")
    store.prototype.commit(branch, secret, chapter=3, kind="edit", origin=new_id())
    store.close()
    app.start()
    yield app
    app.stop()


def at_talk(writer: Writer) -> Locator:
    """Look at the page where a conversation scrolls: Streamlit shows it in a part of another name."""
    writer.main = writer.page.get_by_test_id("stMainBlockContainer")
    return writer.main


def tell(writer: Writer, words: str) -> None:
    """Type something, and send it."""
    field = writer.page.get_by_test_id("stChatInputTextArea")
    field.fill(words)
    with run_of_page(writer.page):
        field.press("Enter")


def test_writer_asks_the_story_and_talks_with_its_people(
    app: RunningApp,
    scripted_server: ScriptedServer,
    new_window: WindowOpener,
    rest: threading.Event,
    console_errors: list[str],
) -> None:
    writer = Writer(new_window(DESKTOP), app)
    with library_of(app) as store:
        story = store.library.stories()[0].story.id
        branch = main_branch(store, story).id
    # From another page, with its chapter; the answer is seen as it comes.
    writer.open("graphs", story)
    writer.button("Ask").click()
    expect(writer.page.get_by_role("heading", name="Talk", level=1)).to_be_visible()
    messages = at_talk(writer).get_by_test_id("stChatMessage")
    expect(writer.main.get_by_label("Looking at chapter", exact=True)).to_have_value("3")
    tell(writer, "Who broke the lamp?")
    expect(messages.last.get_by_text("Mara")).to_be_visible()
    expect(writer.button("Stop")).to_be_visible()
    rest.set()
    expect(messages.last).to_contain_text(ANSWER)
    expect(writer.button("Chapter 2")).to_be_visible()
    assert CANARY in asked(scripted_server, "story_talk")[0].prompt

    # A proposal changes nothing until it is taken.
    tell(writer, "Mara should be afraid of the dark.")
    writer.wait_for("Make this change")
    with library_of(app) as store:
        assert store.prototype.snapshot(branch).get(Character, "mara").fear == ""
    writer.press("Make this change")
    expect(writer.main.get_by_text("You made this change")).to_be_visible()
    with library_of(app) as store:
        assert store.prototype.snapshot(branch).get(Character, "mara").fear == "the dark"

    # A person knows what they can know, and nothing else.
    writer.main.get_by_text("A person", exact=True).click()
    writer.pick("Person", "Hale")
    expect(writer.main.get_by_role("heading", name="Talk with Hale")).to_be_visible()
    tell(writer, "What does Mara hide from you?")
    expect(messages.last).to_contain_text(REPLY)
    writer.pick("Person", "Mara")
    expect(writer.main.get_by_role("heading", name="Talk with Mara")).to_be_visible()
    tell(writer, "What do you hide?")
    expect(messages.last).to_contain_text(REPLY)
    hale, mara = (one.prompt for one in asked(scripted_server, "person_talk"))
    assert CANARY not in hale
    assert CANARY in mara

    # All of it is there in another window, on a phone.
    phone = Writer(new_window(PHONE), app)
    phone.open("talk", story)
    expect(at_talk(phone).get_by_test_id("stChatMessage").nth(1)).to_contain_text(ANSWER)
    expect_no_sideways_scroll(phone.page)
    for one in (writer, phone):
        expect_no_exception(one.page)
    assert console_errors == []
