"""One event of an outline and what it leads to: a card to read, and fields that save themselves."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components import notices
from pages.components.editor.event import BEARINGS, Bearing
from pages.components.editor.new import first_free
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, choice_box
from pages.components.fields.fields import COMMAS, names_in, text_field
from pages.components.notices import attempt
from pages.components.outline import part as outline_part
from pages.components.outline.current import OutlineSheet
from pages.components.outline.edits import (
    add_link,
    add_part,
    change_event,
    change_link,
    lines_of,
    remove_events,
    remove_link,
    shift_event,
)
from pages.components.words import counted, link_words, plain, prose
from store.models.base import new_id
from store.models.fields import shown
from store.models.outline import Outline, OutlineEvent, OutlineLink

_REMOVING = "remove this event"


_TEXTS = ("title", "setting", "action", "conflict", "twist")


def open_event(sheet: OutlineSheet, event_id: str | None) -> None:
    """Have one event of an outline open for editing, or none."""
    st.session_state[_open(sheet)] = event_id
    notices.put_away()


def show(sheet: OutlineSheet, event: OutlineEvent) -> None:
    """Show an event, to edit if it is the one that is open."""
    with st.container(border=True, key=f"{sheet.key}-event-{event.id}"):
        if st.session_state.get(_open(sheet)) == event.id:
            _edit(sheet, event)
            return
        read(sheet.outline, event)
        _told(sheet, event)
        st.button(
            f"Edit {plain(event.title)}",
            key=f"{sheet.key}-edit-{event.id}",
            icon=":material/edit:",
            type="tertiary",
            on_click=open_event,
            args=(sheet, event.id),
        )


def read(outline: Outline, event: OutlineEvent) -> None:
    """Show an event to read: where, who, what happens, what stands against it, the turn, the links."""
    setting = f" · :gray[{plain(event.setting)}]" if event.setting else ""
    head = [f"**{plain(event.title)}**{setting}"]
    if event.characters:
        head.append(f":gray[With] {', '.join(plain(name) for name in event.characters)}")
    facts = [
        f":gray[{shown(event, field).label}] {plain(text)}"
        for field in ("conflict", "twist")
        if (text := getattr(event, field))
    ]
    facts += [f":gray[→] {sentence}" for sentence in sentences(outline, event)]
    facts += [
        f":orange[:material/rate_review: {plain(remark.text)}]"
        for remark in outline.remarks
        if remark.event == event.id
    ]
    for paragraph in ("  \n".join(head), prose(event.action), "  \n".join(facts)):
        if paragraph:
            st.markdown(paragraph)


def _told(sheet: OutlineSheet, event: OutlineEvent) -> None:
    parts = sheet.parts_of(event.id)
    chapters = sorted({at for part in parts if (at := sheet.chapter_of(part)) is not None})
    left = sum(sheet.chapter_of(part) is None for part in parts)
    facts = []
    if chapters:
        noun = "Chapter" if len(chapters) == 1 else "Chapters"
        facts.append(f"{noun} {', '.join(str(number) for number in chapters)}")
    if left:
        facts.append(f"{counted(left, 'part', 'parts')} not placed")
    st.caption(" · ".join(facts) or "It has no part yet that a chapter could tell.")


def _edit(sheet: OutlineSheet, event: OutlineEvent) -> None:
    for field in _TEXTS:
        _field(sheet, event, field)
    autosave.text_box(
        text_field(event, "characters", f"{sheet.key}-{event.id}-characters", COMMAS),
        ", ".join(event.characters),
        lambda text: _save(sheet, event, characters=names_in(text)),
    )
    lines = lines_of(sheet.outline)
    if len(lines) > 1:
        choice_box(
            Box(f"{sheet.key}-{event.id}-line", shown(event, "line").label),
            {line: line for line in lines},
            event.line,
            lambda line: _save(sheet, event, line=line),
        )
    st.markdown("**Its parts, each told by one chapter**")
    _parts(sheet, event)
    st.markdown("**What leads to what**")
    edit(sheet, event)
    _foot(sheet, event)


def _field(sheet: OutlineSheet, event: OutlineEvent, field: str) -> None:
    autosave.text_box(
        text_field(event, field, f"{sheet.key}-{event.id}-{field}"),
        getattr(event, field),
        lambda text: _save(sheet, event, **{field: text}),
    )


def _parts(sheet: OutlineSheet, event: OutlineEvent) -> None:
    for part in sheet.parts_of(event.id):
        with st.container(border=True):
            outline_part.edit_in_row(sheet, part)
    st.button(
        "Add a part",
        key=f"{sheet.key}-{event.id}-add-part",
        icon=":material/add:",
        on_click=_add_part,
        args=(sheet, event),
    )


def _foot(sheet: OutlineSheet, event: OutlineEvent) -> None:
    if notices.is_asked(_REMOVING, event.id):
        _ask_to_remove(sheet, event)
        return
    key = f"{sheet.key}-{event.id}"
    with st.container(horizontal=True):
        st.button("Done", key=f"{key}-done", on_click=open_event, args=(sheet, None))
        for label, by, icon in (("Earlier", -1, "arrow_upward"), ("Later", 1, "arrow_downward")):
            st.button(
                label,
                key=f"{key}-shift{by}",
                icon=f":material/{icon}:",
                type="tertiary",
                on_click=_shift,
                args=(sheet, event, by),
            )
        if not sheet.is_partly_told({event.id}):
            st.button(
                "Remove this event …",
                key=f"{key}-remove",
                icon=":material/delete:",
                type="tertiary",
                on_click=notices.ask,
                args=(_REMOVING, event.id),
            )


def _ask_to_remove(sheet: OutlineSheet, event: OutlineEvent) -> None:
    parts = len(sheet.parts_of(event.id))
    along = f" {counted(parts, 'part goes', 'parts go')} with it." if parts else ""
    st.markdown(f"{plain(event.title)} leaves the outline.{along}")
    with st.container(horizontal=True):
        st.button(
            "Remove",
            key=f"{sheet.key}-{event.id}-removed",
            on_click=_remove,
            args=(sheet, event),
        )
        st.button("Keep", key=f"{sheet.key}-{event.id}-kept", on_click=notices.put_away)


def _save(sheet: OutlineSheet, event: OutlineEvent, **values: object) -> None:
    sheet.change(lambda now: change_event(now, event.id, **values))


def _add_part(sheet: OutlineSheet, event: OutlineEvent) -> None:
    part_id = new_id()
    attempt(lambda: sheet.change(lambda now: add_part(now, part_id, event.id)))


def _shift(sheet: OutlineSheet, event: OutlineEvent, by: int) -> None:
    attempt(lambda: sheet.change(lambda now: shift_event(now, event.id, by)))


def _remove(sheet: OutlineSheet, event: OutlineEvent) -> None:
    notices.put_away()
    if attempt(lambda: sheet.change(lambda now: remove_events(now, [event.id]))):
        open_event(sheet, None)


def _open(sheet: OutlineSheet) -> str:
    return f"open event of {sheet.key}"


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
        choice_box(
            Box(f"{key}-bearing", shown(link, "link").label),
            BEARINGS,
            bearing,
            lambda new: relate(new, other),
        )
    with which:
        choice_box(
            Box(f"{key}-other", shown(link, "target").label),
            others,
            other,
            lambda new: relate(bearing, new),
        )
    st.button(
        "Take this link out",
        key=f"{key}-out",
        icon=":material/close:",
        type="tertiary",
        on_click=_remove_link,
        args=(sheet, link),
    )


def _titles(outline: Outline) -> dict[str, str]:
    return {event.id: event.title for event in outline.events}


def _add(sheet: OutlineSheet, event: OutlineEvent, other: str) -> None:
    attempt(lambda: sheet.change(lambda now: add_link(now, event.id, other)))


def _remove_link(sheet: OutlineSheet, link: OutlineLink) -> None:
    attempt(lambda: sheet.change(lambda now: remove_link(now, link)))
