"""A judge reads a text chapter by chapter, and now and then looks at the whole (HNES, CreAgentive).

No prompt grows with the book: of what came before, a judge knows the newest look at the whole, in
three bounded parts, and the surface features of the chapters since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import fmean

from graph_flow.llm.errors import UnusableAnswer
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.text import cut, shortened
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.telling.evaluation.addressed import without_addressed
from graph_flow.telling.evaluation.agents import CHAPTER_ANALYSIS, GLOBAL_EVALUATION
from graph_flow.telling.evaluation.answers import (
    ANALYSIS_SCHEMA,
    GLOBAL_SCHEMA,
    PART_ANALYSIS,
    PART_GLOBAL,
    ChapterAnalysis,
    GlobalEvaluation,
    widened_analysis,
    widened_evaluation,
)
from graph_flow.telling.revising import parts_of, places_of
from store.formats.reading.parts import SCENE_BREAK
from store.models.base import PARAGRAPH_LIMIT
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    Highlight,
    Indicator,
    IndicatorScores,
    IntervalInfo,
    SurfaceFeatures,
)
from store.models.endpoint import ModelStrength
from store.records.desk.evaluations import JudgedText
from store.text import count_words, first_characters

EARNED = 8.0
"""What an indicator gets at most if nothing in the text is shown for more."""
LANGUAGE = "the language of the text"

_PART, _LARGEST_PART, _SMALL_PART = 0.45, 24_000, 900
"""What a judge reads of a chapter at once: a share of its window, at most so many tokens; a small one."""
_SMALL_MARK = "-----"
"""Stands around what a small judge reads: one with a checksum it would take for something to repeat."""
_SMALL_PARTS = 3
"""Parts of a chapter that a small judge reads at most."""
_NOTES, _MOST_NOTES, _SMALL_NOTES = 0.12, 4_000, 250
"""The same for the surface features of the chapters before."""
_THEME, _SMALL_THEME, _SO_FAR = 1_000, 200, 600
"""Characters of what the book is to be about, and of the chapter until the part that is read."""
_SYNOPSIS, _PEOPLE, _STATE = 40, 100, 50
"""Words of the three parts of what is known of the book so far."""

_FORMS = AnswerForms(ANALYSIS_SCHEMA, PART_ANALYSIS, widened_analysis)
_GLOBAL_FORMS = AnswerForms(GLOBAL_SCHEMA, PART_GLOBAL, widened_evaluation)


@dataclass(frozen=True)
class Known:
    """What a judge knows of a book before a chapter."""

    info: IntervalInfo = field(default_factory=IntervalInfo)
    since: Sequence[EvaluatedChapter] = ()


@dataclass(frozen=True)
class Judged:
    """What came of one reading of a chapter.

    `shown` are the highlights that the text bears out, and `unfound` counts the others.
    """

    features: SurfaceFeatures
    scores: IndicatorScores
    shown: tuple[Highlight, ...] = ()
    held: tuple[Indicator, ...] = ()
    unfound: int = 0
    addressed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A text to be judged, and what the judge is told besides.

    `step` names the calls within the branch; `place` says in words which chapter it is. `words` say what is
    being done, for whoever waits, if that is not the judging of a chapter.
    """

    chapter: JudgedText
    step: str
    place: str
    theme: str = ""
    known: Known = field(default_factory=Known)
    number: int = 1
    words: str = ""


