"""The composition root: the only place where the app's parts are put together."""

from __future__ import annotations

import os
import threading
import weakref
from pathlib import Path

import streamlit as st

from graph_flow.workbench.assembly import assemble, restore_library
from graph_flow.workbench.workbench import Workbench

_LOOK = 600.0
"""Seconds between two looks whether the library is to be backed up or checked."""


@st.cache_resource(show_spinner=False)
def workbench() -> Workbench:
    """Return the one workbench of this server, shared by every window.

    Raises:
        StoreError: if the library file cannot be opened.
    """
    made = assemble(lookup_key=look_up_key)
    threading.Thread(target=_look_after, args=(weakref.ref(made),), daemon=True).start()
    return made


def restore(backup: Path) -> Path | None:
    """Put a backup in the place of the library; return where the present one is set aside.

    Raises:
        WorkbenchError: if a run is at work.
        StoreError: if the backup cannot take its place. The library is there, old or new.
    """
    present = workbench()
    present.runs.check_at_rest()
    present.close()
    try:
        return restore_library(backup)
    finally:
        workbench.clear()


def _look_after(library: weakref.ref[Workbench]) -> None:
    """Back the library up and check it once a day, when no run is at work."""
    pause = threading.Event()
    while not pause.wait(_LOOK):
        kept = library()
        if kept is None or kept.is_closed:
            return
        kept.keep_safe()
        del kept


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
