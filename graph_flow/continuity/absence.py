"""Who mattered does not vanish without a word. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from graph_flow.continuity.chronicle import Chronicle
from graph_flow.continuity.evidence import evidence
from graph_flow.continuity.finding import Finding, Rule, Severity, key_of
from store.models.cast import Character, Life
from store.models.plot import Part

_OFTEN = 3
"""Chapters in which a person must have acted to be missed."""

_LONG = 4
_SHARE = 5
_RHYTHM = 2


def find_vanished(chronicle: Chronicle) -> Iterator[Finding]:
    """Yield people who acted often, and of whom nothing has been told for long.

    Often: in three chapters or more, and in every third or more from their first to their last.
    For long: at least four chapters, a fifth of the story so far, and twice as many chapters as
    they were ever away before. The dead and the missing are not missed.
    """
    for person in chronicle.of_kind(Character):
        parts = chronicle.roles.get(person.id, ())
        seen = sorted({chronicle.told_in(part.event) for part in parts})
        acted = {chronicle.told_in(part.event) for part in parts if part.part is Part.ACTS}
        if person.life is Life.LIVING and _is_missed(seen, len(acted), chronicle.chapter):
            yield _finding(chronicle, person, len(acted), seen[-1])


def _is_missed(seen: list[int], acted: int, now: int) -> bool:
    if acted < _OFTEN or acted * 3 < seen[-1] - seen[0] + 1:
        return False
    away = now - seen[-1]
    longest = max((later - earlier for earlier, later in pairwise(seen)), default=1)
    return away >= max(_LONG, now / _SHARE, _RHYTHM * longest)


def _finding(chronicle: Chronicle, person: Character, acted: int, last: int) -> Finding:
    return Finding(
        key=key_of(Rule.VANISHED, [person.id], [last]),
        rule=Rule.VANISHED,
        severity=Severity.DOUBT,
        chapters=(last,),
        sentence=f"{person.name} acted in {acted} chapters, and has had no part since chapter {last} "
        f"of {chronicle.chapter}.",
        evidence=evidence(chronicle, person),
    )
