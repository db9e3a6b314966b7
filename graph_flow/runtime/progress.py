"""What the agents of a live run are doing at this moment. Thread-safe; nothing is kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from store.models.run import Activity


class LiveProgress:
    """Who is at work, in the order in which they began, and how far the present step is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._activities: dict[str, Activity] = {}
        self._step = ""
        self._done = 0
        self._expected = 0
        self._began = time.monotonic()

    def begin_step(self, words: str, expected: int) -> None:
        """Say what the run is doing now, and how many calls that will take."""
        with self._lock:
            self._step, self._done, self._expected = words, 0, expected

    def go_on(self, words: str, expected: int) -> None:
        """Say what the run is doing, where a run that was resumed in the middle has not said it."""
        if not self.step:
            self.begin_step(words, expected)

    def expect(self, calls: int) -> None:
        """Say anew how many calls the present step will take."""
        with self._lock:
            self._expected = calls

    @contextmanager
    def at_work(self, key: str, agent: str, words: str) -> Iterator[None]:
        """Show an agent at work for the length of a block; its end counts as one call done."""
        with self._lock:
            self._activities[key] = Activity(agent=agent, words=words[:400])
        try:
            yield
        finally:
            with self._lock:
                self._activities.pop(key, None)
                self._done += 1

    def show_text(self, key: str, text: str) -> None:
        """Show what an agent has written so far; the end of it, where it is very long."""
        with self._lock:
            activity = self._activities.get(key)
            if activity is not None:
                self._activities[key] = activity.model_copy(update={"text": text[-20_000:]})

    def show_trouble(self, key: str, words: str) -> None:
        """Show why an agent waits; no words: it waits no longer."""
        with self._lock:
            activity = self._activities.get(key)
            if activity is not None and activity.trouble != words:
                self._activities[key] = activity.model_copy(update={"trouble": words})

    @property
    def step(self) -> str:
        """The present step, in words."""
        with self._lock:
            return self._step

    @property
    def counts(self) -> tuple[int, int]:
        """Calls done and calls expected in the present step."""
        with self._lock:
            return self._done, max(self._done, self._expected)

    @property
    def activities(self) -> tuple[Activity, ...]:
        """Who is at work now."""
        with self._lock:
            return tuple(self._activities.values())

    @property
    def seconds(self) -> float:
        """Seconds since the run began in this process."""
        return time.monotonic() - self._began
