"""Tables that hold one record per row: find, keep and replace records by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

import sqlite_utils
from pydantic import BaseModel

from store.database.database import Database
from store.database.packing import packed_row
from store.database.rows import Value, from_row, to_row
from store.errors import NotFound

R = TypeVar("R", bound=BaseModel)

_STATEMENTS = 64
"""Cached statements: one for each table and set of columns."""


def put(
    database: sqlite_utils.Database,
    table: str,
    row: Mapping[str, Value],
    key: tuple[str, ...] = ("id",),
) -> None:
    """Keep a row, in place of one with the same key, in one statement; sqlite-utils takes several."""
    database.execute(_upsert(table, tuple(row), key), dict(packed_row(table, row)))


def add_all(
    database: sqlite_utils.Database, table: str, rows: Sequence[Mapping[str, Value]]
) -> None:
    """Insert new rows, all with the same columns, with one cached statement."""
    if rows:
        database.conn.executemany(_insert(table, tuple(rows[0])), rows)


@lru_cache(maxsize=_STATEMENTS)
def _upsert(table: str, columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
    return f"{_insert(table, columns)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"


@lru_cache(maxsize=_STATEMENTS)
def _insert(table: str, columns: tuple[str, ...]) -> str:
    values = ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"


class Records(Generic[R]):
    """The records of one type, in one table. `missing` is the message if one is not there."""

    def __init__(self, database: Database, model: type[R], table: str, missing: str) -> None:
        self._database = database
        self._model = model
        self._table = table
        self._missing = missing

    def get(self, record_id: str) -> R:
        """Return a record by its id.

        Raises:
            NotFound: if there is none.
        """
        return self.require(self.first("id = :id", {"id": record_id}))

    def require(self, record: R | None) -> R:
        """Return a record that must be there.

        Raises:
            NotFound: if it is not.
        """
        if record is None:
            raise NotFound(self._missing)
        return record

    def first(self, condition: str, values: Mapping[str, object]) -> R | None:
        """Return the first record that meets an SQL condition, which may end with ORDER BY."""
        return next(iter(self.all(f"{condition} LIMIT 1", values)), None)

    def all(self, condition: str, values: Mapping[str, object]) -> list[R]:
        """Return the records that meet an SQL condition, which may end with ORDER BY."""
        # Conditions are constants of the store; what comes from outside is bound as a value.
        sql = f"SELECT * FROM {self._table} WHERE {condition}"
        return [from_row(self._model, row) for row in self._database.rows(sql, values)]

    def save(self, record: R, **more: Value) -> R:
        """Keep a record, in place of one with the same id. `more` are columns that are not fields."""
        with self._database.write() as database:
            put(database, self._table, to_row(record) | more)
        return record

    def update(self, record_id: str, **values: Value) -> R:
        """Set some columns of a record and return it.

        Raises:
            NotFound: if there is none.
        """
        with self._database.write() as database:
            self.get(record_id)
            database.table(self._table).update(record_id, values)
            return self.get(record_id)
