"""The composition root: the only place where the app's parts are put together."""

from __future__ import annotations

import os

import streamlit as st

from graph_flow.workbench.assembly import assemble
from graph_flow.workbench.workbench import Workbench


@st.cache_resource(show_spinner=False)
def workbench() -> Workbench:
    """Return the one workbench of this server, shared by every window.

    Raises:
        StoreError: if the library file cannot be opened.
    """
    return assemble(lookup_key=look_up_key)


def look_up_key(name: str) -> str | None:
    """Return the secret called `name` from the environment, else from Streamlit's secrets."""
    return os.environ.get(name) or _secret(name)


def _secret(name: str) -> str | None:
    # Without a secrets file, asking for a secret would warn the writer about a file that the
    # app does not need.
    if not st.secrets.load_if_toml_exists():
        return None
    value = st.secrets.get(name)
    return value if isinstance(value, str) and value else None
