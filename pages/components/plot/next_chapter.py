"""What to do between chapters: plot the next one, plot several on autopilot, or write."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from graph_flow.views import BranchStatus, RunEstimate
from pages.components import places
from pages.components.fields.editing import with_fields
from pages.components.notices import act
from pages.components.runs import cost as cost_words
from pages.components.services import workbench
from pages.components.words import counted, estimate_sentence, plain
from store.models.run import Caps, PlotChapters


def show(status: BranchStatus) -> None:
    """Offer to plot the next chapter, or to write if the story has reached its end."""
    cap = status.story.settings.chapter_cap
    if status.is_reached:
        _ended(status, _why_reached(status))
    elif status.plotted >= cap:
        _ended(status, f"All {counted(cap, 'chapter', 'chapters')} of the story are plotted.")
    else:
        _primary(status)
    if status.plotted < cap:
        show_several(status)


def start_anew(status: BranchStatus) -> None:
    """Offer to plot the chapter again from new goals instead of continuing."""
    if st.button("Start this chapter over", icon=":material/restart_alt:", key="plot-anew"):
        act(lambda: workbench().runs.start(status.branch.id, PlotChapters()))


def _primary(status: BranchStatus) -> None:
    if status.plotted == 0:
        st.markdown(
            "For each chapter you choose among several ways it could go, each with its changes."
        )
    label = "Plot the next chapter" if status.plotted else "Plot the first chapter"
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(label, type="primary", icon=":material/account_tree:", key="plot-next"):
            act(lambda: workbench().runs.start(status.branch.id, PlotChapters()))
        if status.plotted == 0 and workbench().outline.newest(status.branch.id) is None:
            places.link("outline", "Outline first", icon=":material/route:")


def _ended(status: BranchStatus, why: str) -> None:
    with st.container(border=True, key="ended"):
        st.markdown(f"**{why}**")
        if status.is_reached:
            _evidence(status)
        with st.container(horizontal=True):
            if st.button("Write the chapters", type="primary", icon=":material/edit_note:"):
                places.go("write")
            if st.button("Plot one more anyway", key="plot-more"):
                act(lambda: _one_more(status))


def _one_more(status: BranchStatus) -> None:
    settings = status.story.settings
    if status.plotted >= settings.chapter_cap:
        workbench().library.update_settings(
            status.story.id, with_fields(settings, chapter_cap=status.plotted + 1)
        )
    workbench().runs.start(status.branch.id, PlotChapters())


def _evidence(status: BranchStatus) -> None:
    """Show the events in which the story reached its goal, as named by the exit agent."""
    titles = workbench().story.evidence(status.branch.id, status.plotted)
    if titles:
        st.markdown("The evidence:\n" + "\n".join(f"- {plain(title)}" for title in titles))


def _why_reached(status: BranchStatus) -> str:
    verdict = workbench().proposals.verdict(status.branch.id, status.plotted)
    reason = f" {plain(verdict.reason)}" if verdict and verdict.is_reached else ""
    return f"The story has reached its goal.{reason}"


_SOME, _END = "Some chapters", "To the end"


class _Way(NamedTuple):
    chapters: int
    stops: bool


def show_several(status: BranchStatus) -> None:
    """Offer to plot any number of the remaining chapters on autopilot."""
    cap = status.story.settings.chapter_cap
    with st.expander("Plot several on autopilot"):
        st.markdown(
            "The best candidate is chosen each time without asking you. You can stop at any time."
        )
        way = _way(cap - status.plotted, cap)
        free = PlotChapters(chapters=way.chapters, is_autopilot=True, stops_at_goal=way.stops)
        estimate = workbench().runs.estimate(status.branch.id, free)
        st.caption(estimate_sentence(estimate))
        task = free.model_copy(update={"caps": _caps(estimate)})
        label = f"Plot {counted(way.chapters, 'chapter', 'chapters')}"
        if st.button(label, icon=":material/fast_forward:", key="plot-several"):
            act(lambda: workbench().runs.start(status.branch.id, task))


def _way(left: int, cap: int) -> _Way:
    far = st.radio("How far", (_SOME, _END), horizontal=True, key="how-far") if left > 1 else _SOME
    if far == _END:
        st.caption(
            f"Until the story has reached its goal, or chapter {cap:,} at the latest. "
            "You can change this limit in Settings."
        )
        return _Way(left, True)
    chapters = st.slider("Chapters", 1, left, min(3, left), key="by-itself") if left > 1 else 1
    stops = st.toggle("Stop when the story has reached its goal", True, key="stops-at-goal")
    return _Way(int(chapters), stops)


def _caps(estimate: RunEstimate) -> Caps:
    """Let the writer limit what the run may use; at a limit it stops and asks."""
    st.markdown("**Cost**")
    st.caption(plain(cost_words.estimate_facts(estimate)))
    fields = st.columns(3)
    with fields[0]:
        calls = st.number_input(
            "Maximum calls", 1, None, None, placeholder="no limit", key="cap-calls"
        )
    with fields[1]:
        tokens = st.number_input(
            "Maximum tokens", 1, None, None, 1_000, placeholder="no limit", key="cap-tokens"
        )
    cost: float | None = None
    if estimate.is_priced:
        with fields[2]:
            cost = st.number_input(
                "Maximum cost",
                0.01,
                None,
                None,
                0.5,
                placeholder="no limit",
                key="cap-cost",
                help="At the prices of your model in Settings.",
            )
    if calls or tokens or cost:
        st.caption("It stops before exceeding a limit; you can then allow the same amount again.")
    return Caps(calls=calls or None, tokens=tokens or None, cost=cost or None)
