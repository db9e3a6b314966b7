"""Continuity of people: the dead and the missing, two places at once, and those who vanish. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

from graph_flow.cognition.continuity.chronicle import PRESENT, Chronicle, Scope
from graph_flow.cognition.continuity.finding import (
    Finding,
    Rule,
    Severity,
    evidence,
    in_chapters,
    key_of,
)
from store.models.cast import Character, Life
from store.models.plot import Event, Part, Participation, Scene
from store.text import name_key

_DOES = {Part.ACTS: "acts in", Part.WITNESSES: "sees", Part.IS_AFFECTED: "is there in"}


def find_dead(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield where the dead act or see something, and where the missing are among people.

    What counts is the chapter in which an event happens in the story, so a flashback to an earlier
    time is no finding. A person must be dead both before and after that chapter, since they may
    well act in the chapter of their death. The dead may be affected (buried, slandered), and the
    missing may do things where nobody meets them.
    """
    if not chronicle.mortals:
        return
    for event in scope.all_events(chronicle):
        happens = math.floor(chronicle.moment(event))
        for part in chronicle.parts.get(event.id, ()):
            person = chronicle.find(Character, part.character)
            if person is None or person.id not in chronicle.mortals:
                continue
            life = _life_around(chronicle, person.id, happens)
            if (life is Life.DEAD and part.part in {Part.ACTS, Part.WITNESSES}) or (
                life is Life.MISSING and _is_met(chronicle, part)
            ):
                yield _life_finding(chronicle, event, part, person, happens)


def _life_around(chronicle: Chronicle, person: str, chapter: int) -> Life:
    """Return somebody's state of life both before and after a chapter; living if it changed."""
    before, after = chronicle.life_at(person, chapter - 1), chronicle.life_at(person, chapter)
    return after if before is after else Life.LIVING


def _is_met(chronicle: Chronicle, part: Participation) -> bool:
    there = [one for one in chronicle.parts.get(part.event, ()) if one.part in PRESENT]
    return part.part in PRESENT and any(one.character != part.character for one in there)


def _life_finding(
    chronicle: Chronicle, event: Event, part: Participation, person: Character, happens: int
) -> Finding:
    life = chronicle.life_at(person.id, happens)
    since = _since(chronicle, person.id, happens)
    told = chronicle.first_chapter_of(event.id)
    place = f"“{event.title}” (chapter {told})"
    if life is Life.DEAD:
        how = f"has been dead since {_start(since)}"
        does = f"{_DOES[part.part]} {place}"
    else:
        how = f"has been missing since {_start(since)}"
        does = f"is among people in {place}"
    chapters = tuple(sorted({since, told}))
    return Finding(
        key=key_of(Rule.DEAD, [person.id, event.id], [told]),
        rule=Rule.DEAD,
        severity=Severity.CONTRADICTION,
        chapters=chapters,
        sentence=f"{person.name} {how}, but {does}.",
        evidence=evidence(chronicle, person, event),
    )


def _start(chapter: int) -> str:
    return f"chapter {chapter}" if chapter else "the beginning"


def _since(chronicle: Chronicle, person: str, chapter: int) -> int:
    """Return the chapter since which somebody has been in the state that they are in."""
    life, since = chronicle.life_at(person, chapter), chapter
    for at in reversed(chronicle.timelines.get(person, ())):
        if at.chapter > chapter:
            continue
        if not isinstance(at.entity, Character) or at.entity.life is not life:
            break
        since = at.chapter
    return since


Time = tuple[float, str]
"""A position in the story's order, or a chapter together with the words for a time in it."""


def find_two_places(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield the people who act, are affected or witness something in two places at the same time.

    The same time is the same explicit position in the story's order or, within a chapter, scenes
    with the same wording for their time. Two places are two scenes that name different places or,
    if neither names one, have different names. People who only hear of an event need not be there.
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
            # Whoever was in both before only goes on being there with one event more in either.
            is_new = any(
                all(event.id in looked_at for event in scenes[place]) for place in (one, other)
            )
            if here and there and is_new and _are_apart(here, there):
                events = (_first(chronicle, scenes[one]), _first(chronicle, scenes[other]))
                yield _two_places_finding(chronicle, person, words, events)


def _first(chronicle: Chronicle, events: list[Event]) -> Event:
    """Return the event that is told first, so that the finding does not depend on their order."""
    return min(events, key=lambda event: (chronicle.telling_order(event), event.id))


def _by_time(chronicle: Chronicle, person: str) -> dict[Time, dict[str, list[Event]]]:
    """Return the events at which somebody is present, by time and scene, if both are known."""
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
    return (chronicle.first_chapter_of(event.id), words) if words else None


def _are_apart(one: Scene, other: Scene) -> bool:
    if one.id == other.id or bool(one.place) != bool(other.place):
        return False
    return name_key(one.place or one.name) != name_key(other.place or other.name)


def _two_places_finding(
    chronicle: Chronicle, person: Character, words: str, events: tuple[Event, Event]
) -> Finding:
    one, other = sorted(events, key=lambda event: (chronicle.telling_order(event), event.id))
    scenes = [scene for event in (one, other) if (scene := chronicle.scene_of(event.id))]
    chapters = tuple(
        sorted({chronicle.first_chapter_of(one.id), chronicle.first_chapter_of(other.id)})
    )
    when = f"at the same time ({scenes[0].time})" if words else "at the same moment of the story"
    places = " and ".join(scene.name for scene in scenes)
    return Finding(
        key=key_of(Rule.TWO_PLACES, [person.id, *(scene.id for scene in scenes)], chapters),
        rule=Rule.TWO_PLACES,
        severity=Severity.DOUBT if words else Severity.CONTRADICTION,
        chapters=chapters,
        sentence=f"{person.name} is in two places {when}: {places} ({in_chapters(chapters)}).",
        evidence=evidence(chronicle, person, one, other, *scenes),
    )


_OFTEN = 3
"""In how many chapters a person must have acted to be missed."""

_LONG = 4
_SHARE = 5
_RHYTHM = 2


def find_vanished(chronicle: Chronicle) -> Iterator[Finding]:
    """Yield people who acted often, and have not appeared for a long time.

    Often means in at least three chapters, and in at least every third from their first to their
    last. A long time means at least four chapters, a fifth of the story so far, and twice their
    longest absence before. The dead and the missing are ignored.
    """
    for person in chronicle.of_kind(Character):
        parts = chronicle.roles.get(person.id, ())
        seen = sorted({chronicle.first_chapter_of(part.event) for part in parts})
        acted = {chronicle.first_chapter_of(part.event) for part in parts if part.part is Part.ACTS}
        if person.life is Life.LIVING and _is_missed(seen, len(acted), chronicle.chapter):
            yield _absence_finding(chronicle, person, len(acted), seen[-1])


def _is_missed(seen: list[int], acted: int, now: int) -> bool:
    if acted < _OFTEN or acted * 3 < seen[-1] - seen[0] + 1:
        return False
    away = now - seen[-1]
    longest = max((later - earlier for earlier, later in pairwise(seen)), default=1)
    return away >= max(_LONG, now / _SHARE, _RHYTHM * longest)


def _absence_finding(chronicle: Chronicle, person: Character, acted: int, last: int) -> Finding:
    return Finding(
        key=key_of(Rule.VANISHED, [person.id], [last]),
        rule=Rule.VANISHED,
        severity=Severity.DOUBT,
        chapters=(last,),
        sentence=f"{person.name} acted in {acted} chapters, but has not appeared since chapter {last} "
        f"of {chronicle.chapter}.",
        evidence=evidence(chronicle, person),
    )
