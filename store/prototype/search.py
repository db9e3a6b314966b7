"""Search a story by any piece of any word, in any script, as of any chapter of a branch.

The index says where to look; what is found is read as of that chapter and checked again, so neither
a former version nor another branch is ever shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from store.database.database import Database
from store.database.word_index import SEARCHED, SHELF_BITS, lines_of
from store.deltas.names import Names
from store.models.base import Record
from store.models.cast import Relationship
from store.models.delta import Delta
from store.models.prototype import AnyEntity, EntityKind, Snapshot
from store.prototype.lineage import Stretch, head_at, line_of
from store.prototype.states import read_part
from store.text import fold

_MOST_WORDS = 8
_LONGEST_WORD = 40
_MOST_FOUND = 200
"""Entities of each kind that are looked at, those with the newest words first."""

_EXCERPT = 140
_LETTERS = 3
"""How many letters the index keeps together."""

_BY_LETTERS = """
SELECT w.id FROM words JOIN wordings AS w ON w.number = words.rowid
WHERE words MATCH :match AND words.rowid >= :first AND words.rowid < :last
  AND w.chapter <= :chapter AND w.commit_id <= :commit
GROUP BY w.id ORDER BY max(w.number) DESC LIMIT :most
"""
_BY_BEGINNING = """
SELECT w.id FROM letters JOIN wordings AS w ON w.number = letters.doc
WHERE letters.term >= :from AND letters.term < :to AND letters.doc >= :first AND letters.doc < :last
  AND w.chapter <= :chapter AND w.commit_id <= :commit
GROUP BY w.id ORDER BY max(w.number) DESC LIMIT :most
"""
"""One or two letters are found if they begin a group of three."""

_SHELVES = """
SELECT number, kind FROM shelves WHERE branch_id = :branch
"""


class SearchHit(Record):
    """A search result as it is now. `chapter` is where it first appeared."""

    id: str
    kind: EntityKind
    label: str
    excerpt: str
    """The text in which it was found, or the beginning of its text."""
    chapter: int


class Search:
    """Finds people, relationships, scenes, events and threads by their words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self,
        branch: str,
        chapter: int | None,
        text: str,
        kinds: Collection[EntityKind] | None = None,
        limit: int = 20,
    ) -> list[SearchHit]:
        """Return what contains all words of a text at the end of a chapter, the best first.

        None is the newest chapter. Quotes and operators have no special meaning in a text.
        """
        words = words_of(text)
        head = head_at(self._database, branch, chapter)
        if not words or head is None:
            return []
        ids: dict[EntityKind, set[str]] = {}
        for stretch in line_of(self._database, branch, head.chapter):
            for kind, shelf in self._shelves(stretch, kinds):
                ids.setdefault(kind, set()).update(self._ids(stretch, shelf, words))
        found = read_part(self._database, branch, head.chapter, ids)
        return ranked(self._with_ends(branch, found), words)[:limit]

    def _shelves(
        self, stretch: Stretch, kinds: Collection[EntityKind] | None
    ) -> list[tuple[EntityKind, int]]:
        rows = self._database.rows(_SHELVES, {"branch": stretch.branch})
        wanted = SEARCHED if kinds is None else kinds
        return [(row["kind"], row["number"]) for row in rows if row["kind"] in wanted]

    def _ids(self, stretch: Stretch, shelf: int, words: Sequence[str]) -> Iterator[str]:
        place: dict[str, object] = {
            "first": shelf << SHELF_BITS,
            "last": (shelf + 1) << SHELF_BITS,
            "chapter": stretch.last_chapter,
            "commit": stretch.last_commit,
            "most": _MOST_FOUND,
        }
        letters = list(dict.fromkeys(piece for word in words for piece in _pieces(word)))
        if letters:
            query = _BY_LETTERS
            place["match"] = " AND ".join(map(_quoted, letters))
        else:
            longest = max(words, key=len)
            query = _BY_BEGINNING
            place |= {"from": longest, "to": f"{longest}\U0010ffff"}
        for row in self._database.rows(query, place):
            yield row["id"]

    def _with_ends(self, branch: str, found: Snapshot) -> Snapshot:
        """Return what was found with the people of its relationships, whose names are its label."""
        ends = {
            end
            for relationship in found.of(Relationship)
            for end in (relationship.source, relationship.target)
        }
        people = read_part(self._database, branch, found.chapter, {"character": ends})
        return found.model_copy(update={"entities": {**people.entities, **found.entities}})


def words_of(text: str) -> list[str]:
    """Return the words of a query, folded; at most eight, none too long."""
    legible = "".join(one if one.isprintable() else " " for one in text[: _MOST_FOUND * 4])
    words = fold(legible).split()[:_MOST_WORDS]
    return [word[:_LONGEST_WORD] for word in words]


def _pieces(word: str) -> list[str]:
    return [word[at : at + _LETTERS] for at in range(len(word) - _LETTERS + 1)]


def _quoted(piece: str) -> str:
    return '"' + piece.replace('"', '""') + '"'


def ranked(found: Snapshot, words: Sequence[str]) -> list[SearchHit]:
    """Return what contains all the words, the best first.

    What has the words in its name comes before what mentions them, whole words before pieces, and
    what appeared later before what appeared earlier.
    """
    names = Names(found, Delta())
    hits = [
        (_distance(entity, names.label(entity), words), -found.first_chapter_of(entity.id), entity)
        for entity in found.entities.values()
        if _has_all(fold("\n".join(lines_of(entity))), words)
    ]
    hits.sort(key=lambda hit: hit[:2])
    return [
        SearchHit(
            id=entity.id,
            kind=entity.kind,
            label=names.label(entity),
            excerpt=_excerpt(entity, words),
            chapter=found.first_chapter_of(entity.id),
        )
        for _, _, entity in hits
    ]


def _has_all(folded: str, words: Sequence[str]) -> bool:
    return all(word in folded for word in words)


def _distance(entity: AnyEntity, label: str, words: Sequence[str]) -> int:
    called = [fold(label), *(fold(line) for line in lines_of(entity)[:1])]
    if " ".join(words) in called:
        return 0
    if any(_has_all(name, words) for name in called):
        return 1
    told = f" {fold(' '.join(lines_of(entity)))}"
    return 2 if all(f" {word}" in told for word in words) else 3


def _excerpt(entity: AnyEntity, words: Sequence[str]) -> str:
    lines = [line for line in lines_of(entity) if line]
    found = [line for line in lines if any(word in fold(line) for word in words)]
    return _around(found[-1] if found else lines[0], words)


def _around(line: str, words: Sequence[str]) -> str:
    """Return a line, or the part of it around the first of some words, cut at spaces."""
    line = " ".join(line.split())
    if len(line) <= _EXCERPT:
        return line
    at = min((place for word in words if (place := fold(line).find(word)) >= 0), default=0)
    start = max(0, min(at - _EXCERPT // 3, len(line) - _EXCERPT))
    cut = line[start : start + _EXCERPT]
    left, right = "…" if start else "", "…" if start + _EXCERPT < len(line) else ""
    return f"{left}{cut.strip()}{right}"
