"""Parts of a page that look again by themselves while something is at work."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.components.places import PageName


def look_again(look: Callable[[], None], page: PageName, seconds: float | None) -> None:
    """Show a part of a page now, and again every so many seconds; None: not by itself."""
    # Streamlit tells fragments apart by the name of their function and the place on the page, so
    # that those of two pages may be one to it. A look that a window asks for while it is sent on to
    # the next page would then be done there, in the name of the page that was left, and a window
    # that is told of another page empties itself ("Bad delta path index", and nothing to be seen).
    # By a name of its own the late look is known for one of a page that is gone, and is left out.
    look.__qualname__ = f"{look.__qualname__}.{page}"
    st.fragment(look, run_every=seconds)()
