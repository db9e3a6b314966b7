"""What a comparison has found, line by line: the writer takes some of it, or refuses all."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import FoundLineSeen, SideState
from pages.components.notices import attempt, keep
from pages.components.runs.panel import look_again
from pages.components.words import clock, plain
from pages.components.words.messages import said
from pages.components.write.comparing import strings
from pages.serving.services import workbench
from store.models.edits.comparison import ComparisonState, TextComparison

_SECONDS_BETWEEN_LOOKS = 0.6


def is_working(branch: str, chapter: int) -> bool:
    """Return whether a chapter is being compared."""
    seen = workbench().comparing.seen(branch, chapter)
    return seen is not None and seen.state is SideState.WORKING


def show(branch: str, chapter: int) -> None:
    """Show how a comparison is going, or what it has found, until the writer has decided on it."""
    if is_working(branch, chapter):
        look_again(lambda: _look(branch, chapter), "write", _SECONDS_BETWEEN_LOOKS)
        return
    comparison = workbench().comparing.current(branch, chapter)
    if comparison is None:
        return
    with st.container(border=True, key=f"comparison-{comparison.id}"):
        if comparison.state is ComparisonState.ASKED:
            _interrupted(comparison)
        else:
            _found(comparison)


def _look(branch: str, chapter: int) -> None:
    seen = workbench().comparing.seen(branch, chapter)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    with st.container(border=True):
        st.caption(f"{plain(said(seen.words))} · {clock(seen.seconds)}")
        if seen.trouble:
            st.markdown(f":orange[:material/hourglass_empty: {plain(said(seen.trouble))}]")
        if st.button(strings.STOP, key="compare-stop", icon=":material/stop_circle:"):
            workbench().comparing.stop(branch, chapter)


def _interrupted(comparison: TextComparison) -> None:
    seen = workbench().comparing.seen(comparison.branch, comparison.chapter)
    st.caption(plain(said(seen.message) if seen and seen.message else strings.INTERRUPTED))
    _again(comparison)


def _again(comparison: TextComparison) -> None:
    def compare() -> None:
        attempt(lambda: workbench().comparing.compare(comparison.branch, comparison.chapter))

    st.button(
        strings.COMPARE_AGAIN,
        key=f"compare-again-{comparison.id}",
        icon=":material/refresh:",
        on_click=compare,
    )


def _found(comparison: TextComparison) -> None:
    lines = workbench().comparing.lines(comparison)
    heading = strings.FOUND_PLOT if comparison.is_plot else strings.FOUND
    nothing = strings.NOTHING_TO_READ if comparison.is_plot else strings.NOTHING_FOUND
    st.markdown(f"**{heading}**")
    st.caption(strings.FOUND_ABOUT if lines else nothing)
    is_outdated = not workbench().comparing.is_current(comparison)
    if is_outdated:
        st.markdown(f":orange[:material/sync_problem: {strings.OUTDATED}]")
    chosen = choose(comparison, lines)
    left_out(comparison)
    with st.container(horizontal=True):
        if lines:
            _take(comparison, chosen)
        st.button(
            strings.REFUSE if lines else strings.DONE,
            key=f"refuse-{comparison.id}",
            on_click=_refuse,
            args=(comparison,),
        )
        if is_outdated:
            _again(comparison)


def choose(comparison: TextComparison, lines: Sequence[FoundLineSeen]) -> set[int]:
    """Show each line with a checkbox, and return the places of those that are ticked."""
    chosen: set[int] = set()
    for at, line in enumerate(lines):
        words = "; ".join(f"{plain(one.mark)} {plain(said(one.text))}" for one in line.changes)
        lacking = [need + 1 for need in line.needs if need not in chosen]
        with st.container(gap=None):
            is_ticked = st.checkbox(
                strings.numbered(at + 1, words),
                value=not lacking and not line.doubt,
                key=f"found-{comparison.id}-{at}{'-lacking' if lacking else ''}",
                disabled=bool(lacking),
            )
            if line.doubt:
                st.markdown(f":orange[:material/help: {plain(said(line.doubt))}]")
            st.caption(strings.quoted(plain(line.quote), lacking))
        if is_ticked and not lacking:
            chosen.add(at)
    return chosen


def left_out(comparison: TextComparison) -> None:
    """Say what was not made a line, and why."""
    if comparison.kept:
        st.caption(plain(strings.kept(comparison.kept)))
    if comparison.unknown:
        st.caption(plain(strings.unknown(comparison.unknown)))
    if comparison.unsupported:
        st.caption(strings.unsupported(comparison.unsupported))


def _take(comparison: TextComparison, chosen: set[int]) -> None:
    def take() -> None:
        if attempt(lambda: workbench().comparing.take(comparison.id, chosen)):
            keep("done", strings.taken(len(chosen)))

    st.button(
        strings.TAKE,
        key=f"take-{comparison.id}",
        icon=":material/check:",
        on_click=take,
        disabled=not chosen,
    )


def _refuse(comparison: TextComparison) -> None:
    if attempt(lambda: workbench().comparing.refuse(comparison.id)):
        keep("done", strings.LEFT)
