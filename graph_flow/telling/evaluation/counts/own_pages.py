"""Phrases that a text uses far more often than its writer's own pages do, in any language. Pure.

A phrase counts if the log-likelihood ratio (Dunning, "Accurate methods for the statistics of surprise and
coincidence", 1993) says that chance does not explain it, and if it is several times as frequent. What a story
is about is no worn-out phrase: one that is frequent because one of its words is, such as "the lamp", is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy
from numpy.typing import NDArray
from pydantic import Field

from graph_flow.telling.evaluation.measures import PER, Marks, marks_of, runs_of, words_of
from store.models.base import Record
from store.text import is_mostly_unspaced

LEAST_OWN = 10_000
"""Words of the writer's own pages below which nothing can be told."""
MOST_OWN = 1_000_000
"""Words of them that are read, the newest first."""

_LENGTHS, _UNSPACED_LENGTHS = (2, 3, 4), (4, 5, 6, 7, 8)
"""Words of a phrase; in scripts without spaces, characters."""
_LEAST = 4
"""How often a phrase has to occur, and in three stretches of the text at least."""
_STRETCHES, _STRETCH, _LEAST_STRETCH = 3, 1_000, 60
_SURE = 15.13
"""The log-likelihood ratio that chance reaches once in 10,000 times."""
_TIMES = 3.0
"""How many times as often as in the writer's own pages."""
_SMOOTHED = 0.5
"""What is added to each count: what was never seen is not impossible."""
_OWN_TOPIC = 0.7
"""The share of a word's occurrences that a phrase has to make up, if the word alone is too frequent."""
_COMMON, _JOINING = 50, 100
"""The commonest words of a text, by which its language is known; and those that join others and say little."""
_SAME_LANGUAGE = 0.5
"""How much of a page the commonest words of the text make up, by what they make up of the text itself."""
_WITHIN = 0.7
"""The share of a phrase's occurrences in which another one takes its place."""
_LOOKED_AT, _SHOWN = 600, 40
_PARTS = re.compile(r"[.!?…。！？,，、;；:：\n\"“”„«»「」『』()（）—–]+")


class OverusedPhrase(Record):
    """A phrase with how often it occurs, in 10,000 words too, here and in the writer's own pages.

    `by_chapter` counts it in each chapter, `ratio` is the log-likelihood ratio.
    """

    words: str
    count: int
    rate: float
    own_rate: float
    ratio: float
    by_chapter: tuple[int, ...]


class OwnPhrases(Record):
    """What a comparison with the writer's own pages found; nothing can be told if they are too few."""

    own_words: Annotated[int, Field(ge=0)] = 0
    is_known: bool = False
    phrases: tuple[OverusedPhrase, ...] = ()

    def in_chapter(self, place: int) -> list[tuple[str, int]]:
        """Return the phrases of the chapter at a place, 1 being the first, with how often each occurs."""
        found = [(one.words, one.by_chapter[place - 1]) for one in self.phrases]
        return sorted(((words, n) for words, n in found if n), key=lambda one: -one[1])


def overused(texts: Sequence[str], own: Iterable[str], names: Iterable[str] = ()) -> OwnPhrases:
    """Return what the chapters of a text use far more often than the writer's own pages.

    Pages in another language than the text's are left out, and phrases with a name of the story.
    """
    text = _Corpus(texts)
    background = _Corpus(list(_like(text, own)))
    if background.length < LEAST_OWN or not text.length:
        return OwnPhrases(own_words=background.length)
    found = _apart(list(_found(text, background, _named(names))), len(text.marks))
    return OwnPhrases(own_words=background.length, is_known=True, phrases=tuple(found))


