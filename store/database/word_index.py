"""The words of the story, indexed as they are committed, for search and retrieval.

There are three indexes. `words` (FTS5, three letters at a time) finds any piece of any script.
`terms` (FTS5, whole words) finds what mentions something, the newest first, in a time that does not
grow with the story. `names` finds people and places by name. The texts themselves are in the entity
tables only; `wordings` says which version a row of the indexes belongs to. The rows of one branch
and kind share a shelf, a range of row numbers, so no other story is in the way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, get_origin

import sqlite_utils

from store.models.cast import Character, Trait
from store.models.delta import Change
from store.models.fields import shown_fields
from store.models.plot import Scene
from store.models.prototype import AnyEntity, EntityKind
from store.models.story import Commit
from store.text import fold, is_unspaced, name_key

SEARCHED: tuple[EntityKind, ...] = ("character", "scene", "event", "thread", "relationship")
"""The kinds of entities that are searched."""

INDEXED: tuple[EntityKind, ...] = (*SEARCHED, "participation")
"""The kinds of entities whose words are indexed."""

SHELF_BITS = 40
"""A shelf has room for 2 to the power of this many versions."""

END = "\n\n"
"""Added to every indexed text, so its last letters begin a group of three as well."""

_MOST_TERMS = 400
"""The most terms of a text that are indexed; a longer text is found by its beginning."""

_ASCII_WORD = re.compile(r"[a-z0-9]+")


class Wording(NamedTuple):
    """One version's words: its whole text, what it mentions, and its names."""

    branch: str
    kind: str
    id: str
    chapter: int
    commit: int
    text: str
    speaks_of: str = ""
    names: tuple[str, ...] = ()


def terms_of(text: str) -> tuple[str, ...]:
    """Return the distinct words of a text, folded, in order; single letters do not count.

    In a script without spaces, every two adjacent letters count as a word.
    """
    return tuple(dict.fromkeys(word_sequence(text)))


@lru_cache(maxsize=4_096)
def word_sequence(text: str) -> tuple[str, ...]:
    """Return the words of a text as `terms_of` has them, each as often as it occurs."""
    return tuple(
        piece for word in _words_of(fold(text)) for piece in _pieces_of(word) if len(piece) > 1
    )


def _words_of(folded: str) -> list[str]:
    if folded.isascii():
        return _ASCII_WORD.findall(folded)
    return "".join(one if _is_letter(one) else " " for one in folded).split()


def _pieces_of(word: str) -> Iterator[str]:
    if word.isascii():
        yield word
        return
    for is_dense, letters in groupby(word, key=is_unspaced):
        run = "".join(letters)
        yield from (run[at : at + 2] for at in range(len(run) - 1)) if is_dense else (run,)


def _is_letter(character: str) -> bool:
    """Return whether a character is a letter, a combining mark, or a digit."""
    return unicodedata.category(character)[0] in "LMN"


def lines_of(entity: AnyEntity) -> tuple[str, ...]:
    """Return the texts of an entity that are searched, its name first."""
    read, has_several = _reader(type(entity))
    said = read(entity)
    if not has_several:
        return said
    lines: list[str] = []
    for one in said:
        lines += (one,) if isinstance(one, str) else map(_line, one)
    return tuple(lines)


@cache
def _reader(model: type[AnyEntity]) -> tuple[Callable[[AnyEntity], tuple[Any, ...]], bool]:
    """Return a reader of a type's searched fields, and whether any of them holds several texts.

    It reads every entity that a prompt might quote, so it is made once for each type.
    """
    names = [name for name, field in shown_fields(model).items() if field.is_searched]
    has_several = any(get_origin(model.model_fields[name].annotation) is tuple for name in names)
    if len(names) > 1:
        return attrgetter(*names), has_several
    return lambda entity: tuple(getattr(entity, name) for name in names), has_several


def _line(one: str | Trait) -> str:
    return f"{one.name} {one.value}" if isinstance(one, Trait) else one


def names_of(entity: AnyEntity) -> tuple[str, ...]:
    """Return the names of a person or a place."""
    match entity:
        case Character():
            return (entity.name, *entity.aliases)
        case Scene():
            return (entity.name,)
    return ()


