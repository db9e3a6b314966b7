"""Where the machine keeps its checkpoints: a file beside the library, small and disposable.

What is worth keeping stands in the library; a checkpoint only says where a run goes on.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver


def open_checkpoints(library: Path) -> SqliteSaver:
    """Open the checkpoint file of a library, and make it where there is none."""
    path = library.with_name(f"{library.stem}.checkpoints.db")
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    saver = SqliteSaver(connection)
    saver.setup()
    return saver
