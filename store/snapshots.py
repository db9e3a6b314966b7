"""The last snapshots that were read, so that a long story is not read anew for every chapter.

A snapshot is kept under the hash of the commit that it ends with. The hash speaks of all that was
told up to there, so what is kept can never be out of date, whoever commits meanwhile.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from store.models.prototype import Snapshot
from store.models.story import Commit

KEPT = 8


class SnapshotCache:
    """Keeps the snapshots used last, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Commit, Snapshot]] = OrderedDict()

    def get(self, commit: Commit) -> Snapshot | None:
        """Return the snapshot that ends with a commit, if it is kept."""
        with self._lock:
            found = self._kept.get(commit.hash)
            if found is None:
                return None
            self._kept.move_to_end(commit.hash)
            return found[1]

    def put(self, commit: Commit, snapshot: Snapshot) -> None:
        """Keep a snapshot, in place of the one that was not used for the longest time."""
        with self._lock:
            self._kept[commit.hash] = (commit, snapshot)
            self._kept.move_to_end(commit.hash)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def before(self, commit: Commit) -> tuple[Commit, Snapshot] | None:
        """Return the newest snapshot of the same branch that ends before a commit, if one is kept."""
        with self._lock:
            earlier = [
                pair
                for pair in self._kept.values()
                if pair[0].branch == commit.branch and pair[0].id < commit.id
            ]
        return max(earlier, key=lambda pair: pair[0].id, default=None)
