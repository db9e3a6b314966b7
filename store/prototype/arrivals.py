"""What ever came into a story, and when: what the graphs keep a place for.

This is not the state at a chapter but everything that was ever on a branch's line, even if it was
removed again: a graph in which the removed keep their places moves nobody who stays.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from store.database.database import Database
from store.models.base import Record
from store.prototype.lineage import LINE, bounds

_WITH_ONE_EVENT = 5
"""How close an event shared on arrival brings two people; a relationship counts by its strength."""


class Arrival(Record):
    """A person, and how close they were to others in the commit that brought them, by id."""

    person: str
    commit: int
    companions: Mapping[str, int] = Field(default_factory=dict)


class ToldChapter(Record):
    """What a chapter ever told, by id: events in order, people and places as they come up."""

    chapter: int
    events: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()


_ON_LINE = """line CROSS JOIN {table} AS e
    ON e.branch_id = line.branch_id AND e.chapter <= line.last_chapter
   AND e.commit_id <= line.last_commit"""
_BIRTHS = f"""births (id, commit_id, ordinal) AS MATERIALIZED (
    SELECT e.id, min(e.commit_id), e.ordinal FROM {_ON_LINE.format(table="characters")}
    GROUP BY e.id
)"""
_PEOPLE = f"{LINE}, {_BIRTHS} SELECT id, commit_id FROM births ORDER BY commit_id, ordinal"
_TIES = f"""{LINE}, {_BIRTHS}
SELECT e.commit_id, e.source, e.target, e.strength FROM {_ON_LINE.format(table="relationships")}
WHERE e.commit_id IN (SELECT commit_id FROM births) ORDER BY e.commit_id, e.ordinal"""
_TOGETHER = f"""{LINE}, {_BIRTHS}
SELECT e.commit_id, e.event, e.character FROM {_ON_LINE.format(table="participations")}
WHERE e.commit_id IN (SELECT commit_id FROM births) ORDER BY e.commit_id, e.ordinal"""

_TOLD = f"""{LINE}, told (id, born, place, came_commit, came_ordinal) AS MATERIALIZED (
    SELECT id, born, position, came_commit, came_ordinal FROM (
        SELECT e.id, e.position, lead(e.id) OVER history IS NULL AS is_newest,
               first_value(e.chapter) OVER history AS born,
               first_value(e.commit_id) OVER history AS came_commit,
               first_value(e.ordinal) OVER history AS came_ordinal
        FROM {_ON_LINE.format(table="events")}
        WINDOW history AS (PARTITION BY e.id ORDER BY e.chapter, e.commit_id)
    ) WHERE is_newest AND born BETWEEN :first AND :last
)"""
_ORDER = "told.born, told.place, told.came_commit, told.came_ordinal"
_EVENTS = f"{_TOLD} SELECT born, id FROM told ORDER BY {_ORDER}"
_WITH_EVENTS = """{told} SELECT told.born, e.{field} AS id FROM {versions}
JOIN told ON told.id = e.event
GROUP BY e.id ORDER BY {order}, min(e.commit_id), e.ordinal"""
_PARTS = _WITH_EVENTS.format(
    told=_TOLD, field="character", order=_ORDER, versions=_ON_LINE.format(table="participations")
)
_SCENES = _WITH_EVENTS.format(
    told=_TOLD, field="scene", order=_ORDER, versions=_ON_LINE.format(table="occurrences")
)


def read_arrivals(database: Database, branch_id: str) -> list[Arrival]:
    """Return everybody who was ever on a branch's line, in the order in which they came.

    The order is that of the commits, so later arrivals are later in the list, even if an earlier
    chapter was edited.
    """
    born = {row["id"]: row["commit_id"] for row in database.rows(_PEOPLE, bounds(branch_id))}
    close: dict[str, dict[str, int]] = {person: {} for person in born}

    def bring_together(commit: int, one: str, other: str, closeness: int) -> None:
        for person, companion in ((one, other), (other, one)):
            if person != companion and born.get(person) == commit:
                close[person][companion] = close[person].get(companion, 0) + closeness

    for row in database.rows(_TIES, bounds(branch_id)):
        bring_together(row["commit_id"], row["source"], row["target"], row["strength"])
    events: dict[str, list[str]] = {}
    for row in database.rows(_TOGETHER, bounds(branch_id)):
        present = events.setdefault(row["event"], [])
        for other in present:
            bring_together(row["commit_id"], row["character"], other, _WITH_ONE_EVENT)
        present.append(row["character"])
    return [
        Arrival(person=person, commit=commit, companions=close[person])
        for person, commit in born.items()
    ]


def read_told(database: Database, branch_id: str, first: int, last: int) -> list[ToldChapter]:
    """Return what the chapters `first` to `last` ever told, in order, without empty ones."""
    place = bounds(branch_id) | {"first": first, "last": last}
    events, people, scenes = (
        _by_chapter(database, query, place) for query in (_EVENTS, _PARTS, _SCENES)
    )
    return [
        ToldChapter(
            chapter=chapter,
            events=tuple(told),
            people=tuple(people.get(chapter, ())),
            scenes=tuple(scenes.get(chapter, ())),
        )
        for chapter, told in events.items()
    ]


def _by_chapter(
    database: Database, query: str, place: Mapping[str, object]
) -> dict[int, dict[str, None]]:
    found: dict[int, dict[str, None]] = {}
    for row in database.rows(query, place):
        found.setdefault(row["born"], {})[row["id"]] = None
    return found
