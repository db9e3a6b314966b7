"""What was preferred: every trial is kept once, whoever asks for it again."""

from __future__ import annotations

from collections.abc import Sequence

from store.database.database import Database
from store.database.records import Records
from store.models.desk.pairs import PairTrial


class PairTrials:
    """Keeps trials of texts against each other."""

    def __init__(self, database: Database) -> None:
        self._trials = Records(database, PairTrial, "pair_trials", "This comparison is gone.")

    def save(self, trial: PairTrial) -> PairTrial:
        """Keep a trial, in place of one with the same id."""
        return self._trials.save(trial)

    def find(self, trial_id: str) -> PairTrial | None:
        """Return a trial by its id, if it was made."""
        return self._trials.first("id = :id", {"id": trial_id})

    def among(self, texts: Sequence[str], of: int) -> list[PairTrial]:
        """Return the trials between any two of these texts, each cut into so many passages."""
        return [
            trial
            for at, first in enumerate(texts)
            for second in texts[at + 1 :]
            for trial in self._trials.all(
                "first = :first AND second = :second AND of = :of ORDER BY judge, at",
                {"first": first, "second": second, "of": of},
            )
        ]
