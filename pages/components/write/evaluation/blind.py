"""Two texts side by side without their origin: the writer, or any reader, says which is the better."""

from __future__ import annotations

from functools import partial

import streamlit as st

from graph_flow.workbench.beside.pairing import BlindPair, Contestant
from pages.components.frame.frame import OpenStory
from pages.components.notices import act
from pages.components.words import plain, prose
from pages.components.write.evaluation import strings
from pages.serving.services import workbench
from store.errors import StoreError

_ROOM = 480
"""Pixels of a passage; a longer one scrolls."""


def show(opened: OpenStory) -> None:
    """Let the writer choose a text to compare with, and judge passages of both blind."""
    st.caption(strings.BLIND_ABOUT)
    others = _others(opened)
    if not others:
        st.caption(strings.BLIND_NONE)
        return
    chosen = st.selectbox(
        strings.BLIND_OTHER,
        list(others),
        index=None,
        format_func=lambda key: others[key],
        key="blind-other",
    )
    reader = st.text_input(strings.READER, max_chars=80, key="blind-reader")
    if chosen is None or not reader.strip():
        return
    own, other = workbench().pairs.of_story(opened.branch.id), _text(chosen)
    pair = workbench().pairs.blind(own, other, reader)
    if pair is None:
        _done(own, other)
    else:
        _ask(pair, reader)


def _others(opened: OpenStory) -> dict[str, str]:
    """Return what the text can be compared with: this story's branches and tellings, and other stories."""
    found = {
        f"branch {one.id}": strings.branch_named(one.name)
        for one in opened.branches
        if one.id != opened.branch.id
    }
    for telling in workbench().tellings.of(opened.branch.id):
        found[f"telling {opened.branch.id} {telling.id}"] = strings.telling_named(telling.name)
    for card in workbench().library.stories():
        if card.story.id != opened.story.id:
            found[f"story {card.story.id}"] = card.story.title or strings.UNNAMED
    return found


def _text(chosen: str) -> Contestant:
    match chosen.split():
        case ["branch", branch]:
            return workbench().pairs.of_story(branch)
        case ["telling", branch, telling]:
            return workbench().pairs.of_story(branch, telling)
        case [_, story]:
            return workbench().pairs.of_story(workbench().library.main_branch(story).id)
    raise StoreError(chosen)


def _ask(pair: BlindPair, reader: str) -> None:
    for column, passage, side in zip(
        st.columns(2, gap="medium"), (pair.left, pair.right), ("left", "right"), strict=True
    ):
        with column, st.container(height=_ROOM, border=True, key=f"story-blind-{side}"):
            st.markdown(prose(passage))
    with st.container(horizontal=True, key="blind-answers"):
        for label, margin in strings.preferences():
            if st.button(label, key=f"blind-{margin}"):
                act(partial(workbench().pairs.prefer, pair, reader, margin))


def _done(own: Contestant, other: Contestant) -> None:
    """Say how the two stand, now that nothing is left to be judged blind."""
    with st.spinner(strings.RANKING):
        placed = workbench().pairs.standings([own, other])
    st.markdown(strings.BLIND_DONE)
    for one in placed:
        found = one.standing
        st.markdown(f"- {plain(one.name)}: {strings.won(found.wins, found.draws, found.losses)}")
