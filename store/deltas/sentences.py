"""A Delta in sentences for the writer. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Literal

from store.deltas.names import Names
from store.models.base import WHOLE, Record
from store.models.cast import Character, Relationship, Trait
from store.models.delta import Change, Delta, Operation
from store.models.fields import BOOKKEEPING, field_words, shown_fields
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    Occurrence,
    Part,
    Participation,
    Scene,
    Spine,
    Thread,
)
from store.models.prototype import REFERENCES, AnyEntity, EntityKind, Snapshot
from store.text import clip

Mark = Literal["+", "±", "−"]

_MARKS: dict[Operation, Mark] = {"add": "+", "change": "±", "remove": "−"}
_CLIP = 160
_SENTENCE = re.compile(r"\S.*?(?:[.!?…。！？][\"”’')]*(?=\s|$)|$)", re.DOTALL)

_TAKES_PART: Mapping[Part, tuple[str, str]] = {
    Part.ACTS: ("acts", "acts in"),
    Part.IS_AFFECTED: ("is affected", "is affected by"),
    Part.WITNESSES: ("witnesses", "witnesses"),
    Part.IS_TOLD: ("hears of it", "hears of"),
}
"""What a person does within the sentence of an event, and with the event named after it."""


class Sentence(Record):
    """One thing that a Delta does. `ids` are the entities whose changes it describes."""

    mark: Mark
    kind: EntityKind
    text: str
    ids: tuple[str, ...]


def describe(delta: Delta, snapshot: Snapshot) -> list[Sentence]:
    """Return a Delta as sentences, in its own order; every change is in at least one.

    Who takes part in an event, and where it occurs, is part of the event's sentence if they are
    added or removed together.
    """
    return _Describer(delta, snapshot).sentences()


class _Describer:
    def __init__(self, delta: Delta, snapshot: Snapshot) -> None:
        self._delta = delta
        self._names = Names(snapshot, delta)
        self._attached = _attachments(delta)

    def sentences(self) -> list[Sentence]:
        """Return the sentences of all changes, those of an event in one."""
        attached = {change.id for changes in self._attached.values() for change in changes}
        return [
            sentence
            for change in self._delta.changes
            if change.id not in attached
            for sentence in self._sentences_of(change)
        ]

    def _sentences_of(self, change: Change) -> Iterator[Sentence]:
        attached = self._attached.get(change.id, [])
        ids = (change.id, *(other.id for other in attached))
        for text in self._texts(change, attached):
            yield Sentence(mark=_MARKS[change.operation], kind=change.kind, text=text, ids=ids)

    def _texts(self, change: Change, attached: list[Change]) -> list[str]:
        entity = change.entity
        if change.before is not None and change.after is not None:
            return self._changed(change.before, change.after, change.fields)
        if isinstance(entity, Foundation | Spine):
            return [
                f"{field_words(entity, field)}: {value_words(entity, field, self._names)}"
                for field in _filled(entity)
            ] or [self._names.label(entity)]
        if change.operation == "remove":
            return [f"removed: {self._names.label(entity)}"]
        if isinstance(entity, Event):
            return [_with(self._heading(entity, attached), entity.summary)]
        return [self._added_node(entity) or self._added_edge(entity)]

    def _added_node(self, entity: AnyEntity) -> str:
        match entity:
            case Character():
                return _with(f"new person: {entity.name}", entity.occupation, entity.motivation)
            case Scene():
                return _with(f"new place: {entity.name}", entity.place, entity.time)
            case Thread():
                return _with(f"new thread: {entity.title}", entity.description)
        return ""

    def _added_edge(self, entity: AnyEntity) -> str:
        match entity:
            case Relationship():
                return _with(f"{self._bond(entity)}, {entity.strength} of 10", entity.reason)
            case EventLink():
                source, target = self._names.of(entity.source), self._names.of(entity.target)
                return f"{source} {_link_words(entity)} {target}"
            case Participation():
                part = f"{_TAKES_PART[entity.part][1]} {self._names.of(entity.event)}"
                return self._part(entity, part)
            case Occurrence():
                return f"{self._names.of(entity.event)} occurs in {self._names.of(entity.scene)}"
        return self._names.label(entity)

    def _heading(self, event: Event, attached: list[Change]) -> str:
        entities = [change.entity for change in attached]
        places = [self._names.of(e.scene) for e in entities if isinstance(e, Occurrence)]
        people = [
            self._part(e, _TAKES_PART[e.part][0]) for e in entities if isinstance(e, Participation)
        ]
        around = "; ".join([*places, ", ".join(people)] if people else places)
        return f"{event.title} ({around})" if around else event.title

    def _part(self, entity: Participation, part: str) -> str:
        words = f"{self._names.of(entity.character)} {part}"
        return f"{words}, {entity.emotion}" if entity.emotion else words

    def _bond(self, entity: Relationship) -> str:
        source, target = self._names.of(entity.source), self._names.of(entity.target)
        if entity.is_mutual:
            return f"{source} and {target}: {entity.words}"
        return f"{source}: {entity.words} towards {target}"

    def _changed(self, before: AnyEntity, after: AnyEntity, fields: tuple[str, ...]) -> list[str]:
        told = [field for field in fields if field not in BOOKKEEPING]
        locks = self._locks(before, after) if "locked" in fields else []
        if not told and not locks:
            return [f"{self._names.label(after)}: marked as the writer's own"]
        return [*(self._changed_field(before, after, field) for field in told), *locks]

    def _locks(self, before: AnyEntity, after: AnyEntity) -> list[str]:
        label = self._names.label(after)
        steps = (
            ("locked", set(after.locked) - set(before.locked)),
            ("no longer locked", set(before.locked) - set(after.locked)),
        )
        return [
            f"{label}: {step}" if field == WHOLE else f"{label}: {field_words(after, field)} {step}"
            for step, fields in steps
            for field in sorted(fields)
        ]

    def _changed_field(self, before: AnyEntity, after: AnyEntity, field: str) -> str:
        old, new = (value_words(one, field, self._names) for one in (before, after))
        words = field_words(after, field)
        added = _added(getattr(before, field), getattr(after, field))
        if added and not isinstance(after, Foundation | Spine):
            label = self._bond(after) if isinstance(after, Relationship) else ""
            owner = f"{label}: {words}" if label else f"{self._names.label(after)}’s {words}"
            return f"{owner}, besides: {clip(added, _CLIP)}"
        if isinstance(after, Relationship):
            if field == "strength":
                return f"{self._bond(after)}, {_step(old, new)}"
            return f"{self._bond(after)}: {words} {_step(old, new)}"
        if isinstance(after, Foundation | Spine):
            return f"{words}: {_step(old, new)}"
        if isinstance(after, Thread) and field == "state":
            return f"{self._names.label(after)}: {_step(old, new)}"
        owner = self._names.label(before if field in {"name", "title"} else after)
        return f"{owner}’s {words}: {_step(old, new)}"


def _attachments(delta: Delta) -> dict[str, list[Change]]:
    """Return, by event, the parts and places that the same Delta adds or removes with it."""
    events = {
        change.id: change.operation
        for change in delta.changes
        if change.kind == "event" and change.operation != "change"
    }
    attached: dict[str, list[Change]] = {}
    for change in delta.changes:
        entity = change.entity
        if isinstance(entity, Participation | Occurrence) and (
            events.get(entity.event) == change.operation
        ):
            attached.setdefault(entity.event, []).append(change)
    return attached


def _filled(entity: AnyEntity) -> list[str]:
    return [name for name in shown_fields(type(entity)) if getattr(entity, name)]


def value_words(entity: AnyEntity, field: str, names: Names) -> str:
    """Return the value of an entity's field in words; empty if there is none."""
    value = getattr(entity, field)
    if field in REFERENCES.get(entity.kind, {}):
        return names.of(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        value = ", ".join(
            f"{one.name}: {one.value}" if isinstance(one, Trait) else one for one in value
        )
    if isinstance(value, Part):
        value = _TAKES_PART[value][0]
    elif isinstance(value, StrEnum):
        value = value.value
    return "" if value is None else clip(str(value), _CLIP)


def _added(old: object, new: object) -> str:
    """Return the sentences that a text has besides those that it had before; empty if it kept none."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return ""
    before = set(_SENTENCE.findall(old))
    sentences = _SENTENCE.findall(new)
    if before.isdisjoint(sentences):
        return ""
    return " ".join(one for one in sentences if one not in before)


def _step(old: str, new: str) -> str:
    """Return a value before and after; one that was not known before has only an after."""
    if not old:
        return new
    return f"{new.removesuffix('.') or 'no longer known'} (before: {old.removesuffix('.')})"


def _link_words(link: EventLink) -> str:
    return {"before": "comes before", "contradicts": "contradicts"}.get(link.link, link.link.value)


def _with(head: str, *details: str) -> str:
    told = "; ".join(clip(detail, _CLIP) for detail in details if detail)
    return f"{head}: {told}" if told else head
