"""Tables of few rows, as Markdown: on a phone their heads wrap, and what is still too wide scrolls."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

NONE = "–"
"""What a cell says of which nothing is known."""


def table(key: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show cells of Markdown under a head; all columns but the first are numbers. `key` is its own on the page."""
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    with st.container(key=f"numbers-{key}"):
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
