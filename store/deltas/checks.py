"""What must hold for a Delta to fit a snapshot: each rule once, each problem a value. Pure.

`validate` gives the problems in a writer's words; `without_misfits` leaves out the changes they are
about, to keep as much of a Delta as fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import networkx as nx

from store.deltas.names import Names, references
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.plot import EventLink, LinkKind
from store.models.prototype import REFERENCES, SINGLE, AnyEntity, EntityKind, Snapshot
from store.text import capital, name_key

ORDERING_LINKS = frozenset({LinkKind.BEFORE, LinkKind.CAUSES})
"""Links that put one event before another; together they must not form a circle."""

_KIND_WORDS: dict[EntityKind, str] = {
    "foundation": "the foundation",
    "spine": "the spine",
    "character": "a person",
    "relationship": "a relationship",
    "scene": "a place",
    "event": "an event",
    "participation": "a part in an event",
    "occurrence": "the place of an event",
    "event_link": "a link between events",
    "thread": "a thread",
}


class Problem(NamedTuple):
    """A problem with a Delta, in a sentence. Without the change of `id`, it would be solved."""

    id: str
    sentence: str


Check = Callable[[Delta, Snapshot], Iterator[Problem]]


def validate(delta: Delta, snapshot: Snapshot) -> list[str]:
    """Return the problems that keep a Delta from fitting a snapshot; none if it fits.

    The snapshot may be a part of the prototype, as long as it holds whatever the Delta touches or
    refers to, and whatever refers to what it removes.
    """
    return sentences(
        stale(delta, snapshot), _wrong_additions(delta, snapshot), integrity(delta, snapshot)
    )


def sentences(*problems: Iterable[Problem]) -> list[str]:
    """Return problems in words."""
    return [problem.sentence for several in problems for problem in several]


def integrity(delta: Delta, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield what a Delta would break: references, names, the order of events."""
    yield from loose_references(delta, snapshot)
    yield from duplicate_names(delta, snapshot)
    yield from circles(delta, snapshot)


def without_misfits(changes: Sequence[Change], snapshot: Snapshot, check: Check) -> Delta:
    """Return as many of some changes as pass a check together."""
    delta = Delta(changes=tuple(changes))
    while misfits := {problem.id for problem in check(delta, snapshot)}:
        delta = Delta(changes=tuple(one for one in delta.changes if one.id not in misfits))
    return delta


def stale(delta: Delta, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield what a Delta changes or removes that is no longer as the Delta expects it."""
    names = Names(snapshot, Delta())
    for change in delta.changes:
        standing = snapshot.entities.get(change.id)
        if change.before is None or standing == change.before:
            continue
        label = capital(names.label(standing or change.before))
        if standing is None:
            done = f"{change.operation}d"
            yield Problem(change.id, f"{label} is not in the story, so it cannot be {done}.")
        else:
            yield Problem(change.id, f"{label} is not as it was when this change was made.")


def _wrong_additions(delta: Delta, snapshot: Snapshot) -> Iterator[Problem]:
    names = Names(snapshot, delta)
    for entity in delta.additions():
        if entity.id in snapshot.entities:
            label = capital(names.label(entity))
            yield Problem(entity.id, f"{label} is already in the story.")
        if entity.kind in SINGLE and entity.id != SINGLE[entity.kind]:
            yield Problem(entity.id, f"A story has only one {entity.kind}.")


def loose_references(delta: Delta, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield what would refer to nothing, or to something of another kind.

    If a Delta removes what something it leaves alone still refers to, the removal is wrong.
    """
    names = Names(snapshot, delta)
    removed = {change.id for change in delta.changes if change.after is None}
    for change in delta.changes:
        if change.after is not None:
            yield from _missing_ends(change.after, snapshot, names, removed)
    if removed:
        yield from _needed_removals(delta, snapshot, names, removed)


def _missing_ends(
    entity: AnyEntity, snapshot: Snapshot, names: Names, removed: set[str]
) -> Iterator[Problem]:
    for field, target in references(entity).items():
        wanted = REFERENCES[entity.kind][field]
        found = None if target in removed else names.find(target)
        if found is not None and found.kind == wanted:
            continue
        label, words = capital(names.label(entity)), _KIND_WORDS[wanted]
        if found is not None:
            said = f"{label} names {_KIND_WORDS[found.kind]} where {words} belongs."
        elif target in removed or target in snapshot.first_chapter:
            said = f"{label} names {words} that has been removed."
        else:
            said = f"{label} names {words} that does not exist."
        yield Problem(entity.id, said)


def _needed_removals(
    delta: Delta, snapshot: Snapshot, names: Names, removed: set[str]
) -> Iterator[Problem]:
    changing = {change.id for change in delta.changes}
    for entity in snapshot.entities.values():
        if entity.id in changing:
            continue
        for target in set(references(entity).values()) & removed:
            gone, left = capital(names.of(target)), names.label(entity)
            yield Problem(target, f"{gone} cannot be removed while {left} is still there.")


def duplicate_names(delta: Delta, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield each name that a Delta gives to a second character."""
    named = names_given(delta)
    if not named:
        return
    taken = names_kept(delta, snapshot)
    for person in named:
        key = name_key(person.name)
        if key in taken:
            yield Problem(
                person.id,
                f"There are two people called {person.name}; please rename one of them.",
            )
        taken.add(key)


def names_given(delta: Delta) -> list[Character]:
    """Return the people that a Delta names or renames, as they are after it."""
    return [
        change.after
        for change in delta.changes
        if isinstance(change.after, Character) and "name" in change.fields
    ]


def names_kept(delta: Delta, snapshot: Snapshot) -> set[str]:
    """Return the keys of the names that a Delta leaves as they are."""
    changing = {change.id for change in delta.changes}
    kept = [person for person in snapshot.of(Character) if person.id not in changing]
    kept += [
        change.after
        for change in delta.changes
        if isinstance(change.after, Character) and "name" not in change.fields
    ]
    return {name_key(person.name) for person in kept}


class Order:
    """An order of events, without circles."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._following = nx.DiGraph(list(pairs))

    def add(self, earlier: str, later: str) -> bool:
        """Put one before another unless that would close a circle; return whether it was done."""
        self._following.add_nodes_from((earlier, later))
        if nx.has_path(self._following, later, earlier):
            return False
        self._following.add_edge(earlier, later)
        return True


def circles(delta: Delta, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield each link of a Delta that closes a circle with the links before it."""
    new = ordering_links(delta)
    if not new:
        return
    changing = {change.id for change in delta.changes}
    order = Order(
        (link.source, link.target)
        for link in snapshot.of(EventLink)
        if link.link in ORDERING_LINKS and link.id not in changing
    )
    names = Names(snapshot, delta)
    for link in new:
        if not order.add(link.source, link.target):
            yield Problem(
                link.id,
                f"{names.of(link.source)} cannot come before {names.of(link.target)}: "
                "the events would run in a circle.",
            )


def ordering_links(delta: Delta) -> list[EventLink]:
    """Return the links that a Delta adds or changes and that could close a circle of events."""
    return [
        change.after
        for change in delta.changes
        if isinstance(change.after, EventLink) and change.after.link in ORDERING_LINKS
    ]
