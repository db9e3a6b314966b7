"""What happened before the story: the events of chapter 0, with those who know of them."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import streamlit as st

from pages.components import words
from pages.components.fields.autosave import bind, saver
from pages.components.fields.editing import free_name, with_entity, without_entity
from pages.components.fields.fields import Fields
from pages.components.fields.keeping import show_problem
from pages.components.notices import attempt
from pages.components.premise import strings
from pages.components.premise.cards import Cards, done_button, turn_to
from pages.components.premise.draft import PremiseDraft
from pages.components.words import plain, prose
from store.models.base import new_id
from store.models.plot import Event, Part, Participation
from store.models.prototype import Snapshot

_KIND = "past"
_MARKED = ("title", "summary")
_MOST_YEARS = 100_000.0


def show(draft: PremiseDraft) -> None:
    """Show what happened before the story, each event with a way to edit it; one is open at a time."""
    snapshot = draft.snapshot()
    cards = Cards[Event](
        draft,
        _KIND,
        read=partial(_card, snapshot),
        edit=partial(_edit, draft, snapshot),
        edit_label=lambda event: strings.past_edit(plain(event.title)),
    )
    for event in events_in(snapshot):
        cards.show(event)
    if st.button(strings.PAST_ADD, icon=":material/history:", key="add-past"):
        _add(draft, snapshot)


def read(snapshot: Snapshot) -> None:
    """Show the cards, read-only."""
    for event in events_in(snapshot):
        with st.container(border=True):
            _card(snapshot, event)


def events_in(snapshot: Snapshot) -> list[Event]:
    """Return what happened before the story, the oldest first."""
    return sorted(snapshot.events_of(0), key=lambda one: (one.story_order or 0, one.position))


def with_part(snapshot: Snapshot, event: str, part: Part, people: Collection[str]) -> Snapshot:
    """Return a snapshot in which exactly these people have a part in an event.

    Somebody who had another part in it has this one now.
    """
    for known in snapshot.participations_in(event):
        if known.character in people:
            snapshot = with_entity(snapshot, known.model_copy(update={"part": part}))
        elif known.part is part:
            snapshot = without_entity(snapshot, known.id)
    there = {known.character for known in snapshot.participations_in(event)}
    for person in people:
        if person not in there:
            added = Participation(id=new_id(), character=person, event=event, part=part)
            snapshot = with_entity(snapshot, added)
    return snapshot


def _card(snapshot: Snapshot, event: Event) -> None:
    badges = words.marks(event, _MARKED)
    when = strings.years_before(-event.story_order) if event.story_order else ""
    st.markdown(f"**{plain(event.title)}**{badges['title']}" + (f" · {when}" if when else ""))
    st.markdown(prose(event.summary) + badges["summary"])
    names = {person.id: plain(person.name) for person in snapshot.characters}
    for part, label in strings.PAST_PARTS.items():
        known_by = [names[id_] for id_ in _people(snapshot, event, part) if id_ in names]
        if known_by:
            st.markdown(f":gray[{label}] {', '.join(known_by)}")


def _edit(draft: PremiseDraft, snapshot: Snapshot, event: Event) -> None:
    fields = Fields(draft, event)
    fields.text("title")
    fields.text("summary")
    _years(fields, event)
    for part, label in strings.PAST_PARTS.items():
        _who(draft, snapshot, event, (part, label))
    with st.container(horizontal=True):
        done_button(draft, _KIND, event, strings.PAST_DONE)
        st.button(
            strings.PAST_REMOVE,
            key=f"{draft.key}-remove-{event.id}",
            icon=":material/delete:",
            type="tertiary",
            on_click=_remove,
            args=(draft, event.id),
        )


def _years(fields: Fields, event: Event) -> None:
    key = fields.key("years")
    bound = bind(key, None if event.story_order is None else -event.story_order)

    def save(years: float | None) -> None:
        fields.save(story_order=None if years is None else -years)

    with fields.with_lock("story_order"):
        st.number_input(
            strings.PAST_YEARS + words.mark(event, "story_order"),
            0.0,
            _MOST_YEARS,
            bound.value,
            help=strings.PAST_YEARS_HELP,
            key=bound.key,
            on_change=saver(key, bound, save),
        )
    show_problem(key)


def _who(draft: PremiseDraft, snapshot: Snapshot, event: Event, of: tuple[Part, str]) -> None:
    part, label = of
    names = {person.id: person.name for person in snapshot.characters}
    key = f"{draft.key}-{event.id}-{part.name}"
    bound = bind(key, _people(snapshot, event, part))

    def save(people: list[str]) -> None:
        draft.save(lambda before: with_part(before, event.id, part, people))

    st.multiselect(
        label,
        list(names),
        bound.value,
        format_func=lambda id_: names.get(id_, "?"),
        key=bound.key,
        placeholder=strings.PAST_NOBODY,
        on_change=saver(key, bound, save),
    )
    show_problem(key)


def _people(snapshot: Snapshot, event: Event, part: Part) -> list[str]:
    """Return the ids of those who have a part in an event."""
    return [one.character for one in snapshot.participations_in(event.id) if one.part is part]


def _add(draft: PremiseDraft, snapshot: Snapshot) -> None:
    past = events_in(snapshot)
    title = free_name(strings.PAST_NEW_TITLE, {event.title for event in past})
    event = Event(id=new_id(), title=title, summary="", story_order=-1.0, position=len(past))
    if attempt(lambda: draft.add(event)):
        turn_to(draft, _KIND, event.id)
    st.rerun()


def _remove(draft: PremiseDraft, event: str) -> None:
    attempt(lambda: draft.remove(event))