@dataclass(frozen=True)
class _Corpus:
    """Texts as numbers: one for each word, and 0 where a part of a sentence ends."""

    texts: Sequence[str]

    @cached_property
    def is_unspaced(self) -> bool:
        return is_mostly_unspaced("\n".join(one[:2_000] for one in self.texts[:20]))

    @cached_property
    def by_text(self) -> list[Marks]:
        return [_parted(one) for one in self.texts]

    @cached_property
    def marks(self) -> Marks:
        return numpy.concatenate([*self.by_text, numpy.zeros(0, dtype=numpy.uint64)])

    @cached_property
    def ends(self) -> NDArray[numpy.int64]:
        """Where each text ends among the marks."""
        return numpy.cumsum([len(one) for one in self.by_text], dtype=numpy.int64)

    @cached_property
    def length(self) -> int:
        return int(numpy.count_nonzero(self.marks))

    def runs(self, length: int) -> Marks:
        """Return a number for each run of words, 0 for those across the end of a part."""
        runs = runs_of(self.marks, length)
        is_end = numpy.concatenate([[0], numpy.cumsum(self.marks == 0)])
        across = is_end[length:] - is_end[: len(is_end) - length] if len(runs) else is_end[:0]
        runs[across > 0] = 0
        return runs

    def counted(self, length: int) -> _Counts:
        runs = self.runs(length)
        values, first, counts = numpy.unique(runs, return_index=True, return_counts=True)
        is_run = values != 0
        return _Counts(values[is_run], first[is_run], counts[is_run])

    def words_at(self, place: int, length: int) -> list[str]:
        """Return the words that stand at a place among the marks."""
        which = int(numpy.searchsorted(self.ends, place, side="right"))
        at = place - int(self.ends[which - 1] if which else 0)
        return _marked(self.texts[which])[at : at + length]


class _Counts(NamedTuple):
    """Runs of words: each different one, where it stands first, and how often it occurs."""

    values: Marks
    first: NDArray[numpy.int64]
    counts: NDArray[numpy.int64]

    def of(self, values: Marks) -> NDArray[numpy.int64]:
        """Return how often each of some runs occurs here."""
        if not len(self.values):
            return numpy.zeros(len(values), dtype=numpy.int64)
        at = numpy.minimum(numpy.searchsorted(self.values, values), len(self.values) - 1)
        return numpy.where(self.values[at] == values, self.counts[at], 0)


class _Found(NamedTuple):
    """A phrase, where it stands, how many words it has, and how many of them say something."""

    phrase: OverusedPhrase
    places: NDArray[numpy.int64]
    length: int
    telling: int


class _Excess(NamedTuple):
    """How much more frequent runs are in one text than in another: times as often, and how surely."""

    times: NDArray[numpy.float64]
    ratio: NDArray[numpy.float64]

    @property
    def is_sure(self) -> NDArray[numpy.bool_]:
        """Whether each of them is frequent beyond chance."""
        return (self.times >= _TIMES) & (self.ratio >= _SURE)


def _parted(text: str) -> Marks:
    """Return the words of a text as numbers, with a 0 behind each part of a sentence."""
    end = numpy.zeros(1, dtype=numpy.uint64)
    pieces = [piece for part in _PARTS.split(text) if part for piece in (marks_of(part), end)]
    return numpy.concatenate([*pieces, end[:0]])


def _marked(text: str) -> list[str]:
    """Return the words of a text, with an empty one where its numbers have a 0."""
    return [word for part in _PARTS.split(text) if part for word in (*words_of(part), "")]


def _like(text: _Corpus, own: Iterable[str]) -> Iterator[str]:
    """Yield the pages that are in the language of a text, as far as its commonest words tell."""
    common = _commonest(text)
    least = _SAME_LANGUAGE * _share(text.marks, common)
    read = 0
    for page in own:
        marks = marks_of(page)
        if len(marks) and _share(marks, common) >= least:
            yield page
            read += len(marks)
        if read >= MOST_OWN:
            return


def _commonest(corpus: _Corpus, most: int = _COMMON) -> Marks:
    found = corpus.counted(1)
    return corpus.marks[found.first[numpy.argsort(-found.counts, kind="stable")[:most]]]


def _share(marks: Marks, common: Marks) -> float:
    words = marks[marks != 0]
    return float(numpy.isin(words, common).mean()) if len(words) else 0.0


def _named(names: Iterable[str]) -> list[list[str]]:
    return [words for name in names if (words := words_of(name))]


