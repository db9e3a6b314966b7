"""Remove something from the story, after a question that says what goes with it."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages.components.editor.draft import EditSession
from pages.components.fields.editing import without_entity
from pages.components.graphs import strings
from pages.components.graphs.details import name_of
from pages.components.words import plain
from store.models.prototype import Snapshot


def is_asking(session: EditSession) -> bool:
    """Return whether the question is open."""
    return bool(st.session_state.get(_asking(session)))


def offer_removal(session: EditSession) -> None:
    """Show the button that asks whether to remove it."""
    st.button(
        strings.REMOVE_ASK,
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
    along = goes_along(now, session.subject)
    st.markdown(strings.removal(plain(name), now.chapter, along))
    with st.container(horizontal=True):
        st.button(strings.REMOVE, key=f"{session.key}-out", on_click=_remove, args=(session,))
        st.button(
            strings.REMOVE_NOT, key=f"{session.key}-keep", on_click=_ask, args=(session, False)
        )


def goes_along(snapshot: Snapshot, id_: str) -> list[str]:
    """Return, in words, what refers to an entity and is removed with it."""
    left = without_entity(snapshot, id_).entities
    gone = Counter(one.kind for other, one in snapshot.entities.items() if other not in left)
    return strings.removed_along(snapshot.entities[id_].kind, gone)


def _remove(session: EditSession) -> None:
    _ask(session, False)
    session.take_out()


def _ask(session: EditSession, is_open: bool) -> None:
    st.session_state[_asking(session)] = is_open


def _asking(session: EditSession) -> str:
    return f"{session.key}-asks to take out"
