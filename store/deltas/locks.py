"""What a writer has locked, and how a Delta made by agents is fitted around it. Pure.

A lock keeps an entity's own fields as they are, and the entity in the story. It does not keep others
from referring to it: a locked person can still be met, and a locked event can still have effects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from store.deltas.checks import integrity, without_misfits
from store.deltas.names import Names, references
from store.deltas.rebase import rebase
from store.deltas.sentences import value_words
from store.models.base import WHOLE
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.fields import BOOKKEEPING, shown
from store.models.plot import Foundation, Scene, Spine
from store.models.prototype import AnyEntity, Snapshot
from store.text import capital, clip, name_key

_CLIP = 120


def is_locked(entity: AnyEntity, field: str) -> bool:
    """Return whether agents must leave a field of an entity as it is; `WHOLE` asks for all of it."""
    return WHOLE in entity.locked or field in entity.locked


def broken_locks(delta: Delta, snapshot: Snapshot) -> list[str]:
    """Return, in a writer's words, where a Delta would change what is locked.

    The snapshot may be a part of the prototype, as long as it holds whatever the Delta touches.
    """
    names = Names(snapshot, Delta())
    return [
        sentence
        for change in delta.changes
        for sentence in _said(change, _standing(change, snapshot), names)
    ]


def without_locked(delta: Delta, snapshot: Snapshot) -> tuple[Delta, tuple[str, ...]]:
    """Return an agent's Delta without what would break a lock, and a sentence for each attempt.

    What no longer fits without it is left out too: what referred to it, a person with the name of
    another, a link that would close a circle. The Delta must fit the snapshot; so does the result.
    """
    sentences = broken_locks(delta, snapshot)
    if not sentences:
        return delta, ()
    kept = [
        kept
        for change in delta.changes
        if (kept := _allowed(change, _standing(change, snapshot))) is not None
    ]
    return fitting(kept, snapshot), tuple(sentences)


def _standing(change: Change, snapshot: Snapshot) -> AnyEntity | None:
    """Return what a change is about, as it is now; None if the change does not fit it at all."""
    standing = snapshot.entities.get(change.id)
    return standing if standing is not None and standing.kind == change.kind else None


def _tries(change: Change, standing: AnyEntity | None) -> tuple[str, ...]:
    """Return the fields in which a change breaks a lock; `WHOLE` if it would remove the entity."""
    if standing is None:
        is_locking = change.before is None and change.after is not None and change.after.locked
        return ("locked",) if is_locking else ()
    if change.after is None:
        return (WHOLE,) if standing.locked else ()
    return tuple(
        field
        for field in _touched(standing, change.after)
        if field == "locked" or is_locked(standing, field)
    )


def _allowed(change: Change, standing: AnyEntity | None) -> Change | None:
    """Return as much of a change as the locks allow; None if nothing."""
    tries = _tries(change, standing)
    if standing is None:
        return Change(after=_unlocked(change.after)) if tries else change
    if change.after is None:
        return None if tries else change
    touched = _touched(standing, change.after)
    values = {field: getattr(change.after, field) for field in touched if field not in tries}
    if "invented" in values:
        values["invented"] = _marks(standing, change.after)
    after = standing.model_copy(update=values)
    return None if after == standing else Change(before=standing, after=after)


def _unlocked(entity: AnyEntity | None) -> AnyEntity | None:
    return entity.model_copy(update={"locked": ()}) if entity and entity.locked else entity


def _touched(standing: AnyEntity, after: AnyEntity) -> list[str]:
    names = type(standing).model_fields
    return [name for name in names if getattr(standing, name) != getattr(after, name)]


def _marks(standing: AnyEntity, after: AnyEntity) -> tuple[str, ...]:
    """Return which fields are invented: locked ones as before, others as the agent says."""
    kept = {field for field in standing.invented if is_locked(standing, field)}
    return tuple(sorted(kept | {one for one in after.invented if not is_locked(standing, one)}))


def fitting(changes: list[Change], snapshot: Snapshot) -> Delta:
    """Return as many of some changes as fit together once others have been left out."""
    moved = rebase(Delta(changes=tuple(changes)), snapshot)
    return without_misfits(moved.changes, snapshot, integrity)


def _said(change: Change, standing: AnyEntity | None, names: Names) -> Iterator[str]:
    for field in _tries(change, standing):
        if standing is None:
            label = Names(Snapshot(), Delta(changes=(change,))).label(change.entity)
            yield f"Only you can lock something; the plot would have locked {label}."
        elif change.after is None:
            label = capital(names.label(standing))
            yield f"{label} is locked; the plot would have removed it from the story."
        elif field == "locked":
            yield f"Only you can lock or unlock {names.label(standing)}; the plot would have done so."
        elif field not in BOOKKEEPING:
            yield _said_of_field(standing, change.after, field, names)


def _said_of_field(standing: AnyEntity, after: AnyEntity, field: str, names: Names) -> str:
    place = capital(_place(standing, field, names))
    value = clip(value_words(after, field, names), _CLIP)
    are, it = ("are", "them") if shown(standing, field).is_plural else ("is", "it")
    made = f"made {it} “{value}”" if value else f"emptied {it}"
    return f"{place} {are} locked; the plot would have {made}."


def _place(entity: AnyEntity, field: str, names: Names) -> str:
    """Return what a writer calls a field of an entity."""
    words = shown(entity, field).words
    if isinstance(entity, Character | Scene):
        return f"{names.label(entity)}’s {words}"
    owner = "the story" if isinstance(entity, Foundation | Spine) else names.label(entity)
    return f"the {words} of {owner}"


def fit(delta: Delta, snapshot: Snapshot) -> tuple[Delta, tuple[str, ...]]:
    """Return as much of an agent's Delta as fits a snapshot, and a sentence for each broken lock.

    What the writer has changed or removed in the meantime stays that way. If a person whom the
    Delta adds is there by now under the same name, the two are taken to be the same.
    """
    met = Delta(changes=tuple(_met(delta, _there_already(delta, snapshot))))
    return without_locked(rebase(met, snapshot), snapshot)


def _there_already(delta: Delta, snapshot: Snapshot) -> dict[str, str]:
    """Return, for each new person whose name is in the snapshot already, the id of its owner."""
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
    """Yield the changes, with newcomers replaced by those of the same name who are there."""
    for change in delta.changes:
        after = change.after
        if not same or after is None:
            yield change
        elif change.id not in same:
            cast = {field: same.get(id_, id_) for field, id_ in references(after).items()}
            # Nobody has a relationship with themselves.
            if after.kind != "relationship" or len(set(cast.values())) == len(cast):
                yield Change(before=change.before, after=after.model_copy(update=cast))
