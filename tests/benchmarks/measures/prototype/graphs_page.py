"""How long the Graphs page takes in a browser, from its address to the drawn picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.epic import Epic
from tests.benchmarks.milestones import begin, opened, tell
from tests.e2e.browsing import launch, open_window
from tests.e2e.find_chromium import ADVICE, ChromiumMissing, find
from tests.e2e.running_app import RunningApp

CHAPTERS = 10
"""Chapters of the stories that are looked at."""

_OFTEN = 20
"""Milliseconds after which the page is looked at again."""

_PATIENCE = 120_000
"""Milliseconds after which it is clear that nothing will be drawn."""

# The page has run to its end, and the canvas of a Role Graph with so many people has something on it.
_IS_DRAWN = """people => {
    const app = document.querySelector('[data-testid="stApp"]');
    if (app?.getAttribute('data-test-script-state') !== 'notRunning') return false;
    const within = root => [...root.querySelectorAll('*')].flatMap(
        part => part.matches(`[role=img][aria-label^="Role Graph: ${people} people"]`) ? [part]
            : part.shadowRoot ? within(part.shadowRoot) : []);
    const canvas = within(document)[0]?.querySelector('canvas');
    if (!canvas?.width) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, at) => at % 4 === 3 && value > 0);
}"""


@dataclass(frozen=True)
class PageTimes:
    """Seconds until the picture was drawn, by the number of its nodes.

    `cold`: the first page that the app shows after its start, in a browser that has seen nothing
    of it. `warm`: the same page opened again in the same window.
    """

    cold: dict[int, float]
    warm: dict[int, float]


def page_times(
    folder: Path, sizes: Sequence[int], rounds: int, notice: Callable[[str], None]
) -> PageTimes:
    """Measure Role Graphs of some sizes in the real app: medians of so many starts, and twice as
    many visits.

    Raises:
        ChromiumMissing: if there is no browser.
    """
    if find() is None:
        raise ChromiumMissing(ADVICE)
    app = RunningApp(folder)
    folder.mkdir(parents=True, exist_ok=True)
    stories = {size: _tell(app.library, size) for size in sizes}
    cold: dict[int, list[float]] = {size: [] for size in sizes}
    warm: dict[int, list[float]] = {size: [] for size in sizes}
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for number in range(rounds):
            for size in sizes:
                notice(f"drawing {size} nodes, {number + 1} of {rounds}")
                with app:
                    first, *later = _visits(
                        browser, f"{app.url}/graphs?story={stories[size]}", size
                    )
                cold[size].append(first)
                warm[size] += later
        browser.close()
    return PageTimes(_medians(cold), _medians(warm))


def _tell(library: Path, people: int) -> str:
    """Tell a story of so many people, all of whom are there from the beginning; return its id."""
    epic = Epic(people)
    with opened(library) as store:
        story, branch = begin(store, epic, f"A story of {people}")
        for chapter in range(1, CHAPTERS + 1):
            tell(store, branch, chapter, epic.next_chapter())
    return story


def _visits(browser: Browser, address: str, people: int) -> list[float]:
    page = open_window(browser)
    try:
        return [_seconds_to_draw(page, address, people) for _ in range(3)]
    finally:
        page.context.close()


def _seconds_to_draw(page: Page, address: str, people: int) -> float:
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_function(_IS_DRAWN, arg=people, polling=_OFTEN, timeout=_PATIENCE)
    return time.perf_counter() - start


def _medians(times: dict[int, list[float]]) -> dict[int, float]:
    return {size: median(taken) for size, taken in times.items()}
