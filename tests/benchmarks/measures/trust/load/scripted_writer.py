"""A scripted writer at a site: what a person does there, with the pauses of a person."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random

import httpx2

from pages.components.library.strings import NEW_STORY, STORY_DOWNLOAD
from pages.components.plot.strings import CHOOSE, PLOT_NEXT
from pages.components.premise.strings import PREMISE
from tests.benchmarks.measures.trust.page import WindowError
from tests.benchmarks.measures.trust.window import Window
from tests.fakes.invention import prose, sentence

THINKS = (2.0, 10.0)
"""Seconds between two steps of a writer, at least and at most."""

ARRIVE = 30.0
"""Seconds within which all of them come in, as a class does."""


COMES_FOR = (6, 21)
"""With which steps of a day, counted from 0, somebody can begin who has the story open."""


@dataclass
class Diary:
    """What a writer did and saw."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    """How long the page took after each step, by what was done."""
    premises: dict[str, str] = field(default_factory=dict)
    """The texts that were said to be saved, by the story."""
    texts: dict[int, str] = field(default_factory=dict)
    """Those of the prepared story, by the chapter."""
    saved: int = 0
    begun: int = 0
    """Runs begun."""
    troubles: list[str] = field(default_factory=list)

    def note(self, step: str, took: float) -> None:
        """Note how long a step took."""
        self.seconds.setdefault(step, []).append(took)


class ScriptedWriter:
    """Somebody with one window on a site, whose library holds a `story` already.

    Whoever `plots` has runs at work.
    """

    def __init__(
        self, address: str, client: httpx2.Client, story: str, seed: int, *, plots: bool
    ) -> None:
        self.diary = Diary()
        self._client = client
        self._window = Window(address, client)
        self._story = story
        self._dice = Random(seed)
        self._plots = plots

    def work(self, end: threading.Event) -> None:
        """Do one thing after another until the end."""
        with self._window:
            end.wait(self._dice.uniform(0, ARRIVE))
            self._step("opened first", lambda: self._window.open("write", self._story))
            for name, act in islice(cycle(self._day()), self._dice.randrange(*COMES_FOR), None):
                if end.is_set():
                    return
                self._step(name, act)
                self._think(end)

    def leave(self) -> None:
        """Close what is open."""
        self._client.close()

    def _day(self) -> Iterator[tuple[str, Callable[[], float]]]:
        page = self._window.turn_to
        yield "Library", lambda: page("")
        yield "new story", self._begin
        yield "premise typed", self._type_premise
        yield "premise typed", self._type_premise
        yield "Library", lambda: page("")
        yield "story opened", lambda: self._window.press_key(f"open-{self._story}")
        yield "Plot", lambda: page("plot")
        yield "step of the plot", self._plot
        yield "step of the plot", self._plot
        yield "Graphs", lambda: page("graphs")
        yield "History", lambda: page("history")
        yield "Plot", lambda: page("plot")
        yield "step of the plot", self._plot
        yield "Write", lambda: page("write")
        yield "text edited", self._edit
        yield "text edited", self._edit
        yield "Outline", lambda: page("outline")
        yield "Graphs", lambda: page("graphs")
        yield "Cost", lambda: page("cost")
        yield "Export", lambda: page("export")
        yield "file saved", self._save_file

    def _step(self, name: str, act: Callable[[], float]) -> None:
        try:
            self.diary.note(name, act())
        except (WindowError, httpx2.HTTPError) as problem:
            self.diary.troubles.append(f"{name}: {type(problem).__name__}: {problem}")
            self._recover()

    def _recover(self) -> None:
        """Load the page anew, as a person does when something looks wrong."""
        try:
            self._window.open("plot", self._story)
        except (WindowError, httpx2.HTTPError) as problem:
            self.diary.troubles.append(f"opened again: {type(problem).__name__}: {problem}")

    def _think(self, end: threading.Event) -> None:
        looks = len(self._window.looked)
        try:
            until = time.monotonic() + self._dice.uniform(*THINKS)
            while not end.is_set() and (left := until - time.monotonic()) > 0:
                self._window.pause(min(left, 1.0))
        except WindowError as problem:
            self.diary.troubles.append(f"watching: {type(problem).__name__}: {problem}")
            self._recover()
        for took in self._window.looked[looks:]:
            self.diary.note("look at a run", took)

    def _begin(self) -> float:
        return self._window.press(NEW_STORY)

    def _type_premise(self) -> float:
        if not self._window.page.shows_field(PREMISE):
            return self._window.look()
        story, text = self._window.page.story, prose(self._dice, 40)
        took = self._window.type(PREMISE, text)
        if self._is_saved(text):
            self.diary.premises[story] = text
        return took

    def _edit(self) -> float:
        if not self._window.page.shows_editor:
            return self._window.look()
        _, _, given = self._window.page.editor
        chapter = int(str(given["field"]).rpartition("-")[2])
        text = f"{self._window.text}\n\n{sentence(self._dice)}"
        took = self._window.write(text)
        if self._is_saved(text):
            self.diary.texts[chapter] = text
        return took

    def _is_saved(self, text: str) -> bool:
        """Return whether the page says that a text is in the library."""
        checksum = zlib.crc32(text.encode())
        said = [one["outcome"] for one in self._window.page.answers if one["checksum"] == checksum]
        if said[-1:] != ["saved"]:
            self.diary.troubles.append(f"a text was answered {said}")
            return False
        self.diary.saved += 1
        return True

    def _plot(self) -> float:
        if self._window.page.shows_button(CHOOSE):
            return self._window.press(CHOOSE)
        if self._plots and self._window.page.shows_button(PLOT_NEXT):
            self.diary.begun += 1
            return self._window.press(PLOT_NEXT)
        return self._window.look()

    def _save_file(self) -> float:
        if not self._window.page.shows_file(STORY_DOWNLOAD):
            return self._window.turn_to("export")
        begun = time.perf_counter()
        self._window.download(STORY_DOWNLOAD)
        return time.perf_counter() - begun