def index_words(
    database: sqlite_utils.Database, commit: Commit, places: Iterable[tuple[int, Change]]
) -> None:
    """Index the words of a commit's changes, each under its chapter.

    A version with the same words as the one before it needs no row of its own: whoever sees one
    sees the other.
    """
    insert_wordings(
        database,
        [
            wording_of(change.after, commit.branch, chapter, commit.id)
            for chapter, change in places
            if change.after is not None and _has_new_words(change)
        ],
    )


def _has_new_words(change: Change) -> bool:
    if change.after is None or change.kind not in INDEXED:
        return False
    told = () if change.before is None else lines_of(change.before)
    return told != lines_of(change.after) and any(lines_of(change.after))


def wording_of(entity: AnyEntity, branch: str, chapter: int, commit: int) -> Wording:
    """Return the words of a version of an entity, as they are indexed."""
    return Wording(
        branch=branch,
        kind=entity.kind,
        id=entity.id,
        chapter=chapter,
        commit=commit,
        text="\n".join(lines_of(entity)),
        speaks_of=_speaks_of(entity),
        names=names_of(entity),
    )


def _speaks_of(entity: AnyEntity) -> str:
    """Return the text by which an entity is retrieved; none for a place, which has its name."""
    return "" if isinstance(entity, Scene) else "\n".join(lines_of(entity))


def insert_wordings(database: sqlite_utils.Database, wordings: Iterable[Wording]) -> None:
    """Index wordings, each on its shelf, the newest last."""
    by_shelf: dict[tuple[str, str], list[Wording]] = {}
    for wording in wordings:
        by_shelf.setdefault((wording.branch, wording.kind), []).append(wording)
    numbered = [
        pair
        for (branch, kind), shelved in by_shelf.items()
        for pair in enumerate(shelved, start=_first_free(database, branch, kind))
    ]
    # In the order of their numbers, they form one part of each index; FTS5 begins another
    # whenever a number is lower than the one before.
    _insert(database, sorted(numbered, key=lambda pair: pair[0]))


def _first_free(database: sqlite_utils.Database, branch: str, kind: str) -> int:
    database.execute(
        "INSERT OR IGNORE INTO shelves (branch_id, kind) VALUES (:branch, :kind)",
        {"branch": branch, "kind": kind},
    )
    [[shelf]] = database.execute(
        "SELECT number FROM shelves WHERE branch_id = :branch AND kind = :kind",
        {"branch": branch, "kind": kind},
    ).fetchall()
    first, last = shelf << SHELF_BITS, (shelf + 1) << SHELF_BITS
    [[free]] = database.execute(
        "SELECT coalesce((SELECT number + 1 FROM wordings WHERE number >= :first "
        "AND number < :last ORDER BY number DESC LIMIT 1), :first)",
        {"first": first, "last": last},
    ).fetchall()
    return int(free)


def _insert(database: sqlite_utils.Database, numbered: list[tuple[int, Wording]]) -> None:
    connection = database.conn
    connection.executemany(
        "INSERT INTO wordings (number, id, chapter, commit_id) VALUES (?, ?, ?, ?)",
        [(number, one.id, one.chapter, one.commit) for number, one in numbered],
    )
    connection.executemany(
        "INSERT INTO words (rowid, text) VALUES (?, ?)",
        [(number, fold(one.text) + END) for number, one in numbered],
    )
    connection.executemany(
        "INSERT INTO terms (rowid, text) VALUES (?, ?)",
        [
            (number, " ".join(terms_of(one.speaks_of)[:_MOST_TERMS]))
            for number, one in numbered
            if one.speaks_of
        ],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO names (branch_id, kind, term, id, commit_id) VALUES (?, ?, ?, ?, ?)",
        [row for _, one in numbered for row in _name_rows(one)],
    )


def _name_rows(wording: Wording) -> Iterator[tuple[str, str, str, str, int]]:
    for name in wording.names:
        for term in dict.fromkeys([name_key(name), *terms_of(name)]):
            yield wording.branch, wording.kind, term, wording.id, wording.commit
