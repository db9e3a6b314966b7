"""Taking something out of the story, with an inline question that says what goes with it."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages.components.editor.draft import EditSession
from pages.components.fields.editing import without_entity
from pages.components.graphs.details import name_of
from pages.components.words import counted, plain
from store.models.prototype import EntityKind, Snapshot

_ALONG: dict[EntityKind, dict[EntityKind, tuple[str, str]]] = {
    "character": {
        "relationship": ("tie", "ties"),
        "participation": ("part in an event", "parts in events"),
    },
    "event": {
        "participation": ("person’s part in it", "people’s parts in it"),
        "event_link": ("link to another event", "links to other events"),
    },
    "scene": {"occurrence": ("event’s place", "events’ places")},
}
"""What goes when something of a kind goes, as far as a writer would miss it."""


def is_asking(session: EditSession) -> bool:
    """Return whether the question is open."""
    return bool(st.session_state.get(_asking(session)))


def offer_removal(session: EditSession) -> None:
    """Show the button that asks."""
    st.button(
        "Take out …",
        key=f"{session.key}-ask-out",
        icon=":material/delete:",
        type="tertiary",
        on_click=_ask,
        args=(session, True),
    )


def ask_to_remove(session: EditSession) -> None:
    """Show the question, with what goes along."""
    now = session.panel.now
    name = name_of(now.entities[session.subject], now)
    since = f"from chapter {now.chapter} on" if now.chapter else "from the beginning on"
    along = goes_along(now, session.subject)
    also = f" Along with it: {', '.join(along)}." if along else ""
    st.markdown(f"{plain(name)} is taken out of the story {since}.{also}")
    with st.container(horizontal=True):
        st.button("Take out", key=f"{session.key}-out", on_click=_remove, args=(session,))
        st.button("Keep", key=f"{session.key}-keep", on_click=_ask, args=(session, False))


def goes_along(snapshot: Snapshot, id_: str) -> list[str]:
    """Return in words what refers to something and goes when it goes."""
    left = without_entity(snapshot, id_).entities
    gone = Counter(one.kind for other, one in snapshot.entities.items() if other not in left)
    missed = _ALONG.get(snapshot.entities[id_].kind, {})
    return [counted(gone[kind], *words) for kind, words in missed.items() if gone[kind]]


def _remove(session: EditSession) -> None:
    _ask(session, False)
    session.take_out()


def _ask(session: EditSession, is_open: bool) -> None:
    st.session_state[_asking(session)] = is_open


def _asking(session: EditSession) -> str:
    return f"{session.key}-asks to take out"
