"""Several chapters by themselves: how far, within which limits, and what that is about to take."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from graph_flow.views import Desk, RunEstimate
from pages.components import cost_words
from pages.components.notices import act
from pages.components.services import workbench
from pages.components.text import plain
from pages.components.wording import counted, estimate_sentence
from store.models.run import Caps, PlotChapters

_SOME, _END = "Some chapters", "To the end"


class _Way(NamedTuple):
    chapters: int
    stops: bool


def show(desk: Desk) -> None:
    """Offer to plot up to all chapters that are left without asking."""
    cap = desk.story.settings.chapter_cap
    with st.expander("Go on by itself"):
        st.markdown(
            "The best candidate is chosen each time, and nothing asks you. You can stop it at any time."
        )
        way = _way(cap - desk.plotted, cap)
        free = PlotChapters(chapters=way.chapters, is_autopilot=True, stops_at_goal=way.stops)
        estimate = workbench().estimate(desk.branch.id, free)
        st.caption(estimate_sentence(estimate))
        task = free.model_copy(update={"caps": _caps(estimate)})
        label = f"Plot {counted(way.chapters, 'chapter', 'chapters')}"
        if st.button(label, icon=":material/fast_forward:", key="plot-several"):
            act(lambda: workbench().start(desk.branch.id, task))


def _way(left: int, cap: int) -> _Way:
    far = st.radio("How far", (_SOME, _END), horizontal=True, key="how-far") if left > 1 else _SOME
    if far == _END:
        st.caption(
            f"Until the story has reached its goal, and with chapter {cap:,} at the latest: "
            "how many there may be is set in Settings."
        )
        return _Way(left, True)
    chapters = st.slider("Chapters", 1, left, min(3, left), key="by-itself") if left > 1 else 1
    stops = st.toggle("Stop when the story has reached its goal", True, key="stops-at-goal")
    return _Way(int(chapters), stops)


def _caps(estimate: RunEstimate) -> Caps:
    """Let the writer limit what it may use; it then stops and asks."""
    st.markdown("**Cost**")
    st.caption(plain(cost_words.estimate_facts(estimate)))
    fields = st.columns(3)
    with fields[0]:
        calls = st.number_input(
            "Calls, at most", 1, None, None, placeholder="no limit", key="cap-calls"
        )
    with fields[1]:
        tokens = st.number_input(
            "Tokens, at most", 1, None, None, 1_000, placeholder="no limit", key="cap-tokens"
        )
    cost: float | None = None
    if estimate.is_priced:
        with fields[2]:
            cost = st.number_input(
                "Money, at most",
                0.01,
                None,
                None,
                0.5,
                placeholder="no limit",
                key="cap-cost",
                help="At the prices of your model in Settings.",
            )
    if calls or tokens or cost:
        st.caption("It stops before it goes beyond; then you can allow as much again.")
    return Caps(calls=calls or None, tokens=tokens or None, cost=cost or None)
