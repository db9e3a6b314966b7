"""What can be said of a text without a model: how much it repeats, how it talks, how long it is. Pure.

Where a script puts no spaces between words, a character takes the place of a word, in lengths too, as
everywhere in the app.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from statistics import fmean

from graph_flow.telling.material.style import found_in, worn_phrases
from store.models.base import Record
from store.text import UNSPACED, count_words, is_unspaced

RUN = 6
"""Words of a stretch that counts as repeated; characters in scripts without spaces: twice as many."""
WINDOW = 100
"""Words in which the variety of words is counted, so that long texts are not poorer than short ones."""
_SAMPLE = 8
"""One in so many runs is remembered from chapter to chapter: always the same ones."""
_PER = 10_000

_MARKS = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
_WORD = re.compile(rf"[{UNSPACED}][{_MARKS}]*|[^\W_{UNSPACED}]+(?:['’][^\W_{UNSPACED}]+)*")
_SENTENCE = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[」』”’]*")
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
    return [one.replace("’", "'") for one in _WORD.findall(text.casefold())]


def measure_book(
    texts: Iterable[str], target: int | None = None, phrases: Sequence[str] | None = None
) -> Iterator[ChapterMeasures]:
    """Yield what is counted in each chapter of a book, in order.

    `target` is how many words a chapter was to have, and `phrases` are those that count as worn out:
    the list for English, if it is None.
    """
    worn = worn_phrases() if phrases is None else phrases
    known: set[int] = set()
    for place, text in enumerate(texts, start=1):
        words = words_of(text)
        runs = list(_runs(words))
        sampled = {one for one in runs if one % _SAMPLE == 0}
        yield _measured(place, text, words, runs, worn).model_copy(
            update={
                "repeated_before": len(sampled & known) / len(sampled) if sampled else 0.0,
                "to_target": count_words(text) / target if target else None,
            }
        )
        known |= sampled


def _measured(
    place: int, text: str, words: Sequence[str], runs: Sequence[int], phrases: Sequence[str]
) -> ChapterMeasures:
    length = count_words(text)
    worn = found_in(text, phrases)
    return ChapterMeasures(
        place=place,
        words=length,
        repeated_within=_share_repeated(runs),
        repeated_before=0.0,
        distinct=distinct(words, 2),
        variety=variety(words),
        worn=_PER * sum(worn.values()) / length if length else 0.0,
        worn_phrases=tuple(worn),
        dialogue=dialogue_share(text),
        pace=100 * sentences(text) / length if length else 0.0,
    )


def distinct(words: Sequence[str], run: int) -> float:
    """Return distinct-n: the share of runs of so many words that are different ones; 1 without any."""
    runs = [tuple(words[at : at + run]) for at in range(len(words) - run + 1)]
    return len(set(runs)) / len(runs) if runs else 1.0


def variety(words: Sequence[str], window: int = WINDOW) -> float:
    """Return MATTR: the mean share of different words in every window; of a shorter text, its own share.

    Covington and McFall, "Cutting the Gordian knot: the moving-average type-token ratio", 2010.
    """
    if not words:
        return 1.0
    size = min(window, len(words))
    counts = Counter(words[:size])
    shares = [len(counts) / size]
    for gone, come in zip(words, words[size:], strict=False):
        counts[gone] -= 1
        if not counts[gone]:
            del counts[gone]
        counts[come] += 1
        shares.append(len(counts) / size)
    return fmean(shares)


def dialogue_share(text: str) -> float:
    """Return the share of a text's letters that somebody says aloud, as far as its marks tell."""
    letters = _letters(text)
    return (
        sum(_letters(one.group()) for one in _SPOKEN.finditer(text)) / letters if letters else 0.0
    )


def sentences(text: str) -> int:
    """Return how many sentences a text has; at least 1 if there is any word in it."""
    return max(len(_SENTENCE.findall(text)), 1 if _WORD.search(text) else 0)


def repeated_phrases(text: str, most: int = 12) -> list[tuple[str, int]]:
    """Return the runs of words that a text repeats, with how often, the most frequent first."""
    words = words_of(text)
    length = _run_length(words)
    joiner = "" if length > RUN else " "
    counts = Counter(joiner.join(words[at : at + length]) for at in range(len(words) - length + 1))
    return [(run, count) for run, count in counts.most_common(most) if count > 1]


def _runs(words: Sequence[str]) -> Iterator[int]:
    """Yield a number for each run of words, the same in every process."""
    length = _run_length(words)
    marks = [_mark(word) for word in words]
    for at in range(len(marks) - length + 1):
        run = 0
        for mark in marks[at : at + length]:
            run = (run * 1_000_003 + mark) & 0xFFFF_FFFF_FFFF
        yield run ^ (run >> 17)


def _run_length(words: Sequence[str]) -> int:
    unspaced = sum(is_unspaced(word[0]) for word in words)
    return 2 * RUN if 2 * unspaced > len(words) else RUN


def _share_repeated(runs: Sequence[int]) -> float:
    counts = Counter(runs)
    return sum(count for count in counts.values() if count > 1) / len(runs) if runs else 0.0


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


@cache
def _mark(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))
