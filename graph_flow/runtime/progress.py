"""What the agents of a live run are doing at the moment. Thread-safe; nothing is stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from store.models.run import Activity

_SHOWN = 20_000
"""Characters that are shown of a text, from its end."""


class Pace(NamedTuple):
    """How fast chapters come, in seconds."""

    a_chapter: float
    at_this_one: float
    """How long the newest chapter has been worked on."""

    def left(self, chapters: int) -> float:
        """Return how long the newest chapter and those after it will take, so many in all."""
        return self.a_chapter * (chapters - 1) + max(0.0, self.a_chapter - self.at_this_one)


class LiveProgress:
    """The agents at work, in the order in which they began, and the progress of the current step."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._activities: dict[str, Activity] = {}
        self._text = ""
        self._step = ""
        self._done = 0
        self._expected = 0
        self._began = self._step_began = time.monotonic()
        self._chapters: dict[int, float] = {}

    def begin_step(self, words: str, expected: int) -> None:
        """Begin a step, with words for the writer and the number of calls it will take."""
        with self._lock:
            self._step, self._done, self._expected = words, 0, expected
            self._step_began = time.monotonic()

    def go_on(self, words: str, expected: int) -> None:
        """Begin a step unless one is under way, for a run that was resumed in the middle of it."""
        if not self.step:
            self.begin_step(words, expected)

    def open_chapter(self, chapter: int) -> None:
        """Record that work on a chapter begins; only the first time counts."""
        with self._lock:
            self._chapters.setdefault(chapter, time.monotonic())

    def expect(self, calls: int) -> None:
        """Correct the number of calls that the current step will take."""
        with self._lock:
            self._expected = calls

    @contextmanager
    def at_work(self, key: str, agent: str, words: str) -> Iterator[None]:
        """Show an agent at work for the duration of a block, which counts as one call."""
        with self._lock:
            self._activities[key] = Activity(agent=agent, words=words[:400])
        try:
            yield
        finally:
            with self._lock:
                self._activities.pop(key, None)
                self._done += 1

    @contextmanager
    def waiting(self, words: str, trouble: str) -> Iterator[None]:
        """Show, for the duration of a block, that the run waits for something, and why."""
        with self._lock:
            self._activities[words] = Activity(agent="", words=words, trouble=trouble[:400])
        try:
            yield
        finally:
            with self._lock:
                self._activities.pop(words, None)

    def show_text(self, key: str, text: str) -> None:
        """Show what an agent has written so far, or only the end of a very long text."""
        with self._lock:
            activity = self._activities.get(key)
            if activity is not None:
                self._text = text[-_SHOWN:]
                self._activities[key] = activity.model_copy(update={"text": self._text})

    def show_trouble(self, key: str, words: str) -> None:
        """Show why an agent is waiting, or, without words, that it no longer is."""
        with self._lock:
            activity = self._activities.get(key)
            if activity is not None and activity.trouble != words:
                self._activities[key] = activity.model_copy(update={"trouble": words})

    @property
    def text(self) -> str:
        """What an agent has written last, also if it is no longer at work."""
        with self._lock:
            return self._text

    @property
    def step(self) -> str:
        """The current step, in words."""
        with self._lock:
            return self._step

    @property
    def counts(self) -> tuple[int, int]:
        """Calls done and calls expected in the current step."""
        with self._lock:
            return self._done, max(self._done, self._expected)

    @property
    def activities(self) -> tuple[Activity, ...]:
        """The agents at work now."""
        with self._lock:
            return tuple(self._activities.values())

    @property
    def pace(self) -> Pace | None:
        """How long the chapters took that were begun and finished here; None before the first is."""
        with self._lock:
            begun = sorted(self._chapters.values())
        if len(begun) < 2:
            return None
        average = (begun[-1] - begun[0]) / (len(begun) - 1)
        return Pace(average, time.monotonic() - begun[-1])

    @property
    def step_seconds(self) -> float:
        """Seconds since the current step began in this process."""
        with self._lock:
            return time.monotonic() - self._step_began

    @property
    def seconds(self) -> float:
        """Seconds since the run began in this process."""
        return time.monotonic() - self._began
