"""An evaluation as a file: CSV, JSON or Markdown. Pure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graph_flow.telling.evaluation.consistency.results import Errors, FoundAt
from graph_flow.telling.evaluation.counts.counted import Counted, CountedChapter
from graph_flow.telling.evaluation.counts.own_pages import LEAST_OWN
from graph_flow.telling.evaluation.measures import ChapterMeasures
from graph_flow.telling.evaluation.readers.agreement import HumanCeiling
from store.models.base import Record
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
    """All that is known of a text. Without a judge there is no result, and nobody has scored it."""

    name: str
    counted: Counted
    result: EvaluationResult | None = None
    chapters: Sequence[EvaluatedChapter] = ()
    intervals: Sequence[EvaluatedInterval] = ()
    readers: Sequence[ReaderScores] = ()
    card: JudgeCard | None = None
    ceiling: HumanCeiling | None = None
    errors: Errors | None = None


def as_csv(report: Report) -> str:
    """Return a line for each chapter: what the judge gave, what was counted, and what contradicts itself."""
    judged = {one.place: one for one in report.chapters}
    measured = [one for one in ChapterMeasures.model_fields if one not in {"place", "words"}]
    out = io.StringIO()
    rows = csv.writer(out)
    scores = [one.value for one in Indicator]
    rows.writerow(["chapter", "title", "words", *scores, *measured, *_AGAINST, *_ERRORS])
    for one in report.counted.chapters:
        found = judged.get(one.measures.place)
        given = [f"{found.scores.of(it):.2f}" if found else "" for it in Indicator]
        counted = [_cell(getattr(one.measures, name)) for name in measured]
        against = [_cell(value) for value in _against(report.counted, one)]
        head = [one.measures.place, _cell(one.title), one.measures.words]
        errors = _errors_in(report.errors, one.measures.place)
        rows.writerow([*head, *given, *counted, *against, *errors])
    return out.getvalue()


_AGAINST = (
    "overused",
    "overused_phrases",
    "naming",
    "named",
    "missing",
    "besides",
    "open_threads",
    "mean_thread_age",
    "oldest_thread_age",
    "oldest_threads",
)
"""What a chapter is counted against: its writer's own pages, and its story."""


def _against(counted: Counted, one: CountedChapter) -> list[object]:
    place, naming, threads = one.measures.place, one.naming, one.threads
    phrases = tuple(f"{words} ({count})" for words, count in counted.own.in_chapter(place))
    return [
        counted.overused(place),
        phrases,
        *((naming.share, naming.named, naming.missing, naming.besides) if naming else [None] * 4),
        *((threads.count, threads.mean_age, threads.oldest_age) if threads else [None] * 3),
        tuple(f"{it.title} ({it.age})" for it in threads.oldest) if threads else None,
    ]


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
        "name": report.name,
        "result": _whole(report.result),
        "judge_card": _whole(report.card),
        "human_ceiling": _whole(report.ceiling),
        "chapters": [one.model_dump(mode="json") for one in report.chapters],
        "intervals": [one.model_dump(mode="json") for one in report.intervals],
        "readers": [one.model_dump(mode="json") for one in report.readers],
        "counted": _whole(report.counted),
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


def _whole(record: Record | None) -> object:
    return record.model_dump(mode="json") if record else None


def as_markdown(report: Report) -> str:
    """Return it as somebody reads it."""
    parts = [
        [f"# {_text(report.name)}"],
        *_judged(report),
        _told_errors(report.errors),
        _counted(report),
        _phrases(report),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _judged(report: Report) -> Iterator[list[str]]:
    result, card = report.result, report.card
    if result is None:
        return
    quality, judge = result.quality, result.evaluation.judge
    yield [
        f"Judged by {_text(judge.model)}; its card: {_text(card.says if card else 'not tested')}."
    ]
    if report.ceiling:
        yield [ceiling_line(report.ceiling)]
    yield ["The score of a single text is mostly noise."]
    yield [
        f"S_q {quality.s_q:.2f} · S_l {quality.s_l:.2f} · QLS {quality.qls:.2f} · "
        f"{len(report.chapters):,} chapters · {sum(one.words for one in report.chapters):,} words"
    ]
    weights = result.evaluation.settings.weights
    yield ["Weights: " + ", ".join(f"{it.short} {weights.of(it):g}" for it in Indicator) + "."]
    rows = [
        [f"{one.place}. {_text(one.title)}", *(f"{one.scores.of(it):.2f}" for it in Indicator)]
        for one in report.chapters
    ]
    yield _table(["Chapter", *(one.short for one in Indicator)], rows)


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
    ]


def _told(one: FoundAt) -> str:
    it = one.found
    return (
        f"- Chapter {one.place}, {it.kind.value}: {_text(it.why)} “{_text(it.quote)}” "
        f"(chapter {one.place}); “{_text(it.earlier)}” (chapter {it.before})"
    )


def ceiling_line(ceiling: HumanCeiling) -> str:
    """Say how far readers agree, and how far the judge agrees with them."""
    if ceiling.among is None:
        known = "one reader, so it is not known how far readers agree"
    else:
        known = f"{ceiling.readers} readers agree with one another with alpha {ceiling.among:.2f}"
    if ceiling.with_judge is None:
        return f"Human ceiling: {known}."
    return (
        f"Human ceiling: {known}; the judge agrees with them with alpha {ceiling.with_judge:.2f}."
    )


def _counted(report: Report) -> list[str]:
    counted = report.counted
    head = ["Chapter", "Words", "Repeats itself", "Repeats earlier", "Distinct-2", "Variety"]
    head += ["Worn out", "Unlike you", "Dialogue", "Pace", "Of target", "Named", "Open threads"]
    rows = []
    for one in counted.chapters:
        found = one.measures
        cells = [f"{found.words:,}", _share(found.repeated_within), _share(found.repeated_before)]
        cells += [_share(found.distinct), _share(found.variety), f"{found.worn:.1f}"]
        cells += [_number(counted.overused(found.place)), _share(found.dialogue)]
        cells += [f"{found.pace:.1f}", _share(found.to_target)]
        cells += [_share(one.naming.share if one.naming else None)]
        cells += [str(one.threads.count) if one.threads else "–"]
        rows.append([f"{found.place}. {_text(one.title)}", *cells])
    return ["## Counted without a model", "", *_table(head, rows)]


def _phrases(report: Report) -> list[str]:
    own = report.counted.own
    head = ["## Phrases that the writer’s own pages hardly have", ""]
    if not own.is_known:
        known = f"There are {own.own_words:,} words of them; it takes {LEAST_OWN:,} to tell."
        return [*head, known]
    if not own.phrases:
        return [*head, "None."]
    rows = [
        [_text(one.words), f"{one.count:,}", f"{one.rate:.1f}", f"{one.own_rate:.1f}"]
        for one in own.phrases
    ]
    return [*head, *_table(["Phrase", "Times", "In 10,000 words", "In the writer’s own"], rows)]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_row(head), _row(["---", *["---:"] * (len(head) - 1)]), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    line = clip(text, 300)
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>|#" else one for one in line)
