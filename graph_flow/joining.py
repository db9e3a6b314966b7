"""Changes of several plots put together: what is new under one name becomes one, the later value holds. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from pydantic import ValidationError

from store.deltas.delta import canonical, patched
from store.deltas.locks import fitting
from store.deltas.names import Names, name_key, references
from store.deltas.sentences import field_words, value_words
from store.models.cast import Character, Relationship
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, Occurrence, Participation, Scene, Thread
from store.models.prototype import AnyEntity, Snapshot

_UNTOLD = frozenset({"id", "kind", "position", "invented", "locked"})


class Combined(NamedTuple):
    """One Delta of several parts, and in a writer's words what they could not both have."""

    delta: Delta
    dropped: tuple[str, ...]


class Joint:
    """Changes that are put together, part by part, onto a snapshot.

    `removed` are the ids of what any of the parts takes out of the story.
    """

    def __init__(self, before: Snapshot, removed: frozenset[str]) -> None:
        self._before = before
        self._changes: dict[str, Change] = {}
        self._became: dict[str, str] = {}
        self._told: list[str] = []
        named: tuple[AnyEntity, ...] = (*before.of(Character), *before.of(Scene))
        self._known = {_key(one): one.id for one in named if one.id not in removed}

    def add(self, changes: Iterable[Change]) -> None:
        """Take in the changes of one more part, referents before referrers."""
        known = dict(self._known)
        for change in changes:
            entity = self._pointed(change.after)
            if change.after is not None and entity is None:
                self._told.append(f"{self._label(change.entity)} was left out: both are one now.")
            elif change.before is None and entity is not None:
                # Two of a kind within one part are meant to be two.
                self._add_new(entity, known.get(_key(entity)))
            else:
                self._change(Change(before=change.before, after=entity))

    def fitted(self) -> Combined:
        """Return as much of it as goes together."""
        changes = list(self._changes.values())
        delta = fitting(changes, self._before)
        kept = {change.id for change in delta.changes}
        for change in changes:
            if change.id not in kept and not isinstance(change.entity, Participation | Occurrence):
                label = self._label(change.entity)
                self._told.append(f"{label} was left out: it does not go with the rest.")
        told = dict.fromkeys(sentence[:1].upper() + sentence[1:] for sentence in self._told)
        return Combined(canonical(_numbered(delta)), tuple(told))

    def _pointed(self, entity: AnyEntity | None) -> AnyEntity | None:
        """Return an entity that refers to what others became; None: it would refer to itself."""
        if entity is None:
            return None
        ends = {field: self._became.get(id_, id_) for field, id_ in references(entity).items()}
        if isinstance(entity, Relationship) and ends["source"] == ends["target"]:
            return None
        return entity.model_copy(update=ends)

    def _add_new(self, entity: AnyEntity, twin: str | None) -> None:
        """Take in something new; `twin` is what an earlier part, or the story, has in its place."""
        twin = entity.id if entity.id in self._changes else twin
        if twin is None:
            self._known.setdefault(_key(entity), entity.id)
            self._changes[entity.id] = Change(after=entity)
            return
        if twin != entity.id:
            self._became[entity.id] = twin
        other = self._changes[twin].after if twin in self._changes else None
        if other is None or other.kind != entity.kind or self._changes[twin].before is not None:
            return  # It stands in the story already.
        filled = {
            field: value for field, value in _filled(entity) if getattr(other, field) != value
        }
        self._tell(other, entity, {one for one in filled if _has(other, one)})
        marks = tuple(sorted({*other.invented, *entity.invented}))
        both = other.model_copy(update={**filled, "id": twin, "invented": marks})
        self._changes[twin] = Change(after=both)

    def _change(self, change: Change) -> None:
        earlier = self._changes.get(change.id)
        if earlier is None or earlier.after is None or change.after is None:
            if earlier is not None and earlier != change:
                self._told.append(f"{self._label(change.entity)}: the later candidate holds.")
            self._changes[change.id] = change
            return
        same = {field for field in change.fields if field in earlier.fields}
        differing = {
            one for one in same if getattr(earlier.after, one) != getattr(change.after, one)
        }
        self._tell(earlier.after, change.after, differing)
        self._changes[change.id] = Change(
            before=change.before, after=_together(earlier.after, change)
        )

    def _tell(self, earlier: AnyEntity, later: AnyEntity, fields: Set[str]) -> None:
        """Say of which fields the later value holds."""
        names = self._names(later)
        for field in type(later).model_fields:
            if field in fields and field not in _UNTOLD:
                old, new = (value_words(one, field, names) for one in (earlier, later))
                self._told.append(
                    f"{names.label(earlier)}, {field_words(field)}: “{new}” holds, and not “{old}”."
                )

    def _label(self, entity: AnyEntity) -> str:
        return self._names(entity).label(entity)

    def _names(self, entity: AnyEntity) -> Names:
        others = (change for change in self._changes.values() if change.id != entity.id)
        return Names(self._before, Delta.model_construct(changes=(*others, Change(after=entity))))


def _key(entity: AnyEntity) -> tuple[str, ...]:
    """Return what two new entities have in common that are the same thing to a reader."""
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
    """Yield the fields of an entity that say something."""
    for name in type(entity).model_fields:
        if name not in _UNTOLD and _has(entity, name):
            yield name, getattr(entity, name)


def _has(entity: AnyEntity, field: str) -> bool:
    model_field = type(entity).model_fields[field]
    return model_field.is_required() or getattr(entity, field) != model_field.get_default()


def _together(earlier: AnyEntity, change: Change) -> AnyEntity | None:
    """Return an entity after two changes to it; the later one alone where both make no sense."""
    both = patched(earlier, change)
    if both is None:
        return None
    marks = {"invented": tuple(sorted(set(both.invented)))}
    try:
        return type(both).model_validate({**dict(both), **marks})
    except ValidationError:
        return change.after


def _numbered(delta: Delta) -> Delta:
    """Return a Delta whose new events are numbered in the order in which they stand in it."""
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
