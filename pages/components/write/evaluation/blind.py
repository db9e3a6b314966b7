"""Two texts side by side without their origin: the writer, or any reader, says which is the better."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import streamlit as st

from graph_flow.workbench.beside.pairing import BlindPair, Contestant
from pages.components.frame.frame import OpenStory
from pages.components.notices import act
from pages.components.words import prose
from pages.components.write.evaluation import strings
from pages.serving.services import workbench

_ROOM = 480
"""Pixels of a passage; a longer one scrolls."""


def show(opened: OpenStory, texts: Sequence[Contestant]) -> None:
    """Let a reader judge passages of the chosen texts blind, two at a time."""
    if not texts:
        return
    st.subheader(strings.BLIND, anchor=False)
    st.caption(strings.BLIND_ABOUT)
    reader = st.text_input(
        strings.BLIND_READER,
        value=opened.story.brief.author,
        max_chars=80,
        key=f"blind-reader-{opened.story.id}",
    )
    if not reader.strip():
        st.caption(strings.BLIND_NAME)
        return
    for first, second in combinations(texts, 2):
        pair = workbench().pairs.blind(first, second, reader)
        if pair is not None:
            _ask(pair, reader)
            return
    st.markdown(strings.BLIND_DONE)


def _ask(pair: BlindPair, reader: str) -> None:
    for column, passage, label, side in zip(
        st.columns(2, gap="medium"),
        (pair.left, pair.right),
        (strings.LEFT, strings.RIGHT),
        ("left", "right"),
        strict=True,
    ):
        with column:
            st.markdown(f"**{label}**")
            with st.container(height=_ROOM, border=True, key=f"story-blind-{side}"):
                st.markdown(prose(passage))
    with st.container(horizontal=True, key="blind-answers"):
        for answer, margin in strings.preferences():
            if st.button(answer, key=f"blind-{margin}"):
                act(partial(workbench().pairs.prefer, pair, reader, margin))
