"""Recognizing which parts of an outline a chapter has told, where nobody has said so. Pure.

A role says which part of the plan it brings about, if it was shown it; many are told by several turns together, or
by somebody who could not be shown them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Set
from math import log

from store.database.word_index import terms_of
from store.models.outline import Outline
from store.models.plot import Event
from store.models.proposals import Candidate, Telling

_TOLD = 0.45
"""How much of what a part is about a chapter has to mention, with rare words counting for more."""


def with_parts_told(outline: Outline, candidate: Candidate, parts: Collection[str]) -> Candidate:
    """Return a candidate that tells, besides what its turns have said, those parts that stand in its events.

    `parts` are the ids of those that the chapter is to tell. Each is told by the event that has most of it.
    """
    said = {telling.part for telling in candidate.tells}
    events = {
        one.id: frozenset(terms_of(f"{one.title} {one.summary} {one.spoken} {one.consequences}"))
        for one in candidate.delta.additions()
        if isinstance(one, Event)
    }
    texts = {part.id: frozenset(terms_of(part.text)) for part in outline.sub_events}
    weights, whole = _weights(texts), frozenset().union(*events.values())
    tells = [
        Telling(
            part=id_, event=max(events, key=lambda one: _share(texts[id_], events[one], weights))
        )
        for id_ in parts
        if id_ in texts and id_ not in said and _share(texts[id_], whole, weights) >= _TOLD
    ]
    return (
        candidate.model_copy(update={"tells": (*candidate.tells, *tells)}) if tells else candidate
    )


def _weights(texts: Mapping[str, Set[str]]) -> dict[str, float]:
    """Return how much each word tells one part from the others: its inverse document frequency."""
    counts = Counter(word for words in texts.values() for word in words)
    return {word: log(len(texts) / count) for word, count in counts.items()}


def _share(part: Set[str], told: Set[str], weights: Mapping[str, float]) -> float:
    whole = sum(weights[word] for word in part)
    return sum(weights[word] for word in part & told) / whole if whole else 0.0
