"""What a run does while the library cannot be written: it waits, and what is held is written later."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress

from store.errors import LibraryUnavailable, StoreError
from store.records.runs import RunStore

LONGEST_WAIT = 15.0
"""Seconds between two tries to go on."""
LONGEST_ALTOGETHER = 300.0
"""Seconds of waiting after which a run fails, to be continued by hand."""
EVERY = 2.0
"""Seconds between two tries to write what is held after a run has ended."""

_log = logging.getLogger(__name__)


class LibraryWaits:
    """The waits of one run for a library that cannot be written."""

    def __init__(self) -> None:
        self._waited = 0.0
        self._next = 1.0
        self._last = time.monotonic()

    def after(self, problem: LibraryUnavailable) -> float | None:
        """Return for how many seconds to wait after a problem; None if it is of no use, or enough.

        A problem long after the last one is a new one, with waits of its own.
        """
        now = time.monotonic()
        if now - self._last > LONGEST_ALTOGETHER:
            self._waited, self._next = 0.0, 1.0
        self._last = now
        if not problem.is_passing or self._waited >= LONGEST_ALTOGETHER:
            return None
        seconds, self._next = self._next, min(2 * self._next, LONGEST_WAIT)
        self._waited += seconds
        return seconds


def trouble_of(problem: LibraryUnavailable, seconds: float) -> str:
    """Return, in a writer's words, why a run waits, and for how many seconds."""
    remedy = f" It goes on by itself: {problem.remedy}." if problem.remedy else ""
    return f"{problem.reason} Trying again in {seconds:.0f} s.{remedy}"


class CatchingUp:
    """A thread, while there is need of one, that writes what the library could not take before."""

    def __init__(self, runs: RunStore) -> None:
        self._runs = runs
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Begin to try, unless that has begun; return at once."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="catching up", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Try for the last time, and end."""
        self._closing.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
        with suppress(StoreError):
            self._runs.write_held()

    def _work(self) -> None:
        while not self._closing.wait(EVERY):
            try:
                self._runs.write_held()
            except StoreError as problem:
                _log.debug("what is held cannot be written yet: %s", problem)
            with self._lock:
                if not self._runs.has_held:
                    self._thread = None
                    return
