"""Remove something from the story, after a question that says what goes with it."""

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
        "relationship": ("relationship", "relationships"),
        "participation": ("part in an event", "parts in events"),
    },
    "event": {
        "participation": ("part in it", "parts in it"),
        "event_link": ("link to another event", "links to other events"),
    },
    "scene": {"occurrence": ("event’s place", "events’ places")},
}
"""What else is removed with each kind of entity, as far as a writer would miss it."""


def is_asking(session: EditSession) -> bool:
    """Return whether the question is open."""
    return bool(st.session_state.get(_asking(session)))


def offer_removal(session: EditSession) -> None:
    """Show the button that asks whether to remove it."""
    st.button(
        "Remove …",
        key=f"{session.key}-ask-out",
        icon=":material/delete:",
        type="tertiary",
        on_click=_ask,
        args=(session, True),
    )


def ask_to_remove(session: EditSession) -> None:
    """Ask whether to remove it, naming what goes with it."""
    now = session.panel.now
    name = name_of(now.entities[session.subject], now)
    since = f"from chapter {now.chapter} on" if now.chapter else "from the beginning"
    along = goes_along(now, session.subject)
    also = f" This also removes {', '.join(along)}." if along else ""
    st.markdown(f"{plain(name)} will be removed from the story {since}.{also}")
    with st.container(horizontal=True):
        st.button("Remove", key=f"{session.key}-out", on_click=_remove, args=(session,))
        st.button("Keep", key=f"{session.key}-keep", on_click=_ask, args=(session, False))


def goes_along(snapshot: Snapshot, id_: str) -> list[str]:
    """Return, in words, what refers to an entity and is removed with it."""
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
