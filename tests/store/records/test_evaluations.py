"""Evaluations are kept with the texts that they are of."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.errors import NotFound
from store.models.base import new_id
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    EvaluationSettings,
    EvaluationState,
    Indicator,
    IndicatorScores,
    IntervalInfo,
    JudgeName,
    ReaderScores,
    SurfaceFeatures,
)
from store.open import Store
from store.records.desk.evaluations import JudgedText, book_fingerprint

BOOK = [JudgedText("One", "The lamp was out. " * 40), JudgedText("Two", "Nobody came.")]
NOW = datetime(2026, 11, 25, tzinfo=UTC)


def level(score: float) -> IndicatorScores:
    return IndicatorScores.by(dict.fromkeys(Indicator, score))


def evaluation(interval: int = 10, model: str = "m") -> Evaluation:
    return Evaluation(
        id=new_id(),
        branch="text-1",
        name="A book",
        text=book_fingerprint(BOOK),
        chapters=2,
        planned=2,
        words=162,
        judge=JudgeName(endpoint="e", model=model),
        settings=EvaluationSettings(interval=interval),
        created=NOW,
    )


def chapter(of: Evaluation, place: int, score: float = 6) -> EvaluatedChapter:
    return EvaluatedChapter(
        id=f"{of.id}-{place}",
        evaluation=of.id,
        place=place,
        title=BOOK[place - 1].title,
        text=BOOK[place - 1].fingerprint,
        words=2,
        features=SurfaceFeatures(summary="Nobody comes."),
        scores=level(score),
        created=NOW,
    )


def test_texts_are_kept_as_they_were_judged(store: Store) -> None:
    kept = store.evaluations.begin(evaluation(), BOOK)
    again = store.evaluations.begin(evaluation(interval=3), BOOK)

    assert [store.evaluations.text(kept.id, place) for place in (1, 2)] == BOOK
    assert store.evaluations.text(again.id, 1) == BOOK[0]
    with pytest.raises(NotFound):
        store.evaluations.text(kept.id, 3)


def test_the_same_text_judged_the_same_way_is_found_again(store: Store) -> None:
    kept = store.evaluations.begin(evaluation(), BOOK)

    assert store.evaluations.same(evaluation()) == kept
    assert store.evaluations.same(evaluation(interval=3)) is None
    assert store.evaluations.same(evaluation(model="other")) is None
    assert store.evaluations.newest() == store.evaluations.of_branch("text-1") == [kept]


def test_what_was_said_is_read_in_order_from_a_place_on(store: Store) -> None:
    kept = store.evaluations.begin(evaluation(), BOOK)
    second, first = chapter(kept, 2), chapter(kept, 1)
    for one in (second, first, first):
        store.evaluations.add_chapter(one)
    look = EvaluatedInterval(
        id=f"{kept.id}-2",
        evaluation=kept.id,
        place=2,
        scores=level(5),
        info=IntervalInfo(synopsis="Nobody comes."),
        created=NOW,
    )
    store.evaluations.add_interval(look)

    assert store.evaluations.chapters(kept.id) == [first, second]
    assert store.evaluations.chapters(kept.id, after=1) == [second]
    assert store.evaluations.done(kept.id) == 2
    assert store.evaluations.last_interval(kept.id) == look
    assert store.evaluations.intervals(kept.id) == [look]
    assert store.evaluations.finish(kept.id).state is EvaluationState.DONE


def test_a_reader_s_second_word_replaces_the_first(store: Store) -> None:
    kept = store.evaluations.begin(evaluation(), BOOK)

    def gives(reader: str, score: float, place: int = 0) -> ReaderScores:
        return ReaderScores(
            id=new_id(),
            evaluation=kept.id,
            reader=reader,
            place=place,
            scores=level(score),
            created=NOW,
        )

    for one in (gives("Ida", 5), gives("Ben", 7, 1), gives("Ida", 8)):
        store.evaluations.save_reader(one)

    found = [(one.reader, one.place, one.scores) for one in store.evaluations.readers(kept.id)]
    assert found == [("Ben", 1, level(7)), ("Ida", 0, level(8))]
