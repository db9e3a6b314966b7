"""What can be done with the chapters of the book: add, split, merge, move, rename and remove them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from graph_flow.views import ChapterCard, MergedChapter
from graph_flow.workbench.beside.contents import Seen
from pages.components import notices
from pages.components.fields import autosave, prose_editor
from pages.components.fields.autosave import Box
from pages.components.words import plain
from pages.components.write import chapters, desk, strings
from pages.serving.services import workbench
from store.models.manuscript import PARAGRAPH_BREAK, Draft

_DONE = "times the chapters were arranged"
_QUOTED = 60
"""Characters by which a paragraph is known again."""


class _Way(NamedTuple):
    """A button: its key, label and icon, what it will do in words, and whether it can be pressed."""

    key: str
    label: str
    icon: str
    about: str = ""
    is_on: bool = True


def show(branch: str, cards: Sequence[ChapterCard], shown: ChapterCard) -> None:
    """Show a menu of what can be done with the shown chapter and its place in the book."""
    # A menu in which something was done gives way to another one, which is closed. To close it by its
    # state does not do: a click that follows its opening at once would leave it open in the browser.
    key = f"arrange-{branch}-{st.session_state.get(_DONE, 0)}"
    with (
        st.popover(strings.ARRANGE, icon=":material/toc:", key=key, on_change="rerun"),
        st.container(gap="xsmall"),
    ):
        _Menu(branch, cards, shown).show()


class _Menu:
    def __init__(self, branch: str, cards: Sequence[ChapterCard], shown: ChapterCard) -> None:
        self._branch = branch
        self._cards = cards
        self._shown = shown
        self._order = [card.number for card in cards]
        self._paper = desk.paper(branch, shown.number)

    def show(self) -> None:
        self._title()
        self._offer(_Way("add", strings.ADD_CHAPTER, ":material/add:"), self._add)
        if self._shown.words:
            self._splitting()
        behind = self._cards[self._shown.place :][:1]
        if self._shown.draft is not None and behind and behind[0].draft is not None:
            about = strings.merge_about(plain(behind[0].title))
            merge = _Way("merge", strings.MERGE_CHAPTER, ":material/call_merge:", about)
            self._offer(merge, self._merge)
        for merged in workbench().contents.merged(self._branch, self._shown.number):
            self._way_apart(merged)
        self._moves()
        if not (self._shown.is_plotted or self._shown.words):
            self._offer(
                _Way("remove", strings.REMOVE_CHAPTER, ":material/delete:"),
                self._remove,
            )

    def _title(self) -> None:
        number = self._shown.number
        box = Box(f"chapter-title-{self._branch}-{number}", strings.CHAPTER_TITLE)
        autosave.text_box(
            box,
            self._shown.title,
            lambda typed: workbench().contents.rename(
                self._branch, number, typed, Seen(self._order)
            ),
        )

    def _splitting(self) -> None:
        """Offer to split the text where the cursor stood when the menu was opened."""
        at = prose_editor.paragraph_of(self._paper)
        paragraphs = (prose_editor.text_of(self._paper) or "").split(PARAGRAPH_BREAK)
        is_on = 0 < at < len(paragraphs)
        about = strings.SPLIT_WHERE
        if is_on:
            about = strings.split_about(plain(_beginning(paragraphs[at])))
        way = _Way("split", strings.SPLIT_CHAPTER, ":material/call_split:", about, is_on)
        self._offer(way, partial(self._split, at))

    def _moves(self) -> None:
        place, last = self._shown.place, len(self._cards)
        up = _Way("up", strings.MOVE_UP, ":material/arrow_upward:", is_on=place > 1)
        down = _Way("down", strings.MOVE_DOWN, ":material/arrow_downward:", is_on=place < last)
        with st.container(horizontal=True):
            for way, by in ((up, -1), (down, 1)):
                self._offer(way, partial(self._move, by))
        st.caption(strings.MOVE_ABOUT)

    def _way_apart(self, merged: MergedChapter) -> None:
        title = plain(merged.title)
        label = strings.take_apart(title) if merged.is_there else strings.bring_back(title)
        about = strings.APART_ABOUT if merged.is_there else strings.BACK_ABOUT
        self._offer(
            _Way(f"apart-{merged.chapter}", label, ":material/undo:", about),
            lambda seen: workbench().contents.take_apart(self._branch, merged.chapter, seen),
        )

    def _offer(self, way: _Way, action: Callable[[Seen], object]) -> None:
        def act() -> None:
            seen = Seen(self._order, prose_editor.text_of(self._paper))
            if notices.attempt(lambda: action(seen)):
                st.session_state[_DONE] = st.session_state.get(_DONE, 0) + 1

        st.button(
            way.label,
            key=f"arrange-{way.key}",
            icon=way.icon,
            type="tertiary",
            disabled=not way.is_on,
            on_click=act,
        )
        if way.about:
            st.caption(way.about)

    def _add(self, seen: Seen) -> None:
        self._turn_to(workbench().contents.add_chapter(self._branch, self._shown.number, seen))

    def _split(self, at: int, seen: Seen) -> None:
        self._turn_to(workbench().contents.split(self._branch, self._shown.number, at, seen))

    def _merge(self, seen: Seen) -> None:
        workbench().contents.merge(self._branch, self._shown.number, seen)

    def _move(self, by: int, seen: Seen) -> None:
        workbench().contents.move(self._branch, self._shown.number, by, seen)

    def _remove(self, seen: Seen) -> None:
        workbench().contents.remove(self._branch, self._shown.number, seen)
        others = [one for one in self._order if one != self._shown.number]
        if others:
            chapters.turn_to(self._branch, others[max(self._shown.place - 2, 0)])

    def _turn_to(self, made: Draft) -> None:
        chapters.turn_to(self._branch, made.chapter)


def _beginning(paragraph: str) -> str:
    if len(paragraph) <= _QUOTED:
        return paragraph
    return f"{paragraph[:_QUOTED].rsplit(maxsplit=1)[0]}…"
