"""Move a Delta that was made on an earlier state onto a later one. Pure."""

from __future__ import annotations

from store.deltas.checks import loose_references, without_misfits
from store.models.delta import Change, Delta
from store.models.prototype import AnyEntity, Snapshot


def rebase(delta: Delta, snapshot: Snapshot) -> Delta:
    """Return the Delta as it applies to a snapshot that has changed since.

    What was changed there stays: if both changed a field, the snapshot's value wins. Changes to
    what is no longer there, or that refer to it, are left out.
    """
    moved = [_moved(change, snapshot.entities.get(change.id)) for change in delta.changes]
    kept = [change for change in moved if change is not None]
    return without_misfits(kept, snapshot, loose_references)


def _moved(change: Change, standing: AnyEntity | None) -> Change | None:
    if standing is None:
        return change if change.before is None else None
    if change.before is None or standing.kind != change.kind:
        return None
    if standing == change.before:
        return None if change.after == standing else change
    if change.after is None:
        return Change(before=standing)
    theirs = {
        field: getattr(change.after, field)
        for field in change.fields
        if getattr(standing, field) == getattr(change.before, field)
    }
    after = type(standing).model_validate({**dict(standing), **theirs})
    return None if after == standing else Change(before=standing, after=after)
