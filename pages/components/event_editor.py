"""The fields of an event: what happens, where and when, who takes part, and what leads to what."""

from __future__ import annotations

import streamlit as st

from pages.components import edit_choices
from pages.components.autosave import Box, choice_box
from pages.components.edit_desk import EditDesk
from pages.components.edit_fields import Fields
from pages.components.event_rows import show_links, show_parts
from pages.components.event_time import SIDES, Side, When, nearest, order_at, when_of
from pages.components.services import workbench
from store.models.plot import Event, Occurrence
from store.models.prototype import Snapshot


def show(desk: EditDesk, event: Event, story: Snapshot) -> None:
    """Show all that can be said of an event; `story` is as the draft has it."""
    fields = Fields(desk, event)
    fields.text("title", "Title")
    fields.text("summary", "What happens", is_long=True)
    fields.text("consequences", "What comes of it", is_long=True)
    around = _around(fields, event, story)
    _scene(desk, event, story, around)
    _when(fields, event, story, around)
    fields.text("story_date", "Date, as the story counts")
    show_parts(desk, event, story)
    show_links(desk, event, story, around)


def _around(fields: Fields, event: Event, story: Snapshot) -> int:
    """Return the chapter around which events and scenes are offered; asked in long stories only."""
    told = story.told_in(event.id)
    if not edit_choices.has_more(story):
        return told
    number = st.number_input(
        "Offer scenes and events around chapter",
        min_value=0,
        max_value=story.chapter,
        value=told,
        key=fields.key("around"),
    )
    return int(number)


def _scene(desk: EditDesk, event: Event, story: Snapshot, around: int) -> None:
    placed = next((one for one in story.of(Occurrence) if one.event == event.id), None)
    stored = placed.scene if placed else None
    keep = [stored] if stored else []
    choice_box(
        Box(f"{desk.key}-{event.id}-scene", "Where"),
        edit_choices.scenes(story, around, keep),
        stored,
        lambda scene: _put(desk, event, placed, scene),
    )


def _put(desk: EditDesk, event: Event, placed: Occurrence | None, scene: str | None) -> None:
    if placed is None:
        if scene is not None:
            new = Occurrence(id=workbench().new_entity_id(), event=event.id, scene=scene)
            desk.add(new)
    elif scene is None:
        desk.remove(placed.id)
    else:
        desk.change(placed.id, scene=scene)


def _when(fields: Fields, event: Event, story: Snapshot, around: int) -> None:
    when = _said(fields, event, story)
    choice_box(
        Box(fields.key("side"), "When it happens in the story"),
        {side: side for side in SIDES},
        when.side,
        lambda side: _place(fields, event, story, nearest(event, side, story)),
    )
    if when.other is None:
        return
    offered = edit_choices.events(story, around, [when.other])
    offered.pop(event.id, None)
    side: Side = when.side
    choice_box(
        Box(fields.key("anchor"), "Which event", is_label_hidden=True),
        offered,
        when.other,
        lambda other: _place(fields, event, story, When(side, other)),
    )


def _said(fields: Fields, event: Event, story: Snapshot) -> When:
    """Return the place as the writer said it, while it still is that place."""
    said: tuple[When, float | None] | None = st.session_state.get(fields.key("when"))
    if said is not None and said[1] == event.story_order and _stands(said[0], story):
        return said[0]
    return when_of(event, story)


def _stands(when: When, story: Snapshot) -> bool:
    return when.other is None or when.other in story.entities


def _place(fields: Fields, event: Event, story: Snapshot, when: When) -> None:
    order = order_at(event, when, story)
    fields.save(story_order=order)
    st.session_state[fields.key("when")] = (when, order)
