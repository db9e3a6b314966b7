"""A plot out of parts of others: single changes, with all that they need, as one Delta that fits. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from graph_flow.joining import Combined, Joint
from store.deltas.delta import canonical
from store.deltas.names import references
from store.deltas.rebase import rebase
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, Occurrence, Participation
from store.models.prototype import Snapshot

__all__ = ["Combined", "Taken", "combine"]


class Taken(NamedTuple):
    """What is taken of one plot: its Delta, and the ids of the entities whose changes were chosen."""

    delta: Delta
    ids: frozenset[str]


def combine(parts: Sequence[Taken], before: Snapshot) -> Combined:
    """Return the chosen changes of several plots as one Delta that fits a snapshot.

    Each change comes with what it needs: new people and places, who is in an event and where it
    occurs. Links between events come where both ends are taken or stand already. What is new in
    two parts under one name becomes one. Where two parts change the same field, the later one
    holds. Events are numbered in the order of the parts.

    The snapshot may be a part of the prototype, as long as it holds whatever the Deltas touch.
    """
    standing = [Taken(rebase(part.delta, before), part.ids) for part in parts]
    chosen = [_with_needs(part) for part in standing]
    taken = frozenset[str]().union(*chosen)
    joint = Joint(before, _removed(standing, chosen))
    for part, ids in zip(standing, chosen, strict=True):
        joint.add(_changes(part.delta, ids, taken | before.entities.keys()))
    return joint.fitted()


def _with_needs(part: Taken) -> frozenset[str]:
    """Return the ids of the chosen changes and of those that they cannot do without."""
    changes = {change.id: change for change in part.delta.changes}
    ids = part.ids & changes.keys()
    while more := _needed(changes, ids) - ids:
        ids |= more
    return frozenset(ids)


def _needed(changes: dict[str, Change], ids: Set[str]) -> set[str]:
    new = {id_ for id_, change in changes.items() if change.operation == "add"}
    needed = {
        end
        for id_ in ids
        if (after := changes[id_].after) is not None
        for end in references(after).values()
    } & new
    return needed | {id_ for id_, change in changes.items() if _belongs(change, changes, ids)}


def _belongs(change: Change, changes: dict[str, Change], ids: Set[str]) -> bool:
    """Whether a change goes with the chosen ones: a part of a new event, a bond of what is removed."""
    ends = [changes[end] for end in references(change.entity).values() if end in ids]
    if change.operation == "remove":
        return any(end.operation == "remove" for end in ends)
    return isinstance(change.entity, Participation | Occurrence) and any(
        end.operation == change.operation == "add" and end.kind == "event" for end in ends
    )


def _removed(parts: Sequence[Taken], chosen: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset(
        change.id
        for part, ids in zip(parts, chosen, strict=True)
        for change in part.delta.changes
        if change.id in ids and change.operation == "remove"
    )


def _changes(delta: Delta, ids: Set[str], known: Set[str]) -> Iterator[Change]:
    """Yield the changes with some ids, and the links that these bring along."""
    in_order = sorted(delta.changes, key=_position)
    for change in canonical(Delta(changes=tuple(in_order))).changes:
        entity = change.entity
        if change.id in ids:
            yield change
        elif isinstance(entity, EventLink) and change.operation == "add":
            ends = {entity.source, entity.target}
            if ends & ids and ends <= known:
                yield change


def _position(change: Change) -> int:
    return change.entity.position if isinstance(change.entity, Event) else 0
