"""How a story came out: what it took, and what can be counted in it without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from graph_flow.command_line.experiments.records import StoryReport, StoryTask
from store.models.cast import Character
from store.models.plot import Event, Thread, ThreadState
from store.open import Store

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PAIR, _PHRASE = 2, 4
"""Words of an n-gram: for how much is new, and for what is said again."""


class Work(NamedTuple):
    """What is known of the work on a story besides its library; seconds are on the clock."""

    version: str
    library: str
    seconds: float
    calls_repeated: int
    workers: int


def report_of(store: Store, task: StoryTask, work: Work) -> StoryReport:
    """Return how a story came out."""
    branch = store.library.main_branch(store.library.story_ids()[0]).id
    texts = [one.draft.text for one in store.contents.texts(branch)]
    used, length = store.ledger.totals(branch=branch), store.contents.length(branch)
    head = store.prototype.head(branch)
    commits = [one for one in store.prototype.commits(branch) if one.chapter > 0]
    return StoryReport(
        story=task,
        version=work.version,
        library=work.library,
        chapters=max(head.chapter if head else 0, length.chapters),
        words=length.words,
        calls=used.calls,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cost=used.cost,
        seconds=round(work.seconds, 3),
        model_seconds=used.milliseconds / 1_000,
        calls_repeated=work.calls_repeated,
        workers=work.workers,
        hashes=tuple(one.hash for one in commits),
        measures={**_of_texts(texts), **_of_plot(store, branch)},
    )


def _of_texts(texts: Sequence[str]) -> dict[str, float]:
    """Return measures of a text's words: shares from 0 to 1."""
    words = [[one.casefold() for one in _WORD.findall(text)] for text in texts]
    pairs = Counter(chain.from_iterable(_grams(one, _PAIR) for one in words))
    phrases = [set(_grams(one, _PHRASE)) for one in words]
    seen = Counter(chain.from_iterable(phrases))
    several = sum(count > 1 for count in seen.values())
    return {
        "distinct_2": len(pairs) / max(1, pairs.total()),
        "repeated_between_chapters": several / max(1, len(seen)),
    }


def _grams(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return list(zip(*(words[place:] for place in range(size)), strict=False))


def _of_plot(store: Store, branch: str) -> Mapping[str, float]:
    """Return counts of what is in the story itself; none for one that was made directly."""
    if store.library.story_of(branch).settings.is_direct:
        return {}
    snapshot = store.prototype.snapshot(branch)
    return {
        "people": float(sum(1 for _ in snapshot.of(Character))),
        "events": float(sum(1 for _ in snapshot.of(Event))),
        "open_threads": float(sum(one.state is ThreadState.PLANTED for one in snapshot.of(Thread))),
    }
