"""Move a Delta that was made on an earlier state onto a later one. Pure."""

from __future__ import annotations

from store.deltas.names import references
from store.models.delta import Change, Delta
from store.models.prototype import REFERENCES, AnyEntity, Snapshot


def rebase(delta: Delta, snapshot: Snapshot) -> Delta:
    """Return the Delta as it applies to a snapshot that went on meanwhile.

    What was changed there stays: of a field that both changed, the snapshot's value holds. What
    the Delta changes, or refers to, and is there no more, falls away.
    """
    moved = [_moved(change, snapshot.entities.get(change.id)) for change in delta.changes]
    kept = [change for change in moved if change is not None]
    while dangling := _dangling(kept, snapshot):
        kept = [change for change in kept if change.id not in dangling]
    return Delta(changes=tuple(kept))


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


def _dangling(changes: list[Change], snapshot: Snapshot) -> set[str]:
    """Return the ids of changes that refer to nothing, or take away what is referred to."""
    changing = {change.id for change in changes}
    kinds = {id_: entity.kind for id_, entity in snapshot.entities.items()}
    for change in changes:
        kinds[change.id] = change.kind
    removed = {change.id for change in changes if change.after is None}
    standing = [change.after for change in changes if change.after is not None]
    # Agents take hardly anything away; then nobody has to be asked who needs it.
    unchanged = (e for e in snapshot.entities.values() if removed and e.id not in changing)
    still_needed = {id_ for entity in unchanged for id_ in references(entity).values()} & removed
    lost = {
        entity.id
        for entity in standing
        for field, id_ in references(entity).items()
        if id_ in removed or kinds.get(id_) != REFERENCES[entity.kind][field]
    }
    return lost | still_needed
