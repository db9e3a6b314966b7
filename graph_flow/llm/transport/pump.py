"""Reading a stream in its own thread, so that a stop or a deadline never has to wait for it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from graph_flow.llm.errors import RunStopped

T = TypeVar("T")

LOOK_UP = 0.1
"""Seconds between two checks of the stop event while nothing arrives."""


class DeadlinePassed(Exception):
    """The stream took longer than allowed."""


@dataclass(frozen=True)
class _End:
    error: BaseException | None = None


class Slots:
    """Limit how many streams an endpoint serves at once."""

    def __init__(self, count: int) -> None:
        self._free = threading.BoundedSemaphore(count)

    def take(self, stop: threading.Event) -> None:
        """Wait for a free slot.

        Raises:
            RunStopped: if the stop event is set before one is free.
        """
        while not stop.is_set():
            if self._free.acquire(timeout=LOOK_UP):
                return
        raise RunStopped

    def give_back(self) -> None:
        """Release a slot."""
        self._free.release()


class Pump(Generic[T]):
    """Run `source` in a thread that holds a slot until the source has ended."""

    def __init__(self, source: Callable[[], Iterator[T]], slots: Slots) -> None:
        self._source = source
        self._slots = slots
        self._arrived: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
        self._is_abandoned = threading.Event()

    def begin(self, stop: threading.Event) -> None:
        """Wait for a slot, and start reading.

        Raises:
            RunStopped: if the stop event is set before a slot is free.
        """
        self._slots.take(stop)
        try:
            threading.Thread(target=self._run, name="model stream", daemon=True).start()
        except BaseException:
            self._slots.give_back()
            raise

    def pieces(self, stop: threading.Event, seconds: float) -> Generator[T, None, None]:
        """Yield what the source yields; end the source when the caller stops reading.

        Raises:
            RunStopped: as soon as the stop event is set.
            DeadlinePassed: after the given seconds.
            BaseException: whatever the source raised.
        """
        deadline = time.monotonic() + seconds
        try:
            while True:
                if stop.is_set():
                    raise RunStopped
                if time.monotonic() > deadline:
                    raise DeadlinePassed
                try:
                    piece = self._arrived.get(timeout=LOOK_UP)
                except queue.Empty:
                    continue
                if not isinstance(piece, _End):
                    yield piece
                elif piece.error is None:
                    return
                else:
                    raise piece.error
        finally:
            self._is_abandoned.set()

    def _run(self) -> None:
        end = _End()
        try:
            self._read()
        except BaseException as error:  # noqa: BLE001 - it is raised again in the reader's thread
            end = _End(error)
        finally:
            self._slots.give_back()
            self._arrived.put(end)

    def _read(self) -> None:
        stream = self._source()
        for piece in stream:
            if self._is_abandoned.is_set():
                break
            self._arrived.put(piece)
        close = getattr(stream, "close", None)
        if close is not None:
            close()
