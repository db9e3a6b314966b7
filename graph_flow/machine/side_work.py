"""Work beside runs: calls to models that need no run, each in a thread of its own.

A run holds its branch. A question about the story, or a passage to be put differently, need not wait
for it: it changes nothing by itself, and its calls have steps of their own.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.llm.errors import ModelError, RunStopped
from graph_flow.llm.gateway import Gateway
from graph_flow.machine.catching_up import CatchingUp
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.progress import LiveProgress
from graph_flow.views import SideState, SideWorkSeen
from store.errors import LibraryUnavailable, StoreError
from store.open import Store

Do = Callable[[StoryContext], object]
"""The work: it asks agents through the context, and returns what came of it."""

MOST_AT_ONCE = 16
"""Pieces of work that a library has under way at most; what each asks waits for its model besides."""
MOST_KEPT = 100
"""Pieces of work that have ended and are still known; then the oldest is forgotten."""

_STOPPED = "Stopped as you asked."
_BROKEN = (
    "Something went wrong inside Tellwright, but the story is as it was. "
    "Try again; if it happens again, please report it with the app's log."
)
_UNDER_WAY = "That is being worked on already. Wait for it to finish, or stop it first."
_ENOUGH = "Tellwright is already answering as much as it can at once. Wait for something to finish."
_CLOSED = "The library has been closed. Open the page again."

_log = logging.getLogger(__name__)


@dataclass
class _Piece:
    """A piece of work, under way or ended."""

    progress: LiveProgress = field(default_factory=LiveProgress)
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    state: SideState = SideState.WORKING
    message: str = ""
    result: object = None
    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def end(self, state: SideState, message: str = "", result: object = None) -> None:
        """Note how it ended."""
        self.state, self.message, self.result = state, message, result
        self.seconds = time.monotonic() - self.began

    @property
    def seen(self) -> SideWorkSeen:
        """The work as a page sees it."""
        has_ended = self.ended.is_set()
        activity = next(iter(self.progress.activities), None)
        return SideWorkSeen(
            state=self.state if has_ended else SideState.WORKING,
            text=self.progress.text,
            words=activity.words if activity else "",
            trouble=activity.trouble if activity else "",
            seconds=self.seconds if has_ended else time.monotonic() - self.began,
            message=self.message if has_ended else "",
            result=self.result if has_ended else None,
        )


class SideWork:
    """Do work beside runs in threads of this process. Thread-safe.

    A piece of work is known by its branch and a `key`, such as "talk", so that every window sees it,
    also after a reload, until it is forgotten or begun again. Nothing of it is stored but what it
    stores itself, and its calls: what was finished is found again by whoever asks it again.
    """

    def __init__(self, store: Store, gateway: Gateway) -> None:
        self._store = store
        self._gateway = gateway
        self._catching_up = CatchingUp(store.runs)
        self._lock = threading.Lock()
        self._pieces: dict[tuple[str, str], _Piece] = {}
        self._is_closed = False

    def begin(self, branch: str, key: str, do: Do) -> None:
        """Begin a piece of work; return at once.

        `do` is given a context without a run. It may raise what is meant for the writer; the text
        that its agents write is seen meanwhile.

        Raises:
            BranchBusy: if this piece is under way, or too many others are.
            WorkbenchError: if the library has been closed.
        """
        piece = _Piece()
        with self._lock:
            self._expect_room(branch, key)
            self._pieces.pop((branch, key), None)
            self._pieces[branch, key] = piece
            self._forget_oldest()
        threading.Thread(
            target=self._work, args=(branch, piece, do), name=f"beside runs: {key}"
        ).start()

    def expect_room(self, branch: str, key: str) -> None:
        """Check that a piece of work can begin.

        Raises:
            BranchBusy, WorkbenchError: as `begin`.
        """
        with self._lock:
            self._expect_room(branch, key)

    def seen(self, branch: str, key: str) -> SideWorkSeen | None:
        """Return how a piece of work stands; None if there is none."""
        piece = self._piece(branch, key)
        return piece.seen if piece else None

    def stop(self, branch: str, key: str) -> None:
        """Ask a piece of work to stop; it does so within a moment, also in the middle of an answer."""
        piece = self._piece(branch, key)
        if piece is not None:
            piece.stop.set()

    def wait(self, branch: str, key: str, seconds: float | None = None) -> bool:
        """Wait until a piece of work has ended; return False if the time runs out first."""
        piece = self._piece(branch, key)
        return piece is None or piece.ended.wait(seconds)

    def forget(self, branch: str, key: str) -> None:
        """Forget a piece of work that has ended; one under way stays."""
        with self._lock:
            piece = self._pieces.get((branch, key))
            if piece is not None and piece.ended.is_set():
                del self._pieces[branch, key]

    @property
    def is_at_work(self) -> bool:
        """Whether anything is under way."""
        with self._lock:
            return any(not one.ended.is_set() for one in self._pieces.values())

    def close(self) -> None:
        """Stop everything, and wait for it."""
        with self._lock:
            self._is_closed = True
            pieces = list(self._pieces.values())
        for piece in pieces:
            piece.stop.set()
        for piece in pieces:
            piece.ended.wait()
        self._catching_up.close()

    def _expect_room(self, branch: str, key: str) -> None:
        if self._is_closed:
            raise WorkbenchError(_CLOSED)
        before = self._pieces.get((branch, key))
        if before is not None and not before.ended.is_set():
            raise BranchBusy(_UNDER_WAY)
        if sum(not one.ended.is_set() for one in self._pieces.values()) >= MOST_AT_ONCE:
            raise BranchBusy(_ENOUGH)

    def _forget_oldest(self) -> None:
        ended = [place for place, one in self._pieces.items() if one.ended.is_set()]
        for place in ended[: max(0, len(ended) - MOST_KEPT)]:
            del self._pieces[place]

    def _piece(self, branch: str, key: str) -> _Piece | None:
        with self._lock:
            return self._pieces.get((branch, key))

    def _work(self, branch: str, piece: _Piece, do: Do) -> None:
        piece.end(SideState.FAILED, _BROKEN)
        try:
            piece.end(SideState.DONE, result=do(self._context(branch, piece)))
        except RunStopped:
            piece.end(SideState.STOPPED, _STOPPED)
        except (ModelError, WorkbenchError, StoreError) as problem:
            piece.end(SideState.FAILED, _words_of(problem))
            _log.warning("work beside runs failed: %s", piece.message)
        finally:
            if self._store.runs.has_held:
                self._catching_up.begin()
            piece.ended.set()

    def _context(self, branch: str, piece: _Piece) -> StoryContext:
        return StoryContext(
            store=self._store,
            gateway=self._gateway,
            progress=piece.progress,
            stop=piece.stop,
            branch=branch,
            run="",
        ).at_step()


def _words_of(problem: Exception) -> str:
    match problem:
        case LibraryUnavailable(remedy=remedy, reason=reason) if remedy:
            return f"{reason} Nothing that was finished is lost: {remedy}, then try again."
        case _:
            return str(problem)
