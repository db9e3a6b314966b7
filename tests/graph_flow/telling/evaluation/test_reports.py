"""What is known of a text as a file, and how far its readers agree."""

from __future__ import annotations

import csv
import io
import json

import pytest

from graph_flow.telling.evaluation.formulas import length_score
from graph_flow.telling.evaluation.readers.agreement import agreement
from graph_flow.telling.evaluation.reports import (
    PUBLISHED,
    PublishedSystem,
    as_csv,
    as_json,
    as_markdown,
)
from graph_flow.workbench.beside.evaluating import EvaluationService
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.base import new_id
from store.models.desk.evaluation import Indicator, IndicatorScores, ReaderScores
from tests.desk import Desk
from tests.graph_flow.telling.evaluation.consistency.judges import honest
from tests.graph_flow.telling.evaluation.consistency.judges import judging as consistent
from tests.graph_flow.telling.evaluation.consistency.test_checking import BLUE, BROWN, QUIET
from tests.graph_flow.telling.evaluation.test_judging import PROSE, judging
from tests.store.records.test_evaluations import NOW, level

HOSTILE = '=HYPERLINK("x")|<b>'


def gives(reader: str, scores: IndicatorScores, place: int = 0) -> ReaderScores:
    return ReaderScores(
        id=new_id(), evaluation="e", reader=reader, place=place, scores=scores, created=NOW
    )


def test_agreement_of_readers() -> None:
    falling = IndicatorScores.by({one: 9.0 - at for at, one in enumerate(Indicator)})
    rising = IndicatorScores.by({one: 3.0 + at for at, one in enumerate(Indicator)})

    assert agreement([gives("Ida", falling), gives("Ben", falling)]) == pytest.approx(1)
    assert agreement([gives("Ida", level(6)), gives("Ben", level(6))]) == 1
    apart = agreement([gives("Ida", falling), gives("Ben", rising)])
    assert apart is not None
    assert apart < 0
    assert agreement([gives("Ida", falling), gives("Ben", rising, place=1)]) is None
    assert agreement([]) is None


def test_files_hold_what_was_found(service: EvaluationService, able: Desk) -> None:
    able.server.answer = judging()
    book = ReadBook("A|B", "", "", (ReadChapter(HOSTILE, PROSE), ReadChapter("", f"{PROSE} Two.")))
    evaluation = service.of_book(book)
    service.finish(evaluation)
    service.keep_reader(evaluation.id, "Ida", 1, level(8))
    report = service.report(evaluation.id)

    rows = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert [row["chapter"] for row in rows] == ["1", "2"]
    assert rows[0]["title"] == f"'{HOSTILE}"
    assert rows[1]["repeated_before"] > "0.9"
    assert rows[0]["overused"] == rows[0]["named"] == rows[0]["open_threads"] == ""
    whole = json.loads(as_json(report))
    assert report.result is not None
    assert whole["result"]["quality"]["s_q"] == pytest.approx(report.result.quality.s_q) == 7
    assert whole["readers"][0]["reader"] == "Ida"
    assert whole["judge_card"] is None
    assert whole["human_ceiling"]["readers"] == 1
    assert len(whole["counted"]["chapters"]) == 2
    assert whole["counted"]["own"]["is_known"] is False
    told = as_markdown(report)
    assert told.startswith("# A\\|B\n")
    assert "\\|\\<b\\>" in told
    assert "not tested" in told
    assert "one reader, so it is not known how far readers agree" in told
    assert "it takes 10,000 to tell" in told
    assert "CH 0.2, CR 0.2" in told


def test_files_hold_contradictions_with_both_quotes(service: EvaluationService, able: Desk) -> None:
    able.server.answer = consistent(honest)
    texts = (BLUE, QUIET, BROWN)
    evaluation = service.of_book(
        ReadBook("A", "", "", tuple(ReadChapter("", one) for one in texts))
    )
    service.finish(evaluation)
    report = service.report(evaluation.id)

    rows = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert [row["contradictions"] for row in rows] == ["0", "0", "1"]
    assert [row["contradictions_unfound"] for row in rows] == ["0", "0", "0"]
    whole = json.loads(as_json(report))["contradictions"]
    assert (whole["counted"], whole["unfound"], whole["chapters"]) == (1, 0, 3)
    [found] = whole["found"]
    assert (found["chapter"], found["before"], found["standing"]) == (3, 1, "counts")
    told = as_markdown(report)
    assert "“In the mirror Odile’s eyes were brown.” (chapter 3)" in told
    assert "“Odile’s eyes were blue, and she shut them.” (chapter 1)" in told
    assert "contradictions" not in as_markdown(report._replace(errors=None)).casefold()


@pytest.mark.parametrize("system", PUBLISHED, ids=lambda one: one.name)
def test_published_rows_are_those_of_the_formulas(system: PublishedSystem) -> None:
    assert round(length_score(system.words * system.chapters, system.chapters), 2) == system.s_l
