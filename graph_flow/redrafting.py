"""What of a proposed beginning stays when it is drafted again: all that the writer has locked. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from store.deltas.locks import is_locked
from store.deltas.names import name_key, references
from store.models.base import WHOLE
from store.models.cast import Character, Relationship
from store.models.plot import Foundation, Scene
from store.models.prototype import Snapshot

E = TypeVar("E", Foundation, Character, Relationship, Scene)


def held(proposed: Snapshot) -> Snapshot:
    """Return what stays of a proposal: what is locked, in any field, and whom that refers to."""
    kept = {id_ for id_, entity in proposed.entities.items() if entity.locked}
    for id_ in list(kept):
        kept.update(references(proposed.entities[id_]).values())
    entities = {id_: entity for id_, entity in proposed.entities.items() if id_ in kept}
    return Snapshot(entities=entities)


def redrafted(drafted: E, kept: E) -> E:
    """Return what was drafted anew in place of `kept`: under its id, and with what is locked in it.

    What the draft leaves empty stays as it was. A person keeps their name.
    """
    if WHOLE in kept.locked:
        return kept
    names = set(type(kept).model_fields)
    stays = {name for name in names if is_locked(kept, name) or not getattr(drafted, name)}
    stays |= {"id", "locked"} | ({"name"} if isinstance(kept, Character) else set())
    values = {name: getattr(drafted, name) for name in names - stays}
    marks = {one for one in drafted.invented if one not in stays}
    marks |= {one for one in kept.invented if one in stays}
    return kept.model_copy(update=values | {"invented": tuple(sorted(marks))})


def ties_among(drafted: Iterable[Relationship], kept: Sequence[Relationship]) -> list[Relationship]:
    """Return all ties: the drafted ones and those that stay; of two alike there is one."""
    ties = {_tie_key(tie): tie for tie in kept}
    for tie in drafted:
        same = ties.get(_tie_key(tie))
        ties[_tie_key(tie)] = redrafted(tie, same) if same else tie
    return list(ties.values())


def scenes_among(drafted: Iterable[Scene], kept: Sequence[Scene]) -> list[Scene]:
    """Return all scenes: the drafted ones and those that stay; of two with one name there is one."""
    scenes = {name_key(scene.name): scene for scene in kept}
    for scene in drafted:
        same = scenes.get(name_key(scene.name))
        scenes[name_key(scene.name)] = redrafted(scene, same) if same else scene
    return list(scenes.values())


def _tie_key(tie: Relationship) -> tuple[str, str, str]:
    return tie.source, tie.target, tie.tie
