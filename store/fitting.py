"""Fit what was proposed on an earlier state of a story onto the state that it has come to. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from store.locks import without_locked
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.prototype import Snapshot
from store.naming import name_key, references
from store.rebase import rebase


def fit(delta: Delta, snapshot: Snapshot) -> tuple[Delta, tuple[str, ...]]:
    """Return as much of an agent's Delta as a snapshot takes, and in sentences what is locked there.

    What the writer changed or took away meanwhile stays so. Somebody whom the Delta brings in, and
    who has come meanwhile by that name, is the one who is there.
    """
    met = Delta(changes=tuple(_met(delta, _there_already(delta, snapshot))))
    return without_locked(rebase(met, snapshot), snapshot)


def _there_already(delta: Delta, snapshot: Snapshot) -> dict[str, str]:
    """Return for each new person who has the name of one in the snapshot whom that is."""
    new = [one for one in delta.additions() if isinstance(one, Character)]
    if not new:
        return {}
    standing = {name_key(one.name): one.id for one in snapshot.of(Character)}
    return {
        one.id: standing[name_key(one.name)]
        for one in new
        if standing.get(name_key(one.name), one.id) != one.id
    }


def _met(delta: Delta, same: Mapping[str, str]) -> Iterator[Change]:
    """Yield the changes, which speak of those who are there in place of those who are not to come."""
    for change in delta.changes:
        after = change.after
        if not same or after is None:
            yield change
        elif change.id not in same:
            cast = {field: same.get(id_, id_) for field, id_ in references(after).items()}
            # Nobody has a relationship to themselves.
            if after.kind != "relationship" or len(set(cast.values())) == len(cast):
                yield Change(before=change.before, after=after.model_copy(update=cast))
