"""The last snapshots that were read, so that a long story is not read anew for every chapter.

A snapshot is kept under its head: the hash of the newest commit that speaks of it, and the chapter.
The hash speaks of all that was committed up to there, so what is kept can never be out of date,
whoever commits meanwhile.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from store.lines import Head
from store.models.prototype import Snapshot

KEPT = 8


class SnapshotCache:
    """Keeps the snapshots used last, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], tuple[Head, Snapshot]] = OrderedDict()

    def get(self, head: Head) -> Snapshot | None:
        """Return the snapshot of a head, if it is kept."""
        with self._lock:
            found = self._kept.get(_key(head))
            if found is None:
                return None
            self._kept.move_to_end(_key(head))
            return found[1]

    def put(self, head: Head, snapshot: Snapshot) -> None:
        """Keep a snapshot, in place of the one that was not used for the longest time."""
        with self._lock:
            self._kept[_key(head)] = (head, snapshot)
            self._kept.move_to_end(_key(head))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def before(self, head: Head) -> tuple[Head, Snapshot] | None:
        """Return the kept snapshot of the same branch that a head goes on from the shortest way."""
        with self._lock:
            earlier = [
                pair
                for pair in self._kept.values()
                if pair[0].commit.branch == head.commit.branch
                and pair[0].commit.id <= head.commit.id
                and pair[0].chapter <= head.chapter
            ]
        return max(earlier, key=lambda pair: (pair[0].chapter, pair[0].commit.id), default=None)


def _key(head: Head) -> tuple[str, int]:
    return head.commit.hash, head.chapter
