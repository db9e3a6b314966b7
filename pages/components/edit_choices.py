"""What a writer can choose from while editing: people, places, events; as words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from heapq import nsmallest
from typing import TypeVar

from store.models.plot import Event, Scene
from store.models.prototype import Snapshot

E = TypeVar("E", Event, Scene)

MOST = 150
"""How many events or scenes are offered at once; of more, those of the nearest chapters."""


def people(snapshot: Snapshot) -> dict[str, str]:
    """Return the cast by id."""
    return {person.id: person.name for person in snapshot.characters}


def events(snapshot: Snapshot, around: int, keep: Collection[str] = ()) -> dict[str, str]:
    """Return events by id, in the order of the telling; those to keep are always among them."""
    found = _near(list(snapshot.of(Event)), snapshot, around, keep)
    found.sort(key=lambda event: (snapshot.told_in(event.id), event.position))
    return {one.id: f"{snapshot.told_in(one.id)} · {one.title}" for one in found}


def scenes(snapshot: Snapshot, around: int, keep: Collection[str] = ()) -> dict[str | None, str]:
    """Return scenes by id; None is nowhere in particular."""
    found = _near(list(snapshot.of(Scene)), snapshot, around, keep)
    return {None: "nowhere in particular", **{one.id: one.name for one in found}}


def has_more(snapshot: Snapshot) -> bool:
    """Return whether there are more events or scenes than are offered at once."""
    return any(sum(1 for _ in snapshot.of(kind)) > MOST for kind in (Event, Scene))


def first_free(offered: Mapping[str, str], taken: Iterable[str]) -> str | None:
    """Return the first that is offered and not taken; where all are, the first of all."""
    used = set(taken)
    return next((id_ for id_ in offered if id_ not in used), next(iter(offered), None))


def _near(several: list[E], snapshot: Snapshot, around: int, keep: Collection[str]) -> list[E]:
    """Return all where they are not too many; else those of the nearest chapters, and some others."""
    if len(several) <= MOST:
        return several
    ids = [one.id for one in several]
    nearest: list[str] = nsmallest(MOST, ids, key=lambda id_: abs(snapshot.told_in(id_) - around))
    wanted = {*nearest, *keep}
    return [one for one in several if one.id in wanted]
