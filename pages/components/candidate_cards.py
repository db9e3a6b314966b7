"""Candidates side by side as graph changes: to choose one, rework it, take parts of it, or keep it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from graph_flow.views import CandidateView, CardLine
from pages.components import candidate_editor, candidate_face, candidate_keep
from pages.components.candidate_parts import Tray
from pages.components.gate_buttons import Look, ask_again, decide
from pages.components.services import workbench
from pages.components.text import plain
from store.models.proposals import Candidate, CandidateState
from store.models.run import Question

_IN_A_ROW = 3


def show(question: Question) -> None:
    """Show the candidates of the newest round to choose from; earlier ones are folded."""
    woven = workbench().woven(question.branch, question.chapter)
    tray = Tray(question)
    with st.container(horizontal=True, vertical_alignment="center"):
        ask_again(question, "Ask again", "What should be different?")
        if len(woven) > 1:
            tray.offer()
    views = workbench().candidates(question.branch, question.chapter, question.round)
    standing = [view for view in views if not is_given_up(view.candidate)]
    _rows(question, standing, tray, preferred(standing))
    for view in views:
        if is_given_up(view.candidate):
            given_up(view)
    _earlier(question, woven, tray)
    tray.show([one.id for one in sorted(woven, key=lambda one: -one.round)], _preview)


def preferred(views: Sequence[CandidateView]) -> str | None:
    """Return the id of the candidate that is offered first: the best, or else the first."""
    best = [view for view in views if view.is_best] or list(views)
    return best[0].candidate.id if best else None


def is_given_up(candidate: Candidate) -> bool:
    """Return whether a candidate could not be finished."""
    return candidate.state is CandidateState.GIVEN_UP


def given_up(view: CandidateView) -> None:
    """Show folded what could not be finished, and why."""
    label = f"Could not be finished: {plain(view.candidate.title)}"
    with st.expander(label, key=f"given-up-{view.candidate.id}"):
        st.caption(plain(view.goal.text))
        for sentence in view.skipped:
            st.markdown(plain(sentence))
        for line in view.happenings:
            st.caption(plain(line.text))


def _earlier(question: Question, woven: Sequence[Candidate], tray: Tray) -> None:
    """Show the candidates of earlier rounds; they are read when they are asked for."""
    rounds = [one.round for one in woven if one.round != question.round]
    if not rounds:
        return
    folded = st.expander(
        f"Earlier candidates ({len(rounds)})", key="earlier-candidates", on_change="rerun"
    )
    with folded:
        for round_ in sorted(set(rounds), reverse=True) if folded.open else ():
            views = workbench().candidates(question.branch, question.chapter, round_)
            standing = [view for view in views if not is_given_up(view.candidate)]
            _rows(question, standing, tray, None)


def _rows(
    question: Question, views: Sequence[CandidateView], tray: Tray, first: str | None
) -> None:
    for view in views:
        if candidate_editor.is_open(view.candidate.id):
            with st.container(border=True, key=f"candidate-{view.candidate.id}"):
                candidate_editor.show(view)
    read = [view for view in views if not candidate_editor.is_open(view.candidate.id)]
    for start in range(0, len(read), _IN_A_ROW):
        row = read[start : start + _IN_A_ROW]
        for column, view in zip(st.columns(max(2, len(row))), row, strict=False):
            key = f"candidate-{view.candidate.id}"
            with column, st.container(border=True, height="stretch", key=key):
                _card(question, view, tray, is_first=view.candidate.id == first)


def _card(question: Question, view: CandidateView, tray: Tray, *, is_first: bool) -> None:
    candidate = view.candidate
    candidate_face.heading(view)
    candidate_face.worth(candidate)
    with st.container(horizontal=True):
        look = Look("Choose", f"choose-{candidate.id}", is_primary=is_first)
        decide(question, look, choice=candidate.id)
        candidate_editor.offer(candidate.id)
    candidate_face.mind(view)
    candidate_face.lines(view, partial(_tick, tray, candidate.id) if tray.is_open else None)
    if candidate_keep.is_open(candidate):
        candidate_keep.ask_name(candidate, question.branch)
    else:
        candidate_keep.offer(candidate)


def _tick(tray: Tray, candidate_id: str, line: CardLine, words: str) -> None:
    tray.tick(candidate_id, line.id, words)


def _preview(view: CandidateView) -> None:
    candidate_face.mind(view)
    candidate_face.lines(view)
