"""One event of an outline and what it leads to: a card to read, and autosaving fields."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components import notices
from pages.components.editor.event import Bearing, bearings
from pages.components.editor.new import first_free
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, choice_box
from pages.components.fields.fields import names_field, names_in, text_field
from pages.components.notices import attempt
from pages.components.outline import part as outline_part
from pages.components.outline import strings
from pages.components.outline.current import CurrentOutline
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
from pages.components.words import plain, prose
from pages.components.words.messages import said
from store.models.base import new_id
from store.models.fields import shown
from store.models.outline import Outline, OutlineEvent, OutlineLink

_REMOVING = "remove this event"


_TEXTS = ("title", "setting", "action", "conflict", "twist")


def open_event(current: CurrentOutline, event_id: str | None) -> None:
    """Open one event of an outline for editing, or none."""
    st.session_state[_open(current)] = event_id
    notices.stop_asking()


def show(current: CurrentOutline, event: OutlineEvent) -> None:
    """Show an event, with its fields if it is the open one."""
    with st.container(border=True, key=f"{current.key}-event-{event.id}"):
        if st.session_state.get(_open(current)) == event.id:
            _edit(current, event)
            return
        read(current.outline, event)
        _told(current, event)
        st.button(
            strings.event_edit(plain(event.title)),
            key=f"{current.key}-edit-{event.id}",
            icon=":material/edit:",
            type="tertiary",
            on_click=open_event,
            args=(current, event.id),
        )


def read(outline: Outline, event: OutlineEvent) -> None:
    """Show an event to read: setting, people, action, conflict, twist, links and remarks."""
    setting = f" · :gray[{plain(event.setting)}]" if event.setting else ""
    head = [f"**{plain(event.title)}**{setting}"]
    if event.characters:
        head.append(strings.event_people([plain(name) for name in event.characters]))
    facts = [
        f":gray[{said(shown(event, field).label)}] {plain(text)}"
        for field in ("conflict", "twist")
        if (text := getattr(event, field))
    ]
    facts += [
        f":gray[:material/arrow_forward:] {sentence}" for sentence in sentences(outline, event)
    ]
    facts += [
        f":orange[:material/rate_review: {plain(remark.text)}]"
        for remark in outline.remarks
        if remark.event == event.id
    ]
    for paragraph in ("  \n".join(head), prose(event.action), "  \n".join(facts)):
        if paragraph:
            st.markdown(paragraph)


def _told(current: CurrentOutline, event: OutlineEvent) -> None:
    parts = current.parts_of(event.id)
    chapters = sorted({at for part in parts if (at := current.chapter_of(part)) is not None})
    left = sum(current.chapter_of(part) is None for part in parts)
    facts = []
    if chapters:
        facts.append(strings.event_chapters(chapters))
    if left:
        facts.append(strings.event_parts_unplaced(left))
    st.caption(" · ".join(facts) or strings.EVENT_PARTS_NONE)


def _edit(current: CurrentOutline, event: OutlineEvent) -> None:
    for field in _TEXTS:
        _field(current, event, field)
    autosave.text_box(
        names_field(event, "characters", f"{current.key}-{event.id}-characters"),
        ", ".join(event.characters),
        lambda text: _save(current, event, characters=names_in(text)),
    )
    lines = lines_of(current.outline)
    if len(lines) > 1:
        choice_box(
            Box(f"{current.key}-{event.id}-line", said(shown(event, "line").label)),
            {line: line for line in lines},
            event.line,
            lambda line: _save(current, event, line=line),
        )
    st.markdown(f"**{strings.EVENT_PARTS}**")
    _parts(current, event)
    st.markdown(f"**{strings.LINKS}**")
    edit(current, event)
    _foot(current, event)


def _field(current: CurrentOutline, event: OutlineEvent, field: str) -> None:
    autosave.text_box(
        text_field(event, field, f"{current.key}-{event.id}-{field}"),
        getattr(event, field),
        lambda text: _save(current, event, **{field: text}),
    )


def _parts(current: CurrentOutline, event: OutlineEvent) -> None:
    for part in current.parts_of(event.id):
        with st.container(border=True):
            outline_part.edit_in_row(current, part)
    st.button(
        strings.EVENT_ADD_PART,
        key=f"{current.key}-{event.id}-add-part",
        icon=":material/add:",
        on_click=_add_part,
        args=(current, event),
    )


def _foot(current: CurrentOutline, event: OutlineEvent) -> None:
    if notices.is_asked(_REMOVING, event.id):
        _ask_to_remove(current, event)
        return
    key = f"{current.key}-{event.id}"
    with st.container(horizontal=True):
        st.button(strings.EVENT_DONE, key=f"{key}-done", on_click=open_event, args=(current, None))
        for label, by, icon in (
            (strings.EVENT_EARLIER, -1, "arrow_upward"),
            (strings.EVENT_LATER, 1, "arrow_downward"),
        ):
            st.button(
                label,
                key=f"{key}-shift{by}",
                icon=f":material/{icon}:",
                type="tertiary",
                on_click=_shift,
                args=(current, event, by),
            )
        if not current.is_partly_told({event.id}):
            st.button(
                strings.EVENT_REMOVE_OFFER,
                key=f"{key}-remove",
                icon=":material/delete:",
                type="tertiary",
                on_click=notices.ask,
                args=(_REMOVING, event.id),
            )


def _ask_to_remove(current: CurrentOutline, event: OutlineEvent) -> None:
    parts = len(current.parts_of(event.id))
    st.markdown(strings.event_remove_help(plain(event.title), parts))
    with st.container(horizontal=True):
        st.button(
            strings.EVENT_REMOVE,
            key=f"{current.key}-{event.id}-removed",
            on_click=_remove,
            args=(current, event),
        )
        st.button(
            strings.EVENT_REMOVE_CANCEL,
            key=f"{current.key}-{event.id}-kept",
            on_click=notices.stop_asking,
        )


def _save(current: CurrentOutline, event: OutlineEvent, **values: object) -> None:
    current.change(lambda now: change_event(now, event.id, **values))


def _add_part(current: CurrentOutline, event: OutlineEvent) -> None:
    part_id = new_id()
    attempt(lambda: current.change(lambda now: add_part(now, part_id, event.id)))


def _shift(current: CurrentOutline, event: OutlineEvent, by: int) -> None:
    attempt(lambda: current.change(lambda now: shift_event(now, event.id, by)))


def _remove(current: CurrentOutline, event: OutlineEvent) -> None:
    notices.stop_asking()
    if attempt(lambda: current.change(lambda now: remove_events(now, [event.id]))):
        open_event(current, None)


def _open(current: CurrentOutline) -> str:
    return f"open event of {current.key}"


def sentences(outline: Outline, event: OutlineEvent) -> list[str]:
    """Return what an event leads to, as sentences in Markdown: "The flood causes The auction"."""
    titles = _titles(outline)
    return [
        strings.link(plain(event.title), link.link, plain(titles[link.target]))
        for link in outline.links
        if link.source == event.id
    ]


def edit(current: CurrentOutline, event: OutlineEvent) -> None:
    """Show the links of an event, worded from its side."""
    others = _titles(current.outline)
    others.pop(event.id)
    links = [one for one in current.outline.links if event.id in (one.source, one.target)]
    for link in links:
        with st.container(border=True):
            _row(current, link, event, others)
    if not others:
        st.caption(strings.LINKS_NONE)
        return
    taken = [end for link in links for end in (link.source, link.target)]
    st.button(
        strings.LINK_ADD,
        key=f"{current.key}-{event.id}-add-link",
        icon=":material/link:",
        on_click=_add,
        args=(current, event, first_free(others, taken)),
    )


def _row(
    current: CurrentOutline, link: OutlineLink, event: OutlineEvent, others: Mapping[str, str]
) -> None:
    is_outgoing = link.source == event.id
    other = link.target if is_outgoing else link.source
    key = f"{current.key}-{link.source}-{link.link.name}-{link.target}"

    def relate(bearing: Bearing, to: str) -> None:
        source, target = (event.id, to) if bearing.is_outgoing else (to, event.id)
        changed = OutlineLink(source=source, target=target, link=bearing.link)
        current.change(lambda now: change_link(now, link, changed))

    bearing = Bearing(link.link, is_outgoing)
    how, which = st.columns(2)
    with how:
        choice_box(
            Box(f"{key}-bearing", said(shown(link, "link").label)),
            bearings(),
            bearing,
            lambda new: relate(new, other),
        )
    with which:
        choice_box(
            Box(f"{key}-other", said(shown(link, "target").label)),
            others,
            other,
            lambda new: relate(bearing, new),
        )
    st.button(
        strings.LINK_REMOVE,
        key=f"{key}-out",
        icon=":material/close:",
        type="tertiary",
        on_click=_remove_link,
        args=(current, link),
    )


def _titles(outline: Outline) -> dict[str, str]:
    return {event.id: event.title for event in outline.events}


def _add(current: CurrentOutline, event: OutlineEvent, other: str) -> None:
    attempt(lambda: current.change(lambda now: add_link(now, event.id, other)))


def _remove_link(current: CurrentOutline, link: OutlineLink) -> None:
    attempt(lambda: current.change(lambda now: remove_link(now, link)))
