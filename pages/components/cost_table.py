"""What a story has used so far."""

from __future__ import annotations

import streamlit as st

from pages.components.services import workbench
from pages.components.text import clock, plain
from pages.components.wording import counted


def show(branch: str) -> None:
    """Show calls, tokens, time and money of a branch."""
    totals = workbench().totals(branch)
    if not totals.calls:
        st.caption("Nothing has been used yet.")
        return
    tokens = f"{totals.tokens_in:,} tokens in, {totals.tokens_out:,} out"
    time = f"{clock(totals.milliseconds / 1000)} of the model’s time"
    cost = f" · {totals.cost:,.2f} at your prices" if totals.cost else ""
    st.markdown(plain(f"{counted(totals.calls, 'call', 'calls')} · {tokens} · {time}{cost}"))
