"""Kills of the app itself, a real server, while a window on it plots, saves, exports and backs up."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import httpx2
from websockets.exceptions import ConnectionClosed

from pages.components.library.strings import BACK_UP_NOW, STORY_DOWNLOAD
from pages.components.plot.strings import CHOOSE, PLOT_NEXT
from pages.components.runs.strings import CONTINUE
from pages.components.write.strings import STYLE_NOTES
from store.models.endpoint import ModelStrength
from store.open import Store
from store.upkeep.files import moment_of
from tests.benchmarks.measures.trust.kills.findings import (
    Findings,
    is_sound,
    kept_in,
    opened,
    paid_again,
    wrong_since,
    wrong_with_story,
)
from tests.benchmarks.measures.trust.kills.moments import Moment
from tests.benchmarks.measures.trust.kills.stories import LATENCY, as_kept, environment
from tests.benchmarks.measures.trust.page import WindowError
from tests.benchmarks.measures.trust.window import Window
from tests.desk import going_on
from tests.e2e.running_app import RunningApp
from tests.fakes.invention import sentence
from tests.fakes.scripted_server import ScriptedServer

_GONE = (WindowError, ConnectionClosed, httpx2.HTTPError, OSError)
"""What a window meets when the app dies."""

LONGEST = 60.0
"""Seconds that going on may take."""


class AppAtWork:
    """The app on a library with one story of some chapters, all of them written."""

    works = "the app, a real server"

    def __init__(self, folder: Path, dice: Random, prepared: Path, story: str) -> None:
        self.folder = folder
        self._dice = dice
        self._story = story
        self._server = ScriptedServer(answer=going_on, latency=LATENCY).start()
        variables = environment(Path(), self._server.url, ModelStrength.ABLE)
        del variables["TELLWRIGHT_LIBRARY"]
        self._app = RunningApp(folder, variables, is_preloaded=True)
        shutil.copy(prepared, self._app.library)
        self._window = Window(self._app.url, httpx2.Client(timeout=60))
        self._app.start()
        self._does: tuple[Callable[[float], Findings], ...] = (
            self._killed_while_plotting,
            self._killed_while_plotting,
            self._killed_after_saving,
            self._killed_while_filing,
            self._killed_while_backing_up,
        )
        self._turn = 0

    def close(self) -> None:
        """End the app and the model."""
        self._window.close()
        self._app.stop()
        self._server.stop()

    def rehearse(self) -> Mapping[str, float]:
        """Return how many seconds a step takes about."""
        return {"seconds": 1.0}

    def kill(self, moment: Moment) -> tuple[bool, Findings]:
        """Do the next thing, be killed in it, start again and look."""
        before = kept_in(self._app.library)
        act = self._does[self._turn % len(self._does)]
        self._turn += 1
        found = act(moment.number)
        found.add(wrong_since(before, kept_in(self._app.library)))
        return True, found

    def finish(self) -> Findings:
        """Plot what was begun to its end, and look at the whole."""
        found = self._go_on()
        with opened(self._app.library) as store:
            story = store.library.story(self._story)
            found.add(wrong_with_story(store, story, self._told(store), is_written=False))
        return found

    def _killed_while_plotting(self, seconds: float) -> Findings:
        window = self._window
        window.open("plot", self._story)
        for label in (CONTINUE, CHOOSE, PLOT_NEXT):
            if window.page.shows_button(label):
                window.press(label)
                break
        window.pause(seconds)
        self._app.kill()
        paid, heard = kept_in(self._app.library).paid, self._server.asked
        self._app.start()
        found = self._go_on()
        asked = [as_kept(sent) for sent in self._server.history[heard:]]
        found.add(paid_again(paid, asked))
        return found

    def _go_on(self) -> Findings:
        """Continue, and choose, until the next chapter could be plotted."""
        window, until = self._window, time.monotonic() + LONGEST
        window.open("plot", self._story)
        while not window.page.shows_button(PLOT_NEXT):
            if time.monotonic() > until:
                return Findings(stuck=[f"the plot does not go on: {window.page.words[-300:]}"])
            for label in (CONTINUE, CHOOSE):
                if window.page.shows_button(label):
                    window.press(label)
                    break
            else:
                window.pause(0.3)
        return Findings()

    def _killed_after_saving(self, _seconds: float) -> Findings:
        """Kill the app as soon as it says that a text is saved."""
        window, words = self._window, sentence(self._dice)
        window.open("write", self._story)
        window.type(STYLE_NOTES, words)
        is_saved = window.page.answers[-1]["outcome"] == "saved"
        self._app.restart()
        with opened(self._app.library) as store:
            kept = store.library.story(self._story).settings.style_notes
        if not is_saved:
            return Findings(stuck=["what was typed was not saved"])
        return Findings(lost=["what was answered as saved"] if kept != words else [])

    def _killed_while_filing(self, seconds: float) -> Findings:
        self._window.open("export", self._story)
        self._killed_during(lambda: self._window.download(STORY_DOWNLOAD), seconds / 10)
        self._window.open("export", self._story)
        if not self._window.download(STORY_DOWNLOAD).startswith(b"{"):
            return Findings(stuck=["the story cannot be exported any more"])
        return Findings()

    def _killed_while_backing_up(self, seconds: float) -> Findings:
        self._window.open()
        self._killed_during(lambda: self._window.press(BACK_UP_NOW), seconds / 10)
        name = self._app.library.name
        backups = (self._app.library.parent / "backups").glob("*")
        whole = [one for one in backups if moment_of(one, name) is not None]
        return Findings(
            half=[f"{one.name} is no whole backup" for one in whole if not is_sound(one)]
        )

    def _killed_during(self, act: Callable[[], object], seconds: float) -> None:
        """Do something in a thread, kill the app meanwhile, and start it again."""

        def acting() -> None:
            try:
                act()
            except _GONE:
                return  # as was to be expected

        thread = threading.Thread(target=acting)
        thread.start()
        time.sleep(seconds)
        self._app.kill()
        thread.join()
        self._app.start()

    def _told(self, store: Store) -> int:
        head = store.prototype.head(store.library.main_branch(self._story).id)
        return head.chapter if head else 0
