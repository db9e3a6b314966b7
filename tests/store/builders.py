"""Small stories for tests: two people, a lamp room, and Deltas of any length that fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from hypothesis import strategies as st

from store.deltas.delta import apply, diff
from store.deltas.names import references
from store.formats.checksum import with_checksum
from store.models.base import Entity
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    LinkKind,
    Occurrence,
    Participation,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import FOUNDATION_ID, AnyEntity, Snapshot
from store.models.story import Commit
from store.open import Store

E = TypeVar("E", bound=AnyEntity)
M = TypeVar("M", bound=Entity)
Entities = dict[str, AnyEntity]

MARA = Character(id="mara", name="Mara", occupation="lighthouse keeper", motivation="to leave")
HALE = Character(id="hale", name="Hale", occupation="inspector")
DISTRUST = Relationship(
    id="distrust", source="mara", target="hale", tie=RelationshipKind.DISTRUST, strength=7
)
GROUND = Foundation(id=FOUNDATION_ID, background="A rock in the sea", long_term_goal="Mara leaves.")
LAMP_ROOM = Scene(id="lamp-room", name="Lamp room", place="the tower")
LOCKED = Event(id="locked", title="The door is locked", summary="Mara finds the door locked.")
AFTER = Event(id="after", title="The lamp dies", summary="The lamp goes out.", position=1)
MARA_LOCKED = Participation(id="mara-locked", character="mara", event="locked", emotion="fear")
IN_LAMP_ROOM = Occurrence(id="in-lamp-room", event="locked", scene="lamp-room")
CAUSE = EventLink(id="cause", source="locked", target="after", link=LinkKind.CAUSES)
THREAD = Thread(id="thread", title="the locked lamp room")

CAST: tuple[AnyEntity, ...] = (GROUND, MARA, HALE, DISTRUST)
CHAPTER_ONE: tuple[AnyEntity, ...] = (
    LAMP_ROOM,
    LOCKED,
    AFTER,
    MARA_LOCKED,
    IN_LAMP_ROOM,
    CAUSE,
    THREAD,
)


def adding(*entities: AnyEntity) -> Delta:
    return Delta(changes=tuple(Change(after=entity) for entity in entities))


def removing(*entities: AnyEntity) -> Delta:
    return Delta(changes=tuple(Change(before=entity) for entity in entities))


def changing(entity: AnyEntity, **values: object) -> Delta:
    return Delta(changes=(Change(before=entity, after=altered(entity, **values)),))


def altered(entity: M, **values: object) -> M:
    return type(entity).model_validate({**dict(entity), **values})


def snapshot_of(*entities: AnyEntity) -> Snapshot:
    return apply(Snapshot(), adding(*entities), 0)


def begin(store: Store, branch: str, delta: Delta | None = None) -> Commit:
    """Commit chapter 0."""
    return store.prototype.commit(
        branch, delta or adding(*CAST), chapter=0, kind="configuration", origin="beginning"
    )


def go_on(store: Store, branch: str, delta: Delta, title: str = "") -> Commit:
    """Commit the next chapter."""
    head = store.prototype.head(branch)
    chapter = head.chapter + 1 if head else 0
    return store.prototype.commit(
        branch, delta, chapter=chapter, kind="chapter", title=title, origin=f"chapter-{chapter}"
    )


def summed(file: str) -> str:
    """Return a story file that was altered with the checksum of what it holds now."""
    content, comma, _ = file.rpartition(',"checksum":')
    return with_checksum(f"{content}}}" if comma else file)


def filed(document: dict[str, Any]) -> str:
    """Return a story file that holds this, with its checksum."""
    return with_checksum(json.dumps({k: v for k, v in document.items() if k != "checksum"}))


@st.composite
def histories(draw: st.DrawFn, longest: int = 5) -> list[Delta]:
    """Draw Deltas of which each fits what the ones before it made."""
    deltas: list[Delta] = []
    snapshot = Snapshot()
    for chapter in range(draw(st.integers(1, longest))):
        delta = draw(deltas_on(snapshot, chapter))
        deltas.append(delta)
        snapshot = apply(snapshot, delta, chapter)
    return deltas


@st.composite
def deltas_on(draw: st.DrawFn, snapshot: Snapshot, chapter: int) -> Delta:
    """Draw a Delta that fits a snapshot: a few additions, changes and removals."""
    entities = dict(snapshot.entities)
    for step in range(draw(st.integers(1, 6))):
        move = draw(st.sampled_from(_MOVES))
        move(draw, entities, f"{chapter}-{step}")
    return diff(snapshot, Snapshot(chapter=chapter, entities=entities))


_WORDS = st.text(st.characters(codec="utf-8"), max_size=12).map(str.strip)


def _of(entities: Entities, kind: type[E]) -> list[E]:
    return [entity for entity in entities.values() if isinstance(entity, kind)]


def _add_person(draw: st.DrawFn, entities: Entities, key: str) -> None:
    person = Character(id=f"p{key}", name=f"Person {key}", secrets=draw(_WORDS), aliases=("A", "B"))
    entities[person.id] = person


def _add_scene(draw: st.DrawFn, entities: Entities, key: str) -> None:
    entities[f"s{key}"] = Scene(id=f"s{key}", name=f"Scene {key}", place=draw(_WORDS))


def _add_thread(draw: st.DrawFn, entities: Entities, key: str) -> None:
    state = draw(st.sampled_from(list(ThreadState)))
    entities[f"t{key}"] = Thread(id=f"t{key}", title=f"Thread {key}", state=state)


def _set_foundation(draw: st.DrawFn, entities: Entities, key: str) -> None:
    entities[FOUNDATION_ID] = Foundation(id=FOUNDATION_ID, background=f"{key} {draw(_WORDS)}")


def _add_event(draw: st.DrawFn, entities: Entities, key: str) -> None:
    earlier = _of(entities, Event)
    event = Event(id=f"e{key}", title=f"Event {key}", summary=draw(_WORDS) or "It happens.")
    entities[event.id] = event
    for person in _of(entities, Character)[:2]:
        part = Participation(id=f"in{person.id}{event.id}", character=person.id, event=event.id)
        entities[part.id] = part
    for scene in _of(entities, Scene)[:1]:
        entities[f"o{key}"] = Occurrence(id=f"o{key}", event=event.id, scene=scene.id)
    if earlier:
        link = draw(st.sampled_from(list(LinkKind)))
        source = draw(st.sampled_from([one.id for one in earlier]))
        entities[f"l{key}"] = EventLink(id=f"l{key}", source=source, target=event.id, link=link)


def _add_tie(draw: st.DrawFn, entities: Entities, key: str) -> None:
    people = [person.id for person in _of(entities, Character)]
    if len(people) < 2:
        return
    source, target = draw(st.permutations(people))[:2]
    relationship = draw(st.sampled_from(list(RelationshipKind)))
    entities[f"r{key}"] = Relationship(
        id=f"r{key}",
        source=source,
        target=target,
        tie=relationship,
        strength=draw(st.integers(1, 10)),
    )


def _change_something(draw: st.DrawFn, entities: Entities, key: str) -> None:
    changed: dict[type[AnyEntity], dict[str, object]] = {
        Character: {"status": f"changed {key}", "invented": ("status",)},
        Relationship: {"strength": draw(st.integers(1, 10)), "is_mutual": draw(st.booleans())},
        Thread: {"state": draw(st.sampled_from(list(ThreadState)))},
        Event: {"consequences": draw(_WORDS)},
    }
    ids = [id_ for id_, entity in entities.items() if type(entity) in changed]
    if ids:
        chosen = entities[draw(st.sampled_from(ids))]
        entities[chosen.id] = altered(chosen, **changed[type(chosen)])


def _remove_something(draw: st.DrawFn, entities: Entities, key: str) -> None:  # noqa: ARG001
    """Remove an entity and, so that nothing dangles, all that refers to it."""
    ids = list(entities)
    if ids:
        _remove(draw(st.sampled_from(ids)), entities)


def _remove(id_: str, entities: Entities) -> None:
    gone = {id_} | {e.id for e in entities.values() if id_ in references(e).values()}
    for one in gone:
        del entities[one]


_MOVES: list[Callable[[st.DrawFn, Entities, str], None]] = [
    _add_person,
    _add_person,
    _add_scene,
    _add_thread,
    _set_foundation,
    _add_event,
    _add_event,
    _add_tie,
    _change_something,
    _change_something,
    _remove_something,
]


def fold(deltas: Iterable[Delta]) -> Snapshot:
    """Apply Deltas as chapters 0, 1, 2 ... to nothing."""
    snapshot = Snapshot()
    for chapter, delta in enumerate(deltas):
        snapshot = apply(snapshot, delta, chapter)
    return snapshot
