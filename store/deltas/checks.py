"""Whether a Delta fits a snapshot, said in a writer's words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from store.deltas.names import Names, name_key, references
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.plot import EventLink, LinkKind
from store.models.prototype import FOUNDATION_ID, REFERENCES, AnyEntity, EntityKind, Snapshot

ORDERING_LINKS = frozenset({LinkKind.BEFORE, LinkKind.CAUSES})
"""Links that say that one event comes before another; together they must not run in a circle."""

_KIND_WORDS: dict[EntityKind, str] = {
    "foundation": "the foundation",
    "character": "a character",
    "relationship": "a relationship",
    "scene": "a scene",
    "event": "an event",
    "participation": "a part in an event",
    "occurrence": "the place of an event",
    "event_link": "a link between events",
    "thread": "a thread",
}


def validate(delta: Delta, snapshot: Snapshot) -> list[str]:
    """Return what keeps a Delta from being committed on a snapshot; nothing if it fits.

    The snapshot may be a part of the prototype, as long as it holds whatever the Delta touches,
    refers to, or takes a reference away from.
    """
    names = Names(snapshot, delta)
    return [
        *stale(delta, snapshot),
        *_wrong_additions(delta, snapshot, names),
        *_broken_references(delta, snapshot, names),
        *_dangling_references(delta, snapshot, names),
        *duplicate_names(delta, snapshot),
        *circles(delta, snapshot),
    ]


def stale(delta: Delta, snapshot: Snapshot) -> list[str]:
    """Return what a Delta changes or removes that is no longer as the Delta expects it."""
    names = Names(snapshot, Delta())
    return [
        problem
        for change in delta.changes
        if (problem := _stale_change(change, snapshot.entities.get(change.id), names))
    ]


def _stale_change(change: Change, standing: AnyEntity | None, names: Names) -> str | None:
    if change.before is None or standing == change.before:
        return None
    label = names.label(standing or change.before)
    if standing is None:
        return f"{_capital(label)} is not in the story, so it cannot be {change.operation}d."
    return f"{_capital(label)} is not as it was when this change was made."


def _wrong_additions(delta: Delta, snapshot: Snapshot, names: Names) -> Iterator[str]:
    for entity in delta.additions():
        if entity.id in snapshot.entities:
            yield f"{_capital(names.label(entity))} is already in the story."
        if entity.kind == "foundation" and entity.id != FOUNDATION_ID:
            yield "A story has one foundation only."


def _broken_references(delta: Delta, snapshot: Snapshot, names: Names) -> Iterator[str]:
    removed = {change.id for change in delta.changes if change.operation == "remove"}
    for change in delta.changes:
        if change.after is None:
            continue
        for field, target in references(change.after).items():
            wanted = REFERENCES[change.kind][field]
            found = None if target in removed else names.find(target)
            if found is not None and found.kind == wanted:
                continue
            is_gone = target in removed or target in snapshot.first_chapter
            yield _missing(names.label(change.after), wanted, found, is_gone=is_gone)


def _missing(label: str, wanted: EntityKind, found: AnyEntity | None, *, is_gone: bool) -> str:
    words = _KIND_WORDS[wanted]
    if found is not None:
        return f"{_capital(label)} names {_KIND_WORDS[found.kind]} where {words} belongs."
    if is_gone:
        return f"{_capital(label)} names {words} that has been removed."
    return f"{_capital(label)} names {words} that does not exist."


def _dangling_references(delta: Delta, snapshot: Snapshot, names: Names) -> Iterator[str]:
    removed = {change.id for change in delta.changes if change.operation == "remove"}
    if not removed:
        return
    changing = {change.id for change in delta.changes}
    for entity in snapshot.entities.values():
        if entity.id in changing:
            continue
        for target in set(references(entity).values()) & removed:
            yield (
                f"{_capital(names.of(target))} cannot be removed while "
                f"{names.label(entity)} is still there."
            )


def duplicate_names(delta: Delta, snapshot: Snapshot) -> Iterator[str]:
    """Yield a sentence for each name that a Delta gives to a second character."""
    named = [
        change.after
        for change in delta.changes
        if isinstance(change.after, Character) and "name" in change.fields
    ]
    if not named:
        return
    changing = {change.id for change in delta.changes}
    taken = {
        name_key(person.name) for person in snapshot.of(Character) if person.id not in changing
    }
    unchanged = (
        change.after
        for change in delta.changes
        if isinstance(change.after, Character) and "name" not in change.fields
    )
    taken.update(name_key(person.name) for person in unchanged)
    for person in named:
        key = name_key(person.name)
        if key in taken:
            yield f"There are two characters called {person.name}; give one another name."
        taken.add(key)


def circles(delta: Delta, snapshot: Snapshot) -> Iterator[str]:
    """Yield a sentence for each link of a Delta that would close a circle of events."""
    names = Names(snapshot, delta)
    new = ordering_links(delta)
    if not new:
        return
    changing = {change.id for change in delta.changes}
    following: dict[str, set[str]] = {}
    standing = (link for link in snapshot.of(EventLink) if link.id not in changing)
    for link in (*standing, *new):
        if link.link in ORDERING_LINKS:
            following.setdefault(link.source, set()).add(link.target)
    for link in new:
        if link.source in _reachable(link.target, following):
            yield (
                f"{names.of(link.source)} cannot come before {names.of(link.target)}: "
                "the events would run in a circle."
            )


def _reachable(start: str, following: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        event = waiting.pop()
        if event not in reached:
            reached.add(event)
            waiting.extend(following.get(event, ()))
    return reached


def ordering_links(delta: Delta) -> list[EventLink]:
    """Return the links that a Delta brings in and that could close a circle of events."""
    return [
        change.after
        for change in delta.changes
        if isinstance(change.after, EventLink) and change.after.link in ORDERING_LINKS
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