def _found(text: _Corpus, own: _Corpus, names: Sequence[Sequence[str]]) -> Iterator[_Found]:
    lengths = _UNSPACED_LENGTHS if text.is_unspaced else _LENGTHS
    unit = 2 if text.is_unspaced else 1
    topics = _Topics.of(text, own, unit)
    named = {word for words in names for word in words}
    for length in lengths:
        here, there = text.counted(length), own.counted(length)
        excess = _excess(here.counts, there.of(here.values), (text.length, own.length))
        wanted = numpy.flatnonzero(excess.is_sure & (here.counts >= _LEAST))
        wanted = wanted[numpy.argsort(-excess.ratio[wanted], kind="stable")][:_LOOKED_AT]
        runs = text.runs(length)
        for at in wanted.tolist():
            place, count = int(here.first[at]), int(here.counts[at])
            if topics.explain(place, length, count):
                continue
            words = text.words_at(place, length)
            if _has_name(words, names, named, is_unspaced=text.is_unspaced):
                continue
            places = numpy.flatnonzero(runs == here.values[at])
            if not _is_spread(places, text.length):
                continue
            phrase = OverusedPhrase(
                words=("" if text.is_unspaced else " ").join(words),
                count=count,
                rate=PER * count / text.length,
                own_rate=PER * int(there.of(here.values[at : at + 1])[0]) / own.length,
                ratio=float(excess.ratio[at]),
                by_chapter=_by_chapter(places, text.ends),
            )
            telling = length - int(topics.is_common[place : place + length].sum())
            yield _Found(phrase, places, length, telling)


def _excess(
    here: NDArray[numpy.int64], there: NDArray[numpy.int64], lengths: tuple[int, int]
) -> _Excess:
    """Compare how often runs occur in two texts of so many words."""
    one, other = here + _SMOOTHED, there + _SMOOTHED
    whole = (one + other) / (lengths[0] + lengths[1])
    expected, expected_there = whole * lengths[0], whole * lengths[1]
    ratio = 2 * (one * numpy.log(one / expected) + other * numpy.log(other / expected_there))
    return _Excess(one / lengths[0] / (other / lengths[1]), ratio)


@dataclass(frozen=True)
class _Topics:
    """Words, or pairs of characters, that are frequent because of what a text is about."""

    counts: NDArray[numpy.int64]
    """By place in the text: how often the unit occurs that begins there, 0 if it is not too frequent."""
    is_common: NDArray[numpy.bool_]
    unit: int

    @classmethod
    def of(cls, text: _Corpus, own: _Corpus, unit: int) -> _Topics:
        here, there = text.counted(unit), own.counted(unit)
        excess = _excess(here.counts, there.of(here.values), (text.length, own.length))
        runs = text.runs(unit)
        too_frequent = numpy.where(excess.is_sure, here.counts, 0)
        at = numpy.searchsorted(here.values, runs)
        at = numpy.minimum(at, max(0, len(here.values) - 1))
        counts = numpy.where((runs != 0) & (here.values[at] == runs), too_frequent[at], 0)
        return cls(counts, numpy.isin(text.marks, _commonest(own, _JOINING)), unit)

    def explain(self, place: int, length: int, count: int) -> bool:
        """Return whether a phrase says nothing, or is frequent only because something in it is."""
        units = self.counts[place : place + length - self.unit + 1]
        if self.unit == 1:
            joining = self.is_common[place : place + length]
            is_noun_alone = length == _LENGTHS[0] and (joining | (units > 0)).all()
            if joining.all() or (joining.any() and is_noun_alone):
                return True
        frequent = units[units > 0]
        return bool(len(frequent)) and count < _OWN_TOPIC * int(frequent.max())


def _has_name(
    words: Sequence[str],
    names: Sequence[Sequence[str]],
    named: set[str],
    *,
    is_unspaced: bool,
) -> bool:
    if not is_unspaced:
        return not named.isdisjoint(words)
    said = "".join(words)
    return any("".join(name) in said for name in names)


def _is_spread(places: NDArray[numpy.int64], length: int) -> bool:
    """Return whether something occurs in several stretches of a text, and not in one scene alone."""
    stretch = max(_LEAST_STRETCH, min(_STRETCH, length // 8))
    return len(numpy.unique(places // stretch)) >= _STRETCHES


def _by_chapter(places: NDArray[numpy.int64], ends: NDArray[numpy.int64]) -> tuple[int, ...]:
    which = numpy.searchsorted(ends, places, side="right")
    return tuple(numpy.bincount(which, minlength=len(ends)).tolist())


def _apart(found: list[_Found], words: int) -> list[OverusedPhrase]:
    """Return phrases without those that nearly always overlap with a longer one, or one that says more."""
    is_named = numpy.zeros(words, dtype=bool)
    kept: list[OverusedPhrase] = []
    for one in sorted(found, key=lambda it: (-it.length, -it.phrase.ratio, -it.telling)):
        inside = one.places[:, None] + numpy.arange(one.length)
        if is_named[inside].any(axis=1).mean() < _WITHIN:
            is_named[inside] = True
            kept.append(one.phrase)
    return sorted(kept, key=lambda it: -it.ratio)[:_SHOWN]
