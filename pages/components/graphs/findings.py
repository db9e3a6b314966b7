"""The findings of the continuity check, with their evidence, and a way to mark them as intended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from graph_flow.cognition.continuity.finding import Finding, Severity
from graph_flow.views import FindingView
from pages.components.frame.frame import OpenStory
from pages.components.graphs import strings
from pages.components.notices import attempt
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench

_AT_ONCE = 20


def label(branch_id: str) -> str:
    """Return the label of a tab or a fold with the findings, including their number."""
    return strings.continuity(len(_open(workbench().continuity.findings(branch_id))))


def show(opened: OpenStory, look_at: Callable[[str], None]) -> None:
    """Show the findings of the open branch; a click on evidence calls `look_at` with its id.

    They are about the whole story so far, wherever the time cursor is.
    """
    findings = workbench().continuity.findings(opened.branch.id)
    to_review = _open(findings)
    meant = [view for view in findings if view.intended is not None]
    if to_review:
        st.markdown(strings.findings_to_review(len(to_review)))
    else:
        st.markdown(f":material/check: {strings.NO_FINDINGS}")
    shown = _page(opened, len(to_review))
    for view in to_review[:shown]:
        _finding(view, look_at)
    if len(to_review) > shown:
        label = strings.more_findings(_AT_ONCE)
        st.button(label, key="more-findings", on_click=_show_more, args=(opened,))
    _open_threads(opened)
    if meant:
        with st.expander(strings.intended_findings(len(meant))):
            for view in meant:
                _finding(view, look_at)


def _open(findings: Sequence[FindingView]) -> list[FindingView]:
    return [view for view in findings if view.intended is None]


def _finding(view: FindingView, look_at: Callable[[str], None]) -> None:
    key = f"finding-{view.finding.key}"
    with st.container(border=True, gap="xsmall"):
        show_sentence(view.finding)
        with st.container(horizontal=True, gap="small"):
            for item in view.finding.evidence:
                st.button(
                    plain(item.label),
                    key=f"{key}-{item.id}",
                    type="tertiary",
                    icon=":material/visibility:",
                    help=strings.evidence_help(item.chapter),
                    on_click=look_at,
                    args=(item.id,),
                )
        intend(view, key)


def _open_threads(opened: OpenStory) -> None:
    threads = workbench().continuity.open_threads(opened.branch.id)
    if not threads:
        return
    with st.expander(strings.open_threads(len(threads))):
        said = [strings.open_thread(plain(one.title), one.planted_in) for one in threads]
        st.markdown("\n".join(f"- {one}" for one in said))


def _page(opened: OpenStory, total: int) -> int:
    return min(total, int(st.session_state.get(_shown(opened), _AT_ONCE)))


def _show_more(opened: OpenStory) -> None:
    key = _shown(opened)
    st.session_state[key] = int(st.session_state.get(key, _AT_ONCE)) + _AT_ONCE


def _shown(opened: OpenStory) -> str:
    return f"findings shown of {opened.branch.id}"


_ICONS = {
    Severity.CONTRADICTION: ":material/error:",
    Severity.DOUBT: ":material/warning:",
}


def show_sentence(finding: Finding) -> None:
    """Show the sentence of a finding, in amber."""
    st.markdown(f":orange[{_ICONS[finding.severity]} {plain(said(finding.sentence))}]")


def card(view: FindingView, key: str) -> None:
    """Show a finding with its evidence in words, and a way to mark it as intended."""
    place = f"{key}-{view.finding.key}"
    if view.intended is None:
        show_sentence(view.finding)
        items = [(plain(item.label), item.chapter) for item in view.finding.evidence]
        st.caption(strings.evidence(items))
    else:
        st.caption(f":material/check: {plain(said(view.finding.sentence))}")
    intend(view, place)


def intend(view: FindingView, key: str) -> None:
    """Offer to mark a finding as intended, with a reason, or to withdraw that."""
    if view.intended is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(strings.intended(plain(view.intended)))
            st.button(
                strings.INTEND_WITHDRAW,
                key=f"{key}-back",
                type="tertiary",
                on_click=_take_back,
                args=(view,),
            )
    elif st.session_state.get(_asking(key)):
        _ask_why(view, key)
    else:
        st.button(strings.INTEND, key=f"{key}-mean", type="tertiary", on_click=_ask, args=(key,))


def _ask_why(view: FindingView, key: str) -> None:
    with st.form(f"{key}-form", border=False):
        st.text_input(
            strings.INTEND_WHY,
            key=f"{key}-why",
            placeholder=strings.INTEND_WHY_PLACEHOLDER,
            max_chars=400,
        )
        with st.container(horizontal=True):
            st.form_submit_button(
                strings.INTEND_MARK,
                key=f"{key}-keep",
                on_click=_mark,
                args=(view, key),
            )
            st.form_submit_button(
                strings.INTEND_CANCEL, key=f"{key}-cancel", on_click=_stop_asking, args=(key,)
            )


def _mark(view: FindingView, key: str) -> None:
    reason = str(st.session_state.get(f"{key}-why") or "")
    if attempt(lambda: workbench().continuity.mark_intended(view.story, view.finding.key, reason)):
        _stop_asking(key)


def _take_back(view: FindingView) -> None:
    attempt(lambda: workbench().continuity.take_back_intended(view.story, view.finding.key))


def _ask(key: str) -> None:
    st.session_state[_asking(key)] = True


def _stop_asking(key: str) -> None:
    st.session_state.pop(_asking(key), None)


def _asking(key: str) -> str:
    return f"asking why at {key}"
