"""Moments at which a process is killed: after some seconds, or at a boundary of what it does.

Within the process, boundaries are counted: each opening, renaming, linking or removing of a file, and
the middle of writing one at once;
each commit to the library, just before it and just after it; each checkpoint of the machine, likewise.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from langgraph.checkpoint.sqlite import SqliteSaver

from store.database.database import Database

Kind = Literal["seconds", "file", "commit", "checkpoint"]
BOUNDARIES: tuple[Kind, ...] = ("file", "commit", "checkpoint")

_FILE_EVENTS = frozenset(
    {"open", "os.rename", "os.link", "os.remove", "os.mkdir", "sqlite3.connect"}
)


@dataclass(frozen=True)
class Moment:
    """After so many seconds, or at the boundary with this number, counted from 1."""

    kind: Kind
    number: float


class _Counted:
    """Counts boundaries in this process, and kills it at one of them."""

    def __init__(self, folder: Path, moment: Moment | None) -> None:
        self.times: Counter[str] = Counter()
        self._folder = str(folder)
        self._moment = moment
        self._lock = threading.Lock()

    def at(self, kind: Kind) -> None:
        """Count a boundary; die if it is the one."""
        with self._lock:
            self.times[kind] += 1
            is_now = self._moment is not None and self._moment.kind == kind
            if is_now and self._moment and self.times[kind] >= self._moment.number:
                os.kill(os.getpid(), signal.SIGKILL)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count what is done to a file in the folder; reading one changes nothing."""
        if event not in _FILE_EVENTS or not arguments or not self.is_near(arguments[0]):
            return
        if event == "open" and not _is_for_writing(arguments):
            return
        self.at("file")

    def is_near(self, path: object) -> bool:
        """Return whether a path is in the folder."""
        return isinstance(path, str | os.PathLike) and str(path).startswith(self._folder)


def _is_for_writing(arguments: tuple[Any, ...]) -> bool:
    mode, flags = (*arguments, None, None)[1:3]
    if isinstance(mode, str):
        return any(letter in mode for letter in "wxa+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


@contextmanager
def counted(folder: Path, moment: Moment | None, report: Path) -> Iterator[None]:
    """Count the boundaries of a block, and die at one of them; else write down how many there were.

    For a process that does nothing else: what is counted stays so.
    """
    found, begun = _Counted(folder, moment), time.monotonic()
    _count_commits(found)
    _count_checkpoints(found)
    _count_writes(found)
    sys.addaudithook(found.hear)
    try:
        yield
    finally:
        took = {"seconds": time.monotonic() - begun}
        report.write_text(json.dumps({**found.times, **took}), "utf-8")


def _count_commits(found: _Counted) -> None:
    write = Database.write

    @contextmanager
    def counting(self: Database) -> Iterator[Any]:
        with write(self) as database:
            yield database
            found.at("commit")
        found.at("commit")

    Database.write = counting  # type: ignore[method-assign] # in this process only


def _count_checkpoints(found: _Counted) -> None:
    put, put_writes = SqliteSaver.put, SqliteSaver.put_writes

    def counting(self: SqliteSaver, *arguments: Any, **named: Any) -> Any:
        found.at("checkpoint")
        kept = put(self, *arguments, **named)
        found.at("checkpoint")
        return kept

    def counting_writes(self: SqliteSaver, *arguments: Any, **named: Any) -> None:
        found.at("checkpoint")
        put_writes(self, *arguments, **named)
        found.at("checkpoint")

    SqliteSaver.put = counting  # type: ignore[method-assign] # in this process only
    SqliteSaver.put_writes = counting_writes  # type: ignore[method-assign] # likewise


def _count_writes(found: _Counted) -> None:
    write = Path.write_bytes

    def in_halves(self: Path, data: bytes) -> int:
        if not found.is_near(self):
            return write(self, data)
        with self.open("wb") as file:
            file.write(data[: len(data) // 2])
            file.flush()
            found.at("file")
            file.write(data[len(data) // 2 :])
        return len(data)

    Path.write_bytes = in_halves  # type: ignore[method-assign,assignment] # in this process only


def boundaries_in(report: Path) -> Mapping[str, float]:
    """Return how many boundaries of each kind a process had that came to its end, and its seconds."""
    found: Mapping[str, float] = json.loads(report.read_text("utf-8"))
    return found
