"""A judge reads a text chapter by chapter and says where it contradicts itself; what it cannot show does not count.

Of the chapters before, it knows facts that it has written down with their words: as many as its prompt has room for,
those that have most to do with what it reads. The demand for exact words on both sides is that of ConStory-Checker
(Li et al., arXiv 2603.05890).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from graph_flow.llm.errors import UnusableAnswer
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.telling.evaluation.addressed import without_addressed
from graph_flow.telling.evaluation.agents import CONSISTENCY_JUDGE
from graph_flow.telling.evaluation.answers import (
    CONSISTENCY_SCHEMA,
    ConsistencyAnswer,
    GivenContradiction,
    GivenFact,
)
from graph_flow.telling.evaluation.consistency.facts import FactIndex, KnownFact, labelled
from graph_flow.telling.evaluation.judging import LANGUAGE, chapter_parts, mark_of
from graph_flow.telling.revising import places_of
from store.models.desk.consistency import CheckedChapter, Contradiction, NotedFact, Standing
from store.models.desk.evaluation import Evaluation, JudgeName
from store.models.endpoint import ModelStrength
from store.text import clip, count_words, first_characters, fold, is_unspaced

_PART, _LARGEST_PART = 0.45, 24_000
"""What the judge reads of a chapter at once: a share of its window, at most so many tokens."""
_NOTES, _MOST_NOTES = 0.12, 4_000
"""The same for the facts of the chapters before."""
_LEAST_QUOTE = 6
"""Letters and digits of a quote that shows anything; a character of a script without spaces is two."""
_FACT, _FACT_QUOTE = 200, 240
"""Characters that are kept of a fact, and of the words that say so."""
_WHY = 400
_GIVEN_UP = 3
"""Chapters in a row of which nothing usable came, after which no other is tried."""
_TEXTS = 64
"""Chapters whose text is at hand while quotes are looked for."""

TextOf = Callable[[int], str]
"""The text of the chapter at a place."""
Span = tuple[int, int]


def is_able(context: StoryContext) -> bool:
    """Return whether the judge's model can be asked: a small one cannot keep two passages apart."""
    return context.strength(CONSISTENCY_JUDGE) is ModelStrength.ABLE


