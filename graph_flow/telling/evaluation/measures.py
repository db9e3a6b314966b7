"""What can be said of a text without a model: how much it repeats, how it talks, how long it is. Pure.

Where a script puts no spaces between words, a character takes the place of a word, in lengths too, as
everywhere in the app.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence

import numpy
from numpy.typing import NDArray

from graph_flow.prompting.style import found_in, worn_phrases
from store.models.base import Record
from store.text import UNSPACED, count_words, is_unspaced

Marks = NDArray[numpy.uint64]
"""Words as numbers, the same for the same word in every process: eight bytes each, however long it is."""

RUN = 6
"""Words of a stretch that counts as repeated; characters in scripts without spaces: twice as many."""
WINDOW = 100
"""Words in which the variety of words is counted, so that long texts are not poorer than short ones."""
_MOST_KNOWN, _SAMPLE = 300_000, 8
"""Runs that are remembered from chapter to chapter; of more, one in so many."""
PER = 10_000
"""Words to which what is counted of phrases is related."""
_BLOCK = 65_536
"""Characters of a text that are taken apart at once, so that a long one takes little memory."""
_FACTOR = numpy.uint64(0x9E37_79B9_7F4A_7C15)
_HALF = numpy.uint64(32)

_MARKS = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
_WORD = re.compile(rf"[{UNSPACED}][{_MARKS}]*|[^\W_{UNSPACED}]+(?:['’][^\W_{UNSPACED}]+)*")
# Possessive, and only from where a row of marks begins: a text of nothing but marks takes no longer than any.
_SENTENCE = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s|$)|[。！？]++[」』”’]*+")
_SPOKEN = re.compile(
    r"“[^“”\n]+(?:”|$)|„[^„“\n]+(?:“|$)|«[^«»\n]+(?:»|$)|»[^«»\n]+(?:«|$)|「[^「」\n]+(?:」|$)"
    r"|『[^『』\n]+(?:』|$)|(?<!\w)\"[^\"\n]+(?:\"|$)|(?<!\w)‘[^‘\n]+?(?:’(?!\w)|$)|^[ \t]*[—–-][ \t].*$",
    re.MULTILINE,
)


class ChapterMeasures(Record):
    """What was counted in one chapter. Shares are between 0 and 1.

    `repeated_within` is the share of its runs of six words that occur in it more than once,
    `repeated_before` of those that earlier chapters have too. `distinct` is the share of its pairs of
    words that are different ones, `variety` the mean share of different words in any hundred in a row
    (MATTR). `worn` counts turns of phrase that language models wear out, in 10,000 words. `to_target` is
    its length by the one that was wanted; None if none was. `pace` is sentences in a hundred words:
    the more there are, the quicker it reads.
    """

    place: int
    words: int
    repeated_within: float
    repeated_before: float
    distinct: float
    variety: float
    worn: float
    worn_phrases: tuple[str, ...]
    dialogue: float
    pace: float
    to_target: float | None = None


def words_of(text: str) -> list[str]:
    """Return the words of a text, without capitals; in scripts without spaces, its characters."""
    return [word for block in _blocks(text) for word in _words_in(block)]


def measure_book(
    texts: Iterable[str], target: int | None = None, phrases: Sequence[str] | None = None
) -> Iterator[ChapterMeasures]:
    """Yield what is counted in each chapter of a book, in order.

    `target` is how many words a chapter was to have, and `phrases` are those that count as worn out:
    the list for English, if it is None.
    """
    worn = worn_phrases() if phrases is None else phrases
    known = _KnownRuns()
    for place, text in enumerate(texts, start=1):
        measured, runs = _measured(place, text, worn)
        yield measured.model_copy(
            update={
                "repeated_before": known.share(runs),
                "to_target": measured.words / target if target else None,
            }
        )
        known.add(runs)


class _KnownRuns:
    """The runs of words of a book so far; of a long one a sample, always of the same runs."""

    def __init__(self) -> None:
        self._runs: set[int] = set()
        self._every = 1

    def share(self, runs: Marks) -> float:
        """Return which share of some different runs are known."""
        sample = self._sample(runs)
        return len(sample & self._runs) / len(sample) if sample else 0.0

    def add(self, runs: Marks) -> None:
        self._runs |= self._sample(runs)
        while len(self._runs) > _MOST_KNOWN:
            self._every *= _SAMPLE
            self._runs = {one for one in self._runs if one % self._every == 0}

    def _sample(self, runs: Marks) -> set[int]:
        return set(numpy.unique(runs[runs % self._every == 0]).tolist())


def _measured(place: int, text: str, phrases: Sequence[str]) -> tuple[ChapterMeasures, Marks]:
    """Return what is counted in a chapter alone, and its runs of words."""
    length = count_words(text)
    worn = found_in(text, phrases)
    marks = marks_of(text)
    runs = runs_of(marks, run_length(text))
    measured = ChapterMeasures(
        place=place,
        words=length,
        repeated_within=_share_repeated(runs),
        repeated_before=0.0,
        distinct=_share_distinct(runs_of(marks, 2)),
        variety=_variety(marks),
        worn=PER * sum(worn.values()) / length if length else 0.0,
        worn_phrases=tuple(worn),
        dialogue=dialogue_share(text),
        pace=100 * sentences(text) / length if length else 0.0,
    )
    return measured, runs


def marks_of(text: str) -> Marks:
    """Return the words of a text as numbers, in order."""
    found = [_marks_of_words(_words_in(block)) for block in _blocks(text)]
    return numpy.concatenate(found) if found else _marks_of_words(())


def runs_of(marks: Marks, length: int) -> Marks:
    """Return a number for each run of so many words, in order; none if there are fewer words."""
    count = len(marks) - length + 1
    if count < 1:
        return marks[:0]
    runs = numpy.zeros(count, dtype=numpy.uint64)
    for at in range(length):
        runs = (runs ^ marks[at : at + count]) * _FACTOR
        runs ^= runs >> _HALF
    return runs


def run_length(text: str) -> int:
    """Return how many words of a text make a stretch: in scripts without spaces, so many characters."""
    sample = _words_in(text[:_BLOCK])
    unspaced = sum(is_unspaced(word[0]) for word in sample)
    return 2 * RUN if 2 * unspaced > len(sample) else RUN


def distinct(words: Sequence[str], run: int) -> float:
    """Return distinct-n: the share of runs of so many words that are different ones; 1 without any."""
    return _share_distinct(runs_of(_marks_of_words(words), run))


def variety(words: Sequence[str], window: int = WINDOW) -> float:
    """Return MATTR: the mean share of different words in every window; of a shorter text, its own share.

    Covington and McFall, "Cutting the Gordian knot: the moving-average type-token ratio", 2010.
    """
    return _variety(_marks_of_words(words), window)


def _variety(marks: Marks, window: int = WINDOW) -> float:
    """Return MATTR; a word counts in those windows in which it does not stand before."""
    count = len(marks)
    if not count:
        return 1.0
    size = min(window, count)
    at = numpy.arange(count)
    order = numpy.argsort(marks, kind="stable")
    same = marks[order][1:] == marks[order][:-1]
    before = numpy.full(count, -1)
    before[order[1:][same]] = order[:-1][same]
    first = numpy.maximum(numpy.maximum(at - size, before) + 1, 0)
    last = numpy.minimum(at, count - size)
    different = numpy.maximum(last - first + 1, 0).sum()
    return float(different / (size * (count - size + 1)))


def dialogue_share(text: str) -> float:
    """Return the share of a text's letters that somebody says aloud, as far as its marks tell."""
    letters = _letters(text)
    return (
        sum(_letters(one.group()) for one in _SPOKEN.finditer(text)) / letters if letters else 0.0
    )


