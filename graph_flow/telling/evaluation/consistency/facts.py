"""What a judge has written down of a book, and which of it matters to a chapter. Pure.

There are as many facts as the book has chapters for; a prompt has room for some. They are chosen by the names and the
rare words that they share with what is read, found by an index, so that a chapter costs about the same however
many came before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from graph_flow.llm.tokens import estimate_tokens
from store.models.desk.consistency import NotedFact
from store.text import is_unspaced, units_of

MOST = 80
"""Facts in one prompt, however short they are."""
_COMMON, _COMMON_LEAST = 0.03, 50
"""Facts that have a word, as a share of all and at least, from which on it tells none of them from the others."""
_OF_NAME = 2.0
"""How much more a name counts than another word."""
_MISSES = 8
"""Facts that were too long for what room is left, after which no other is tried."""
_LABEL = 5
"""Tokens of a fact's label."""
_SHORTEST = 3
"""Letters of a word that counts."""


@dataclass(frozen=True)
class KnownFact:
    """A fact, with the chapter in which it stands and the chapters in which it was contradicted."""

    place: int
    noted: NotedFact
    contradicted: tuple[int, ...] = ()

    @property
    def line(self) -> str:
        """It as a judge reads it, without a label."""
        again = ", ".join(map(str, self.contradicted))
        found = f" (found contradicted in chapter {again})" if again else ""
        quote = " ".join(self.noted.quote.split())
        return f"(chapter {self.place}) {self.noted.fact}{found} “{quote}”"


class FactIndex:
    """The facts of a book as far as it is read."""

    def __init__(self) -> None:
        self._facts: list[NotedFact] = []
        self._places: list[int] = []
        self._lengths: list[float] = []
        self._having: defaultdict[str, list[int]] = defaultdict(list)
        self._named: defaultdict[str, list[int]] = defaultdict(list)
        self._contradicted: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, place: int, facts: Iterable[NotedFact]) -> None:
        """Add the facts of a chapter."""
        for one in facts:
            at = len(self._facts)
            self._facts.append(one)
            self._places.append(place)
            words = _telling(f"{one.fact} {one.quote}")
            self._lengths.append(sqrt(len(words) or 1))
            for word in words:
                self._having[word].append(at)
            for word in _telling(" ".join(one.who)):
                self._named[word].append(at)

    def contradict(self, place: int, quote: str, by: int) -> None:
        """Note that a quote of a chapter is contradicted by another chapter, if it is that of a fact."""
        for at, one in enumerate(self._facts):
            if self._places[at] == place and (quote in one.quote or one.quote in quote):
                self._contradicted[at].append(by)

    def nearest(self, text: str, tokens: int) -> list[KnownFact]:
        """Return the facts that have most to do with a text, within so many tokens, in the book's order.

        If there is room left, those that were written down last fill it.
        """
        scores = self._scores(_telling(text))
        best = sorted(scores, key=lambda at: (-scores[at], -at))
        chosen, room, misses = list[int](), tokens, 0
        rest = (at for at in range(len(self._facts) - 1, -1, -1) if at not in scores)
        for at in (*best, *rest):
            cost = estimate_tokens(self._known(at).line) + _LABEL
            if cost <= room:
                chosen.append(at)
                room -= cost
            else:
                misses += 1
            if len(chosen) == MOST or misses == _MISSES:
                break
        return [self._known(at) for at in sorted(chosen)]

    def _known(self, at: int) -> KnownFact:
        return KnownFact(self._places[at], self._facts[at], tuple(self._contradicted.get(at, ())))

    def _scores(self, words: Iterable[str]) -> Mapping[int, float]:
        scores: defaultdict[int, float] = defaultdict(float)
        common = max(_COMMON_LEAST, _COMMON * len(self._facts))
        for word in words:
            having, named = self._having.get(word, ()), self._named.get(word, ())
            if having and len(having) <= common:
                self._weigh(scores, having, 1.0)
            if named:
                self._weigh(scores, named, _OF_NAME)
        return {at: score / self._lengths[at] for at, score in scores.items()}

    def _weigh(self, scores: defaultdict[int, float], places: Sequence[int], factor: float) -> None:
        weight = factor * log(1 + len(self._facts) / len(places))
        for at in places:
            scores[at] += weight


def labelled(facts: Sequence[KnownFact]) -> dict[str, KnownFact]:
    """Return facts by their labels: F1, F2 and so on."""
    return {f"F{at}": one for at, one in enumerate(facts, start=1)}


def _telling(text: str) -> list[str]:
    """Return the words of a text that can tell facts apart, each once, in an order that is always the same."""
    return [
        word
        for word in units_of(text)
        if len(word) >= _SHORTEST or word.isdigit() or is_unspaced(word[0])
    ]
