"""A text beside the story that it tells: what only one of them has, and what the continuity check says."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.write.evaluation.consistency import strings
from pages.serving.services import workbench
from store.models.desk.evaluation import Evaluation

_SHOWN = 30
"""Lines of a list that are shown."""


def show(evaluation: Evaluation) -> None:
    """Offer to set a text beside its story, and show what comes of it."""
    if not workbench().consistency.has_story(evaluation):
        return
    st.subheader(strings.BESIDE, anchor=False)
    st.caption(strings.BESIDE_ABOUT)
    if not st.toggle(strings.SET_BESIDE, key="set-beside"):
        return
    with st.spinner(strings.COMPARING):
        found = workbench().consistency.beside_story(evaluation)
    if found is None:
        st.caption(strings.compared(0))
        return
    st.caption(strings.compared(found.chapters))
    _lines(
        strings.NOT_IN_TEXT,
        [
            strings.line(one.place, plain(_named(one.title, one.said)), strings.UNTOLD[one.why])
            for one in found.not_in_text
        ],
    )
    _lines(
        strings.NOT_IN_STORY,
        [
            strings.line(
                one.place, f"{plain(one.said)} “{plain(one.quote)}”", strings.UNTELLABLE[one.why]
            )
            for one in found.not_in_story
        ],
    )
    _lines(
        strings.CONTINUITY,
        [
            plain(said(one.view.finding.sentence))
            + (f" :orange[{strings.ALSO_FOUND}]" if one.is_found_in_text else "")
            for one in found.continuity
        ],
    )


def _named(title: str, text: str) -> str:
    return f"{title}: {text}" if title else text


def _lines(head: str, lines: Sequence[str]) -> None:
    st.markdown(f"**{head}**")
    if not lines:
        st.caption(strings.NOTHING)
        return
    st.markdown("\n".join(f"- {one}" for one in lines[:_SHOWN]))
    if len(lines) > _SHOWN:
        st.caption(strings.shown_of(_SHOWN, len(lines)))
