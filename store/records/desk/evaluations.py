"""Evaluations of texts, with the texts as they were judged: what is paid for is kept as it comes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from store.database.database import Database
from store.database.packing import pack, unpack
from store.database.records import Records, add_all
from store.database.rows import Value
from store.errors import LibraryDamaged, NotFound
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    EvaluationSettings,
    EvaluationState,
    ReaderScores,
)

_SAME = """
branch = :branch AND text = :text AND judge = :judge AND planned = :planned
    AND json_extract(settings, '$.interval') = :interval
ORDER BY id DESC
"""
_IN_ORDER = "evaluation = :evaluation AND place > :after ORDER BY place"


class JudgedText(NamedTuple):
    """A chapter as it is judged: its title, and its text."""

    title: str
    text: str

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its text, in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def book_fingerprint(chapters: Sequence[JudgedText]) -> str:
    """Return the SHA-256 of a book's titles and texts in their order, in hexadecimal."""
    whole = hashlib.sha256()
    for one in chapters:
        whole.update(f"{one.title}\n{one.fingerprint}\n".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


class Evaluations:
    """Keeps what was evaluated, and what was said of it. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        gone = "This evaluation is gone."
        self._evaluations = Records(database, Evaluation, "evaluations", gone)
        self._chapters = Records(database, EvaluatedChapter, "evaluated_chapters", gone)
        self._intervals = Records(database, EvaluatedInterval, "evaluated_intervals", gone)
        self._readers = Records(database, ReaderScores, "reader_scores", gone)

    def begin(self, evaluation: Evaluation, chapters: Sequence[JudgedText]) -> Evaluation:
        """Keep a new evaluation with the texts that it is of, all of it or nothing."""
        rows: list[dict[str, Value]] = [
            {"evaluation": evaluation.id, "place": at, "title": one.title, "text": one.fingerprint}
            for at, one in enumerate(chapters, start=1)
        ]
        with self._database.write() as database:
            self._evaluations.save(evaluation)
            for one in chapters:
                database.execute(
                    "INSERT OR IGNORE INTO evaluated_texts (text, prose) VALUES (:text, :prose)",
                    {"text": one.fingerprint, "prose": pack(one.text)},
                )
            add_all(database, "evaluation_contents", rows)
        return evaluation

    def get(self, evaluation_id: str) -> Evaluation:
        """Return an evaluation by its id.

        Raises:
            NotFound: if there is none.
        """
        return self._evaluations.get(evaluation_id)

    def same(self, evaluation: Evaluation) -> Evaluation | None:
        """Return the newest evaluation of the same text by the same judge, who is asked the same, if any."""
        values = {
            "branch": evaluation.branch,
            "text": evaluation.text,
            "planned": evaluation.planned,
            "judge": evaluation.judge.stored,
            "interval": evaluation.settings.interval,
        }
        return self._evaluations.first(_SAME, values)

    def of_branch(self, branch: str) -> list[Evaluation]:
        """Return the evaluations of a branch's text, the newest first."""
        return self._evaluations.all("branch = :branch ORDER BY id DESC", {"branch": branch})

    def newest(self, most: int = 100) -> list[Evaluation]:
        """Return the newest evaluations of any text, the newest first."""
        return self._evaluations.all("1 ORDER BY id DESC LIMIT :most", {"most": most})

    def finish(self, evaluation_id: str) -> Evaluation:
        """Record that all of a text is evaluated."""
        return self._evaluations.update(evaluation_id, state=EvaluationState.DONE.value)

    def change_settings(self, evaluation_id: str, settings: EvaluationSettings) -> Evaluation:
        """Keep another way of making scores of what is judged.

        Raises:
            NotFound: if there is no such evaluation.
        """
        return self._evaluations.update(evaluation_id, settings=settings.stored)

    def text(self, evaluation_id: str, place: int) -> JudgedText:
        """Return a chapter as it was judged, or is to be.

        Raises:
            NotFound: if there is no such chapter.
            LibraryDamaged: if it cannot be read any more.
        """
        row = self._database.row(
            "SELECT c.title, t.prose FROM evaluation_contents AS c JOIN evaluated_texts AS t "
            "ON t.text = c.text WHERE c.evaluation = :evaluation AND c.place = :place",
            {"evaluation": evaluation_id, "place": place},
        )
        if row is None:
            raise NotFound("There is no such chapter in this evaluation.")
        try:
            return JudgedText(row["title"], unpack(row["prose"]))
        except ValueError as error:
            raise LibraryDamaged("A text that was evaluated cannot be read any more.") from error

    def add_chapter(self, chapter: EvaluatedChapter) -> EvaluatedChapter:
        """Keep what was said of a chapter."""
        return self._chapters.save(chapter)

    def chapters(self, evaluation_id: str, after: int = 0) -> list[EvaluatedChapter]:
        """Return what was said of the chapters after a place, in order."""
        values = {"evaluation": evaluation_id, "after": after}
        return self._chapters.all(_IN_ORDER, values)

    def done(self, evaluation_id: str) -> int:
        """Return how many chapters are judged."""
        [[count]] = self._database.tuples(
            "SELECT count(*) FROM evaluated_chapters WHERE evaluation = :evaluation",
            {"evaluation": evaluation_id},
        )
        return int(count)

    def add_interval(self, interval: EvaluatedInterval) -> EvaluatedInterval:
        """Keep what was said of the book up to a chapter."""
        return self._intervals.save(interval)

    def intervals(self, evaluation_id: str, after: int = 0) -> list[EvaluatedInterval]:
        """Return the looks at the whole after a place, in order."""
        values = {"evaluation": evaluation_id, "after": after}
        return self._intervals.all(_IN_ORDER, values)

    def last_interval(self, evaluation_id: str) -> EvaluatedInterval | None:
        """Return the newest look at the whole, if there is one."""
        return self._intervals.first(
            "evaluation = :evaluation ORDER BY place DESC", {"evaluation": evaluation_id}
        )

    def save_reader(self, scores: ReaderScores) -> ReaderScores:
        """Keep what a reader gives, in place of what they gave the same before."""
        with self._database.write():
            before = self._readers.first(
                "evaluation = :evaluation AND reader = :reader AND place = :place",
                {
                    "evaluation": scores.evaluation,
                    "reader": scores.reader,
                    "place": scores.place,
                },
            )
            kept = scores.model_copy(update={"id": before.id}) if before else scores
            return self._readers.save(kept)

    def readers(self, evaluation_id: str) -> list[ReaderScores]:
        """Return what all readers gave, by reader and place."""
        return self._readers.all(
            "evaluation = :evaluation ORDER BY reader, place", {"evaluation": evaluation_id}
        )

    def overall_by(self, reader: str) -> list[ReaderScores]:
        """Return what a reader gave of any text, where they said what it is worth as a whole."""
        return self._readers.all(
            "reader = :reader AND overall IS NOT NULL ORDER BY created, id", {"reader": reader}
        )
