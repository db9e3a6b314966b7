"""All the candidates of a plotted chapter, to read or to keep as a branch."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import CandidateView
from pages.components.plot import cards, strings
from pages.components.plot.cards import given_up, is_given_up
from pages.serving.services import workbench
from store.models.proposals import CandidateState

_IN_A_ROW = 2


def show(branch: str, titles: dict[int, str]) -> None:
    """Show, folded, the candidates of a chapter, loaded only when the fold is opened."""
    folded = st.expander(strings.NOT_CHOSEN, key="ways-not-taken", on_change="rerun")
    with folded:
        if folded.open:
            _of_a_chapter(branch, titles)


def _of_a_chapter(branch: str, titles: dict[int, str]) -> None:
    chapter = st.selectbox(
        strings.CHAPTER,
        list(reversed(titles)),
        format_func=lambda number: f"{number}. {titles.get(number, '')}",
        key="ways-of",
    )
    if chapter is None:
        return
    views = workbench().plot.candidates(branch, chapter)
    if not views:
        st.caption(strings.NOT_CHOSEN_NONE)
        return
    rounds = sorted({view.candidate.round for view in views}, reverse=True)
    for round_ in rounds:
        if len(rounds) > 1:
            st.markdown(f":gray[{strings.relay_round(round_)}]")
        _round(branch, [view for view in views if view.candidate.round == round_])


def _round(branch: str, views: list[CandidateView]) -> None:
    whole = [view for view in views if not is_given_up(view.candidate)]
    for start in range(0, len(whole), _IN_A_ROW):
        row = whole[start : start + _IN_A_ROW]
        for column, view in zip(st.columns(_IN_A_ROW), row, strict=False):
            with column, st.container(border=True, key=f"way-{view.candidate.id}"):
                _way(branch, view)
    for view in views:
        if is_given_up(view.candidate):
            given_up(view)


def _way(branch: str, view: CandidateView) -> None:
    candidate = view.candidate
    is_chosen = candidate.state is CandidateState.CHOSEN
    cards.heading(view)
    if is_chosen:
        st.markdown(f":blue-badge[{strings.CHOSEN[candidate.chosen_by]}]")
    cards.show_score(candidate)
    cards.show_warnings(view)
    cards.lines(view)
    if is_chosen:
        return
    if cards.is_open(candidate):
        cards.ask_name(candidate, branch)
    else:
        cards.offer(candidate)