def evaluate(
    context: StoryContext, evaluation: Evaluation, also: Callable[[int], object] | None = None
) -> str:
    """Judge what is not judged yet of a text; return the evaluation's id.

    Every chapter is kept when it is done, so this can stop anywhere and go on later. `also` is called with
    the place of each chapter that is judged, and with that of the last in any case.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    kept = context.store.evaluations
    interval = kept.last_interval(evaluation.id)
    last = interval.place if interval else 0
    info = interval.info if interval else IntervalInfo()
    since = kept.chapters(evaluation.id, after=last)
    for place in range(last + len(since) + 1, evaluation.chapters + 1):
        if _is_due(evaluation, place - 1, last):
            interval = look_at_whole(context, evaluation, place - 1, Known(info, since))
            info, last, since = interval.info, place - 1, []
        context.progress.begin_step(f"Judging chapter {place} of {evaluation.chapters}", 1)
        since = [*since, judge_chapter(context, evaluation, place, Known(info, since))]
        if also is not None:
            also(place)
    if last < evaluation.chapters:
        look_at_whole(context, evaluation, evaluation.chapters, Known(info, since))
    if also is not None:
        also(evaluation.chapters)
    kept.finish(evaluation.id)
    return evaluation.id


def _is_due(evaluation: Evaluation, place: int, last: int) -> bool:
    """Return whether the whole is to be looked at after a chapter."""
    return place > last and place - last >= evaluation.settings.interval


def judge_chapter(
    context: StoryContext, evaluation: Evaluation, place: int, known: Known
) -> EvaluatedChapter:
    """Judge a chapter, and keep what was said of it."""
    chapter = context.store.evaluations.text(evaluation.id, place)
    read = judge(
        context,
        Reading(
            chapter=chapter,
            step=f"{place}/evaluate/{evaluation.judge.key}",
            place=f"Chapter {place} of {evaluation.planned}: {chapter.title}",
            theme=evaluation.theme,
            known=known,
            number=place,
        ),
    )
    return context.store.evaluations.add_chapter(
        EvaluatedChapter(
            id=f"{evaluation.id}-{place}",
            evaluation=evaluation.id,
            place=place,
            title=chapter.title,
            text=chapter.fingerprint,
            words=count_words(chapter.text),
            features=read.features,
            scores=read.scores,
            highlights=read.shown,
            held=read.held,
            unfound=read.unfound,
            addressed=read.addressed,
            created=datetime.now(UTC),
        )
    )


def judge(context: StoryContext, reading: Reading) -> Judged:
    """Read a chapter, in as many parts as it takes, and return what was said of it.

    A part of which nothing usable is said is left out, unless nothing is said of any.
    """
    text, addressed = without_addressed(reading.chapter.text)
    parts = _as_read(context, chapter_parts(text, _part_tokens(context)))
    answers: list[ChapterAnalysis] = []
    read: list[str] = []
    for number, part in enumerate(parts, start=1):
        try:
            answers.append(_ask(context, reading, part, answers, (number, len(parts))))
            read.append(part)
        except UnusableAnswer:
            if number == len(parts) and not answers:
                raise
    return _judged(reading.chapter.text, read, answers, addressed)


def chapter_parts(text: str, tokens: int) -> list[str]:
    """Return a text in as few parts of at most so many tokens as its scenes and paragraphs allow.

    A paragraph that is too long by itself is cut.
    """
    return [
        piece
        for part in parts_of(text, tokens, SCENE_BREAK)
        for piece in _cut(part, tokens)
        if piece.strip()
    ]


def _cut(part: str, tokens: int) -> list[str]:
    counted = estimate_tokens(part)
    if counted <= tokens:
        return [part]
    most = max(200, len(part) * tokens // counted)
    pieces = []
    at = 0
    while at < len(part):
        ahead = part[at : at + most + 1]
        piece = first_characters(ahead, most) or ahead[:most]
        pieces.append(piece)
        at += len(piece)
        while at < len(part) and part[at].isspace():
            at += 1
    return pieces


def _ask(
    context: StoryContext,
    reading: Reading,
    part: str,
    before: Sequence[ChapterAnalysis],
    at: tuple[int, int],
) -> ChapterAnalysis:
    number, count = at
    is_small = context.strength(CHAPTER_ANALYSIS) is ModelStrength.SMALL
    info = reading.known.info
    of_parts = f" (part {number} of {count})" if count > 1 else ""
    job = Job(
        CHAPTER_ANALYSIS,
        f"{reading.step}/{number}",
        f"{reading.words or f'Judging chapter {reading.number}'}{of_parts}",
        {
            "chapter": part.strip(),
            "chapters": _notes(context, reading.known.since),
            "language": LANGUAGE,
            "mark": _SMALL_MARK if is_small else mark_of(part),
            "people": list(info.people),
            "place": f"{reading.place}{of_parts}",
            "so_far": cut(before[-1].summary, _SO_FAR) if before else "",
            "state": info.state,
            "synopsis": info.synopsis,
            "theme": cut(reading.theme, _SMALL_THEME if is_small else _THEME),
        },
        turn=reading.number,
    )
    return context.ask_in_form(job, _FORMS)


def _as_read(context: StoryContext, parts: Sequence[str]) -> Sequence[str]:
    """Return the parts that are read: a small judge reads the beginning, the middle and the end."""
    is_small = context.strength(CHAPTER_ANALYSIS) is ModelStrength.SMALL
    if not is_small or len(parts) <= _SMALL_PARTS:
        return parts
    return [parts[0], parts[len(parts) // 2], parts[-1]]


def _part_tokens(context: StoryContext) -> int:
    if context.strength(CHAPTER_ANALYSIS) is ModelStrength.SMALL:
        return _SMALL_PART
    return min(int(context.window(CHAPTER_ANALYSIS) * _PART), _LARGEST_PART)


def _notes(context: StoryContext, chapters: Sequence[EvaluatedChapter]) -> list[str]:
    """Return what chapters told, a line each, within the room that there is."""
    if context.strength(CHAPTER_ANALYSIS) is ModelStrength.SMALL:
        lines = [f"Chapter {one.place}: {one.features.summary}" for one in chapters]
        return shortened(lines, _SMALL_NOTES)
    room = min(int(context.window(CHAPTER_ANALYSIS) * _NOTES), _MOST_NOTES)
    return shortened([_note(one) for one in chapters], room)


def _note(chapter: EvaluatedChapter) -> str:
    told = chapter.features
    ends = [told.things, told.relationships, told.places, told.tasks]
    at_its_end = "; ".join(one.rstrip(".") for one in ends if one)
    end = f" At its end: {at_its_end}." if at_its_end else ""
    return f"Chapter {chapter.place}: {told.summary}{end}"


def mark_of(text: str) -> str:
    """Return a line that stands in no text: it is made of this one's checksum."""
    return f"===={hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}===="


