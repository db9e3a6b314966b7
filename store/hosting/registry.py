"""The registry of a site: its writers, what they use, and the audit, in an SQLite file of its own.

Several processes share it. Each operation opens the file, does one transaction and closes it again:
there is at most one for each call to a model, so nothing is gained by keeping connections.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path

from store.database.rows import column, now
from store.errors import LibraryUnavailable, NotFound, StoreError
from store.hosting.records import (
    AuditEvent,
    AuditLine,
    Identity,
    LibraryState,
    Use,
    Writer,
)

FILE = "site.db"
_FORMAT = 1
_PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""

SEEN_EVERY = timedelta(minutes=1)
"""After how long it is noted again that somebody is there."""

_TABLES = """
CREATE TABLE writers (
    id TEXT PRIMARY KEY, issuer TEXT NOT NULL, subject TEXT NOT NULL,
    name TEXT NOT NULL, email TEXT NOT NULL, since TEXT NOT NULL, signed_in TEXT NOT NULL,
    seen TEXT NOT NULL, is_shut_out INTEGER NOT NULL DEFAULT 0, ticket TEXT NOT NULL DEFAULT '',
    library TEXT
);
CREATE TABLE used (
    writer TEXT NOT NULL, day TEXT NOT NULL, calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0, PRIMARY KEY (writer, day)
) WITHOUT ROWID;
CREATE TABLE audit (
    moment TEXT NOT NULL, writer TEXT NOT NULL, event TEXT NOT NULL, about TEXT NOT NULL
);
CREATE INDEX audit_of_writer ON audit (writer, moment);
"""
_ARRIVED = """
INSERT INTO writers (id, issuer, subject, name, email, since, signed_in, seen, ticket)
VALUES (:id, :issuer, :subject, :name, :email, :moment, :moment, :moment, :ticket)
ON CONFLICT (id) DO UPDATE SET name = :name, email = :email, seen = :moment, ticket = :ticket,
    signed_in = CASE WHEN ticket = :ticket THEN signed_in ELSE :moment END
