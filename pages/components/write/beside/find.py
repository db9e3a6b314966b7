"""Find words in the whole book, and replace them where the writer wishes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import streamlit as st
from pydantic import ValidationError

from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.notices import act
from pages.components.words import plain
from pages.components.write import chapters
from pages.components.write.beside import strings
from pages.serving.services import workbench
from store.texts.finding import Found, Place, Replaced, Search

_KEY = "find in the book"
_WORDS, _PUT = f"{_KEY}, words", f"{_KEY}, put"


def show(branch: str) -> None:
    """Show a field for words, the places in all chapters where they stand, and what to put there."""
    _tell_what_was_done(branch)
    autosave.session_text_box(Box(_WORDS, strings.FIND_WORDS), st.session_state.get(_WORDS, ""))
    with st.container(horizontal=True):
        is_case = st.checkbox(strings.FIND_CASE, key=f"{_KEY}, case")
        is_whole = st.checkbox(strings.FIND_WHOLE, key=f"{_KEY}, whole")
    try:
        search = Search(
            words=st.session_state.get(_WORDS, ""), is_case_matched=is_case, is_whole_words=is_whole
        )
    except ValidationError:
        st.caption(strings.FIND_ABOUT)
        return
    found = workbench().finding.find(branch, search)
    st.markdown(strings.places_found(found.total, found.chapters))
    if not found.total:
        return
    autosave.session_text_box(Box(_PUT, strings.FIND_PUT), st.session_state.get(_PUT, ""))
    _offer_to_replace(branch, search, found)
    with st.container(height=420, key="found-places"):
        for chapter, there in groupby(found.places, lambda one: one.chapter):
            _chapter(branch, chapter, list(there))
    if found.total > len(found.places):
        st.caption(strings.places_not_shown(found.total - len(found.places)))


def _offer_to_replace(branch: str, search: Search, found: Found) -> None:
    left_out = [one for one in found.places if not st.session_state.get(_tick(one), True)]
    hidden = found.total - len(found.places)
    has_all = hidden > 0 and st.checkbox(strings.also_hidden(hidden), key=f"{_KEY}, hidden")
    count = len(found.places) - len(left_out) + (hidden if has_all else 0)
    if not st.button(
        strings.replace_places(count), icon=":material/find_replace:", disabled=not count
    ):
        return
    skipped = {_place(one) for one in left_out}
    every = workbench().finding.find(branch, search, None) if has_all else found
    chosen = [one for one in every.places if _place(one) not in skipped]
    act(lambda: _replace(branch, chosen, str(st.session_state.get(_PUT, ""))))


def _replace(branch: str, chosen: Sequence[Place], put: str) -> None:
    st.session_state[f"{_KEY}, done"] = workbench().finding.replace(branch, chosen, put)


def _tell_what_was_done(branch: str) -> None:
    done: Replaced | None = st.session_state.pop(f"{_KEY}, done", None)
    if done is None:
        return
    st.success(strings.places_replaced(done.places, len(done.chapters)))
    if done.changed:
        order = [card.number for card in workbench().desk.chapters(branch)]
        shown = [order.index(one) + 1 for one in done.changed if one in order]
        st.warning(strings.changed_meanwhile(shown))


def _chapter(branch: str, chapter: int, there: Sequence[Place]) -> None:
    title = strings.chapter_found(there[0].number, plain(there[0].title))
    if st.button(title, type="tertiary", key=f"found-chapter-{chapter}", help=strings.GO_THERE):
        chapters.turn_to(branch, chapter)
        st.rerun()
    for one in there:
        shown = f"{plain(one.before)} :orange-background[{plain(one.words)}] {plain(one.after)}"
        st.checkbox(shown, True, key=_tick(one))


def _tick(place: Place) -> str:
    return f"{_KEY}, {_place(place)}"


def _place(place: Place) -> str:
    return f"{place.fingerprint}-{place.start}-{len(place.words)}"
