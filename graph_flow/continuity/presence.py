"""Nobody is in two places at one time of the story. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from graph_flow.continuity.chronicle import PRESENT, Chronicle, Scope
from graph_flow.continuity.evidence import evidence, in_chapters
from graph_flow.continuity.finding import Finding, Rule, Severity, key_of
from store.deltas.names import name_key
from store.models.cast import Character
from store.models.plot import Event, Scene

Time = tuple[float, str]
"""A place in the story's order or, where the words for a time are not empty, a chapter."""


def find_two_places(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield who acts, is affected or witnesses in two places at one time.

    One time is the same explicit place in the story's order or, in one chapter, scenes whose
    time says the same. Two places are two scenes that name different places or, where neither
    names a place, have different names. Whoever is only told of an event need not be there.
    """
    people = {
        part.character
        for event in scope.all_events(chronicle)
        for part in chronicle.parts.get(event.id, ())
    }
    looked_at = set(scope.events)
    for person_id in sorted(people):
        person = chronicle.find(Character, person_id)
        if person is not None:
            yield from _of_person(chronicle, person, looked_at)


def _of_person(chronicle: Chronicle, person: Character, looked_at: set[str]) -> Iterator[Finding]:
    for (_, words), scenes in _by_time(chronicle, person.id).items():
        for one, other in combinations(scenes, 2):
            here, there = chronicle.find(Scene, one), chronicle.find(Scene, other)
            is_new = any(event.id in looked_at for event in (*scenes[one], *scenes[other]))
            if here and there and is_new and _are_apart(here, there):
                events = (_first(chronicle, scenes[one]), _first(chronicle, scenes[other]))
                yield _finding(chronicle, person, words, events)


def _first(chronicle: Chronicle, events: list[Event]) -> Event:
    """Return the event that is told first; it names the finding, in whatever order they stand."""
    return min(events, key=lambda event: (chronicle.telling_order(event), event.id))


def _by_time(chronicle: Chronicle, person: str) -> dict[Time, dict[str, list[Event]]]:
    """Return what somebody is present at, by time and by scene, where both are known."""
    found: dict[Time, dict[str, list[Event]]] = {}
    for part in chronicle.roles.get(person, ()):
        event, scene = chronicle.find(Event, part.event), chronicle.scene_of(part.event)
        if part.part in PRESENT and event is not None and scene is not None:
            time = _time(chronicle, event, scene)
            if time is not None:
                found.setdefault(time, {}).setdefault(scene.id, []).append(event)
    return found


def _time(chronicle: Chronicle, event: Event, scene: Scene) -> Time | None:
    if event.story_order is not None:
        return event.story_order, ""
    words = name_key(scene.time)
    return (chronicle.told_in(event.id), words) if words else None


def _are_apart(one: Scene, other: Scene) -> bool:
    if one.id == other.id or bool(one.place) != bool(other.place):
        return False
    return name_key(one.place or one.name) != name_key(other.place or other.name)


def _finding(
    chronicle: Chronicle, person: Character, words: str, events: tuple[Event, Event]
) -> Finding:
    one, other = sorted(events, key=lambda event: (chronicle.telling_order(event), event.id))
    scenes = [scene for event in (one, other) if (scene := chronicle.scene_of(event.id))]
    chapters = tuple(sorted({chronicle.told_in(one.id), chronicle.told_in(other.id)}))
    when = f"at one time ({scenes[0].time})" if words else "at one moment of the story"
    places = " and ".join(scene.name for scene in scenes)
    return Finding(
        key=key_of(Rule.TWO_PLACES, [person.id, *(scene.id for scene in scenes)], chapters),
        rule=Rule.TWO_PLACES,
        severity=Severity.DOUBT if words else Severity.CONTRADICTION,
        chapters=chapters,
        sentence=f"{person.name} is in two places {when}: {places} ({in_chapters(chapters)}).",
        evidence=evidence(chronicle, person, one, other, *scenes),
    )
