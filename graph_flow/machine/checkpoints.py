"""Where the machine keeps its checkpoints: a file beside the library, small and disposable.

What is worth keeping is in the library; a checkpoint only says where a run continues. Only the
newest few of each thread are kept: a run of thousands of chapters leaves no more than a short one.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite import SqliteSaver

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

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._since_pruned: dict[str, int] = {}

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
            self._prune(thread, kept["configurable"]["checkpoint_ns"])
            count = 0
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
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        with closing(source), saver.lock:
            source.backup(saver.conn)


def open_checkpoints(library: Path) -> SqliteSaver:
    """Open the checkpoint file of a library, creating it if it does not exist."""
    path = checkpoints_path(library)
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    saver = PruningSaver(connection)
    saver.setup()
    return saver


def checkpoints_path(library: Path) -> Path:
    """Return where the checkpoints of a library are."""
    return library.with_name(f"{library.stem}.checkpoints.db")
