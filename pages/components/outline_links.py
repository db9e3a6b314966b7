"""What leads to what in an outline: as sentences, and as rows to change, add and take out."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.autosave import Box, choice_box
from pages.components.edit_choices import first_free
from pages.components.event_rows import BEARINGS, Bearing
from pages.components.notices import attempt
from pages.components.outline_edits import add_link, change_link, remove_link
from pages.components.outline_sheet import OutlineSheet
from pages.components.text import plain
from pages.components.wording import link_words
from store.models.outline import Outline, OutlineEvent, OutlineLink


def sentences(outline: Outline, event: OutlineEvent) -> list[str]:
    """Return what an event leads to, as sentences in Markdown: "The flood causes The auction"."""
    titles = _titles(outline)
    return [
        f"{plain(event.title)} *{link_words(link.link)}* {plain(titles[link.target])}"
        for link in outline.links
        if link.source == event.id
    ]


def edit(sheet: OutlineSheet, event: OutlineEvent) -> None:
    """Show the links of an event, said from its side."""
    others = _titles(sheet.outline)
    others.pop(event.id)
    links = [one for one in sheet.outline.links if event.id in (one.source, one.target)]
    for link in links:
        with st.container(border=True):
            _row(sheet, link, event, others)
    if not others:
        st.caption("With another event, you can say what leads to what.")
        return
    taken = [end for link in links for end in (link.source, link.target)]
    st.button(
        "Add a link",
        key=f"{sheet.key}-{event.id}-add-link",
        icon=":material/link:",
        on_click=_add,
        args=(sheet, event, first_free(others, taken)),
    )


def _row(
    sheet: OutlineSheet, link: OutlineLink, event: OutlineEvent, others: Mapping[str, str]
) -> None:
    is_outgoing = link.source == event.id
    other = link.target if is_outgoing else link.source
    key = f"{sheet.key}-{link.source}-{link.link.name}-{link.target}"

    def relate(bearing: Bearing, to: str) -> None:
        source, target = (event.id, to) if bearing.is_outgoing else (to, event.id)
        changed = OutlineLink(source=source, target=target, link=bearing.link)
        sheet.change(lambda now: change_link(now, link, changed))

    bearing = Bearing(link.link, is_outgoing)
    how, which = st.columns(2)
    with how:
        choice_box(Box(f"{key}-bearing", "How"), BEARINGS, bearing, lambda new: relate(new, other))
    with which:
        choice_box(
            Box(f"{key}-other", "Which event"), others, other, lambda new: relate(bearing, new)
        )
    st.button(
        "Take this link out",
        key=f"{key}-out",
        icon=":material/close:",
        type="tertiary",
        on_click=_remove,
        args=(sheet, link),
    )


def _titles(outline: Outline) -> dict[str, str]:
    return {event.id: event.title for event in outline.events}


def _add(sheet: OutlineSheet, event: OutlineEvent, other: str) -> None:
    attempt(lambda: sheet.change(lambda now: add_link(now, event.id, other)))


def _remove(sheet: OutlineSheet, link: OutlineLink) -> None:
    attempt(lambda: sheet.change(lambda now: remove_link(now, link)))
