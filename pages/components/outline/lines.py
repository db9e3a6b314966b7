"""The storylines of an outline, each with its events, to read and to edit in place."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.notices import attempt
from pages.components.outline import event as outline_event
from pages.components.outline import strings
from pages.components.outline.current import CurrentOutline
from pages.components.outline.edits import add_event, lines_of, remove_events, rename_line
from pages.components.words import plain
from store.models.base import new_id
from store.models.outline import Outline, OutlineEvent

_EDITING = "edit this storyline"
_REMOVING = "remove this storyline"
_SHOWN = 15
"""How many events of a line are shown until more are asked for."""


def show(current: CurrentOutline, *, is_primary: bool) -> None:
    """Show the storylines, two side by side if there is room.

    If not `is_primary`, something else on the page comes first.
    """
    lines = lines_of(current.outline)
    columns = st.columns(2, gap="large") if len(lines) > 1 else [st.container()]
    for position, line in enumerate(lines):
        # The first half goes left, so a phone with a single column keeps the order.
        with columns[position * len(columns) // len(lines)]:
            _line(current, line)
    st.button(
        strings.LINE_ADD,
        key=f"{current.key}-add-line",
        icon=":material/add:",
        type="primary" if is_primary and not lines else "secondary",
        on_click=_add_event,
        args=(current, None),
    )


def read(outline: Outline) -> None:
    """Show the storylines read-only, as far as they are drafted."""
    lines = lines_of(outline)
    if not lines:
        return
    columns = st.columns(2, gap="large")
    for position, line in enumerate(lines):
        with columns[position * 2 // len(lines)]:
            st.header(plain(line), anchor=False)
            for event in _events_of(outline, line)[:_SHOWN]:
                with st.container(border=True):
                    outline_event.read(outline, event)


def _line(current: CurrentOutline, line: str) -> None:
    events = _events_of(current.outline, line)
    _head(current, line, events)
    shown = f"{current.key}-shown-{line}"
    most = int(st.session_state.get(shown, _SHOWN))
    for event in events[:most]:
        outline_event.show(current, event)
    if len(events) > most:
        st.button(
            strings.line_more_events(len(events) - most),
            key=f"{shown}-more",
            on_click=st.session_state.update,
            args=({shown: most + _SHOWN},),
        )
    st.button(
        strings.line_add_event(plain(line)),
        key=f"{current.key}-add-event-{events[0].id}",
        icon=":material/add:",
        type="tertiary",
        on_click=_add_event,
        args=(current, line),
    )


def _head(current: CurrentOutline, line: str, events: list[OutlineEvent]) -> None:
    # Widgets are keyed by the line's first event, which stays the same when the line is renamed.
    first = events[0].id
    if notices.is_asked(_REMOVING, first):
        _ask_to_remove(current, line, events)
    elif notices.is_asked(_EDITING, first):
        _edit(current, line, events)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header(plain(line), anchor=False, width="content")
            st.button(
                strings.line_change(plain(line)),
                key=f"{current.key}-line-{first}",
                icon=":material/edit:",
                type="tertiary",
                on_click=notices.ask,
                args=(_EDITING, first),
            )


def _edit(current: CurrentOutline, line: str, events: list[OutlineEvent]) -> None:
    key = f"{current.key}-line-{events[0].id}"
    autosave.text_box(
        Box(f"{key}-name", strings.LINE_NAME),
        line,
        lambda name: current.change(lambda now: rename_line(now, line, name)),
    )
    with st.container(horizontal=True):
        st.button(strings.LINE_DONE, key=f"{key}-done", on_click=notices.stop_asking)
        if not current.is_partly_told({event.id for event in events}):
            st.button(
                strings.LINE_REMOVE_OFFER,
                key=f"{key}-remove",
                icon=":material/delete:",
                type="tertiary",
                on_click=notices.ask,
                args=(_REMOVING, events[0].id),
            )


def _ask_to_remove(current: CurrentOutline, line: str, events: list[OutlineEvent]) -> None:
    st.markdown(strings.line_remove_help(plain(line), len(events)))
    with st.container(horizontal=True):
        st.button(
            strings.LINE_REMOVE,
            key=f"{current.key}-line-{events[0].id}-removed",
            on_click=_remove,
            args=(current, events),
        )
        st.button(
            strings.LINE_REMOVE_CANCEL,
            key=f"{current.key}-line-{events[0].id}-kept",
            on_click=notices.stop_asking,
        )


def _events_of(outline: Outline, line: str) -> list[OutlineEvent]:
    return [event for event in outline.events if event.line == line]


def _add_event(current: CurrentOutline, line: str | None) -> None:
    event_id = new_id()
    if attempt(lambda: current.change(lambda now: add_event(now, event_id, line))):
        outline_event.open_event(current, event_id)


def _remove(current: CurrentOutline, events: list[OutlineEvent]) -> None:
    notices.stop_asking()
    ids = [event.id for event in events]
    attempt(lambda: current.change(lambda now: remove_events(now, ids)))
