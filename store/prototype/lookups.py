"""Where to look in a story of any length: ids found by index, each query with a bound.

No query here costs more in a long story than in a short one. The rows are versions, so what is
found may have changed since, or be gone: the caller reads it as of the chapter.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, permutations
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import from_json

from store.database.database import Database
from store.database.word_index import SHELF_BITS, terms_of
from store.models.prototype import EntityKind
from store.prototype.lineage import Stretch, line_of
from store.text import name_key

_MOST_TERMS = 10
"""Words of one text that are looked up: the longest, which are the rarest."""


_OF_A_PAIR = 16
"""Versions of the relationships of one person to another that are looked at."""


_Rows: TypeAlias = list[tuple[Any, ...]]


class PartRow(NamedTuple):
    """A participation: who has a part in which event."""

    id: str
    character: str
    event: str


class LinkRow(NamedTuple):
    """A link from one event to another."""

    id: str
    source: str
    target: str


class PlaceRow(NamedTuple):
    """An occurrence: which scene an event takes place in."""

    id: str
    event: str
    scene: str


def _for_each(columns: str, query: str) -> str:
    """Return a query that runs another one for each of `:keys`, which it sees as `sought.value`.

    Its rows are the keys with what was found for them, as JSON: one query for many keys costs a
    fraction of one query for each.
    """
    return f"""
    SELECT sought.value, (SELECT json_group_array(json_array({columns})) FROM ({query}))
    FROM json_each(:keys) AS sought
    """


_ON = "branch_id = :branch AND chapter <= :chapter AND commit_id <= :commit"
_NEWEST = "ORDER BY chapter DESC, commit_id DESC LIMIT :most"
_EVENTS = f"SELECT id FROM events WHERE {_ON} {_NEWEST}"
_EVENTS_OF = (
    "SELECT id FROM events WHERE branch_id = :branch AND chapter = :of AND :of <= :chapter "
    "AND commit_id <= :commit ORDER BY commit_id LIMIT :most"
)
_EVENTS_AFTER = f"SELECT id FROM events WHERE {_ON} AND chapter > :after ORDER BY chapter, commit_id LIMIT :most"
_THREADS = f"SELECT id FROM threads WHERE {_ON} {_NEWEST}"
_FIRST = "ORDER BY chapter, commit_id, ordinal LIMIT :most"
_FIRST_PEOPLE = f"SELECT id FROM characters WHERE {_ON} {_FIRST}"
_FIRST_SCENES = f"SELECT id FROM scenes WHERE {_ON} AND chapter = 0 {_FIRST}"
_PARTS_OF = _for_each(
    "id, character, event",
    "SELECT id, character, event FROM participations "
    f"WHERE {_ON} AND character = sought.value {_NEWEST}",
)
_AMONG = "IN (SELECT value FROM json_each(:ids))"
_PARTS_IN = (
    f"SELECT id, character, event FROM participations WHERE {_ON} AND event {_AMONG} LIMIT :most"
)
_PLACES_OF = f"SELECT id, event, scene FROM occurrences WHERE {_ON} AND event {_AMONG} LIMIT :most"
_LINKS_FROM = (
    f"SELECT id, source, target FROM event_links WHERE {_ON} AND source {_AMONG} LIMIT :most"
)
_LINKS_TO = (
    f"SELECT id, source, target FROM event_links WHERE {_ON} AND target {_AMONG} LIMIT :most"
)
_TIES_OF = _for_each(
    "id, source, target",
    f"SELECT id, source, target FROM relationships WHERE {_ON} AND source = sought.value {_NEWEST}",
)
_TIES_TOWARD = _for_each(
    "id, source, target",
    f"SELECT id, source, target FROM relationships WHERE {_ON} AND target = sought.value {_NEWEST}",
)
_TIES_AMONG = f"""
SELECT tie.id, tie.source, tie.target FROM json_each(:pairs) AS pair CROSS JOIN relationships AS tie
ON tie.rowid IN (
    SELECT rowid FROM relationships WHERE {_ON}
      AND source = json_extract(pair.value, '$[0]') AND target = json_extract(pair.value, '$[1]')
    ORDER BY chapter DESC, commit_id DESC LIMIT {_OF_A_PAIR}
)
LIMIT :most
"""
_RELATIONSHIPS_BETWEEN = _for_each(
    "id, source, target",
    f"SELECT id, source, target FROM relationships WHERE {_ON} "
    "AND source = json_extract(sought.value, '$[0]') "
    f"AND target = json_extract(sought.value, '$[1]') {_NEWEST}",
)
_NAMED = _for_each(
    "id",
    "SELECT id FROM names WHERE branch_id = :branch AND kind = :kind AND term = sought.value "
    "AND commit_id <= :commit LIMIT :most",
)
_SPEAKING = _for_each(
    "id, number",
    """
    SELECT w.id, w.number FROM shelves JOIN terms JOIN wordings AS w ON w.number = terms.rowid
    WHERE shelves.branch_id = :branch AND shelves.kind = :kind
      AND terms MATCH '"' || sought.value || '"'
      AND terms.rowid >= shelves.number << :bits AND terms.rowid < (shelves.number + 1) << :bits
      AND w.chapter <= :chapter AND w.commit_id <= :commit
    ORDER BY terms.rowid DESC LIMIT :most
    """,
)

_FROM_THE_BEGINNING = frozenset({_FIRST_PEOPLE, _FIRST_SCENES})


class Pools:
    """Finds what there is to read along a branch's line up to the end of a chapter."""

    def __init__(self, database: Database, branch: str, chapter: int) -> None:
        self._database = database
        self._branch = branch
        self._chapter = chapter

    @cached_property
    def _line(self) -> list[Stretch]:
        # Read only when something is looked up.
        return line_of(self._database, self._branch, self._chapter)

    def newest_events(self, most: int) -> list[str]:
        """Return the events that were told or changed last, the newest first."""
        return self._ids(_EVENTS, most)

    def events_of(self, chapter: int, most: int) -> list[str]:
        """Return the events that one chapter tells or changes."""
        return self._ids(_EVENTS_OF, most, of=chapter)

    def events_after(self, chapter: int, most: int) -> list[str]:
        """Return the events of the chapters after one, in order."""
        return self._ids(_EVENTS_AFTER, most, after=chapter)

    def newest_threads(self, most: int) -> list[str]:
        """Return the threads that were opened or touched last, the newest first."""
        return self._ids(_THREADS, most)

    def first_people(self, most: int) -> list[str]:
        """Return the people that the story introduces first."""
        return self._ids(_FIRST_PEOPLE, most)

    def first_scenes(self, most: int) -> list[str]:
        """Return the scenes from the beginning of the story."""
        return self._ids(_FIRST_SCENES, most)

    def parts_of(self, people: Iterable[str], most: int) -> dict[str, list[PartRow]]:
        """Return what each of some people took part in, the newest first; `most` is for each."""
        found = self._each(_PARTS_OF, people, most)
        return {person: [PartRow(*row) for row in rows] for person, rows in found.items()}

    def parts_in(self, events: Collection[str], most: int) -> list[PartRow]:
        """Return who takes part in some events."""
        return [PartRow(*row) for row in self._among(_PARTS_IN, events, most)]

    def places_of(self, events: Collection[str], most: int) -> list[PlaceRow]:
        """Return where some events take place."""
        return [PlaceRow(*row) for row in self._among(_PLACES_OF, events, most)]

    def links_at(self, events: Collection[str], most: int) -> list[LinkRow]:
        """Return the links that lead from some events or to them."""
        return _links(
            [*self._among(_LINKS_FROM, events, most), *self._among(_LINKS_TO, events, most)]
        )

    def ties_at(self, people: Collection[str], most: int) -> list[LinkRow]:
        """Return the relationships of some people to others, and of others to them.

        `most` is for each person and direction: those that changed last.
        """
        of, toward = self._each(_TIES_OF, people, most), self._each(_TIES_TOWARD, people, most)
        rows = chain.from_iterable((*of.values(), *toward.values()))
        return list(dict.fromkeys(LinkRow(*row) for row in rows))

    def relationships_among(self, people: Sequence[str], most: int) -> list[LinkRow]:
        """Return the relationships between any two of some people; `most` is for all of them."""
        pairs = list(permutations(people, 2))
        return _links(self._rows(_TIES_AMONG, most, {"pairs": json.dumps(pairs)}) if pairs else ())

    def relationships_between(self, pairs: Iterable[tuple[str, str]], most: int) -> list[LinkRow]:
        """Return the relationships of the first of each pair to the second; `most` is for each."""
        found = self._each(_RELATIONSHIPS_BETWEEN, map(json.dumps, pairs), most)
        return _links(tuple(row) for rows in found.values() for row in rows)

    def named_in(
        self, kind: EntityKind, text: str, most: int, terms: int = _MOST_TERMS
    ) -> list[str]:
        """Return the people or places whose name shares a word with a text.

        `most` is for each word: of very many namesakes, only some are found.
        """
        return self._of_names(kind, _longest_terms(text, terms), most)

    def called(self, kind: EntityKind, name: str, most: int) -> list[str]:
        """Return the people or places that have, or had, exactly this name."""
        return self._of_names(kind, [name_key(name)] if name else [], most)

    def speaking_of(
        self, kind: EntityKind, text: str, most: int, terms: int = _MOST_TERMS
    ) -> list[str]:
        """Return the newest events or threads that contain a word of a text, word by word.

        `most` is for each word. The rarest words come first: their newest mentions reach back
        furthest.
        """
        found = self._each(_SPEAKING, _longest_terms(text, terms), most, kind=kind, bits=SHELF_BITS)
        rarest = sorted(filter(None, found.values()), key=lambda rows: (len(rows), rows[-1][1]))
        return _distinct(id_ for rows in rarest for id_, _ in rows)

    def _of_names(self, kind: EntityKind, terms: Sequence[str], most: int) -> list[str]:
        found = self._each(_NAMED, terms, most, kind=kind)
        return _distinct(id_ for rows in found.values() for (id_,) in rows)

    def _among(self, query: str, ids: Collection[str], most: int) -> _Rows:
        return self._rows(query, most, {"ids": json.dumps(sorted(ids))}) if ids else []

    def _ids(self, query: str, most: int, **values: object) -> list[str]:
        return _distinct(id_ for (id_,) in self._rows(query, most, values))

    def _rows(self, query: str, most: int, values: Mapping[str, object]) -> _Rows:
        """Return the rows of a query along the line, those of the branch itself first."""
        found: _Rows = []
        line = self._line[::-1] if query in _FROM_THE_BEGINNING else self._line
        for branch, chapter, commit in line:
            left = most - len(found)
            if left <= 0:
                break
            place = {"branch": branch, "chapter": chapter, "commit": commit, "most": left}
            found += self._database.tuples(query, {**values, **place})
        return found

    def _each(
        self, query: str, keys: Iterable[str], most: int, **values: object
    ) -> dict[str, list[list[Any]]]:
        """Return a query's rows for each key along the line, those of the branch itself first."""
        found: dict[str, list[list[Any]]] = {key: [] for key in keys}
        for branch, chapter, commit in self._line:
            lacking = [key for key, rows in found.items() if len(rows) < most]
            if not lacking:
                break
            place = {"branch": branch, "chapter": chapter, "commit": commit, "most": most}
            asked = {**values, **place, "keys": json.dumps(lacking)}
            for key, rows in self._database.tuples(query, asked):
                found[key] += from_json(rows)[: most - len(found[key])]
        return found


def _longest_terms(text: str, most: int) -> list[str]:
    return sorted(terms_of(text), key=len, reverse=True)[:most]


def _links(rows: Iterable[tuple[Any, ...]]) -> list[LinkRow]:
    return list(dict.fromkeys(LinkRow(*row) for row in rows))


def _distinct(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ids))
