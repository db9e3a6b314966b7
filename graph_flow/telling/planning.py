"""From a whole plan, as an able model gives it, to the scenes of a writing plan. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from graph_flow.founding.cast import find_person
from graph_flow.prompting.whole import PASSAGE
from graph_flow.telling.answers import WholePlan, WholeScene
from graph_flow.telling.material.facts import Fact
from graph_flow.telling.material.lines import cut
from graph_flow.telling.scenes import people_in
from store.models.manuscript import FactKey, Learner, PlannedScene, Recollection, ThreadCue
from store.models.plot import Event, Thread
from store.models.prototype import Snapshot
from store.text import name_key

T = TypeVar("T")

_ROUND_TO = 10
_IN_PARENTHESES = re.compile(r"\s*\([\s,;andCEFT\d]*\b[CEFT]\d{1,3}\b[\s,;andCEFT\d]*\)")
_LABEL = re.compile(r"\b([CEFT])(\d{1,3})\b")
_MEANT = 90
"""Characters in which a text says what a label means."""


@dataclass(frozen=True)
class Offered:
    """What a plan may name, in the order of the labels in its prompt.

    Where those of several chapters stand together, `told` are the events of the one that is planned;
    None: all.
    """

    events: Sequence[Event]
    facts: Sequence[Fact] = ()
    earlier: Sequence[Event] = ()
    threads: Sequence[Thread] = ()
    told: Sequence[Event] | None = None

    @property
    def own(self) -> Sequence[Event]:
        """The events that the plan has to tell."""
        return self.events if self.told is None else self.told

    def in_words(self, text: str, most: int) -> str:
        """Return a text with what its labels mean in their place: other agents do not see the list.

        If that makes it longer than `most` characters, its end is cut.
        """
        bare = _IN_PARENTHESES.sub("", text)
        return cut(" ".join(_LABEL.sub(self._words_of, bare).split()), most)

    def _words_of(self, label: re.Match[str]) -> str:
        meant: Mapping[str, Sequence[str]] = {
            "C": [event.title or event.summary for event in self.events],
            "E": [event.title or event.summary for event in self.earlier],
            "F": [fact.title or fact.text for fact in self.facts],
            "T": [thread.title for thread in self.threads],
        }
        letter, at = label.group(1), int(label.group(2))
        words = meant[letter][at - 1] if 0 < at <= len(meant[letter]) else ""
        return f"“{cut(words, _MEANT)}”" if words else ""


def scenes_planned(
    answer: WholePlan,
    offered: Offered,
    snapshot: Snapshot,
    words: int,
    seen: set[FactKey] | None = None,
) -> tuple[PlannedScene, ...]:
    """Return the scenes of a plan; every event is in one of them, and every fact is told once.

    `seen` are the facts that are told already; those that these scenes tell are added.
    """
    by_place = _Places.of(offered.own, snapshot)
    events = by_place.distributed(
        [
            [event for event in _meant(one.events, "C", offered.events) if event in offered.own]
            for one in answer.scenes
        ]
    )
    weights = sum(one.weight for one in answer.scenes)
    seen = set() if seen is None else seen
    return tuple(
        _scene(one, those, offered, _Around(snapshot, by_place, seen)).model_copy(
            update={
                "words": max(_ROUND_TO, _ROUND_TO * round(words * one.weight / weights / _ROUND_TO))
            }
        )
        for one, those in zip(answer.scenes, events, strict=True)
    )


@dataclass(frozen=True)
class _Places:
    """The events of a chapter in order, with the id of the place of each."""

    events: Sequence[Event]
    at: Mapping[str, str]

    @classmethod
    def of(cls, events: Sequence[Event], snapshot: Snapshot) -> _Places:
        places = {event.id: snapshot.scene_of(event.id) for event in events}
        return cls(events, {id_: place.id for id_, place in places.items() if place})

    def distributed(self, chosen: Sequence[Sequence[Event]]) -> list[list[Event]]:
        """Return the events of each scene, with those that no scene has, where they fit best."""
        scenes = [list(events) for events in chosen]
        order = {event.id: at for at, event in enumerate(self.events)}
        told = {event.id for events in scenes for event in events}
        for event in self.events:
            if event.id in told:
                continue
            best = min(range(len(scenes)), key=lambda at: self._distance(event, scenes[at], order))
            scenes[best].append(event)
            scenes[best].sort(key=lambda one: order[one.id])
        return scenes

    def _distance(
        self, event: Event, scene: Sequence[Event], order: Mapping[str, int]
    ) -> tuple[int, bool]:
        return min(
            (
                (abs(order[one.id] - order[event.id]), self._is_elsewhere(one, event))
                for one in scene
            ),
            default=(len(order), True),
        )

    def _is_elsewhere(self, one: Event, other: Event) -> bool:
        return self.at.get(one.id) != self.at.get(other.id)


@dataclass(frozen=True)
class _Around:
    """What the scenes of a plan have in common; `told` are the facts of the scenes before."""

    snapshot: Snapshot
    places: _Places
    told: set[str] = field(default_factory=set)


def _scene(
    answer: WholeScene, events: Sequence[Event], offered: Offered, around: _Around
) -> PlannedScene:
    snapshot = around.snapshot
    there = people_in(snapshot, events)
    eyes = find_person(snapshot.characters, answer.point_of_view) if answer.point_of_view else None
    eyes = eyes or next(iter(there), None)
    at_events = (around.places.at[one.id] for one in events if one.id in around.places.at)
    return PlannedScene(
        scene=_place(answer.where, snapshot) if answer.where else next(at_events, None),
        where=answer.where,
        mode=answer.mode,
        events=tuple(dict.fromkeys(event.id for event in events)),
        point_of_view=eyes.id if eyes else None,
        beat=offered.in_words(answer.beat, PASSAGE) or " ".join(event.summary for event in events),
        reveals=_revealed(answer, offered.facts, around.told),
        learners=_learners(answer, offered.facts, snapshot),
        recall=tuple(
            Recollection(event=event.id) for event in _meant(answer.recalls, "E", offered.earlier)
        ),
        threads=tuple(
            ThreadCue(thread=thread.id, move=cue.move, how=cue.how)
            for cue in answer.threads
            for thread in _meant([cue.thread], "T", offered.threads)
        ),
    )


def _revealed(answer: WholeScene, facts: Sequence[Fact], told: set[FactKey]) -> tuple[FactKey, ...]:
    labels = [one.fact for one in answer.reveals]
    keys = [fact.key for fact in _meant(labels, "F", facts) if fact.key not in told]
    told.update(keys)
    return tuple(keys)


def _learners(answer: WholeScene, facts: Sequence[Fact], snapshot: Snapshot) -> tuple[Learner, ...]:
    found = (
        Learner(fact=fact.key, person=person.id)
        for one in answer.reveals
        for fact in _meant([one.fact], "F", facts)
        for name in one.to
        if (person := find_person(snapshot.characters, name))
    )
    return tuple(dict.fromkeys(found))


def _place(name: str, snapshot: Snapshot) -> str | None:
    """Return the id of the story's place that has this name, or else has it in its name."""
    key = name_key(name)
    places = {name_key(scene.name): scene.id for scene in snapshot.scenes}
    within = (id_ for one, id_ in places.items() if one in key or key in one)
    return places.get(key) or next(within, None)


def _meant(labels: Iterable[str], letter: str, items: Sequence[T]) -> list[T]:
    """Return the items that some labels mean, each once: "C1", "c1.", "1", or "C1 and C2"."""
    numbers = (
        int(number)
        for label in labels
        for number in re.findall(rf"\b{letter}?(\d{{1,4}})\b", label, re.IGNORECASE)
    )
    return [items[at - 1] for at in dict.fromkeys(numbers) if 0 < at <= len(items)]


def meant_facts(labels: Iterable[str], facts: Sequence[Fact]) -> tuple[FactKey, ...]:
    """Return the keys of the facts that some labels mean."""
    return tuple(fact.key for fact in _meant(labels, "F", facts))
