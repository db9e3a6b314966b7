"""Where the machine keeps its checkpoints: a file beside the library, small and disposable.

What is worth keeping is in the library; a checkpoint only says where a run continues. Only the
newest few of each thread are kept: a run of thousands of chapters leaves no more than a short one.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite import SqliteSaver

from store.database.troubles import plain_errors
from store.errors import StoreError

_log = logging.getLogger(__name__)

KEPT = 4
"""The least number of checkpoints kept per thread. A run continues from the newest, with whatever the
steps under way had finished; the others are for a disk that lost its last writes."""
PRUNED_EVERY = 8
"""Checkpoints between two prunings."""

_OLD = """
checkpoint_id <= (
    SELECT checkpoint_id FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = :space
    ORDER BY checkpoint_id DESC LIMIT 1 OFFSET :kept
) AND thread_id = :thread AND checkpoint_ns = :space
"""
"""Ids of checkpoints begin with the time, so they sort by it."""


class PruningSaver(SqliteSaver):
    """Keep only the newest checkpoints of each thread, with what was finished after them."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        super().__init__(connection)
        self._path = path
        self._since_pruned: dict[str, int] = {}

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Give out a cursor; a transaction is kept as a whole, or nothing of it is.

        Raises:
            LibraryUnavailable: if the disk is full, or another program keeps the file locked.
        """
        with plain_errors(self._path), self.lock, closing(self.conn.cursor()) as cursor:
            try:
                yield cursor
                if transaction:
                    self.conn.commit()
            except BaseException:
                self.conn.rollback()
                raise

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint; now and then drop the old ones of its thread."""
        kept = super().put(config, checkpoint, metadata, new_versions)
        thread = str(kept["configurable"]["thread_id"])
        count = self._since_pruned.get(thread, 0) + 1
        if count >= PRUNED_EVERY:
            try:
                self._prune(thread, kept["configurable"]["checkpoint_ns"])
                count = 0
            except StoreError as problem:
                _log.warning("old checkpoints could not be dropped yet: %s", problem)
        self._since_pruned[thread] = count
        return kept

    def delete_thread(self, thread_id: str) -> None:
        """Delete all checkpoints of a thread."""
        super().delete_thread(thread_id)
        self._since_pruned.pop(thread_id, None)

    def _prune(self, thread: str, space: str) -> None:
        values = {"thread": thread, "space": space, "kept": KEPT}
        with self.cursor() as cursor:
            # The writes first: they are found by the checkpoints that are about to go.
            cursor.execute(f"DELETE FROM writes WHERE {_OLD}", values)  # noqa: S608 - a constant
            cursor.execute(f"DELETE FROM checkpoints WHERE {_OLD}", values)  # noqa: S608 - a constant


def copy_checkpoints(saver: SqliteSaver, library: Path) -> None:
    """Replace the checkpoints with those of another library, if it has any."""
    path = checkpoints_path(library)
    if path.exists():
        with plain_errors(path):
            source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            with closing(source), saver.lock:
                source.backup(saver.conn)


def open_checkpoints(library: Path) -> SqliteSaver:
    """Open the checkpoint file of a library, creating it if it does not exist.

    One that is damaged is set aside: nothing of a story is in it, and runs go on from the library.

    Raises:
        LibraryUnavailable: if it cannot be opened.
    """
    path = checkpoints_path(library)
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _opened(path)
        except sqlite3.DatabaseError as problem:
            if isinstance(problem, sqlite3.OperationalError) and not _is_damage(problem):
                raise
            aside = _set_aside(path)
            _log.warning("the checkpoints are damaged (%s), and set aside as %s", problem, aside)
            return _opened(path)


def _opened(path: Path) -> SqliteSaver:
    connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        for (found,) in connection.execute("PRAGMA quick_check(1)"):
            if found != "ok":
                raise sqlite3.DatabaseError(found)
        saver = PruningSaver(connection, path)
        saver.setup()
    except BaseException:
        connection.close()
        raise
    return saver


def _is_damage(problem: sqlite3.OperationalError) -> bool:
    return problem.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _set_aside(path: Path) -> Path:
    """Rename a file and what SQLite keeps beside it; return its new name."""
    name = f"{path.name}.damaged-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(f"{path.name}{ending}")
        if part.exists():
            part.rename(path.with_name(f"{name}{ending}"))
    return path.with_name(name)


def checkpoints_path(library: Path) -> Path:
    """Return where the checkpoints of a library are."""
    return library.with_name(f"{library.stem}.checkpoints.db")
