"""Who looks at a page: whom the cookie of a sign-in names, and whose windows are open.

Streamlit keeps the cookie, which it signs; a window has the identity with which it was opened.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from store.hosting.records import Identity, Writer

SITE = "TELLWRIGHT_SITE"
"""The variable that names the folder of a site for several writers; without it, it is for one."""

_KNOWN = "writer who is signed in"
_AGAIN = 5.0
"""Seconds after which it is looked up again whether somebody may still be here."""


class Visit(NamedTuple):
    """Who somebody is, and what all visits of one sign-in have in common."""

    identity: Identity
    ticket: str


_windows: dict[str, str] = {}
_lock = threading.Lock()


def visit(*, trusts_emails: bool) -> Visit | None:
    """Return who is signed in in this window; None if nobody is."""
    said = st.user.to_dict()
    is_there = said.get("is_logged_in") is True
    return visit_of(said, trusts_emails=trusts_emails) if is_there else None


def visit_of(said: Mapping[str, object], *, trusts_emails: bool = False) -> Visit | None:
    """Return who somebody is by what their provider says; None if that is not enough to know them.

    An e-mail address counts only if the provider says that it has verified it, or is trusted anyway.
    """
    issuer, subject = said.get("iss"), said.get("sub")
    if not (isinstance(issuer, str) and issuer and isinstance(subject, str) and subject):
        return None
    is_verified = said.get("email_verified") is True
    identity = Identity(
        issuer=issuer[:500],
        subject=subject[:500],
        name=_line(said.get("name")) or _line(said.get("preferred_username")),
        email=_line(said.get("email")) if is_verified or trusts_emails else "",
    )
    return Visit(identity, f"{said.get('iat', '')}-{said.get('auth_time', '')}")


def _line(said: object) -> str:
    return " ".join(said.split())[:300] if isinstance(said, str) else ""


def site_folder() -> Path | None:
    """Return the folder of the site that this server is for; None if it is for one writer."""
    folder = os.environ.get(SITE, "").strip()
    return Path(folder) if folder else None


def writer_of_cookies(cookies: Mapping[str, str]) -> str | None:
    """Return the id of the writer whom a request's cookies name; None if they name none."""
    try:
        signed = _get_signed_cookie_with_chunks(dict(cookies), USER_COOKIE_NAME)
        said = json.loads(signed) if signed else {}
    except ValueError:
        return None
    found = visit_of(said) if isinstance(said, dict) and said.get("is_logged_in") is True else None
    return found.identity.writer if found else None


def known() -> Writer | None:
    """Return the writer of this window, if that was looked up a moment ago."""
    found: tuple[Writer, float] | None = st.session_state.get(_KNOWN)
    if found is None or time.monotonic() - found[1] > _AGAIN:
        return None
    return found[0]


def remember(writer: Writer) -> None:
    """Remember who looks at this window."""
    st.session_state[_KNOWN] = (writer, time.monotonic())
    context = get_script_run_ctx()
    if context is not None:
        with _lock:
            _windows[context.session_id] = writer.id


def present() -> frozenset[str]:
    """Return the ids of the writers who have a window open in this process."""
    with _lock:
        for session in [one for one in _windows if not is_open(one)]:
            del _windows[session]
        return frozenset(_windows.values())


def is_open(session: str) -> bool:
    """Return whether a window with this name of Streamlit's is open."""
    return exists() and get_instance().is_active_session(session)


def writer_of(session: str) -> str | None:
    """Return the id of the writer whose window this is; None if nobody is signed in there."""
    with _lock:
        return _windows.get(session)


def forget() -> None:
    """Forget who looks at this window, and everything that it has kept for them."""
    context = get_script_run_ctx()
    if context is not None:
        with _lock:
            _windows.pop(context.session_id, None)
    st.session_state.clear()
