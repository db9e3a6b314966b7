"""An address that stands in a text is text: nothing links to it, and nobody asks it for anything."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.desk import going_on
from tests.e2e.browsing import expect_no_exception, wait_until_drawn
from tests.e2e.screenshots import page_names
from tests.e2e.writer import DONE_WITH_CAST, Writer
from tests.fakes.invention import invent, prose
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, refuse, say, say_json
from tests.graph_flow.scripting import saying

pytestmark = pytest.mark.browser

ADDRESSES = ("www.evil.example", "http://evil.example", "a@evil.example", "![x](//evil.example)")
PREMISE = (
    "Mara reads www.evil.example/a?b and HTTPS://evil.example, <http://evil.example> and "
    "mailto:a@evil.example xmpp:a@evil.example/b; ![x](http://evil.example/pixel.png) "
    ":streamlit: :material/home: It ends when [she](http://evil.example) knows."
)
TITLE = "www.evil.example and http://evil.example"
NAME = "Mara www.evil.example a@evil.example"
UNFOLD_ALL = """() => document.querySelectorAll('details:not([open]) > summary')
    .forEach(summary => summary.click())"""
FAULT = "see http://evil.example or www.evil.example"


def with_addresses(sent: Sent) -> Reply | None:
    """Make everything up, with an address at the end of each text that has room for one."""
    told = going_on(sent)
    if told is not None:
        return told
    chance = random.Random(sent.prompt)
    if sent.schema is None:
        return say(
            f"{prose(chance, words=60)}\n\nSo {' '.join(ADDRESSES)} *www.evil.example* said."
        )
    chosen = set(choices(sent.schema))
    return say_json(addressed(invent(sent.schema, chance), chosen, chance))


def choices(schema: object) -> Iterator[str]:
    """Yield every value that a schema lets somebody choose."""
    if isinstance(schema, dict):
        yield from (one for one in schema.get("enum", ()) if isinstance(one, str))
        for part in schema.values():
            yield from choices(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from choices(part)


def addressed(value: Any, chosen: set[str], chance: random.Random) -> Any:
    """Return an answer, as long as it was, whose texts end with an address."""
    if isinstance(value, dict):
        return {name: addressed(one, chosen, chance) for name, one in value.items()}
    if isinstance(value, list):
        return [addressed(one, chosen, chance) for one in value]
    if not isinstance(value, str) or value in chosen:
        return value
    fitting = [one for one in ADDRESSES if len(one) + 8 < len(value)]
    if not fitting:
        return value
    address = chance.choice(fitting)
    return f"{value[: len(value) - len(address) - 1]} {address}"


@pytest.fixture
def foreign(page: Page) -> list[str]:
    """What the window asked of other machines."""
    asked: list[str] = []

    def note(url: str) -> None:
        if urlsplit(url).hostname not in {"127.0.0.1", None}:
            asked.append(url)

    page.on("request", lambda request: note(request.url))
    page.on("websocket", lambda socket: note(socket.url))
    return asked


def test_address_in_a_text_is_no_link_on_any_page(
    writer: Writer, scripted_server: ScriptedServer, foreign: list[str]
) -> None:
    scripted_server.answer = with_addresses
    writer.tell_premise(PREMISE)
    expect_no_links(writer)
    writer.press("Draft the cast")
    writer.wait_for(DONE_WITH_CAST)
    name_the_first(writer)
    writer.type("Title", TITLE)
    writer.open_fold("Your premise")
    expect(writer.main.get_by_text("<http://evil.example>")).to_be_visible()
    expect_no_links(writer)
    writer.press(DONE_WITH_CAST)
    writer.wait_for("Plot the first chapter")
    writer.press("Plot the first chapter")
    expect(writer.cards).to_have_count(3)
    expect_no_links(writer)
    writer.cards.first.get_by_role("button", name="Choose").click()
    writer.wait_for("Plot the next chapter")
    scripted_server.answer = saying(goals=refuse(401, FAULT))
    writer.press("Plot the next chapter")
    expect(writer.main.locator(".st-key-halted")).to_be_visible()
    expect_no_links(writer)
    scripted_server.answer = with_addresses
    writer.turn_to("Write")
    writer.press("Write this chapter")
    writer.wait_for("Approve")
    expect_no_links(writer)
    writer.press("Approve")

    story, told_on = writer.story, set()
    for name in page_names():
        writer.open(name, story)
        expect_no_links(writer)
        if "evil.example" in writer.page.get_by_test_id("stApp").inner_text():
            told_on.add(name)

    assert {"", "premise", "plot", "write", "history", "graphs"} <= told_on
    assert foreign == []


def name_the_first(writer: Writer) -> None:
    """Give the first of the cast a name with addresses in it."""
    writer.main.get_by_role("button", name=re.compile("^Edit .+")).first.click()
    writer.type(re.compile("^Name"), NAME)
    writer.press("Done")
    expect(writer.button(f"Edit {NAME}")).to_be_visible()


def expect_no_links(writer: Writer) -> None:
    """Fail if anything on the page, folds included, leads or looks elsewhere."""
    wait_until_drawn(writer.page)
    writer.page.evaluate(UNFOLD_ALL)
    wait_until_drawn(writer.page)
    expect_no_exception(writer.page)
    addresses: list[str] = writer.page.eval_on_selector_all(
        "a[href], area[href], image[href], img[src], iframe[src], source[src], object[data]",
        "found => found.map(one => String(one.href || one.src || one.data))",
    )
    elsewhere = [one for one in addresses if not one.startswith((f"{writer.app.url}/", "data:"))]
    assert elsewhere == []
    text = writer.main.inner_text()
    assert "[]" not in text.replace("[](", ""), json.dumps(text)
    assert writer.main.locator("img[alt='Streamlit logo'], [aria-label='home icon']").count() == 0
