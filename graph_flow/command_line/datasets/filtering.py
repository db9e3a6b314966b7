"""Which examples stay in a data set, and in which part of it: by story, never one story in two parts."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from graph_flow.command_line.datasets.examples import Example, Kind, Pair
from store.text import count_words

_SHINGLE = 5
"""Words of a shingle."""
_WORD = re.compile(r"\w+")

P = TypeVar("P", Example, Pair)


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a data set; None: whatever there is.

    `alike` is the share of shingles (five words) that two texts have in common, from 0 to 1, from which
    on the second is left out. `validation` is the share of stories that are kept apart.
    """

    kinds: frozenset[Kind] = frozenset(Kind)
    least_words: int | None = None
    most_words: int | None = None
    least_quality: float | None = None
    is_without_contradictions: bool = False
    alike: float = 0.8
    validation: float = 0.1


@dataclass
class Sieve:
    """Keeps what is wanted, and counts what is not by why."""

    wanted: Wanted
    left_out: Counter[str] = field(default_factory=Counter)

    def examples(self, examples: Sequence[Example]) -> list[Example]:
        """Return the examples that are wanted, the first of those that are nearly the same."""
        kept = [one for one in examples if self._takes(self._why_not(one))]
        return self._without_alike(kept)

    def pairs(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return the pairs that are wanted, the first of those that are nearly the same."""
        kept = [one for one in pairs if one.kind in self.wanted.kinds]
        return self._without_alike(kept)

    def _takes(self, why_not: str | None) -> bool:
        if why_not:
            self.left_out[why_not] += 1
        return why_not is None

    def _why_not(self, example: Example) -> str | None:
        """Return why an example is not wanted; an empty reason is not counted, None is none."""
        wanted = self.wanted
        if example.kind not in wanted.kinds:
            return ""
        words = count_words(example.completion)
        reasons: list[tuple[bool, str]] = [
            (wanted.least_words is not None and words < wanted.least_words, "too short"),
            (wanted.most_words is not None and words > wanted.most_words, "too long"),
            (
                wanted.is_without_contradictions and example.has_contradiction,
                "with a contradiction",
            ),
        ]
        if wanted.least_quality is not None:
            reasons.append((example.quality is None, "never judged"))
            reasons.append(((example.quality or 0.0) < wanted.least_quality, "judged too low"))
        return next((words for is_so, words in reasons if is_so), None)

    def _without_alike(self, every: Sequence[P]) -> list[P]:
        """Leave out what is nearly the same as something before it (exact Jaccard similarity)."""
        kept: list[P] = []
        sizes: list[int] = []
        places: dict[int, list[int]] = defaultdict(list)
        for one in every:
            shingles = _shingles(one.said)
            shared = Counter(place for shingle in shingles for place in places[shingle])
            limit = self.wanted.alike
            if any(
                common / (len(shingles) + sizes[place] - common) >= limit
                for place, common in shared.items()
            ):
                self.left_out["nearly the same as another"] += 1
                continue
            for shingle in shingles:
                places[shingle].append(len(kept))
            kept.append(one)
            sizes.append(len(shingles))
        return kept


def split_by_story(groups: Sequence[str], share: float) -> Callable[[str], bool]:
    """Return what says whether a group of stories is kept apart for validation.

    Which ones are is settled by a hash of each group, so that adding stories moves as few as possible.
    At least one is, if there are two and any are wanted.
    """
    order = sorted(set(groups), key=lambda one: hashlib.sha256(one.encode()).digest())
    count = round(share * len(order))
    if share > 0 and len(order) > 1:
        count = min(max(1, count), len(order) - 1)
    apart = frozenset(order[:count]) if len(order) > 1 else frozenset()
    return lambda group: group in apart


def _shingles(text: str) -> set[int]:
    words = [one.casefold() for one in _WORD.findall(text)]
    if len(words) < _SHINGLE and text:
        words = list(text)  # scripts without spaces, and the very short
    size = max(1, len(words) - _SHINGLE + 1)
    return {hash(tuple(words[place : place + _SHINGLE])) for place in range(size)}
