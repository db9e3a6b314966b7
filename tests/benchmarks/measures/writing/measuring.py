"""How long a writer waits in the editor, measured in the page itself."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Locator, Page, expect, sync_playwright

from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from tests.benchmarks.epic import Epic
from tests.benchmarks.milestones import begin, opened, tell
from tests.benchmarks.options import notice
from tests.benchmarks.table import line, told
from tests.e2e.browsing import launch, open_window, visit, wait_until_drawn
from tests.e2e.running_app import RunningApp
from tests.fakes.scripted_server import ScriptedServer, say

PEOPLE = 40
WORDS_OF_PARAGRAPH = 80
ANSWER = "The lamp burned again before anybody had asked for it."
_WORDS = (
    "the lamp door stair water keeper night a and of to in was had not she he they it stone "
    "harbour letter bell rope window went came stood said knew asked waited under over before"
).split()
_PATIENCE = 30_000
"""Milliseconds after which it is clear that something will not come."""
_SAVES = 12

# From the key to the letter, laid out: what the browser and the editor do, without the wait for the next frame.
_WATCH_KEYS = """field => {
    window.keyTimes = [];
    let pressed = 0;
    document.addEventListener("keydown", () => (pressed = performance.now()), true);
    field.addEventListener("input", () => {
        field.getBoundingClientRect();
        if (pressed) window.keyTimes.push(performance.now() - pressed);
        pressed = 0;
    });
}"""

# From what is sent at a pause to the answer that it is kept.
_WATCH_SAVES = """field => {
    window.saveTimes = [];
    let sent = 0;
    field.addEventListener("focusout", () => (sent = performance.now()));
    field.addEventListener("kept", () => {
        if (sent) window.saveTimes.push(performance.now() - sent);
        sent = 0;
    });
}"""

_IS_OPEN = (
    "length => (document.querySelector('.prose-editor .paper')?.value ?? '').length === length"
)
_OPEN = f"""async length => {{
    const start = performance.now();
    document.querySelector('[data-testid="stSidebar"] a[href*="write?"]').click();
    while (!({_IS_OPEN})(length)) {{
        if (performance.now() - start > {_PATIENCE}) throw new Error("the text is not there");
        await new Promise(requestAnimationFrame);
    }}
    return (performance.now() - start) / 1000;
}}"""
_SUGGEST = f"""async words => {{
    const start = performance.now();
    document.querySelector('.prose-editor [data-asks="go on"]').click();
    const card = () => document.querySelector('.prose-editor .suggestion .body')?.textContent ?? '';
    while (!card().includes(words)) {{
        if (performance.now() - start > {_PATIENCE}) throw new Error("there is no suggestion");
        await new Promise(requestAnimationFrame);
    }}
    return (performance.now() - start) / 1000;
}}"""


@dataclass(frozen=True)
class Book:
    """How long the book is: chapters, and words of each."""

    chapters: int
    words: int


@dataclass(frozen=True)
class WritingTimes:
    """What was measured: medians, and for keys and saves the slowest of twenty as well.

    Milliseconds of a key and of a save; seconds until Write is there again, warm, and until the first
    words of a suggestion are, whose model takes no time.
    """

    words: int
    keystroke_ms: float
    keystroke_p95_ms: float
    save_ms: float
    save_p95_ms: float
    open_s: float
    suggestion_s: float

    def as_json(self) -> str:
        """Return the figures as one object on one line."""
        return json.dumps(asdict(self))

    def as_table(self) -> str:
        """Return the figures as a Markdown table."""
        rows = [
            ("From a key to its letter, ms", self.keystroke_ms, self.keystroke_p95_ms),
            ("From a pause to a saved paragraph, ms", self.save_ms, self.save_p95_ms),
            ("From another page to the text, s", self.open_s, None),
            ("From a click to a suggestion, without its model, s", self.suggestion_s, None),
        ]
        head = [line(f"{self.words:,} words", ["median", "19 of 20 within"]), "|---|---:|---:|"]
        return "\n".join(
            [
                *head,
                *(
                    line(name, [told(one), told(other) if other else ""])
                    for name, one, other in rows
                ),
            ]
        )


def measure(folder: Path, book: Book, keys: int, visits: int) -> WritingTimes:
    """Measure the editor in the real app, with so many keys and visits."""
    with ScriptedServer() as server:
        server.answer = lambda _: say(ANSWER)
        app = RunningApp(folder, {"OPENAI_BASE_URL": server.url, "TELLWRIGHT_MODEL": "scripted"})
        folder.mkdir(parents=True, exist_ok=True)
        notice(f"writing a book of {book.chapters * book.words:,} words")
        story, text = _write(app.library, book)
        with app, sync_playwright() as playwright:
            page = open_window(launch(playwright))
            visit(page, f"{app.url}/write?story={story}&chapter={book.chapters // 2 + 1}")
            page.wait_for_function(_IS_OPEN, arg=len(text), timeout=_PATIENCE)
            wait_until_drawn(page)
            times = _keys(page, keys)
            saves = _saves(page)
            length = len(_field(page).evaluate("field => field.value"))
            opens = [_open(page, length) for _ in range(visits + 1)][1:]
            first = _suggestion(page)
    return WritingTimes(
        words=book.chapters * book.words,
        keystroke_ms=median(times),
        keystroke_p95_ms=_p95(times),
        save_ms=median(saves),
        save_p95_ms=_p95(saves),
        open_s=median(opens),
        suggestion_s=first,
    )


def _write(library: Path, book: Book) -> tuple[str, str]:
    """Write a book into a library; return its story, and the text of the chapter in its middle."""
    chance, epic = random.Random(7), Epic(PEOPLE)
    text = ""
    with opened(library) as store:
        story, branch = begin(store, epic, "A long book")
        for chapter in range(1, book.chapters + 1):
            tell(store, branch, chapter, epic.next_chapter())
            plan = WritingPlan(
                id=new_id(), branch=branch, chapter=chapter, attempt=1, form=Form.NOVEL
            )
            draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "")
            written = _prose(chance, book.words)
            text = written if chapter == book.chapters // 2 + 1 else text
            store.manuscript.update_draft_text(draft.id, written)
            store.manuscript.finish_draft(draft.id)
    return story, text


def _prose(chance: random.Random, words: int) -> str:
    count = words // WORDS_OF_PARAGRAPH
    return "\n\n".join(
        " ".join(chance.choices(_WORDS, k=WORDS_OF_PARAGRAPH)).capitalize() + "."
        for _ in range(count)
    )


def _field(page: Page) -> Locator:
    return page.locator(".prose-editor .paper")


def _keys(page: Page, count: int) -> Sequence[float]:
    """Return milliseconds from each key to its letter, in the middle of the chapter."""
    field = _field(page)
    paragraphs = field.locator("p")
    paragraphs.nth(paragraphs.count() // 2).click()
    page.keyboard.press("End")
    field.evaluate(_WATCH_KEYS)
    for at in range(count):
        page.keyboard.press("e" if at % 6 else "Space")
        page.wait_for_timeout(15)
    times: list[float] = page.evaluate("window.keyTimes")
    return times


def _saves(page: Page) -> Sequence[float]:
    field = _field(page)
    expect(page.locator(".prose-editor .state")).to_have_text("Saved", timeout=_PATIENCE)
    field.evaluate(_WATCH_SAVES)
    for number in range(_SAVES):
        page.keyboard.type("so ")
        page.wait_for_function(
            "count => window.saveTimes.length > count", arg=number, timeout=_PATIENCE
        )
        page.wait_for_timeout(300)
    times: list[float] = page.evaluate("window.saveTimes")
    return times


def _open(page: Page, length: int) -> float:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Cost").first.click()
    expect(page.get_by_role("heading", name="Cost", level=1)).to_be_visible()
    wait_until_drawn(page)
    seconds: float = page.evaluate(_OPEN, length)
    wait_until_drawn(page)
    return seconds


def _suggestion(page: Page) -> float:
    _field(page).locator("p").last.click()
    page.keyboard.press("End")
    page.wait_for_timeout(1_000)
    seconds: float = page.evaluate(_SUGGEST, ANSWER.split(".")[0])
    return seconds


def _p95(times: Sequence[float]) -> float:
    return quantiles(times, n=20, method="inclusive")[-1]
