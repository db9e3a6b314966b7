"""What a writer can add to the story, and the choices offered while editing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple, TypeVar

import streamlit as st

from pages.components.editor import strings
from pages.components.editor.draft import Draft, EditSession, Panel
from pages.components.fields.editing import free_name
from store.models.base import new_id
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Participation,
    Scene,
    Thread,
)
from store.models.prototype import AnyEntity, Snapshot

Make = Callable[[Snapshot, str], Sequence[AnyEntity]]
"""Takes the story and the id of the selected entity; returns what to add, the subject first.

It is only called if the addition is possible: a relationship needs two people.
"""


class _Offer(NamedTuple):
    icon: str
    make: Make


def offer(panel: Panel, chosen: str = "") -> None:
    """Show what can be added; `chosen` is the id of what the panel shows, if anything."""
    with st.popover(strings.ADD, icon=":material/add:"), st.container(gap="xxsmall"):
        for sort, one in _OFFERS.items():
            st.button(
                strings.ADDITIONS[sort],
                key=f"add-{sort}",
                icon=one.icon,
                type="tertiary",
                on_click=_begin,
                args=(panel, one.make, chosen),
                disabled=not _is_possible(sort, panel.now),
            )


def being_added(panel: Panel) -> str:
    """Return the id of what is being added; empty if nothing is."""
    subject = str(st.session_state.get(_adding(panel), ""))
    draft = EditSession(panel, subject).draft
    return subject if draft is not None and draft.is_new else ""


def turn_to(panel: Panel, draft: Draft) -> None:
    """Return to a draft that was left open."""
    if draft.is_new:
        st.session_state[_adding(panel)] = draft.subject
        panel.look_at(None)
    else:
        panel.look_at(draft.subject)


def _begin(panel: Panel, make: Make, chosen: str) -> None:
    subject, *others = make(panel.now, chosen)
    EditSession(panel, subject.id).open(subject, *others)
    st.session_state[_adding(panel)] = subject.id
    panel.look_at(None)


def _is_possible(sort: str, now: Snapshot) -> bool:
    """Return whether there are the two ends that a relationship or a link needs."""
    if sort == "tie":
        return len(now.characters) > 1
    return sort != "link" or len(list(islice(now.of(Event), 2))) > 1


def _person(now: Snapshot, _: str) -> Sequence[AnyEntity]:
    name = free_name(strings.NEW_PERSON, {person.name for person in now.characters})
    return [Character(id=new_id(), name=name)]


def _relationship(now: Snapshot, chosen: str) -> Sequence[AnyEntity]:
    source, target = _two_people(now, chosen)
    return [
        Relationship(id=new_id(), source=source, target=target, tie=RelationshipKind.FRIENDSHIP)
    ]


def _two_people(now: Snapshot, chosen: str) -> tuple[str, str]:
    cast = people(now)
    match now.entities.get(chosen):
        case Relationship(source=source, target=target):
            return source, target
        case Character(id=person):
            return person, next(id_ for id_ in cast if id_ != person)
    first, second, *_ = cast
    return first, second


def _event(now: Snapshot, chosen: str) -> Sequence[AnyEntity]:
    position = max((one.position for one in now.events_of(now.chapter)), default=-1) + 1
    event = Event(id=new_id(), title=strings.NEW_EVENT, summary="", position=position)
    match now.entities.get(chosen):
        case Character(id=person):
            return [event, Participation(id=new_id(), character=person, event=event.id)]
        case Scene(id=scene):
            return [event, Occurrence(id=new_id(), event=event.id, scene=scene)]
    return [event]


def _link(now: Snapshot, chosen: str) -> Sequence[AnyEntity]:
    told = [event.id for event in now.events]
    source, target = told[-2:]
    if chosen in told:
        source, target = chosen, next(id_ for id_ in reversed(told) if id_ != chosen)
    return [EventLink(id=new_id(), source=source, target=target, link=LinkKind.CAUSES)]


def _scene(_now: Snapshot, _: str) -> Sequence[AnyEntity]:
    return [Scene(id=new_id(), name=strings.NEW_PLACE)]


def _thread(_now: Snapshot, _: str) -> Sequence[AnyEntity]:
    return [Thread(id=new_id(), title=strings.NEW_THREAD)]


_OFFERS: dict[str, _Offer] = {
    "person": _Offer(":material/person_add:", _person),
    "tie": _Offer(":material/link:", _relationship),
    "event": _Offer(":material/bolt:", _event),
    "link": _Offer(":material/trending_flat:", _link),
    "scene": _Offer(":material/location_on:", _scene),
    "thread": _Offer(":material/timeline:", _thread),
}


def _adding(panel: Panel) -> str:
    return f"being added to {panel.branch}"


E = TypeVar("E", Event, Scene)

MOST = 150
"""How many events or scenes are offered at once; of more, those from the nearest chapters."""


def people(snapshot: Snapshot) -> dict[str, str]:
    """Return the names of the cast, by id."""
    return {person.id: person.name for person in snapshot.characters}


def events(snapshot: Snapshot, around: int, keep: Collection[str] = ()) -> dict[str, str]:
    """Return events by id, in the order of the telling, always including those to keep."""
    found = _near(list(snapshot.of(Event)), snapshot, around, keep)
    found.sort(key=lambda event: (snapshot.first_chapter_of(event.id), event.position))
    return {one.id: strings.event_of(one.title, snapshot.first_chapter_of(one.id)) for one in found}


def scenes(snapshot: Snapshot, around: int, keep: Collection[str] = ()) -> dict[str | None, str]:
    """Return scenes by id, always including those to keep; None is nowhere in particular."""
    found = _near(list(snapshot.of(Scene)), snapshot, around, keep)
    return {None: strings.NO_PLACE, **{one.id: one.name for one in found}}


def has_more(snapshot: Snapshot) -> bool:
    """Return whether there are more events or scenes than are offered at once."""
    return any(sum(1 for _ in snapshot.of(kind)) > MOST for kind in (Event, Scene))


def first_free(offered: Mapping[str, str], taken: Iterable[str]) -> str | None:
    """Return the first id that is not taken, or if all are, the first of all."""
    used = set(taken)
    return next((id_ for id_ in offered if id_ not in used), next(iter(offered), None))


def _near(several: list[E], snapshot: Snapshot, around: int, keep: Collection[str]) -> list[E]:
    """Return all if they are few enough; else those from the nearest chapters and those to keep."""
    if len(several) <= MOST:
        return several
    ids = [one.id for one in several]
    nearest: list[str] = nsmallest(
        MOST, ids, key=lambda id_: abs(snapshot.first_chapter_of(id_) - around)
    )
    wanted = {*nearest, *keep}
    return [one for one in several if one.id in wanted]
