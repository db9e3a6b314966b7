"""The library file of a story: worked on here, and put among the results after each chapter.

What could not be put there, because the results could not be written or the worker was killed, stays in a
folder of this machine, and the next worker here goes on from it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

from graph_flow.command_line.experiments.shared.leases import Lease
from graph_flow.command_line.experiments.shared.results import Results
from store.database.troubles import plain_errors
from store.errors import StoreError
from store.upkeep.files import check_database, copy_database, remove_if_there

SCRATCH = "TELLWRIGHT_SCRATCH"
"""The variable that names the folder in which workers keep the files that they work on."""
_BASE = "base"
"""Says which library among the results the one beside it goes on from."""
_NONE = "none"

_log = logging.getLogger(__name__)


def scratch_folder() -> Path:
    """Return the folder in which workers of this machine keep the files that they work on."""
    chosen = os.environ.get(SCRATCH, "").strip()
    return Path(chosen).expanduser() if chosen else user_cache_path("tellwright") / "experiments"


class LibraryFile:
    """The library of a story as one worker has it."""

    def __init__(self, results: Results, story: str, lease: Lease) -> None:
        of_place = hashlib.sha256(results.place.encode()).hexdigest()[:16]
        self._results, self._story, self._lease = results, story, lease
        self._all = scratch_folder() / of_place / story
        self.folder = self._all / f"{lease.number:08d}"
        self.path = self.folder / "library.db"
        self._steps = self.folder / f"{self.path.stem}.checkpoints.db"
        """Where its runs stand: without it they would go on from what is in the library."""
        self._versions = 0
        self.is_safe = True
        """Whether what was asked to be put among the results last is there."""

    def fetch(self) -> bool:
        """Get the newest library of the story; return False if it has none yet.

        Raises:
            ResultsUnusable: if the results cannot be read.
            OSError: if there is no room here.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        newest = self.newest()
        is_there = self._adopt(newest) or self._download(newest)
        for other in self._all.iterdir():
            if other != self.folder:
                shutil.rmtree(other, ignore_errors=True)
        return is_there

    def newest(self) -> str | None:
        """Return where the newest library of the story is among the results."""
        found = self._results.list(f"stories/{self._story}")
        return found[-1].key if found else None

    def put(self) -> str:
        """Put the library as it is at this moment among the results; return where it is.

        Where its runs stand is copied first: that they stand before something that is done does no harm.

        Raises:
            ResultsUnusable: if the results cannot be written; what is here stays.
            StoreError, OSError: if it cannot be copied.
        """
        self.is_safe = False
        self._versions += 1
        name = f"{self._lease.number:08d}-{self._versions:06d}.db"
        for path, folder in ((self._steps, "checkpoints"), (self.path, "stories")):
            self._put_copy(path, f"{folder}/{self._story}/{name}")
        self.is_safe = True
        key = f"stories/{self._story}/{name}"
        (self.folder / _BASE).write_text(key, encoding="utf-8")
        return key

    def _put_copy(self, path: Path, key: str) -> None:
        """Put a copy of a database among the results, in the place of earlier ones."""
        copy = path.with_suffix(".copy")
        older = [one.key for one in self._results.list(key.rpartition("/")[0])]
        try:
            _copy(path, copy)
            self._results.put(key, copy)
        finally:
            remove_if_there(copy)
        self._results.remove(*(one for one in older if one < key))

    def remove(self) -> None:
        """Remove what is here, since it is among the results."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):  # another worker has begun something there
            self._all.rmdir()

    def _download(self, newest: str | None) -> bool:
        content = None if newest is None else self._results.get(newest)
        (self.folder / _BASE).write_text(newest or _NONE, encoding="utf-8")
        if newest is None or content is None:
            return False
        self.path.write_bytes(content)
        steps = self._results.get(newest.replace("stories/", "checkpoints/", 1))
        if steps is not None:
            self._steps.write_bytes(steps)
        return True

    def _adopt(self, newest: str | None) -> bool:
        """Take over what an earlier worker of this machine left, if it goes on from the newest library.

        It is copied: should that worker wake up again, it must not write to the same file.
        """
        for left in sorted(self._all.iterdir(), reverse=True):
            try:
                base = (left / _BASE).read_text("utf-8")
                if left == self.folder or base != (newest or _NONE):
                    continue
                for path in (self._steps, self.path):
                    _copy(left / path.name, path)
                    check_database(path)
            except (OSError, StoreError) as problem:
                _log.info("nothing was taken over from %s: %s", left, problem)
                remove_if_there(self.path, self._steps)
                continue
            (self.folder / _BASE).write_text(base, encoding="utf-8")
            return True
        return False


def _copy(source: Path, target: Path) -> None:
    with plain_errors(source):
        copy_database(source, target, lambda _part, _whole: None)
