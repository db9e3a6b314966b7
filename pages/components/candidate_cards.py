"""Candidates side by side: what happens, what changes, what to mind, what each is worth."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import CandidateView, ChangeLine
from pages.components import candidate_editor, intending
from pages.components.gate_buttons import Look, ask_again, decide
from pages.components.services import workbench
from pages.components.text import plain
from store.models.run import Question

_IN_A_ROW = 3
_MOST_CHANGES = 4


def show(question: Question) -> None:
    """Show the candidates of the newest round to choose from; earlier ones are folded."""
    views = workbench().candidates(question.branch, question.chapter)
    newest = [view for view in views if view.candidate.round == question.round]
    earlier = [view for view in views if view.candidate.round != question.round]
    _rows(question, newest, preferred(newest))
    ask_again(question, "Ask again", "What should be different?")
    if earlier:
        with st.expander(f"Earlier candidates ({len(earlier)})"):
            _rows(question, earlier, None)


def preferred(views: Sequence[CandidateView]) -> str | None:
    """Return the id of the candidate that is offered first: the best, or else the first."""
    best = [view for view in views if view.is_best] or list(views)
    return best[0].candidate.id if best else None


def _rows(question: Question, views: Sequence[CandidateView], first: str | None) -> None:
    for start in range(0, len(views), _IN_A_ROW):
        row = views[start : start + _IN_A_ROW]
        for column, view in zip(st.columns(max(2, len(row))), row, strict=False):
            key = f"candidate-{view.candidate.id}"
            with column, st.container(border=True, height="stretch", key=key):
                _card(question, view, is_first=view.candidate.id == first)


def _card(question: Question, view: CandidateView, *, is_first: bool) -> None:
    if candidate_editor.is_open(view.candidate.id):
        candidate_editor.show(view)
        return
    _heading(view)
    _worth(view)
    with st.container(horizontal=True):
        look = Look("Choose", f"choose-{view.candidate.id}", is_primary=is_first)
        decide(question, look, choice=view.candidate.id)
        candidate_editor.offer(view.candidate.id)
    for warning in view.warnings:
        st.markdown(f":orange[:material/warning: {plain(warning)}]")
    for finding in view.findings:
        intending.card(finding, f"finding-{view.candidate.id}")
    _happenings(view)
    _changes(view)


def _heading(view: CandidateView) -> None:
    marks = " :green-badge[best]" if view.is_best else ""
    if view.candidate.is_by_writer:
        marks += " :gray-badge[yours]"
    st.markdown(f"##### {plain(view.candidate.title)}{marks}")
    st.caption(plain(view.goal.text))


def _happenings(view: CandidateView) -> None:
    st.markdown("**What happens**")
    for line in view.happenings:
        st.markdown(plain(line))


def _changes(view: CandidateView) -> None:
    if not view.changes:
        return
    st.markdown(f"**What changes**  \n{_lines(view.changes[:_MOST_CHANGES])}")
    rest = view.changes[_MOST_CHANGES:]
    if rest:
        with st.expander(f"{len(rest)} more", type="compact"):
            st.markdown(_lines(rest))


def _lines(changes: Sequence[ChangeLine]) -> str:
    return "  \n".join(f"{line.mark} {plain(line.text)}" for line in changes)


def _worth(view: CandidateView) -> None:
    if view.total is None:
        st.caption(plain(view.candidate.comment) or "Not scored.")
        return
    st.progress(view.total / 5, text=f"**{view.total:.1f}** of 5")
    with st.expander("Why", type="compact"):
        st.markdown(plain(view.candidate.comment))
        for score in view.candidate.scores:
            reason = f": {plain(score.reason)}" if score.reason else ""
            st.markdown(f"{plain(score.rule)} **{score.value}**{reason}")
