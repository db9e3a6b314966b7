"""What a writer can choose from while editing: people, places, events; as words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from store.models.plot import Event, Scene
from store.models.prototype import Snapshot

MOST = 150
"""How many events or scenes are offered at once; of more, those of the nearest chapters."""


def people(snapshot: Snapshot) -> dict[str, str]:
    """Return the cast by id."""
    return {person.id: person.name for person in snapshot.characters}


def events(snapshot: Snapshot, around: int, keep: Collection[str] = ()) -> dict[str, str]:
    """Return events by id, in the order of the telling; those to keep are always among them."""
    titles = {one.id: one.title for one in snapshot.events}
    return _with_chapters(_near(titles, snapshot, around, keep), titles, snapshot)


def scenes(snapshot: Snapshot, around: int, keep: Collection[str] = ()) -> dict[str | None, str]:
    """Return scenes by id; None is nowhere in particular."""
    names = {one.id: one.name for one in snapshot.scenes}
    offered: dict[str | None, str] = {None: "nowhere in particular"}
    offered.update((id_, names[id_]) for id_ in _near(names, snapshot, around, keep))
    return offered


def has_more(snapshot: Snapshot) -> bool:
    """Return whether there are more events or scenes than are offered at once."""
    return any(sum(1 for _ in snapshot.of(kind)) > MOST for kind in (Event, Scene))


def first_free(offered: Mapping[str, str], taken: Iterable[str]) -> str | None:
    """Return the first that is offered and not taken; where all are, the first of all."""
    used = set(taken)
    return next((id_ for id_ in offered if id_ not in used), next(iter(offered), None))


def _near(
    names: Mapping[str, str], snapshot: Snapshot, around: int, keep: Collection[str]
) -> list[str]:
    if len(names) <= MOST:
        return list(names)
    nearest = sorted(names, key=lambda id_: abs(snapshot.told_in(id_) - around))[:MOST]
    wanted = {*nearest, *keep}
    return [id_ for id_ in names if id_ in wanted]


def _with_chapters(
    ids: Iterable[str], titles: Mapping[str, str], snapshot: Snapshot
) -> dict[str, str]:
    return {id_: f"{snapshot.told_in(id_)} · {titles[id_]}" for id_ in ids}
