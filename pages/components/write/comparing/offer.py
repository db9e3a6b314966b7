"""Beside a text that was changed by hand: the offer to compare it with the story."""

from __future__ import annotations

import streamlit as st

from pages.components import words
from pages.components.notices import act
from pages.components.write.comparing import found, strings
from pages.serving.services import workbench
from store.models.edits.comparison import ComparisonState


def show(branch: str, chapter: int) -> None:
    """Offer to compare what was changed, unless that is under way or waits for the writer."""
    comparing = workbench().comparing
    if found.is_working(branch, chapter):
        return
    current = comparing.current(branch, chapter)
    text = comparing.to_compare(branch, chapter)
    if text is None or (current is not None and current.state is ComparisonState.OPEN):
        return
    with st.container(key="compare-offer", gap="small"):
        about = strings.READ_IN_ABOUT if text.is_plot else strings.changed(len(text.passages))
        st.caption(about)
        if st.button(
            strings.READ_IN if text.is_plot else strings.COMPARE,
            key="compare",
            icon=":material/compare_arrows:",
        ):
            act(lambda: comparing.compare(branch, chapter))
        st.caption(words.estimate_sentence(comparing.estimate(branch, text)))
