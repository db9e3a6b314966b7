"""The tables follow the models, in old libraries too, and no hash changes by it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from store.database.database import Database
from store.errors import LibraryTooNew
from store.models.cast import Character, Trait
from store.models.story import Brief
from store.open import Store
from tests.store.builders import CHAPTER_ONE, MARA, adding, altered, begin, changing, go_on

_Column = tuple[str, int, str | None]
"""The type of a column, whether it must hold something, and its default in SQL."""

_ADDED: dict[str, dict[str, _Column]] = {
    "characters": {"traits": ("TEXT", 1, "'[]'"), "life": ("TEXT", 1, "'living'")},
    "events": {"story_order": ("REAL", 0, None)},
    "threads": {"planted_in": ("INTEGER", 0, None)},
    "relationships": {"strength": ("INTEGER", 1, "5"), "is_mutual": ("INTEGER", 1, "0")},
    "goals": {"moves": ("TEXT", 0, None), "is_pinned": ("INTEGER", 1, "0")},
    "plans": {"reveal": ("TEXT", 1, "''"), "words": ("INTEGER", 1, "750")},
}


@pytest.fixture
def branch(library_path: Path) -> str:
    """The branch of a story of two chapters."""
    with opened(library_path) as store:
        id_ = store.library.main_branch(store.library.create_story(Brief()).id).id
        begin(store, id_)
        go_on(store, id_, adding(*CHAPTER_ONE))
    return id_


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    with closing(Store.open(path)) as store:
        yield store


def columns(path: Path, table: str) -> dict[str, _Column]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return {name: (type_, is_required, default) for _, name, type_, is_required, default, _ in rows}


def triples_view(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        [[sql]] = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'triples'")
    return str(sql)


def make_older(path: Path) -> None:
    """Make of a library one from before its models had some of their fields."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP VIEW triples")
        for table, fields in _ADDED.items():
            for name in fields:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
        connection.execute("CREATE VIEW triples AS SELECT id FROM characters")
        connection.commit()


@pytest.mark.usefixtures("branch")
def test_older_library_gets_the_columns_of_new_fields(library_path: Path) -> None:
    view = triples_view(library_path)
    make_older(library_path)

    Database(library_path).close()

    for table, fields in _ADDED.items():
        assert {name: columns(library_path, table)[name] for name in fields} == fields
    assert triples_view(library_path) == view
    with closing(sqlite3.connect(library_path)) as connection:
        [kept] = connection.execute("SELECT strength, is_mutual, awareness FROM relationships")
    assert kept == (5, 0, "mutual")


def test_what_was_written_before_a_field_has_its_default_and_its_hash(
    library_path: Path, branch: str
) -> None:
    with opened(library_path) as store:
        hashes = [commit.hash for commit in store.prototype.commits(branch)]
    with closing(sqlite3.connect(library_path)) as connection:
        connection.execute("DROP VIEW triples")
        for name in ("traits", "life"):
            connection.execute(f"ALTER TABLE characters DROP COLUMN {name}")
        connection.execute("CREATE VIEW triples AS SELECT id FROM characters")
        connection.commit()

    with opened(library_path) as store:
        store.prototype.verify(branch)
        assert [commit.hash for commit in store.prototype.commits(branch)] == hashes
        assert store.prototype.snapshot(branch).get(Character, "mara") == MARA
        rank = (Trait(name="rank", value="captain"),)
        go_on(store, branch, changing(MARA, traits=rank))
        store.prototype.verify(branch)
        assert store.prototype.snapshot(branch).get(Character, "mara") == altered(MARA, traits=rank)


@pytest.mark.usefixtures("branch")
@pytest.mark.parametrize("table", ["characters", "plans", "drafts"])
def test_library_with_fields_of_a_newer_version_is_refused_and_left_alone(
    library_path: Path, table: str
) -> None:
    with closing(sqlite3.connect(library_path)) as connection:
        connection.execute(f"ALTER TABLE {table} ADD COLUMN speech TEXT NOT NULL DEFAULT ''")
        connection.commit()
    before = library_path.read_bytes()

    with pytest.raises(LibraryTooNew, match=rf"does not know {table}\.speech"):
        Database(library_path)

    assert library_path.read_bytes() == before
