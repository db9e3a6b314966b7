"""A disk without room, for a process: no file may grow beyond a few kilobytes.

That needs no disk of its own and no rights, and fails in the middle of a write, as a full disk does.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

ROOM = 4_096
"""Bytes up to which a file may still be written: less than a page of SQLite with what is around it."""


class FullDisk:
    """A disk that can be filled, and freed again: for this process, or for another (on Linux)."""

    def __init__(self, process: int | None = None) -> None:
        self._process = process
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self) -> None:
        """Leave no room."""
        self._set((ROOM, self._before[1]))

    def free(self) -> None:
        """Make room again."""
        self._set(self._before)

    def _set(self, limits: tuple[int, int]) -> None:
        if self._process is None:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        else:
            resource.prlimit(self._process, resource.RLIMIT_FSIZE, limits)


@contextmanager
def full_disk() -> Iterator[FullDisk]:
    """Give out a disk that is full in the block, unless it is freed, and never after it."""
    disk = FullDisk()
    disk.fill()
    try:
        yield disk
    finally:
        disk.free()
