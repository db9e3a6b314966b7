"""Reading a stream in its own thread, so that a stop or a deadline never has to wait for it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, Protocol, TypeVar

from graph_flow.llm.errors import RunStopped
from store.models.endpoint import Endpoint

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

LOOK_UP = 0.1
"""Seconds between two checks of the stop event while nothing arrives."""

KEPT_ALIVE = 5
"""How long an endpoint may show that it is still there without sending any content, in multiples of
its timeout. Gateways send comments while a slow model thinks."""
ALTOGETHER = 10
"""How long a whole answer may take, in multiples of the timeout."""


class Limit(Enum):
    """What a stream took too long for."""

    SILENCE = "not a sign of life"
    CONTENT = "signs of life, and no content"
    WHOLE = "content, and no end"


class DeadlinePassed(Exception):
    """The stream took longer than allowed; `seconds` is how long it was waited for."""

    def __init__(self, limit: Limit, seconds: float) -> None:
        super().__init__(limit.value)
        self.limit = limit
        self.seconds = seconds


@dataclass(frozen=True)
class Patience:
    """How many seconds to wait: for a sign of life, for content, and for the end.

    Silence is counted from the last sign of life, of whatever kind, and content from the last
    content: signs of life do not put off its deadline.
    """

    silence: float
    content: float
    whole: float

    @classmethod
    def of(cls, timeout: float) -> Patience:
        """Return the patience with an endpoint of this timeout."""
        return cls(timeout, timeout * KEPT_ALIVE, timeout * ALTOGETHER)


class Source(Protocol[T_co]):
    """A stream under way."""

    def read(self) -> Iterator[T_co | None]:
        """Yield its content, and None for a sign of life; called once, in a thread of its own."""

    def hang_up(self) -> None:
        """End it now, from any thread, whatever it is waiting for."""


OnQuiet = Callable[[bool], None]
"""Called with True when only signs of life came for the whole timeout, with False when content does."""


def ignore_quiet(_is_quiet: bool) -> None:
    """Take no notice."""


class Slots:
    """Limit how many streams an endpoint serves at once. Thread-safe."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._in_use = 0
        self._changed = threading.Condition()

    @property
    def in_use(self) -> int:
        """How many slots are taken."""
        with self._changed:
            return self._in_use

    def take(self, stop: threading.Event) -> None:
        """Wait for a free slot.

        Raises:
            RunStopped: if the stop event is set before one is free.
        """
        with self._changed:
            while not stop.is_set():
                if self._in_use < self._count:
                    self._in_use += 1
                    return
                self._changed.wait(LOOK_UP)
        raise RunStopped

    def give_back(self) -> None:
        """Release a slot."""
        with self._changed:
            self._in_use -= 1
            self._changed.notify()


class SlotBook:
    """The slots of each endpoint, shared by all who ask it. Thread-safe."""

    def __init__(self) -> None:
        self._slots: dict[tuple[str, str, int], Slots] = {}
        self._lock = threading.Lock()

    def of(self, endpoint: Endpoint) -> Slots:
        """Return the slots of an endpoint."""
        name = (endpoint.base_url, endpoint.model, endpoint.concurrency)
        with self._lock:
            return self._slots.setdefault(name, Slots(endpoint.concurrency))


@dataclass(frozen=True)
class _End:
    error: BaseException | None = None


@dataclass(frozen=True)
class _Arrival(Generic[T]):
    """What came out of a source, and when; None is a sign of life."""

    what: T | _End | None
    at: float = field(default_factory=time.monotonic)


class Pump(Generic[T]):
    """Read a source in a thread, and hold a slot until it has ended or was hung up.

    `open_source` is called once there is a slot.
    """

    def __init__(self, open_source: Callable[[], Source[T]], slots: Slots) -> None:
        self._open_source = open_source
        self._slots = slots
        self._arrived: queue.SimpleQueue[_Arrival[T]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._has_slot = False

    def begin(self, stop: threading.Event) -> None:
        """Wait for a slot, and start reading.

        Raises:
            RunStopped: if the stop event is set before a slot is free.
        """
        self._slots.take(stop)
        self._has_slot = True
        try:
            self._source = self._open_source()
            threading.Thread(target=self._run, name="model stream", daemon=True).start()
        except BaseException:
            self._give_back()
            raise

    def pieces(
        self, stop: threading.Event, patience: Patience, on_quiet: OnQuiet = ignore_quiet
    ) -> Generator[T, None, None]:
        """Yield the content of the source; hang up when the caller stops reading.

        Raises:
            RunStopped: as soon as the stop event is set.
            DeadlinePassed: when the patience is at its end.
            BaseException: whatever the source raised.
        """
        waiting = _Waiting(patience, on_quiet)
        try:
            while True:
                if stop.is_set():
                    raise RunStopped
                try:
                    arrival = self._arrived.get(timeout=min(LOOK_UP, patience.silence))
                except queue.Empty:
                    waiting.check(time.monotonic())
                    continue
                if isinstance(arrival.what, _End):
                    break
                waiting.note(arrival.at, is_content=arrival.what is not None)
                waiting.check(arrival.at)
                if arrival.what is not None:
                    yield arrival.what
        finally:
            self._source.hang_up()
            self._give_back()
        error = arrival.what.error
        del arrival  # an error that is raised in a frame that knows it holds on to itself
        try:
            if error is not None:
                raise error
        finally:
            del error

    def _run(self) -> None:
        self._arrived.put(_Arrival(self._read()))

    def _read(self) -> _End:
        try:
            for piece in self._source.read():
                self._arrived.put(_Arrival(piece))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the reader's thread
            return _End(error)
        else:
            return _End()
        finally:
            self._give_back()

    def _give_back(self) -> None:
        """Give the slot back once, whether the source or its reader is done first."""
        with self._lock:
            had_slot, self._has_slot = self._has_slot, False
        if had_slot:
            self._slots.give_back()


def unless_stopped(work: Callable[[], T], stop: threading.Event) -> T:
    """Return what a piece of work returns; leave it to itself as soon as the stop event is set.

    Raises:
        RunStopped: if the event is set.
        BaseException: whatever the work raised.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again in the caller's thread
            done.set_exception(error)

    threading.Thread(target=run, name="starting a model", daemon=True).start()
    while not stop.is_set():
        if wait([done], LOOK_UP).done:
            return done.result()
    raise RunStopped


class _Waiting:
    """How long a stream has been waited for. Times are those of the monotonic clock."""

    def __init__(self, patience: Patience, on_quiet: OnQuiet) -> None:
        self._patience = patience
        self._on_quiet = on_quiet
        self._is_quiet = False
        self._began = self._sign = self._content = time.monotonic()

    def note(self, at: float, *, is_content: bool) -> None:
        """Note that something arrived at this time."""
        self._sign = at
        if is_content:
            self._content = at
            self._say(is_quiet=False)

    def check(self, now: float) -> None:
        """Return if there is still patience at this time.

        Raises:
            DeadlinePassed: if there is none.
        """
        for limit, since, seconds in (
            (Limit.SILENCE, self._sign, self._patience.silence),
            (Limit.CONTENT, self._content, self._patience.content),
            (Limit.WHOLE, self._began, self._patience.whole),
        ):
            if now - since > seconds:
                raise DeadlinePassed(limit, now - since)
        if now - self._content > self._patience.silence:
            self._say(is_quiet=True)

    def _say(self, *, is_quiet: bool) -> None:
        if is_quiet is not self._is_quiet:
            self._is_quiet = is_quiet
            self._on_quiet(is_quiet)
