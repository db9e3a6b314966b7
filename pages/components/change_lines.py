"""What changed, in a writer's words: a few lines, and the rest on demand."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import ChangeLine
from pages.components.text import plain


def show(changes: Sequence[ChangeLine], most: int, key: str) -> None:
    """Show changes, of which more than `most` are folded; `key` tells this list from others."""
    if not changes:
        return
    st.markdown(_lines(changes[:most]))
    rest = changes[most:]
    if rest:
        folded = st.expander(
            f"{len(rest):,} more", type="compact", on_change="rerun", key=f"more-of-{key}"
        )
        with folded:
            if folded.open:
                st.markdown(_lines(rest[:_MOST_AT_ALL]))
                if len(rest) > _MOST_AT_ALL:
                    st.caption(f"… and {len(rest) - _MOST_AT_ALL:,} more.")


_MOST_AT_ALL = 200


def _lines(changes: Sequence[ChangeLine]) -> str:
    return "  \n".join(f"{line.mark} {plain(line.text)}" for line in changes)
