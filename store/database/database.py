"""The library file: connections, migrations, and transactions that lose nothing.

A connection belongs to one thread at a time, because a shared one loses writes. When that thread
has ended, the next one that needs a connection takes it over with its prepared statements:
preparing a statement often takes longer than running it. Every write begins with `BEGIN IMMEDIATE`,
because a transaction that turns from reading to writing halfway fails if another writer was faster.
The driver's own transactions are off (`isolation_level` is None), so inside ours sqlite-utils makes
savepoints and commits nothing on its own.
"""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlite_utils

from store.database.migrating import begin_library, migrate
from store.database.packing import has_none_packed, unpack_row
from store.database.troubles import is_busy, plain_errors, say_plainly
from store.errors import StoreError

Row = dict[str, Any]

BUSY_SECONDS = 30.0
"""How long a writer waits for another that shows no sign of work."""
MOST_BUSY_SECONDS = 600.0
"""How long a writer waits for others that are at work."""

_STATEMENTS = 512
"""Prepared statements that a connection keeps; plotting and showing a story takes fewer."""
_FREE = """
SELECT freelist_count AS free, page_count AS pages FROM pragma_freelist_count, pragma_page_count
"""
_FREE_PAGES = 4_096
"""Free pages that are not worth writing the file anew: 16 MB."""
_IDLE = 16
"""The most connections that are kept for the next threads."""


class _Connected(sqlite_utils.Database):
    """A connection whose savepoints all have the same name; the innermost of that name counts.

    sqlite-utils gives each a name of its own, and so a new statement to prepare, for which one that
    is needed again has to go.
    """

    @contextmanager
    def atomic(self) -> Generator[sqlite_utils.Database]:
        """Do several things or none of them: within a transaction as a savepoint, or in one of its own."""
        if not self.conn.in_transaction:
            with super().atomic():
                yield self
            return
        self.conn.execute("SAVEPOINT inner")
        try:
            yield self
        except BaseException:
            if self.conn.in_transaction:  # the error may have ended it
                self.conn.execute("ROLLBACK TO inner")
                self.conn.execute("RELEASE inner")
            raise
        self.conn.execute("RELEASE inner")


class _IdleConnections:
    """Connections whose threads have ended, kept for the next ones.

    There is no lock, because a thread's locals may be dropped at any moment, even while it holds
    one. Each operation on the deque is atomic.
    """

    def __init__(self) -> None:
        self._kept: deque[sqlite_utils.Database] = deque()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._kept)

    def take(self) -> sqlite_utils.Database | None:
        """Return a connection that no thread uses any more, if there is one."""
        try:
            return self._kept.pop()
        except IndexError:
            return None

    def keep(self, database: sqlite_utils.Database) -> None:
        """Keep a connection, unless it is in the middle of something or there are enough."""
        if database.conn.in_transaction or len(self._kept) >= _IDLE:
            database.conn.close()
            return
        self._kept.append(database)
        if self._is_closed:  # possibly since the thread began to end
            self.close()

    def close(self) -> None:
        """Close all connections, and those that are still to come."""
        self._is_closed = True
        self.clear()

    def clear(self) -> None:
        """Close all connections that are kept now."""
        while (database := self.take()) is not None:
            database.conn.close()


class _Session:
    """One thread's connection; it becomes idle when the thread's locals are dropped."""

    def __init__(self, database: sqlite_utils.Database, idle: _IdleConnections) -> None:
        self.database = database
        self._end = weakref.finalize(self, idle.keep, database)

    @property
    def is_open(self) -> bool:
        """Whether the thread can still use the connection."""
        return self._end.alive

    def close(self) -> None:
        """Close the connection, so that no other thread takes it over."""
        if self._end.detach() is not None:
            self.database.conn.close()