"""
_BOOK = """
INSERT INTO used (writer, day, calls) VALUES (:writer, :day, 1)
ON CONFLICT (writer, day) DO UPDATE SET calls = calls + 1
"""
_CHARGE = """
UPDATE used SET calls = calls + :calls, tokens = tokens + :tokens, cost = cost + :cost
WHERE writer = :writer AND day = :day
"""
_SUM = """
SELECT coalesce(sum(calls), 0), coalesce(sum(tokens), 0), coalesce(sum(cost), 0.0)
FROM used WHERE writer = :writer AND day >= :first AND day <= :last
"""
_WRITER = (
    "SELECT id, issuer, subject, name, email, since, signed_in, seen, is_shut_out FROM writers"
)


class Registry:
    """Keeps the writers of a site. Thread-safe, and safe among processes.

    Raises:
        LibraryUnavailable: from any method, if the file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        with _plainly():
            folder.mkdir(parents=True, exist_ok=True)
        with self._open() as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("BEGIN IMMEDIATE")
            found = database.execute("PRAGMA user_version").fetchone()[0]
            if found > _FORMAT:
                raise StoreError(f"{FILE} was made by a newer version of Tellwright.")
            if found < _FORMAT:
                for statement in filter(str.strip, _TABLES.split(";")):
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {_FORMAT}")
            database.execute("COMMIT")

    def arrived(self, identity: Identity, ticket: str) -> tuple[Writer, bool]:
        """Note that somebody is there, and return them and whether they have just signed in.

        `ticket` is the same for all visits of one sign-in. Nothing is written for a visit that tells
        no more than that they still are there: everybody's pages would wait for each other.
        """
        known = self._known(identity, ticket)
        if known is not None:
            return known, False
        values = {
            "id": identity.writer,
            **identity.model_dump(),
            "moment": column(now()),
            "ticket": ticket,
        }
        with self._writing() as database:
            before = database.execute(
                "SELECT ticket FROM writers WHERE id = ?", (identity.writer,)
            ).fetchone()
            database.execute(_ARRIVED, values)
        return self.writer(identity.writer), before is None or before[0] != ticket

    def _known(self, identity: Identity, ticket: str) -> Writer | None:
        """Return somebody of whom all is noted already, and who was seen a moment ago."""
        with self._open() as database:
            row = database.execute(
                f"{_WRITER} WHERE id = ? AND ticket = ? AND name = ? AND email = ? AND seen > ?",
                (
                    identity.writer,
                    ticket,
                    identity.name,
                    identity.email,
                    column(now() - SEEN_EVERY),
                ),
            ).fetchone()
        return None if row is None else _writer(row)

    def writer(self, writer: str) -> Writer:
        """Return a writer.

        Raises:
            NotFound: if there is none with this id.
        """
        with self._open() as database:
            row = database.execute(f"{_WRITER} WHERE id = ?", (writer,)).fetchone()
        if row is None:
            raise NotFound("There is no such writer on this site.")
        return _writer(row)

    def writers(self) -> list[Writer]:
        """Return all writers, whoever was seen last first."""
        with self._open() as database:
            rows = database.execute(f"{_WRITER} ORDER BY seen DESC, id").fetchall()
        return [_writer(row) for row in rows]

    def shut_out(self, writer: str, is_shut_out: bool) -> None:
        """Refuse a writer from now on, or let them in again; their library stays as it is."""
        with self._writing() as database:
            database.execute(
                "UPDATE writers SET is_shut_out = ? WHERE id = ?", (int(is_shut_out), writer)
            )

    def begin_call(self, writer: str, day: date, most_calls: int | None) -> bool:
        """Count a call of a day; return False, counting nothing, if that would be too many."""
        with self._writing() as database:
            values = {"writer": writer, "day": day.isoformat()}
            made = database.execute(
                "SELECT calls FROM used WHERE writer = :writer AND day = :day", values
            ).fetchone()
            if most_calls is not None and made is not None and made[0] >= most_calls:
                return False
            if most_calls == 0:
                return False
            database.execute(_BOOK, values)
        return True

    def end_call(self, writer: str, day: date, use: Use | None) -> None:
        """Add what a call that was counted has used; None takes the call out of the count."""
        used = {"calls": -1, "tokens": 0, "cost": 0.0}
        if use is not None:
            used = {"calls": 0, "tokens": use.tokens, "cost": use.cost}
        with self._writing() as database:
            database.execute(_CHARGE, {"writer": writer, "day": day.isoformat(), **used})

    def use(self, writer: str, first: date, last: date) -> Use:
        """Return what a writer used from one day to another, both counted."""
        days = {"writer": writer, "first": first.isoformat(), "last": last.isoformat()}
        with self._open() as database:
            calls, tokens, cost = database.execute(_SUM, days).fetchone()
        return Use(calls=calls, tokens=tokens, cost=max(0.0, cost))

    def note(self, event: AuditEvent, writer: str, about: str = "") -> AuditLine:
        """Write an audit line, and return it."""
        line = AuditLine(moment=now(), writer=writer, event=event, about=about[:300])
        with self._writing() as database:
            database.execute(
                "INSERT INTO audit (moment, writer, event, about) VALUES (?, ?, ?, ?)",
                (column(line.moment), line.writer, line.event.value, line.about),
            )
        return line

    def audit(self, limit: int = 200) -> list[AuditLine]:
        """Return the newest audit lines, the newest first."""
        with self._open() as database:
            rows = database.execute(
                "SELECT moment, writer, event, about FROM audit ORDER BY rowid DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [
            AuditLine(
                moment=datetime.fromisoformat(moment), writer=writer, event=event, about=about
            )
            for moment, writer, event, about in rows
        ]

    def keep_state(self, writer: str, state: LibraryState) -> None:
        """Keep how a writer's library was when the site looked."""
        with self._writing() as database:
            database.execute(
                "UPDATE writers SET library = ? WHERE id = ?", (state.model_dump_json(), writer)
            )

    def states(self) -> Mapping[str, LibraryState]:
        """Return how each library was when the site last looked, by the writer's id."""
        with self._open() as database:
            rows = database.execute(
                "SELECT id, library FROM writers WHERE library IS NOT NULL"
            ).fetchall()
        return {writer: LibraryState.model_validate_json(state) for writer, state in rows}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with (
            _plainly(),
            closing(
                sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
            ) as database,
        ):
            yield database

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction: everything done in it is kept, or nothing."""
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")


def _writer(row: tuple[object, ...]) -> Writer:
    names = tuple(Writer.model_fields)
    return Writer.model_validate(dict(zip(names, row, strict=True)))


@contextmanager
def _plainly() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnavailable(
            f"What this site knows of its writers ({FILE}) cannot be read or written: {error}."
        ) from error
