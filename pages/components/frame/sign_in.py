"""Signing in and out, on a site for several writers; alone on a machine, nobody is asked."""

from __future__ import annotations

import streamlit as st

from graph_flow.errors import NotSignedIn
from pages.components import places
from pages.components.frame import strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving import visitors
from pages.serving.services import note, signed_in, site
from pages.serving.site import Site
from store.hosting.records import AuditEvent, Writer


def ask() -> Writer | None:
    """Return who is signed in, or ask and show nothing else; None if this is no site.

    Raises:
        SiteUnusable, StoreError: if the site cannot be opened.
    """
    served = site()
    if served is None:
        return None
    try:
        return signed_in(served)
    except NotSignedIn as reason:
        _show(served, str(reason))
        st.stop()


def _show(served: Site, reason: str) -> None:
    with st.container(key="sign-in"):
        st.title(plain(served.name), anchor=False)
        if not st.user.to_dict().get("is_logged_in"):
            st.markdown(strings.SIGN_IN_ABOUT)
            st.button(strings.SIGN_IN, type="primary", icon=":material/login:", on_click=st.login)
            return
        st.warning(plain(said(reason)))
        st.button(strings.SIGN_OUT, icon=":material/logout:", on_click=st.logout)


def foot(writer: Writer | None) -> None:
    """Show who is signed in, a way out and, to those who look after the site, the way to its page."""
    served = site()
    if writer is None or served is None:
        return
    if served.is_admin(writer):
        places.link("writers", strings.WRITERS, icon=":material/group:", is_wide=True)
    with st.container(horizontal=True, vertical_alignment="center", key="signed-in"):
        st.caption(plain(writer.called))
        st.button(
            strings.SIGN_OUT,
            type="tertiary",
            icon=":material/logout:",
            on_click=_leave,
        )


def _leave() -> None:
    note(AuditEvent.SIGN_OUT, "")
    visitors.forget()
    st.logout()
