"""A browser and running apps; what they showed when a test failed is kept in test-results/."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.e2e.browsing import DESKTOP, Size, launch, open_window, record_console_errors
from tests.e2e.running_app import RunningApp
from tests.e2e.writer import Writer
from tests.fakes.scripted_server import ScriptedServer

RESULTS = Path(__file__).parents[2] / "test-results"

AppStarter = Callable[[Mapping[str, str]], RunningApp]


class WindowOpener(Protocol):
    """Opens a window of a size; one with touch is a finger's, and has no mouse."""

    def __call__(self, size: Size, *, has_touch: bool = False) -> Page: ...


_PATIENCE = 90_000
"""Milliseconds in which a page shows what it was asked for, on a machine that is very busy."""

_HAS_FAILED = pytest.StashKey[bool]()
_WINDOWS = pytest.StashKey[list[Page]]()
_SHOWN_AT_MOST = 3_000


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the fixtures know, when they tidy up, whether the test failed, and say what it looked at."""
    report = yield
    item.stash[_HAS_FAILED] = item.stash.get(_HAS_FAILED, False) or report.failed
    if report.failed:
        for window in item.stash.get(_WINDOWS, []):
            report.sections.append((f"window at {window.url}", _words_on(window)))
    return report


def _words_on(window: Page) -> str:
    try:
        return window.locator("body").inner_text(timeout=2_000)[:_SHOWN_AT_MOST]
    except Error as error:
        return f"It cannot be read: {error}"


# Playwright's loop holds the thread while it runs, so it ends with this folder's tests.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The process behind `app`."""
    with RunningApp(tmp_path_factory.mktemp("app")) as running:
        yield running


@pytest.fixture
def app(shared_app: RunningApp, request: pytest.FixtureRequest) -> Iterator[RunningApp]:
    """One app with an empty library and no key, for tests that change nothing in it."""
    yield shared_app
    if _has_failed(request):
        shutil.copy(shared_app.log, _results(request) / "app.log")


@pytest.fixture
def start_app(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[AppStarter]:
    """Start an app with a library of its own and these environment variables, no others."""
    started: list[RunningApp] = []

    def start(environment: Mapping[str, str]) -> RunningApp:
        folder = tmp_path / f"app-{len(started) + 1}"
        running = RunningApp(folder, environment, is_preloaded=True)
        started.append(running)
        running.start()
        return running

    yield start
    for number, running in enumerate(started, start=1):
        running.stop()
        if _has_failed(request):
            shutil.copy(running.log, _results(request) / f"app-{number}.log")


@pytest.fixture
def embedded_app(start_app: AppStarter) -> RunningApp:
    """A fresh app with no key: it uses the embedded model."""
    return start_app({})


@pytest.fixture
def scripted_server() -> Iterator[ScriptedServer]:
    """The model of `scripted_app`: it says what the test tells it to, and keeps what it was sent."""
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def scripted_app(start_app: AppStarter, scripted_server: ScriptedServer) -> RunningApp:
    """A fresh app whose model is the scripted server; it stays its model over a restart."""
    return start_app(
        {
            "OPENAI_BASE_URL": scripted_server.url,
            "OPENAI_API_KEY": "sk-scripted-0123456789",
            "TELLWRIGHT_MODEL": "scripted",
            "TELLWRIGHT_STRENGTH": "small",
        }
    )


@pytest.fixture
def console_errors() -> list[str]:
    """What the consoles of this test's windows called an error so far."""
    return []


@pytest.fixture
def new_window(
    browser: Browser, console_errors: list[str], request: pytest.FixtureRequest
) -> Iterator[WindowOpener]:
    """Open a window of a size, as another person would."""
    opened = request.node.stash.setdefault(_WINDOWS, [])

    def open_one(size: Size, *, has_touch: bool = False) -> Page:
        page = open_window(browser, size, has_touch=has_touch)
        page.set_default_timeout(_PATIENCE)
        record_console_errors(page, console_errors)
        opened.append(page)
        return page

    yield open_one
    for number, page in enumerate(opened, start=1):
        if _has_failed(request) and not page.is_closed():
            page.screenshot(path=_results(request) / f"window-{number}.png")
        page.context.close()
    if _has_failed(request) and console_errors:
        (_results(request) / "console.txt").write_text("\n".join(console_errors), "utf-8")


@pytest.fixture
def page(new_window: WindowOpener) -> Page:
    """A window of the size of a desk."""
    return new_window(DESKTOP)


@pytest.fixture
def writer(page: Page, scripted_app: RunningApp) -> Writer:
    """A writer whose model is the scripted server."""
    return Writer(page, scripted_app)


def _has_failed(request: pytest.FixtureRequest) -> bool:
    node: pytest.Item = request.node
    return node.stash.get(_HAS_FAILED, False)


def _results(request: pytest.FixtureRequest) -> Path:
    folder = RESULTS / re.sub(r"[^\w.-]+", "-", request.node.nodeid)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
