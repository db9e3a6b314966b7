"""The composition root: the only place where the app's parts are put together."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import streamlit as st

from graph_flow.errors import NotSignedIn
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble, restore_library
from graph_flow.workbench.workbench import Workbench
from pages.serving import visitors
from pages.serving.site import Site
from store.hosting.records import AuditEvent, Writer

T = TypeVar("T")

_LOOK = 600.0
"""Seconds between two looks whether a library is to be backed up or checked."""


def workbench() -> Workbench:
    """Return the workbench for the library of whoever looks at the page.

    Raises:
        NotSignedIn: if this is a site, and nobody who may be here is signed in.
        StoreError: if the library file cannot be opened.
    """
    served = site()
    return _own() if served is None else served.workbench_of(signed_in(served).id)


@st.cache_resource(show_spinner=False)
def site() -> Site | None:
    """Return the site that this server is for; None if it is for one writer, with no sign-in.

    Raises:
        SiteUnusable: if its settings are missing or wrong.
        StoreError: if what it knows of its writers cannot be opened.
    """
    folder = visitors.site_folder()
    if folder is None:
        return None
    made = Site(folder, look_up_key)
    _look_after(made, lambda it: it.keep_safe(visitors.present()))
    return made


def signed_in(served: Site) -> Writer:
    """Return the writer who is signed in to a site in this window.

    Raises:
        NotSignedIn: if nobody is, or they may not be here.
    """
    known = visitors.known()
    if known is not None:
        return known
    visit = visitors.visit(trusts_emails=served.settings.site.trust_emails)
    if visit is None:
        raise NotSignedIn("Please sign in.")
    writer = served.sign_in(visit.identity, visit.ticket)
    visitors.remember(writer)
    return writer


def note(event: AuditEvent, about: str) -> None:
    """Write down what somebody did, if this is a site."""
    served = site()
    if served is not None:
        served.note(event, signed_in(served).id, about)


def restore(backup: Path) -> Path | None:
    """Put a backup in the place of the library; return where the present one is set aside.

    Raises:
        WorkbenchError: if it is at work.
        StoreError: if the backup cannot take its place. The library is there, old or new.
    """
    served = site()
    if served is not None:
        return served.restore(signed_in(served).id, backup)
    present = _own()
    present.check_at_rest()
    present.close()
    try:
        return restore_library(backup)
    finally:
        _own.clear()


def forget() -> None:
    """Forget which library or site is open, so that the next page looks again."""
    _own.clear()
    site.clear()


@st.cache_resource(show_spinner=False)
def _own() -> Workbench:
    """Return the one workbench of a server for one writer, shared by every window."""
    made = assemble(terms=Terms(OwnModels(look_up_key)))
    _look_after(made, Workbench.keep_safe)
    return made


def _look_after(owner: T, care: Callable[[T], object]) -> None:
    """Have care taken of a library, or a site, from time to time, for as long as it is open here."""
    gone, found = threading.Event(), weakref.ref(owner)
    weakref.finalize(owner, gone.set)

    def work() -> None:
        while not gone.wait(_LOOK):
            kept = found()
            if kept is not None:
                care(kept)
            del kept

    threading.Thread(target=work, name="looking after", daemon=True).start()


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