def _judged(
    text: str,
    parts: Sequence[str],
    answers: Sequence[ChapterAnalysis],
    addressed: tuple[str, ...],
) -> Judged:
    """Return what several parts come to: each counts by its length."""
    said = [one for answer in answers for one in answer.highlights]
    shown = tuple(
        Highlight(indicator=one.indicator, quote=one.quote)
        for one in said
        if places_of(one.quote, text)
    )
    earned = {one.indicator for one in shown}
    lengths = [max(1, count_words(part)) for part in parts]
    mean = {
        one: fmean([getattr(answer, one.value) for answer in answers], lengths) for one in Indicator
    }
    held = tuple(one for one in Indicator if mean[one] > EARNED and one not in earned)
    scores = {one: EARNED if one in held else round(mean[one], 2) for one in Indicator}
    return Judged(
        features=_features(answers),
        scores=IndicatorScores.by(scores),
        shown=shown,
        held=held,
        unfound=len(said) - len(shown),
        addressed=addressed,
    )


def _features(answers: Sequence[ChapterAnalysis]) -> SurfaceFeatures:
    last = answers[-1]
    share = PARAGRAPH_LIMIT // len(answers)
    summary = " ".join(cut(one.summary, share) for one in answers)
    return SurfaceFeatures(
        summary=summary[:PARAGRAPH_LIMIT],
        things=last.things,
        relationships=last.relationships,
        places=last.places,
        tasks=last.tasks,
    )


def look_at_whole(
    context: StoryContext, evaluation: Evaluation, place: int, known: Known
) -> EvaluatedInterval:
    """Judge the book up to a chapter by its surface features, and keep what was said of it."""
    context.progress.begin_step(f"Looking at the whole, up to chapter {place}", 1)
    is_small = context.strength(GLOBAL_EVALUATION) is ModelStrength.SMALL
    job = Job(
        GLOBAL_EVALUATION,
        f"{place}/evaluate/{evaluation.judge.key}/whole",
        f"Looking at the whole, up to chapter {place}",
        {
            "chapters": _notes(context, known.since),
            "language": LANGUAGE,
            "people": list(known.info.people),
            "place": f"The book so far, chapters 1 to {place} of {evaluation.planned}",
            "state": known.info.state,
            "synopsis": known.info.synopsis,
            "theme": cut(evaluation.theme, _SMALL_THEME if is_small else _THEME),
        },
        turn=place,
    )
    answer = context.ask_in_form(job, _GLOBAL_FORMS)
    return context.store.evaluations.add_interval(
        EvaluatedInterval(
            id=f"{evaluation.id}-{place}",
            evaluation=evaluation.id,
            place=place,
            scores=answer.scores,
            info=_info(answer),
            created=datetime.now(UTC),
        )
    )


def _info(answer: GlobalEvaluation) -> IntervalInfo:
    people = [one for one in answer.people if one]
    share = _PEOPLE // max(1, len(people))
    return IntervalInfo(
        synopsis=_in_words(answer.synopsis, _SYNOPSIS),
        people=tuple(_in_words(one, share) for one in people),
        state=_in_words(answer.state, _STATE),
    )


def _in_words(text: str, most: int) -> str:
    """Return at most so many words of a text, and no more characters than a line has."""
    length = min(len(text), 400)
    while length and count_words(text[:length]) > most:
        length = int(length * min(0.95, most / count_words(text[:length])))
    return cut(text, max(1, length))
