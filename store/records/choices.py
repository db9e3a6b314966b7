"""What the writer chose among scored candidates, chapter by chapter, to compare with the scores."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from store.database.database import Database, Row
from store.database.rows import from_row
from store.models.base import Id, Record
from store.models.proposals import Score

MOST_CHOICES = 200

_CHOICES = """
WITH places AS (
    SELECT rowid AS place FROM candidates
    WHERE chosen_by = 'writer' AND branch IN (SELECT id FROM branches WHERE story = :story)
    ORDER BY chapter DESC, rowid DESC LIMIT :most
), made AS (
    SELECT id, branch, chapter, parts_of FROM places JOIN candidates AS c ON c.rowid = places.place
)
SELECT made.id AS choice, made.branch, made.chapter, made.parts_of, c.id AS candidate, s.*
FROM made
JOIN candidates AS c ON c.branch = made.branch AND c.chapter = made.chapter
JOIN scores AS s ON s.candidate = c.id
WHERE c.id = made.id OR instr(made.parts_of, c.id) OR c.round = (
    SELECT max(round) FROM candidates WHERE branch = made.branch AND chapter = made.chapter
)
ORDER BY made.chapter, made.id, c.rowid, s.position
"""
"""Only the candidates of the newest choices are read, and those without their Deltas."""


class Choice(Record):
    """A chapter for which the writer chose one of several scored candidates.

    The others of the chapter's newest round were passed over. To take a candidate and rework it is
    to choose that one.
    """

    branch: Id
    chapter: int
    chosen: tuple[Score, ...]
    passed_over: tuple[tuple[Score, ...], ...]


class Choices:
    """Reads the writer's choices."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, story: str, most: int = MOST_CHOICES) -> list[Choice]:
        """Return the newest choices on all branches of a story, in the order of the chapters.

        Choices without scores or alternatives, and those combined from several candidates, are left
        out.
        """
        rows = self._database.rows(_CHOICES, {"story": story, "most": most})
        each = groupby(rows, key=lambda row: str(row["choice"]))
        choices = (_choice(choice, list(its)) for choice, its in each)
        return [choice for choice in choices if choice is not None]


def _choice(chosen: str, rows: Sequence[Row]) -> Choice | None:
    scores = dict(_scores(rows))
    parts: list[str] = json.loads(rows[0]["parts_of"])
    if chosen not in scores and len(parts) == 1:
        chosen = parts[0]
    others = tuple(its for candidate, its in scores.items() if candidate != chosen)
    if chosen not in scores or not others:
        return None
    first = rows[0]
    return Choice(
        branch=first["branch"],
        chapter=first["chapter"],
        chosen=scores[chosen],
        passed_over=others,
    )


def _scores(rows: Sequence[Row]) -> Iterator[tuple[str, tuple[Score, ...]]]:
    for candidate, its in groupby(rows, key=lambda row: str(row["candidate"])):
        yield candidate, tuple(from_row(Score, row) for row in its)
