"""Find something in the story and see it in the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from graph_flow.views import SearchHitView
from pages.components.services import workbench
from pages.components.text import plain

_MOST = 20
_KINDS = {
    "character": ":material/person:",
    "relationship": ":material/link:",
    "event": ":material/bolt:",
    "scene": ":material/place:",
    "thread": ":material/timeline:",
}


def ask(branch_id: str, chapter: int) -> Sequence[SearchHitView] | None:
    """Show the field to search with; return what was found, or None where nothing is asked."""
    text = st.text_input(
        "Search",
        key="graph-search",
        placeholder="Find in the story",
        icon=":material/search:",
        label_visibility="collapsed",
        max_chars=200,
        width=210,
    )
    return workbench().search(branch_id, chapter, text, limit=_MOST) if text.strip() else None


def show(hits: Sequence[SearchHitView] | None, go_to: Callable[[str], None]) -> None:
    """Show what was found; a click hands its id to `go_to`."""
    if hits is None:
        return
    if not hits:
        st.caption("Nothing is found as of this chapter. Try fewer words, or a later chapter.")
        return
    with st.container(border=True, height=260, key="graph-hits"):
        for hit in hits:
            st.button(
                f"{plain(hit.label)} :gray[· {_when(hit)}]",
                icon=_KINDS.get(hit.kind),
                type="tertiary",
                key=f"hit-{hit.id}",
                on_click=go_to,
                args=(hit.id,),
            )
            if hit.excerpt:
                st.caption(plain(hit.excerpt))


def _when(hit: SearchHitView) -> str:
    return f"chapter {hit.chapter}" if hit.chapter else "from the beginning"
