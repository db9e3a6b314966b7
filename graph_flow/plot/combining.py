"""Combine chosen changes of several plots, and what they need, into one Delta that fits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from pydantic import ValidationError

from store.deltas.delta import canonical, patched
from store.deltas.locks import fitting
from store.deltas.names import Names, references
from store.deltas.rebase import rebase
from store.deltas.sentences import value_words
from store.models.cast import Character, Relationship
from store.models.delta import Change, Delta
from store.models.fields import field_words
from store.models.plot import Event, EventLink, Occurrence, Participation, Scene, Thread
from store.models.prototype import AnyEntity, Snapshot
from store.text import capital, name_key

__all__ = ["ChosenChanges", "Combined", "combine"]


class ChosenChanges(NamedTuple):
    """What is taken from one plot: its Delta, and the ids of the entities to change."""

    delta: Delta
    ids: frozenset[str]


def combine(parts: Sequence[ChosenChanges], before: Snapshot) -> Combined:
    """Return the chosen changes of several plots as one Delta that fits a snapshot.

    Each change brings what it needs: new people and places, who is in an event and where it occurs.
    Links between events come along if both ends are taken or already exist. Two new things with
    the same name become one. If two parts change the same field, the later one wins. Events are
    numbered in the order of the parts.

    The snapshot may be a part of the prototype, as long as it holds everything the Deltas touch.
    """
    rebased = [ChosenChanges(rebase(part.delta, before), part.ids) for part in parts]
    chosen = [_with_needs(part) for part in rebased]
    taken = frozenset[str]().union(*chosen)
    joint = CombinedDelta(before, _removed(rebased, chosen))
    for part, ids in zip(rebased, chosen, strict=True):
        joint.add(_changes(part.delta, ids, taken | before.entities.keys()))
    return joint.fitted()


def _with_needs(part: ChosenChanges) -> frozenset[str]:
    """Return the ids of the chosen changes and of those they need."""
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
    """Return whether a change belongs to a new event, or refers to something removed."""
    ends = [changes[end] for end in references(change.entity).values() if end in ids]
    if change.operation == "remove":
        return any(end.operation == "remove" for end in ends)
    return isinstance(change.entity, Participation | Occurrence) and any(
        end.operation == change.operation == "add" and end.kind == "event" for end in ends
    )


def _removed(parts: Sequence[ChosenChanges], chosen: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset(
        change.id
        for part, ids in zip(parts, chosen, strict=True)
        for change in part.delta.changes
        if change.id in ids and change.operation == "remove"
    )


def _changes(delta: Delta, ids: Set[str], known: Set[str]) -> Iterator[Change]:
    """Yield the changes with these ids, and the links that they bring along."""
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


_UNSHOWN = frozenset({"id", "kind", "position", "invented", "locked"})


class Combined(NamedTuple):
    """One Delta made of several parts, and what was dropped, in words for the writer."""

    delta: Delta
    dropped: tuple[str, ...]


class CombinedDelta:
    """Changes that are combined, part by part, on top of a snapshot.

    `removed` holds the ids of everything that any of the parts removes from the story.
    """

    def __init__(self, before: Snapshot, removed: frozenset[str]) -> None:
        self._before = before
        self._changes: dict[str, Change] = {}
        self._became: dict[str, str] = {}
        self._dropped: list[str] = []
        named: tuple[AnyEntity, ...] = (*before.of(Character), *before.of(Scene))
        self._known = {_key(one): one.id for one in named if one.id not in removed}

    def add(self, changes: Iterable[Change]) -> None:
        """Add the changes of one more part, each entity before those that refer to it."""
        known = dict(self._known)
        for change in changes:
            entity = self._pointed(change.after)
            if change.after is not None and entity is None:
                self._dropped.append(
                    f"{self._label(change.entity)} was left out: both are one person now."
                )
            elif change.before is None and entity is not None:
                # Two of the same name within one part are meant to be two.
                self._add_new(entity, known.get(_key(entity)))
            else:
                self._change(Change(before=change.before, after=entity))

    def fitted(self) -> Combined:
        """Return as much of the Delta as fits together."""
        changes = list(self._changes.values())
        delta = fitting(changes, self._before)
        kept = {change.id for change in delta.changes}
        for change in changes:
            if change.id not in kept and not isinstance(change.entity, Participation | Occurrence):
                label = self._label(change.entity)
                self._dropped.append(f"{label} was left out: it does not fit the rest.")
        dropped = dict.fromkeys(capital(sentence) for sentence in self._dropped)
        return Combined(canonical(_numbered(delta)), tuple(dropped))

    def _pointed(self, entity: AnyEntity | None) -> AnyEntity | None:
        """Return an entity that refers to what others became; None if it would refer to itself."""
        if entity is None:
            return None
        ends = {field: self._became.get(id_, id_) for field, id_ in references(entity).items()}
        if isinstance(entity, Relationship) and ends["source"] == ends["target"]:
            return None
        return entity.model_copy(update=ends)

    def _add_new(self, entity: AnyEntity, twin: str | None) -> None:
        """Add something new; `twin` is the same thing in an earlier part or in the story."""
        twin = entity.id if entity.id in self._changes else twin
        if twin is None:
            self._known.setdefault(_key(entity), entity.id)
            self._changes[entity.id] = Change(after=entity)
            return
        if twin != entity.id:
            self._became[entity.id] = twin
        other = self._changes[twin].after if twin in self._changes else None
        if other is None or other.kind != entity.kind or self._changes[twin].before is not None:
            return  # It is already in the story.
        filled = {
            field: value for field, value in _filled(entity) if getattr(other, field) != value
        }
        self._note(other, entity, {one for one in filled if _has(other, one)})
        marks = tuple(sorted({*other.invented, *entity.invented}))
        both = other.model_copy(update={**filled, "id": twin, "invented": marks})
        self._changes[twin] = Change(after=both)

    def _change(self, change: Change) -> None:
        earlier = self._changes.get(change.id)
        if earlier is None or earlier.after is None or change.after is None:
            if earlier is not None and earlier != change:
                self._dropped.append(
                    f"{self._label(change.entity)}: the later candidate’s version is used."
                )
            self._changes[change.id] = change
            return
        same = {field for field in change.fields if field in earlier.fields}
        differing = {
            one for one in same if getattr(earlier.after, one) != getattr(change.after, one)
        }
        self._note(earlier.after, change.after, differing)
        self._changes[change.id] = Change(
            before=change.before, after=_together(earlier.after, change)
        )

    def _note(self, earlier: AnyEntity, later: AnyEntity, fields: Set[str]) -> None:
        """Note the fields in which the later value wins."""
        names = self._names(later)
        for field in type(later).model_fields:
            if field in fields and field not in _UNSHOWN:
                old, new = (value_words(one, field, names) for one in (earlier, later))
                words = field_words(later, field)
                self._dropped.append(
                    f"{names.label(earlier)}, {words}: “{new}” is used, not “{old}”."
                )

    def _label(self, entity: AnyEntity) -> str:
        return self._names(entity).label(entity)

    def _names(self, entity: AnyEntity) -> Names:
        others = (change for change in self._changes.values() if change.id != entity.id)
        return Names(self._before, Delta.model_construct(changes=(*others, Change(after=entity))))


def _key(entity: AnyEntity) -> tuple[str, ...]:
    """Return the key that two new entities share if a reader would take them for the same thing."""
    match entity:
        case Character() | Scene():
            return (entity.kind, name_key(entity.name))
        case Thread():
            return (entity.kind, name_key(entity.title))
        case Relationship():
            return (entity.kind, entity.source, entity.target, entity.tie)
        case Participation():
            return (entity.kind, entity.character, entity.event)
        case Occurrence():
            return (entity.kind, entity.event, entity.scene)
        case EventLink():
            return (entity.kind, entity.source, entity.target, entity.link)
    return (entity.kind, entity.id)


def _filled(entity: AnyEntity) -> Iterator[tuple[str, object]]:
    """Yield the fields of an entity that are filled in, with their values."""
    for name in type(entity).model_fields:
        if name not in _UNSHOWN and _has(entity, name):
            yield name, getattr(entity, name)


def _has(entity: AnyEntity, field: str) -> bool:
    model_field = type(entity).model_fields[field]
    return model_field.is_required() or getattr(entity, field) != model_field.get_default()


def _together(earlier: AnyEntity, change: Change) -> AnyEntity | None:
    """Return an entity after two changes; the later one alone if both together are invalid."""
    both = patched(earlier, change)
    if both is None:
        return None
    marks = {"invented": tuple(sorted(set(both.invented)))}
    try:
        return type(both).model_validate({**dict(both), **marks})
    except ValidationError:
        return change.after


def _numbered(delta: Delta) -> Delta:
    """Return a Delta with its new events numbered in their order."""
    position = 0
    changes = []
    for change in delta.changes:
        if isinstance(change.after, Event) and change.before is None:
            event = change.after.model_copy(update={"position": position})
            changes.append(Change(after=event))
            position += 1
        else:
            changes.append(change)
    return Delta(changes=tuple(changes))
