"""Work with Deltas: order, apply, invert and compare them. Pure: no file is read or written."""

from __future__ import annotations

from collections.abc import Mapping

from store.deltas.checks import validate
from store.deltas.sentences import Sentence, describe
from store.errors import DeltaInvalid
from store.models.cast import Trait
from store.models.delta import Change, Delta
from store.models.prototype import AnyEntity, EntityKind, Snapshot

__all__ = [
    "Sentence",
    "apply",
    "canonical",
    "describe",
    "diff",
    "invert",
    "patched",
    "replay",
    "validate",
]

_RANK: Mapping[EntityKind, int] = {
    "foundation": 0,
    "spine": 0,
    "character": 1,
    "scene": 2,
    "event": 3,
    "thread": 4,
    "relationship": 5,
    "participation": 6,
    "occurrence": 7,
    "event_link": 8,
}
"""What is referred to comes before what refers to it."""


def canonical(delta: Delta) -> Delta:
    """Return the Delta in the order in which it is stored and hashed.

    Additions and changes come first, referents before referrers; then removals, referrers before
    referents. Within a kind the given order is kept, because it is the order of the telling.
    """
    return Delta(changes=tuple(sorted(delta.changes, key=_order)))


def _order(change: Change) -> tuple[bool, int]:
    is_removal = change.operation == "remove"
    rank = _RANK[change.kind]
    return is_removal, -rank if is_removal else rank


def apply(snapshot: Snapshot, delta: Delta, chapter: int) -> Snapshot:
    """Return the snapshot after `chapter` has applied the Delta.

    Raises:
        DeltaInvalid: if the Delta does not fit the snapshot.
    """
    problems = validate(delta, snapshot)
    if problems:
        raise DeltaInvalid(problems)
    return replay(snapshot, delta, chapter)


def replay(snapshot: Snapshot, delta: Delta, chapter: int) -> Snapshot:
    """Return the snapshot after a Delta that is known to fit it, without checking again.

    If an earlier chapter was edited since the Delta was committed, the edit carries forward: see
    `patched`. `first_chapter` remembers removed entities, so one that comes back returns to its old
    place.
    """
    entities = dict(snapshot.entities)
    first_chapter = dict(snapshot.first_chapter)
    has_return = False
    for change in canonical(delta).changes:
        after = patched(entities.get(change.id), change)
        if after is None:
            entities.pop(change.id, None)
            continue
        has_return |= change.id not in entities and change.id in first_chapter
        entities[change.id] = after
        first_chapter.setdefault(change.id, chapter)
    if has_return:
        entities = {id_: entities[id_] for id_ in first_chapter if id_ in entities}
    # Every entity was validated when its Delta was made: checking all of them again would make
    # the cost of folding a story grow with the square of its length.
    return Snapshot.model_construct(chapter=chapter, entities=entities, first_chapter=first_chapter)


def patched(standing: AnyEntity | None, change: Change) -> AnyEntity | None:
    """Return an entity after a change that may have been made to an earlier state of it.

    Only the fields that the change touches are set, and whether each of them is invented is as the
    change has it; an entity that is gone is not changed. None: the entity is not there afterwards.
    """
    if change.before is None or change.after is None or standing == change.before:
        return change.after
    if standing is None or standing.kind != change.kind:
        return standing
    values = {
        field: _merged(*(getattr(one, field) for one in (standing, change.before, change.after)))
        for field in change.fields
    }
    edited = standing.model_copy(update=values)
    return edited.model_copy(update={"invented": _marks(edited.invented, change)})


def _marks(standing: tuple[str, ...], change: Change) -> tuple[str, ...]:
    """Return which fields are invented: those that a change sets as it says, others as they are."""
    fields = set(change.fields)
    others = [field for field in standing if field not in fields]
    set_by_it = [field for field in change.entity.invented if field in fields]
    marks = (*others, *set_by_it)
    return standing if set(marks) == set(standing) else marks


def _merged(standing: object, before: object, after: object) -> object:
    """Return a field after a change to it; in a list, only the items that the change touches."""
    if not (isinstance(standing, tuple) and isinstance(before, tuple) and isinstance(after, tuple)):
        return after
    old, new = _keyed(before), _keyed(after)
    kept = {key: item for key, item in _keyed(standing).items() if key in new or key not in old}
    changed = {key: item for key, item in new.items() if old.get(key) != item}
    return tuple((kept | changed).values())


def _keyed(items: tuple[object, ...]) -> dict[object, object]:
    return {item.name.casefold() if isinstance(item, Trait) else item: item for item in items}


def invert(delta: Delta) -> Delta:
    """Return the Delta that undoes this one."""
    changes = (Change(before=change.after, after=change.before) for change in delta.changes)
    return canonical(Delta(changes=tuple(changes)))


def diff(old: Snapshot, new: Snapshot) -> Delta:
    """Return the Delta that leads from one snapshot to another.

    Raises:
        ValueError: if an id is one kind of entity in `old` and another in `new`.
    """
    changes = [_between(entity, new.entities.get(id_)) for id_, entity in old.entities.items()]
    changes += [
        Change(after=entity) for id_, entity in new.entities.items() if id_ not in old.entities
    ]
    return canonical(Delta(changes=tuple(change for change in changes if change is not None)))


def _between(before: AnyEntity | None, after: AnyEntity | None) -> Change | None:
    # What two snapshots share is the same object in both: most of a long story.
    is_same = before is after or before == after
    return None if is_same else Change(before=before, after=after)
