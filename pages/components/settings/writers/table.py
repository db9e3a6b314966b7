"""Who uses the site, and what they did, as tables."""

from __future__ import annotations

from datetime import UTC, datetime

import psutil
import streamlit as st

from pages.components import words
from pages.components.notices import act
from pages.components.settings.writers import strings
from pages.serving import visitors
from pages.serving.site import Site
from store.hosting.records import LibraryState, Writer

_MEGABYTE = 1_000_000


def show(served: Site) -> None:
    """Show what each writer has used, and how their library is."""
    st.markdown(strings.ABOUT)
    writers, states = served.writers(), served.states()
    if not writers:
        st.markdown(strings.NOBODY)
        return
    rows = [_row(served, one, states.get(one.id)) for one in writers]
    st.dataframe(rows, hide_index=True, key="writers-table")


def _row(served: Site, writer: Writer, state: LibraryState | None) -> dict[str, object]:
    now = datetime.now(UTC)
    today, month = served.used_today(writer.id), served.used_this_month(writer.id)
    backed_up = state.backed_up if state else None
    return {
        strings.NAME: writer.called,
        strings.EMAIL: writer.email,
        strings.ADMITTED: strings.NO if writer.is_shut_out else strings.YES,
        strings.SEEN: words.touched(writer.seen, now),
        strings.STORIES: state.stories if state else 0,
        strings.SIZE: round(state.size / _MEGABYTE, 1) if state else 0.0,
        strings.CALLS: today.calls,
        strings.TOKENS: today.tokens,
        strings.MONEY: round(month.cost, 2),
        strings.SOUND: _sound(state),
        strings.BACKED_UP: words.touched(backed_up, now) if backed_up else "",
    }


def _sound(state: LibraryState | None) -> str:
    if state is None or state.is_sound is None:
        return strings.SOUND_UNKNOWN
    return strings.SOUND_YES if state.is_sound else strings.SOUND_NO


def shut_out(served: Site, asking: Writer) -> None:
    """Offer to close the site to a writer, or to let them in again; nobody shuts themselves out."""
    others = {one.id: one for one in served.writers() if one.id != asking.id}
    if not others:
        return
    st.subheader(strings.CLOSE_TO, anchor=False)
    st.markdown(strings.CLOSE_TO_ABOUT)
    chosen = st.selectbox(
        strings.CHOOSE,
        list(others),
        format_func=lambda one: others[one].called if one in others else "?",
        key="writer-chosen",
    )
    writer = others[chosen]
    name = writer.called
    if writer.is_shut_out:
        if st.button(strings.LET_IN, icon=":material/lock_open:", key="let-in"):
            act(lambda: served.shut_out(writer.id, False), done=strings.let_in(name))
    elif st.button(strings.SHUT_OUT, icon=":material/block:", key="shut-out"):
        act(lambda: served.shut_out(writer.id, True), done=strings.shut_out(name))


def server(served: Site) -> None:
    """Show what this process has open."""
    st.subheader(strings.SERVER, anchor=False)
    megabytes = psutil.Process().memory_info().rss / _MEGABYTE
    st.markdown(strings.server(served.open_libraries, len(visitors.present()), megabytes))


def audit(served: Site) -> None:
    """Show the newest audit lines."""
    st.subheader(strings.AUDIT, anchor=False)
    st.markdown(strings.AUDIT_ABOUT)
    names = {one.id: one.called for one in served.writers()}
    rows = [
        {
            strings.WHEN: line.moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
            strings.NAME: names.get(line.writer, line.writer),
            strings.WHAT: strings.EVENTS[line.event],
            strings.ABOUT_WHAT: line.about,
        }
        for line in served.audit()
    ]
    st.dataframe(rows, hide_index=True, key="audit-table")
