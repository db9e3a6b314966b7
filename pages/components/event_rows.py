"""Who takes part in an event, and what it has to do with others: rows to change, add, take out."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.components import edit_choices
from pages.components.autosave import Box, choice_box
from pages.components.edit_desk import EditDesk
from pages.components.edit_fields import Fields
from pages.components.services import workbench
from pages.components.wording import LINKS, PARTS
from store.models.plot import Event, EventLink, LinkKind, Participation
from store.models.prototype import Snapshot


class Bearing(NamedTuple):
    """What an event has to do with another, said from its own side."""

    link: LinkKind
    is_outgoing: bool


BEARINGS: dict[Bearing, str] = {
    Bearing(kind, is_outgoing): f"this {words[0] if is_outgoing else words[1]}"
    for kind, words in LINKS.items()
    for is_outgoing in (True, False)
}
"""The kinds of links in words, both ways."""


def show_parts(desk: EditDesk, event: Event, story: Snapshot) -> None:
    """Show who takes part, and how."""
    st.markdown("**Who takes part**")
    cast = edit_choices.people(story)
    parts = story.participations_in(event.id)
    for part in parts:
        with st.container(border=True):
            show_part(desk, part, cast)
            _take_out(desk, part.id, "Take them out of it")
    if not cast:
        st.caption("There is nobody yet who could take part.")
        return
    st.button(
        "Add somebody",
        key=f"{desk.key}-add-part",
        icon=":material/person_add:",
        on_click=_add_part,
        args=(desk, event, edit_choices.first_free(cast, (one.character for one in parts))),
    )


def show_part(desk: EditDesk, part: Participation, cast: dict[str, str]) -> None:
    """Show one person's part in an event."""
    row = Fields(desk, part, has_locks=False)
    row.choice("character", "Who", cast)
    row.choice("part", "How", PARTS)
    row.text("emotion", "What they feel")
    row.text("impact", "What it does to them")


def show_links(desk: EditDesk, event: Event, story: Snapshot, around: int) -> None:
    """Show what leads to what, said from the side of the event."""
    st.markdown("**What leads to what**")
    links = [one for one in story.of(EventLink) if event.id in (one.source, one.target)]
    keep = {end for link in links for end in (link.source, link.target)}
    others = edit_choices.events(story, around, keep)
    others.pop(event.id, None)
    for link in links:
        with st.container(border=True):
            show_link(desk, link, event, others)
            _take_out(desk, link.id, "Take this link out")
    if not others:
        st.caption("With another event, you can say what leads to what.")
        return
    st.button(
        "Add a link",
        key=f"{desk.key}-add-link",
        icon=":material/link:",
        on_click=_add_link,
        args=(desk, event, edit_choices.first_free(others, keep)),
    )


def show_link(desk: EditDesk, link: EventLink, event: Event, others: dict[str, str]) -> None:
    """Show one link, said from the side of one of its events."""
    is_outgoing = link.source == event.id
    other = link.target if is_outgoing else link.source
    key = f"{desk.key}-{link.id}"
    choice_box(
        Box(f"{key}-bearing", "How"),
        BEARINGS,
        Bearing(link.link, is_outgoing),
        lambda bearing: _relate(desk, link, bearing, (event.id, other)),
    )
    choice_box(
        Box(f"{key}-other", "Which event"),
        others,
        other,
        lambda id_: _relate(desk, link, Bearing(link.link, is_outgoing), (event.id, id_)),
    )


def _relate(desk: EditDesk, link: EventLink, bearing: Bearing, ends: tuple[str, str]) -> None:
    source, target = ends if bearing.is_outgoing else ends[::-1]
    desk.change(link.id, link=bearing.link, source=source, target=target)


def _take_out(desk: EditDesk, id_: str, words: str) -> None:
    st.button(
        words,
        key=f"{desk.key}-drop-{id_}",
        icon=":material/close:",
        type="tertiary",
        on_click=desk.remove,
        args=(id_,),
    )


def _add_part(desk: EditDesk, event: Event, person: str) -> None:
    desk.add(Participation(id=workbench().new_entity_id(), character=person, event=event.id))


def _add_link(desk: EditDesk, event: Event, other: str) -> None:
    id_ = workbench().new_entity_id()
    desk.add(EventLink(id=id_, source=event.id, target=other, link=LinkKind.CAUSES))
