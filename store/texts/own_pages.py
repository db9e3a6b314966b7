"""The pages of a library that its writer wrote or brought along: no agent has written or revised them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from store.database.database import Database
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.manuscript import DraftState

_OWN = f"""
SELECT branches.story AS story, t.branch AS branch, t.chapter AS chapter, t.id AS id, t.words AS words
FROM drafts AS t
JOIN branches ON branches.id = t.branch
JOIN stories ON stories.id = branches.story AND stories.deleted IS NULL
WHERE (:story IS NULL OR branches.story = :story)
  AND t.is_by_hand AND t.revises IS NULL AND t.words > 0 AND t.chapter < {FIRST_OF_TELLING}
  AND t.state IN ('{DraftState.EDITED.value}', '{DraftState.APPROVED.value}')
  AND t.version = (
    SELECT max(o.version) FROM drafts AS o WHERE o.branch = t.branch AND o.chapter = t.chapter
  )
ORDER BY t.created DESC, t.id DESC
"""
_TEXT = "SELECT text FROM drafts WHERE id = :id"


class OwnPage(NamedTuple):
    """A chapter that the writer wrote or imported; `story` and `branch` say where it stands."""

    story: str
    branch: str
    chapter: int
    text: str


class OwnPages:
    """Reads the writer's own chapters."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self) -> str:
        """Return a text that is another one when there are other pages, or they have another length."""
        return str(
            [(row["id"], row["words"]) for row in self._database.rows(_OWN, {"story": None})]
        )

    def newest_first(self, story: str | None = None) -> Iterator[OwnPage]:
        """Yield the writer's own chapters, or those of one story, those that were changed last first.

        Of a chapter that several branches of a story have, it is the newest text; what was put away is
        left out.
        """
        known: set[tuple[str, int]] = set()
        for row in self._database.rows(_OWN, {"story": story}):
            story, chapter = row["story"], row["chapter"]
            if (story, chapter) in known:
                continue
            known.add((story, chapter))
            found = self._database.row(_TEXT, {"id": row["id"]})
            if found is not None:
                yield OwnPage(story, row["branch"], chapter, found["text"])
