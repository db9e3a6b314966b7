"""How long it takes from pressing *Stop* until the page says that the run has stopped."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import httpx2

from graph_flow.workbench.models import MODEL_SETTINGS
from pages.components.plot.strings import PLOT_NEXT
from pages.components.runs.strings import CONTINUE, STOP
from store.models.endpoint import Endpoint, ModelSettings
from store.open import Store
from tests.benchmarks.measures.trust.window import NoAnswer, Window
from tests.desk import going_on
from tests.e2e.running_app import RunningApp
from tests.fakes.scripted_server import (
    Reply,
    ScriptedServer,
    Sent,
    commenting,
    hang,
    sending,
    too_many,
)
from tests.graph_flow.scripting import agent_of

PATIENCE = 60.0
"""Seconds to wait for what should come at once."""
_LOOK = 0.05
_SETTLED = 1.0
"""Seconds in which a run gets from its first call to where it waits."""


def _slow(_sent: Sent) -> Reply:
    return sending({"content": " and"})


def _roles_only(sent: Sent) -> Reply | None:
    """Answer all but the roles: of these one is asked, and the others wait for their turn."""
    return hang() if agent_of(sent) == "role" else going_on(sent)


STATES: Mapping[str, Callable[[Sent], Reply | None]] = {
    "the model is silent": lambda _sent: hang(),
    "it sends signs of life only": lambda _sent: commenting(),
    "it answers slowly": _slow,
    "between two tries": lambda _sent: too_many(retry_after="60"),
    "waiting for a place": _roles_only,
}
"""What a run does when it is stopped, with what the model says then."""


def measure(folder: Path, prepared: Path, story: str) -> dict[str, float]:
    """Return the seconds that a stop took, by what the run did; the app is a real server."""
    app = RunningApp(folder, is_preloaded=True)
    shutil.copy(prepared, app.library)
    seconds: dict[str, float] = {}
    with app:
        for state, answer in STATES.items():
            # A model each: what a former one has been asked does not hold it up.
            with ScriptedServer(answer=answer) as server:
                _use(app.library, server.url)
                with closing(Window(app.url, httpx2.Client(timeout=60))) as window:
                    seconds[state] = _stopped(window, server, story)
                server.release()
    return seconds


def _use(library: Path, model: str) -> None:
    """Have the app ask one model, which answers one call at a time."""
    endpoint = Endpoint(base_url=model, model="scripted", concurrency=1)
    with closing(Store.open(library)) as store:
        store.library.change_setting(
            MODEL_SETTINGS, ModelSettings(), lambda _: ModelSettings(endpoint=endpoint)
        )


def _stopped(window: Window, server: ScriptedServer, story: str) -> float:
    window.open("plot", story)
    window.press(CONTINUE if window.page.shows_button(CONTINUE) else PLOT_NEXT)
    _until(window, server.has_arrived.is_set)
    _until(window, lambda: window.page.shows_button(STOP))
    threading.Event().wait(_SETTLED)
    begun = time.perf_counter()
    window.press(STOP)
    _until(window, lambda: window.page.shows_button(CONTINUE))
    return time.perf_counter() - begun


def _until(window: Window, is_so: Callable[[], bool]) -> None:
    """Watch the page as a writer does, until something shows.

    Raises:
        NoAnswer: if it does not.
    """
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise NoAnswer(f"the page shows {window.page.buttons}: {window.page.words[-200:]}")
        window.pause(_LOOK)
