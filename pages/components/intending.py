"""A finding of the continuity check in amber, and the writer's word that it is meant so."""

from __future__ import annotations

import streamlit as st

from graph_flow.continuity.finding import Finding, Severity
from graph_flow.views import FindingView
from pages.components.notices import attempt
from pages.components.services import workbench
from pages.components.text import plain

_ICONS = {
    Severity.CONTRADICTION: ":material/error:",
    Severity.DOUBT: ":material/warning:",
}


def amber(finding: Finding) -> None:
    """Show the sentence of a finding."""
    st.markdown(f":orange[{_ICONS[finding.severity]} {plain(finding.sentence)}]")


def card(view: FindingView, key: str) -> None:
    """Show a finding with its evidence in words, to be marked as meant so; `key` is the place's."""
    place = f"{key}-{view.finding.key}"
    if view.intended is None:
        amber(view.finding)
        st.caption(" · ".join(_told(item.label, item.chapter) for item in view.finding.evidence))
    else:
        st.caption(f":material/check: {plain(view.finding.sentence)}")
    intend(view, place)


def intend(view: FindingView, key: str) -> None:
    """Show a way to say that a finding is meant so, and why; or to take that back."""
    if view.intended is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"Meant so: {plain(view.intended)}")
            st.button(
                "Take back",
                key=f"{key}-back",
                type="tertiary",
                on_click=_take_back,
                args=(view,),
            )
    elif st.session_state.get(_asking(key)):
        _ask_why(view, key)
    else:
        st.button("I mean this …", key=f"{key}-mean", type="tertiary", on_click=_ask, args=(key,))


def _ask_why(view: FindingView, key: str) -> None:
    with st.form(f"{key}-form", border=False):
        st.text_input(
            "Why is it meant so?", key=f"{key}-why", placeholder="She only dreams it", max_chars=400
        )
        with st.container(horizontal=True):
            st.form_submit_button(
                "Keep it so",
                key=f"{key}-keep",
                on_click=_mark,
                args=(view, key),
            )
            st.form_submit_button("Cancel", key=f"{key}-cancel", on_click=_stop_asking, args=(key,))


def _mark(view: FindingView, key: str) -> None:
    reason = str(st.session_state.get(f"{key}-why") or "")
    if attempt(lambda: workbench().mark_intended(view.story, view.finding.key, reason)):
        _stop_asking(key)


def _take_back(view: FindingView) -> None:
    attempt(lambda: workbench().take_back_intended(view.story, view.finding.key))


def _ask(key: str) -> None:
    st.session_state[_asking(key)] = True


def _stop_asking(key: str) -> None:
    st.session_state.pop(_asking(key), None)


def _asking(key: str) -> str:
    return f"asking why at {key}"


def _told(label: str, chapter: int) -> str:
    return f"{plain(label)} (chapter {chapter})" if chapter else plain(label)
