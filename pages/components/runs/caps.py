"""What a run may use at most, as the writer says before it begins."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import RunEstimate
from pages.components.runs import cost as cost_words
from pages.components.runs import strings
from pages.components.words import plain
from store.models.run import Caps


def ask(estimate: RunEstimate) -> Caps:
    """Let the writer limit what the run may use; at a limit it stops and asks."""
    st.markdown(f"**{strings.COST}**")
    st.caption(plain(cost_words.estimate_facts(estimate)))
    fields = st.columns(3)
    with fields[0]:
        calls = st.number_input(
            strings.CAP_CALLS, 1, None, None, placeholder=strings.CAP_NONE, key="cap-calls"
        )
    with fields[1]:
        tokens = st.number_input(
            strings.CAP_TOKENS, 1, None, None, 1_000, placeholder=strings.CAP_NONE, key="cap-tokens"
        )
    cost: float | None = None
    if estimate.is_priced:
        with fields[2]:
            cost = st.number_input(
                strings.CAP_COST,
                0.01,
                None,
                None,
                0.5,
                placeholder=strings.CAP_NONE,
                key="cap-cost",
                help=strings.CAP_COST_HELP,
            )
    if calls or tokens or cost:
        st.caption(strings.CAP_HELP)
    return Caps(calls=calls or None, tokens=tokens or None, cost=cost or None)
