"""A page that stays usable when the app was started again while it was open.

Such an app knows no part of the page, and Streamlit drops what a part asks for. `assets/reconnecting.js`
notices it, and has the page run.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.components.fields.memory import values

_SCRIPT = Path(__file__).parents[3] / "assets" / "reconnecting.js"
_PART, _PAGE = "reconnecting-part", "reconnecting-page"
_HEARD = "call of the page that was heard last"


def watch() -> None:
    """Have the page run if, once its connection is back, no part of it answers."""
    _renderer()(key=_PAGE, data={"who": "page"}, on_call_change=lambda: None)
    _part()


@st.fragment
def _part() -> None:
    _renderer()(
        key=_PART,
        data={"who": "part", "heard": st.session_state.get(_HEARD, 0)},
        on_call_change=_hear,
    )


def _hear() -> None:
    st.session_state[_HEARD] = (values().get(_PART) or {}).get("call")


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_reconnecting", html="<span hidden></span>", js=_SCRIPT.read_text("utf-8")
    )
