"""What people are to each other does not turn without an event. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from graph_flow.continuity.chronicle import Chronicle, Scope
from graph_flow.continuity.evidence import capital, evidence, label
from graph_flow.continuity.finding import Finding, Rule, Severity, key_of
from store.models.cast import Relationship, RelationshipKind

_STEP = 4
"""A change of strength by this much, or more, is a jump."""

_WARM = frozenset(
    {
        RelationshipKind.ROMANCE,
        RelationshipKind.FRIENDSHIP,
        RelationshipKind.ALLIANCE,
        RelationshipKind.MENTORSHIP,
    }
)
_COLD = frozenset({RelationshipKind.RIVALRY, RelationshipKind.DISTRUST, RelationshipKind.ENMITY})


def find_jumps(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield ties that jump in a chapter in which the two people have no event in common.

    A tie jumps where its strength changes by 4 or more, or it turns from a kind of closeness into
    a kind of enmity, or back. Kinship, service and debt are neither. Being told of an event is
    having a part in it.
    """
    for tie in scope.in_kind(chronicle, Relationship):
        for before, after in pairwise(chronicle.timelines.get(tie.id, ())):
            if not isinstance(before.entity, Relationship):
                continue
            if not isinstance(after.entity, Relationship):
                continue
            how = _jump(before.entity, after.entity)
            if how and not chronicle.meet_in(tie.source, tie.target, after.chapter):
                yield _finding(chronicle, after.entity, after.chapter, how)


def _jump(before: Relationship, after: Relationship) -> str:
    if _is_flip(before.tie, after.tie):
        return f"turns from {before.tie} into {after.tie}"
    if abs(before.strength - after.strength) >= _STEP:
        return f"jumps from {before.strength} to {after.strength}"
    return ""


def _is_flip(one: RelationshipKind, other: RelationshipKind) -> bool:
    return (one in _WARM and other in _COLD) or (one in _COLD and other in _WARM)


def _finding(chronicle: Chronicle, tie: Relationship, chapter: int, how: str) -> Finding:
    people = [
        entity
        for id_ in (tie.source, tie.target)
        if (entity := chronicle.entities.get(id_)) is not None
    ]
    return Finding(
        key=key_of(Rule.JUMP, [tie.id], [chapter]),
        rule=Rule.JUMP,
        severity=Severity.DOUBT,
        chapters=(chapter,),
        sentence=f"{capital(label(chronicle, tie.id))} {how} in chapter {chapter}, "
        "in which nothing happens between the two.",
        evidence=evidence(chronicle, tie, *people),
    )
