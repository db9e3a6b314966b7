"""The dead do not act, and the missing do not meet anybody. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator

from graph_flow.continuity.chronicle import PRESENT, Chronicle, Scope
from graph_flow.continuity.evidence import evidence
from graph_flow.continuity.finding import Finding, Rule, Severity, key_of
from store.models.cast import Character, Life
from store.models.plot import Event, Part, Participation

_DOES = {Part.ACTS: "acts in", Part.WITNESSES: "sees", Part.IS_AFFECTED: "is there in"}


def find_the_dead(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield where the dead act or see something, and where the missing are among people.

    What counts is the chapter in which an event happens in the story: a flashback to the time
    before is none. Somebody must have been dead before that chapter and after it, for in the
    chapter of their death they may well act. The dead may be affected (buried, slandered), and the
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
                yield _finding(chronicle, event, part, person, happens)


def _life_around(chronicle: Chronicle, person: str, chapter: int) -> Life:
    """Return how somebody's life stood both before and after a chapter; living, where it changed."""
    before, after = chronicle.life_at(person, chapter - 1), chronicle.life_at(person, chapter)
    return after if before is after else Life.LIVING


def _is_met(chronicle: Chronicle, part: Participation) -> bool:
    there = [one for one in chronicle.parts.get(part.event, ()) if one.part in PRESENT]
    return part.part in PRESENT and any(one.character != part.character for one in there)


def _finding(
    chronicle: Chronicle, event: Event, part: Participation, person: Character, happens: int
) -> Finding:
    life = chronicle.life_at(person.id, happens)
    since = _since(chronicle, person.id, happens)
    told = chronicle.told_in(event.id)
    place = f"“{event.title}” (chapter {told})"
    if life is Life.DEAD:
        how = f"is dead since chapter {since}" if since else "is dead from the beginning"
        does = f"{_DOES[part.part]} {place}"
    else:
        how = f"is missing since chapter {since}" if since else "is missing from the beginning"
        does = f"is among people in {place}"
    chapters = tuple(sorted({since, told}))
    return Finding(
        key=key_of(Rule.DEAD, [person.id, event.id], [told]),
        rule=Rule.DEAD,
        severity=Severity.CONTRADICTION,
        chapters=chapters,
        sentence=f"{person.name} {how}, and yet {does}.",
        evidence=evidence(chronicle, person, event),
    )


def _since(chronicle: Chronicle, person: str, chapter: int) -> int:
    """Return the chapter from which on somebody's life stands as it does in a chapter."""
    life, since = chronicle.life_at(person, chapter), chapter
    for at in reversed(chronicle.timelines.get(person, ())):
        if at.chapter > chapter:
            continue
        if not isinstance(at.entity, Character) or at.entity.life is not life:
            break
        since = at.chapter
    return since
