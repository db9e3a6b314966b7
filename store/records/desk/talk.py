"""The writer's talk with the story and its people, on each branch."""

from __future__ import annotations

from store.database.database import Database
from store.database.records import Records
from store.models.desk.talk import TalkTurn

_SHOWN = """
branch = :branch AND person IS :person AND (:chapter IS NULL OR chapter = :chapter)
AND is_put_away = 0
"""


class Talks:
    """Keeps every question with its answer; what was put away is kept too, and not shown."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turns = Records(database, TalkTurn, "talk_turns", "This question is gone.")

    def save(self, turn: TalkTurn) -> TalkTurn:
        """Keep a question, in place of how it was kept before."""
        return self._turns.save(turn)

    def get(self, turn_id: str) -> TalkTurn:
        """Return a question by its id.

        Raises:
            NotFound: if there is none.
        """
        return self._turns.get(turn_id)

    def of(
        self, branch: str, person: str | None, chapter: int | None, most: int = 100
    ) -> list[TalkTurn]:
        """Return the newest questions to a person as of a chapter, or to the story, in order.

        A chapter of None means any.
        """
        values = {"branch": branch, "person": person, "chapter": chapter, "most": most}
        return self._turns.all(f"{_SHOWN} ORDER BY id DESC LIMIT :most", values)[::-1]

    def put_away(self, branch: str, person: str | None, chapter: int | None) -> None:
        """Put a conversation away; the next begins with nothing said."""
        values = {"branch": branch, "person": person, "chapter": chapter}
        with self._database.write() as database:
            database.execute(f"UPDATE talk_turns SET is_put_away = 1 WHERE {_SHOWN}", values)
