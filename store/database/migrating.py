"""Bringing a library file up to this version's tables; a new file begins with all of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlite_utils

from store.database.migrations import MIGRATIONS
from store.database.model_tables import (
    add_missing_columns,
    has_missing_columns,
    unknown_columns,
)
from store.database.rows import column, now
from store.errors import LibraryDamaged, LibraryTooNew


def begin_library(path: Path) -> None:
    """Make a new library file, unless there is a file already.

    Every migration in turn takes a quarter of a second, a copy of what they made before takes none. The
    file is whole when it appears, and of two processes that begin it, one does. Where that cannot be had,
    nothing is made, and the file is migrated from nothing.
    """
    if path.exists():
        return
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    with suppress(OSError):
        try:
            with part.open("xb") as file:
                file.write(_empty_library())
                file.flush()
                os.fsync(file.fileno())
            path.hardlink_to(part)
        finally:
            part.unlink(missing_ok=True)


def migrate(database: sqlite_utils.Database) -> None:
    """Migrate a file under one exclusive lock: every migration once, then new fields.

    Raises:
        LibraryDamaged: if it is not a library.
        LibraryTooNew: if a newer version made it.
    """
    if _version(database) < len(MIGRATIONS) or has_missing_columns(database):
        connection = database.conn
        connection.execute("BEGIN EXCLUSIVE")
        try:
            for number in range(_version(database) + 1, len(MIGRATIONS) + 1):
                migration = MIGRATIONS[number - 1]
                migration(database)
                row = {"number": number, "name": migration.__name__, "applied": column(now())}
                database.table("migrations").insert(row)
            add_missing_columns(database)
            connection.execute("COMMIT")
        except BaseException:
            database.rollback()
            raise


@cache
def _empty_library() -> bytes:
    """Return the bytes of a library in which nothing is yet."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(sqlite_utils.Database(connection))
        return connection.serialize()


def _version(database: sqlite_utils.Database) -> int:
    tables = database.table_names()
    if not tables:
        return 0
    if "migrations" not in tables:
        raise LibraryDamaged("This file is another program's database, not a Tellwright library.")
    found = _largest(database.query("SELECT max(number) AS number FROM migrations"))
    if found > len(MIGRATIONS):
        raise LibraryTooNew(f"its format is {found}; this version knows {len(MIGRATIONS)}")
    if found == len(MIGRATIONS) and (unknown := unknown_columns(database)):
        raise LibraryTooNew(f"this version does not know {', '.join(unknown)}")
    return found


def _largest(rows: Iterable[dict[str, Any]]) -> int:
    return next((row["number"] or 0 for row in list(rows)), 0)
