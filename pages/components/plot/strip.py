"""The story so far as a strip of chapter cards."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import places
from pages.components.history import stale as stale_notes
from pages.components.history.stale import Marks
from pages.components.plot import not_chosen, strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench

_SHOWN = 4
_WIDTH = 208
"""Pixels: four fit on a desktop screen, one on a phone."""


def show(chapters: Sequence[ChapterCard], stale: Marks) -> None:
    """Show the newest chapters, with stale ones marked."""
    if not chapters:
        return
    with st.container(horizontal=True, key="chapter-strip"):
        for card in chapters[-_SHOWN:]:
            with st.container(border=True, height="stretch", width=_WIDTH):
                st.markdown(f":gray[{card.number}]  **{plain(card.title)}**")
                st.caption(plain(card.line))
                stale_notes.mark(stale.get(card.number, ()), "strip")
    _elsewhere(chapters, stale)


def past(branch: str, chapters: Sequence[ChapterCard]) -> None:
    """Show, folded, what each chapter changed, and the candidates not chosen."""
    if not chapters:
        return
    with st.expander(strings.CHAPTER_CHANGES, key="chapter-changes", on_change="rerun") as opened:
        if opened.open:
            _changes(branch, chapters)
    not_chosen.show(branch, {card.number: card.title for card in chapters})


def _elsewhere(chapters: Sequence[ChapterCard], stale: Marks) -> None:
    shown = {card.number for card in chapters[-_SHOWN:]}
    others = len(stale.keys() - shown)
    if others:
        places.link("history", strings.review_earlier(others), icon=":material/sync_problem:")


def _changes(branch: str, chapters: Sequence[ChapterCard]) -> None:
    titles = {card.number: card.title for card in chapters}
    chapter = st.selectbox(
        strings.CHAPTER,
        list(reversed(titles)),
        format_func=lambda number: f"{number}. {titles.get(number, '')}",
        key="changes-of",
    )
    if chapter is None:
        return
    for line in workbench().story.changes_in(branch, chapter):
        st.markdown(f"{plain(line.mark)} {plain(said(line.text))}")
