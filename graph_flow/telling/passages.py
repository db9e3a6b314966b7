"""Which passage of a chapter's text tells which scene of its plan. Pure.

A text says nowhere which scene a paragraph belongs to, and a model that writes a chapter in one go
may draw no line between them. So each paragraph goes to the scene whose people, places and events it
names, in the order of the plan.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from graph_flow.telling.scenes import people_in
from store.models.manuscript import PARAGRAPH_BREAK, PlannedScene, WritingPlan
from store.models.plot import Event, Scene
from store.models.prototype import Snapshot

_WORD = re.compile(r"[^\W\d_]{4,}|[^\W\d_]")
"""Words of some length; in scripts without spaces, each sign."""
_IN_PLACE = 0.6
"""How much it counts where in a chapter a paragraph stands, beside the words that it shares."""


def events_by_paragraph(text: str, plan: WritingPlan, snapshot: Snapshot) -> list[tuple[str, ...]]:
    """Return the ids of the events that each paragraph of a chapter's text tells."""
    paragraphs = text.split(PARAGRAPH_BREAK)
    scenes = [scene for scene in plan.scenes if scene.events]
    if not scenes:
        return [() for _ in paragraphs]
    marks = [_words(_said_of(scene, snapshot)) for scene in scenes]
    places = _scene_of_each(paragraphs, marks, _shares(plan, scenes))
    return [scenes[place].events for place in places]


def _said_of(scene: PlannedScene, snapshot: Snapshot) -> str:
    """Return what is known of a scene, in words that its text may use as well."""
    said = [scene.beat, scene.where]
    for event in scene.events:
        found = snapshot.entities.get(event)
        if isinstance(found, Event):
            said += [found.title, found.summary]
            said += [person.name for person in people_in(snapshot, [found])]
    place = snapshot.entities.get(scene.scene or "")
    if isinstance(place, Scene):
        said += [place.name, place.place]
    return " ".join(said)


def _shares(plan: WritingPlan, scenes: Sequence[PlannedScene]) -> list[float]:
    """Return where in the chapter the middle of each scene is planned to stand, from 0 to 1."""
    words = [max(1, plan.words_of(scene)) for scene in scenes]
    whole, before, middles = sum(words), 0, []
    for count in words:
        middles.append((before + count / 2) / whole)
        before += count
    return middles


def _scene_of_each(
    paragraphs: Sequence[str], marks: Sequence[Counter[str]], middles: Sequence[float]
) -> list[int]:
    """Return the place of the scene of each paragraph, so that scenes keep their order.

    Of all ways to part a text into scenes this is the one in which paragraphs share most with their
    scenes; a word that fewer scenes have counts more.
    """
    rarity = {
        word: log(1 + len(marks) / sum(word in mark for mark in marks))
        for mark in marks
        for word in mark
    }
    lengths = [max(1, len(paragraph)) for paragraph in paragraphs]
    whole, read = sum(lengths), 0
    best = [0.0] * len(marks)
    came: list[list[int]] = []
    for paragraph, length in zip(paragraphs, lengths, strict=True):
        place, words = (read + length / 2) / whole, _words(paragraph)
        read += length
        fits = [
            sum(rarity[word] for word in words if word in mark)
            - _IN_PLACE * abs(place - middle) * len(marks)
            for mark, middle in zip(marks, middles, strict=True)
        ]
        before = [max(range(at + 1), key=lambda one: (best[one], one)) for at in range(len(marks))]
        if not came:
            before = [0] * len(marks)
        came.append(before)
        best = [best[before[at]] + fits[at] for at in range(len(marks))]
    at = max(range(len(marks)), key=lambda one: best[one])
    places = []
    for before in reversed(came):
        places.append(at)
        at = before[at]
    return places[::-1]


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))
