"""The cards of judges: one for each model and place where it is reached."""

from __future__ import annotations

from store.database.database import Database
from store.database.records import Records
from store.models.desk.evaluation import JudgeName
from store.models.desk.judge import JudgeCard


class JudgeCards:
    """Keeps the cards of judges."""

    def __init__(self, database: Database) -> None:
        self._cards = Records(database, JudgeCard, "judge_cards", "This card is gone.")

    def save(self, card: JudgeCard) -> JudgeCard:
        """Keep a card; older ones stay."""
        return self._cards.save(card)

    def newest(self, judge: JudgeName, version: int) -> JudgeCard | None:
        """Return the newest card of a judge by these tests; None if it was not tested."""
        return self._cards.first(
            "key = :key AND version = :version ORDER BY id DESC",
            {"key": judge.key, "version": version},
        )