def sentences(text: str) -> int:
    """Return how many sentences a text has; at least 1 if there is any word in it."""
    return max(len(_SENTENCE.findall(text)), 1 if _WORD.search(text) else 0)


class RepeatedPhrase(Record):
    """A run of words that a chapter has more than once, or that an earlier chapter has too.

    `earlier` is the place of the first of these; None if there is none.
    """

    words: str
    count: int
    earlier: int | None = None


def repeated_phrases(
    text: str, earlier: Sequence[str] = (), most: int = 12
) -> list[RepeatedPhrase]:
    """Return what a chapter repeats, the most frequent first: from itself, and from those before it.

    Of runs that overlap, such as those of a repeated sentence, the most frequent is named.
    """
    length = run_length(text)
    runs = runs_of(marks_of(text), length)
    values, first, back, counts = numpy.unique(
        runs, return_index=True, return_inverse=True, return_counts=True
    )
    places = numpy.zeros(len(values), dtype=numpy.int64)
    for place, other in reversed(list(enumerate(earlier, start=1))):
        places[numpy.isin(values, runs_of(marks_of(other), length))] = place
    wanted = numpy.flatnonzero((counts > 1) | (places > 0))
    words = words_of(text)
    is_named = numpy.zeros(len(words), dtype=bool)
    found: list[RepeatedPhrase] = []
    for which in wanted[numpy.lexsort((first[wanted], -counts[wanted]))].tolist():
        at = int(first[which])
        if is_named[at : at + length].any():
            continue
        for place in numpy.flatnonzero(back == which).tolist():
            is_named[place : place + length] = True
        found.append(
            RepeatedPhrase(
                words=("" if length > RUN else " ").join(words[at : at + length]),
                count=int(counts[which]),
                earlier=int(places[which]) or None,
            )
        )
        if len(found) == most:
            break
    return found


def _share_repeated(runs: Marks) -> float:
    if not len(runs):
        return 0.0
    counts = numpy.unique(runs, return_counts=True)[1]
    return float(counts[counts > 1].sum() / len(runs))


def _share_distinct(runs: Marks) -> float:
    return len(numpy.unique(runs)) / len(runs) if len(runs) else 1.0


def _blocks(text: str) -> Iterator[str]:
    """Yield a text in pieces that end between words, where it has any ends of words."""
    at = 0
    while at < len(text):
        end = min(len(text), at + _BLOCK)
        if end < len(text):
            gap = text.rfind(" ", at, end)
            end = max(gap, text.rfind("\n", at, end)) + 1 or end
        yield text[at:end]
        at = end


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _words_in(block: str) -> list[str]:
    return [one.replace("’", "'") for one in _WORD.findall(block.casefold())]


def _marks_of_words(words: Sequence[str]) -> Marks:
    coded = [word.encode("utf-8", "surrogatepass") for word in words]
    marks = numpy.fromiter(map(zlib.crc32, coded), dtype=numpy.uint64, count=len(coded))
    marks = marks << _HALF | numpy.fromiter(map(zlib.adler32, coded), numpy.uint64, len(coded))
    return marks * _FACTOR