class Database:
    """A library file. Opening it creates it if it is not there, and never deletes or rewrites it.

    Raises:
        LibraryTooNew: if a newer version of Tellwright made the file.
        LibraryDamaged: if the file is not a library.
        LibraryUnavailable: if it cannot be opened.
    """

    def __init__(self, path: Path, patience: float = BUSY_SECONDS) -> None:
        self.path = path
        self._patience = patience
        self._local = threading.local()
        self._sessions: weakref.WeakSet[_Session] = weakref.WeakSet()
        self._idle = _IdleConnections()
        weakref.finalize(self, self._idle.close)
        self._lock = threading.Lock()
        self._is_closed = False
        try:
            with plain_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                begin_library(path)
                migrate(self.read())
                self.read().enable_wal()
        except BaseException:
            self.close()
            raise

    def read(self) -> sqlite_utils.Database:
        """Return this thread's connection, for reading.

        Raises:
            StoreError: if the library was closed.
        """
        session: _Session | None = getattr(self._local, "session", None)
        if session is None or not session.is_open:
            session = self._open_session()
            self._local.session = session
        return session.database

    def rows(self, sql: str, parameters: Mapping[str, object] | None = None) -> list[Row]:
        """Return all rows of a query, so no half-read cursor keeps an old state alive.

        Raises:
            LibraryDamaged: if the file cannot be read.
        """
        # Not by `query` of sqlite-utils, which examines every statement again: a chapter takes
        # hundreds of short ones.
        try:
            cursor = self.read().conn.execute(sql, parameters or {})
            found = cursor.fetchall()
        except (OSError, sqlite3.Error) as error:
            say_plainly(error, self.path)
            raise
        if not found:
            return []
        columns = [column[0] for column in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in found]
        return rows if has_none_packed(columns) else [unpack_row(row) for row in rows]

    def row(self, sql: str, parameters: Mapping[str, object] | None = None) -> Row | None:
        """Return the first row of a query, or None."""
        return next(iter(self.rows(sql, parameters)), None)

    def tuples(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> list[tuple[Any, ...]]:
        """Return all rows of a query as tuples of their columns, for tens of thousands of rows.

        Raises:
            LibraryDamaged: if the file cannot be read.
        """
        try:
            return self.read().conn.execute(sql, parameters or {}).fetchall()
        except (OSError, sqlite3.Error) as error:
            say_plainly(error, self.path)
            raise

    @contextmanager
    def write(self) -> Iterator[sqlite_utils.Database]:
        """Open a write transaction: everything done in it is kept, or nothing.

        Inside another one on the same thread, it is a savepoint of that one.

        Raises:
            LibraryUnavailable: if the file stays busy, or the disk is full.
        """
        database = self.read()
        with plain_errors(self.path):
            if database.conn.in_transaction:
                with database.atomic():
                    yield database
            else:
                self._begin(database)
                yield from _until_commit(database)

    def _begin(self, database: sqlite_utils.Database) -> None:
        """Begin a write transaction; wait for other writers for as long as they are at work.

        Raises:
            LibraryUnavailable: if they are not, or if they never come to an end.
        """
        last = time.monotonic() + MOST_BUSY_SECONDS
        before: tuple[object, ...] | None = None
        while True:
            try:
                database.conn.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                signs = self._signs_of_work(database)
                if signs == before or time.monotonic() >= last or not is_busy(error):
                    raise
                before = signs
            else:
                return

    def _signs_of_work(self, database: sqlite_utils.Database) -> tuple[object, ...]:
        """Return what changes when others commit, or write more than they keep in memory."""
        log = self.path.with_name(f"{self.path.name}-wal")
        try:
            found = log.stat()
        except OSError:
            written: tuple[object, ...] = ()
        else:
            written = (found.st_size, found.st_mtime_ns)
        return (*database.conn.execute("PRAGMA data_version").fetchone(), *written)

    def give_back_space(self) -> None:
        """Write the file anew without what is free in it, if that is most of it.

        Raises:
            LibraryUnavailable: if the file stays busy, or the disk is full. Nothing is changed then.
        """
        row = self.row(_FREE) or {"free": 0, "pages": 0}
        if row["free"] > max(_FREE_PAGES, row["pages"] // 2):
            with plain_errors(self.path):
                self.read().conn.execute("VACUUM")

    def replace_with(self, other: Path) -> None:
        """Replace everything in this library with what another library file holds.

        The other file is only read. If it is of an earlier version, a copy of it is migrated first.

        Raises:
            LibraryTooNew: if a newer version made the other file.
            LibraryDamaged: if the other file is not a library.
            LibraryUnavailable: if it cannot be read, or this one is busy. Nothing is changed then.
        """
        with plain_errors(other), tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / self.path.name
            source = sqlite3.connect(f"{other.absolute().as_uri()}?mode=ro", uri=True)
            with closing(source), closing(sqlite3.connect(copy)) as target:
                source.backup(target)
            migrated = Database(copy)
            try:
                migrated.read().conn.backup(self.read().conn)
            finally:
                migrated.close()

    def release(self) -> None:
        """Close this thread's connection, once the thread has done its work."""
        session: _Session | None = getattr(self._local, "session", None)
        if session is not None:
            session.close()

    def rest(self) -> None:
        """Close this thread's connection, and all that no thread uses.

        After many threads at once, SQLite keeps the handles of connections that were closed until
        none is open any more.
        """
        self.release()
        self._idle.clear()

    def close(self) -> None:
        """Close the connections of all threads; the library cannot be used afterwards."""
        with self._lock:
            self._is_closed = True
            for session in list(self._sessions):
                session.close()
            self._idle.close()

    @property
    def connection_count(self) -> int:
        """How many connections are open."""
        with self._lock:
            return len(self._idle) + sum(session.is_open for session in self._sessions)

    def _open_session(self) -> _Session:
        with self._lock:
            if self._is_closed:
                raise StoreError("The library is closed.")
            session = _Session(self._idle.take() or _connect(self.path, self._patience), self._idle)
            self._sessions.add(session)
            return session


def _connect(path: Path, seconds: float) -> sqlite_utils.Database:
    # The thread check is off so that a thread can take over a connection, or close another's.
    connection = sqlite3.connect(
        path,
        timeout=seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS,
    )
    try:
        # Each commit is on the disk before it counts as done: what is committed survives a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # for macOS, which otherwise only asks the disk
        connection.execute("PRAGMA foreign_keys = ON")
        # Plugins of sqlite-utils that happen to be installed have no business in the library.
        return _Connected(connection, execute_plugins=False)
    except BaseException:
        connection.close()
        raise


def _until_commit(database: sqlite_utils.Database) -> Iterator[sqlite_utils.Database]:
    try:
        yield database
        database.conn.execute("COMMIT")
    except BaseException:
        database.rollback()
        raise
