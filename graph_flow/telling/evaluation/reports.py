"""An evaluation as a file: CSV, JSON or Markdown. Pure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graph_flow.telling.evaluation.consistency.results import Errors, FoundAt
from graph_flow.telling.evaluation.measures import ChapterMeasures
from store.models.desk.consistency import Standing
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    EvaluationResult,
    Indicator,
    ReaderScores,
)
from store.models.desk.judge import JudgeCard
from store.text import clip

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate."""


class PublishedSystem(NamedTuple):
    """A row of the published table: S_q is the mean of people's scores and a judge's."""

    name: str
    words: int
    chapters: int
    s_l: float
    s_q: float | None = None


PUBLISHED = (
    PublishedSystem("Direct", 650, 8, 0.65, 7.67),
    PublishedSystem("LongWriter", 2_396, 8, 1.01),
    PublishedSystem("DOC v2", 7_391, 4, 1.26),
    PublishedSystem("Dramatron", 653, 8, 0.65),
    PublishedSystem("Agents' Room", 3_614, 5, 1.01),
    PublishedSystem("CreAgentive", 4_337, 2_770, 1.34),
    PublishedSystem("Worm, by its author", 5_158, 105, 1.41, 8.54),
)
"""What CreAgentive (arXiv, 2025) reports of words per chapter, chapters, S_l, and what is known here of S_q."""


class Report(NamedTuple):
    """All that is known of a text."""

    result: EvaluationResult
    chapters: Sequence[EvaluatedChapter]
    intervals: Sequence[EvaluatedInterval]
    readers: Sequence[ReaderScores]
    measures: Sequence[ChapterMeasures]
    card: JudgeCard | None
    errors: Errors | None = None


def as_csv(report: Report) -> str:
    """Return a line for each chapter: what the judge gave, what was counted, and what contradicts itself."""
    counted = {one.place: one for one in report.measures}
    measured = [one for one in ChapterMeasures.model_fields if one not in {"place", "words"}]
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(
        ["chapter", "title", "words", *(one.value for one in Indicator), *measured, *_ERRORS]
    )
    for one in report.chapters:
        scores = [f"{one.scores.of(it):.2f}" for it in Indicator]
        found = counted.get(one.place)
        cells = [_cell(getattr(found, name)) if found else "" for name in measured]
        errors = _errors_in(report.errors, one.place)
        rows.writerow([one.place, _cell(one.title), one.words, *scores, *cells, *errors])
    return out.getvalue()


_ERRORS = ("contradictions", "contradictions_unfound")


def _errors_in(errors: Errors | None, place: int) -> list[str]:
    """Return how many contradictions of a chapter count, and how many quotes were not found; nothing if unknown."""
    if errors is None:
        return ["" for _ in _ERRORS]
    here = [one.found.standing for one in errors.found if one.place == place]
    return [str(here.count(one)) for one in (Standing.COUNTS, Standing.UNFOUND)]


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.4f}"
        case tuple():
            return _cell("; ".join(map(str, value)))
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULAS) else text


def as_json(report: Report) -> str:
    """Return all of it as JSON."""
    whole: Mapping[str, Any] = {
        "result": report.result.model_dump(mode="json"),
        "judge_card": report.card.model_dump(mode="json") if report.card else None,
        "chapters": [one.model_dump(mode="json") for one in report.chapters],
        "intervals": [one.model_dump(mode="json") for one in report.intervals],
        "readers": [one.model_dump(mode="json") for one in report.readers],
        "measures": [one.model_dump(mode="json") for one in report.measures],
        "contradictions": _errors(report.errors),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _errors(errors: Errors | None) -> Mapping[str, Any] | None:
    if errors is None:
        return None
    return {
        "judge": errors.judge,
        "per_10k": errors.per_10k,
        "chapters": errors.chapters,
        "words": errors.words,
        "counted": errors.number_of(Standing.COUNTS),
        "unfound": errors.number_of(Standing.UNFOUND),
        "same": errors.number_of(Standing.SAME),
        "unread": errors.unread,
        "found": [
            {"chapter": one.place, **one.found.model_dump(mode="json")} for one in errors.found
        ],
    }


def as_markdown(report: Report) -> str:
    """Return it as somebody reads it."""
    result, card = report.result, report.card
    evaluation, quality = result.evaluation, result.quality
    lines = [
        f"# {_text(evaluation.name)}",
        "",
        f"Judged by {_text(evaluation.judge.model)}; its card: {_text(card.says if card else 'not tested')}.",
        "",
        "The score of a single text is mostly noise.",
        "",
        f"S_q {quality.s_q:.2f} · S_l {quality.s_l:.2f} · QLS {quality.qls:.2f} · "
        f"{len(report.chapters):,} chapters · {sum(one.words for one in report.chapters):,} words",
        "",
        _row(["Chapter", *(one.short for one in Indicator)]),
        _row(["---", *("---:" for _ in Indicator)]),
    ]
    for one in report.chapters:
        scores = (f"{one.scores.of(it):.2f}" for it in Indicator)
        lines.append(_row([f"{one.place}. {_text(one.title)}", *scores]))
    return "\n".join([*lines, "", *_told_errors(report.errors)])


def _told_errors(errors: Errors | None) -> list[str]:
    if errors is None or errors.per_10k is None:
        return []
    unfound = errors.number_of(Standing.UNFOUND)
    return [
        "## Contradictions",
        "",
        f"{errors.per_10k:.2f} in 10,000 words: {len(errors.counted):,} in {errors.words:,} words of "
        f"{errors.chapters:,} chapters, read by {_text(errors.judge)}. {unfound:,} more do not count, because "
        "what was quoted for them is not in the text.",
        "",
        *(_told(one) for one in errors.counted),
        "",
    ]


def _told(one: FoundAt) -> str:
    it = one.found
    return (
        f"- Chapter {one.place}, {it.kind.value}: {_text(it.why)} “{_text(it.quote)}” "
        f"(chapter {one.place}); “{_text(it.earlier)}” (chapter {it.before})"
    )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    line = clip(text, 300)
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>|#" else one for one in line)
