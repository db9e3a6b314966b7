"""What a story has used so far."""

from __future__ import annotations

import streamlit as st

from pages.components import cost_words
from pages.components.services import workbench
from pages.components.text import plain


def show(branch: str) -> None:
    """Show calls, tokens, time and money of a branch."""
    totals = workbench().totals(branch)
    if not totals.calls:
        st.caption("Nothing has been used yet.")
        return
    st.markdown(plain(cost_words.facts(totals)))