class ConsistencyCheck:
    """The check of one text by one judge. It goes on where it stopped, and asks nothing again."""

    def __init__(self, context: StoryContext, evaluation: Evaluation, judge: JudgeName) -> None:
        self._context = context
        self._evaluation = evaluation
        self._judge = judge
        self._index = FactIndex()
        self._failed = 0
        self._text_of: TextOf = lru_cache(_TEXTS)(self._read_text)
        self._read: set[int] = set()
        for one in context.store.consistency_checks.of(evaluation.id, judge.key):
            self._note(one)
        self._failed = 0

    def up_to(self, place: int) -> None:
        """Read what is not read yet of the chapters up to a place, and keep what is found in each.

        A chapter of which nothing usable is said is kept as unread; after three in a row it ends.

        Raises:
            ModelError: if the endpoint fails.
            RunStopped: if the work was asked to stop.
        """
        for at in range(1, place + 1):
            if at in self._read:
                continue
            if self._failed >= _GIVEN_UP or not is_able(self._context):
                return
            self._note(self._context.store.consistency_checks.add(self._check(at)))

    def _note(self, chapter: CheckedChapter) -> None:
        self._read.add(chapter.place)
        self._failed = 0 if chapter.words else self._failed + 1
        self._index.add(chapter.place, chapter.facts)
        for one in chapter.found:
            if one.counts:
                self._index.contradict(one.before, one.earlier, chapter.place)

    def _check(self, place: int) -> CheckedChapter:
        of = self._evaluation.chapters
        self._context.progress.begin_step(
            f"Looking for contradictions in chapter {place} of {of}", 1
        )
        text = self._text_of(place)
        parts = chapter_parts(without_addressed(text).text, self._room(_PART, _LARGEST_PART))
        within = FactIndex()
        facts: list[NotedFact] = []
        found: list[Contradiction] = []
        words = unread = 0
        for number, part in enumerate(parts, start=1):
            known = [
                *self._nearest(part),
                *within.nearest(part, self._room(_NOTES, _MOST_NOTES) // 3),
            ]
            notes = labelled(known)
            answer = self._ask(place, part, notes, (number, len(parts)))
            if answer is None:
                unread += 1
                continue
            words += count_words(part)
            fresh = list(_noted(answer.facts, text, facts))
            within.add(place, fresh)
            facts += fresh
            found += _weighed(answer.contradictions, place, notes, self._text_of)
        return CheckedChapter(
            id=f"{self._evaluation.id}-{self._judge.key}-{place}",
            evaluation=self._evaluation.id,
            judge=self._judge,
            key=self._judge.key,
            place=place,
            words=words,
            facts=tuple(facts),
            found=tuple(_each_once(found, self._text_of, place)),
            unread=unread,
            created=datetime.now(UTC),
        )

    def _nearest(self, part: str) -> list[KnownFact]:
        return self._index.nearest(part, self._room(_NOTES, _MOST_NOTES))

    def _ask(
        self, place: int, part: str, notes: Mapping[str, KnownFact], at: tuple[int, int]
    ) -> ConsistencyAnswer | None:
        number, count = at
        of_parts = f" (part {number} of {count})" if count > 1 else ""
        title = self._context.store.evaluations.text(self._evaluation.id, place).title
        job = Job(
            CONSISTENCY_JUDGE,
            f"{place}/consistency/{self._judge.key}/{number}",
            f"Looking for contradictions in chapter {place}{of_parts}",
            {
                "chapter": part.strip(),
                "facts": [f"{label} {one.line}" for label, one in notes.items()],
                "language": LANGUAGE,
                "mark": mark_of(part),
                "place": f"Chapter {place}{of_parts}: {title}",
            },
            turn=place,
        )
        try:
            return self._context.ask(job, CONSISTENCY_SCHEMA)
        except UnusableAnswer:
            return None

    def _room(self, share: float, most: int) -> int:
        return min(int(self._context.window(CONSISTENCY_JUDGE) * share), most)

    def _read_text(self, place: int) -> str:
        return self._context.store.evaluations.text(self._evaluation.id, place).text


def _noted(
    given: Iterable[GivenFact], text: str, known: Sequence[NotedFact]
) -> Iterable[NotedFact]:
    """Yield the facts of a chapter whose words stand in it; none that speaks to its judge."""
    seen = {(one.fact, one.quote) for one in known}
    for one in given:
        quote = first_characters(" ".join(one.quote.split()), _FACT_QUOTE)
        fact = clip(one.fact, _FACT)
        if not shows(quote) or not places_of(quote, text) or (fact, quote) in seen:
            continue
        if without_addressed(f"{fact}\n{quote}").addressed:
            continue
        seen.add((fact, quote))
        yield NotedFact(who=tuple(filter(None, one.who)), fact=fact, quote=quote)


def _weighed(
    given: Iterable[GivenContradiction],
    place: int,
    notes: Mapping[str, KnownFact],
    text_of: TextOf,
) -> Iterable[Contradiction]:
    """Yield what was said to be contradictory, each with whether it counts."""
    for one in given:
        before = _chapter_of(one, place, notes)
        yield Contradiction(
            kind=one.kind,
            why=clip(one.why, _WHY),
            quote=one.quote,
            earlier=one.earlier,
            before=before,
            standing=standing_of((one.quote, place), (one.earlier, before), text_of),
        )


def _chapter_of(given: GivenContradiction, place: int, notes: Mapping[str, KnownFact]) -> int:
    """Return the chapter that the earlier quote is of: the note's that was named, or that it stands in."""
    named = notes.get(given.fact.strip(" .[]()").upper())
    if named is not None and (_is_of(given.earlier, named) or not given.earlier):
        return named.place
    holding = next((one for one in notes.values() if _is_of(given.earlier, one)), None)
    if holding is not None:
        return holding.place
    return named.place if named is not None else place


def _is_of(quote: str, fact: KnownFact) -> bool:
    return bool(places_of(quote, fact.noted.quote))


def standing_of(quote: tuple[str, int], earlier: tuple[str, int], text_of: TextOf) -> Standing:
    """Return whether two quotes, each with the place of its chapter, show a contradiction."""
    here, there = (
        places_of(words, text_of(place)) if shows(words) else []
        for words, place in (quote, earlier)
    )
    if not here or not there:
        return Standing.UNFOUND
    some, others = _letters(quote[0]), _letters(earlier[0])
    if some in others or others in some:
        return Standing.SAME
    is_one_chapter = quote[1] == earlier[1]
    if is_one_chapter and not any(_is_apart(one, other) for one in here for other in there):
        return Standing.SAME
    return Standing.COUNTS


def shows(quote: str) -> bool:
    """Return whether a quote is more than a word that stands anywhere."""
    return sum(2 if is_unspaced(one) else 1 for one in quote if one.isalnum()) >= _LEAST_QUOTE


def _letters(quote: str) -> str:
    return "".join(filter(str.isalnum, fold(quote)))


def _is_apart(one: Span, other: Span) -> bool:
    return one[1] <= other[0] or other[1] <= one[0]


def _each_once(
    found: Iterable[Contradiction], text_of: TextOf, place: int
) -> Iterable[Contradiction]:
    """Yield contradictions, each pair of passages once, whichever way round it was quoted."""
    seen: set[frozenset[tuple[int, int]]] = set()
    for one in found:
        if one.counts:
            here = places_of(one.quote, text_of(place))[0][0]
            there = places_of(one.earlier, text_of(one.before))[0][0]
            pair = frozenset({(place, here), (one.before, there)})
            if pair in seen:
                continue
            seen.add(pair)
        yield one
