"""What to do between chapters: plot the next one, plot several on autopilot, or write."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components import places, words
from pages.components.fields.editing import with_fields
from pages.components.notices import act, attempt
from pages.components.plot import strings
from pages.components.runs import caps
from pages.components.words import plain
from pages.components.words.speaking import labelled
from pages.components.write import chapters
from pages.serving.services import workbench
from store.models.run import PlotChapters, WriteChapter
from store.models.story import StorySettings


def show(status: BranchStatus) -> None:
    """Offer to plot the next chapter, or to write if the story has reached its end."""
    last = status.story.settings.last_chapter
    if status.is_reached:
        _ended(status, _why_reached(status))
    elif status.plotted >= last:
        _ended(status, strings.last_reached(last))
    else:
        _primary(status)
    if status.plotted < last:
        show_several(status)


def start_anew(status: BranchStatus) -> None:
    """Offer to plot the chapter again from new goals instead of continuing."""
    if st.button(strings.PLOT_ANEW, icon=":material/restart_alt:", key="plot-anew"):
        act(lambda: workbench().runs.start(status.branch.id, PlotChapters()))


def _primary(status: BranchStatus) -> None:
    if status.plotted == 0:
        st.markdown(strings.PLOT_HELP)
    label = strings.PLOT_NEXT if status.plotted else strings.PLOT_FIRST
    is_to_be_written = _is_to_be_written(status)
    with st.container(horizontal=True, vertical_alignment="center"):
        if is_to_be_written:
            _write(status)
        if st.button(
            label,
            type="secondary" if is_to_be_written else "primary",
            icon=":material/account_tree:",
            key="plot-next",
        ):
            act(lambda: workbench().runs.start(status.branch.id, PlotChapters()))
        first = WriteChapter(chapter=status.plotted) if is_to_be_written else PlotChapters()
        estimate = workbench().runs.estimate(status.branch.id, first)
        st.caption(words.estimate_sentence(estimate), width="content")
        if status.plotted == 0 and workbench().outline.newest(status.branch.id) is None:
            places.link("outline", strings.OUTLINE_FIRST, icon=":material/route:")


def _is_to_be_written(status: BranchStatus) -> bool:
    """Return whether the newest chapter is the only one without a text.

    Whoever has plotted several before writing any means to go on plotting.
    """
    unwritten = workbench().manuscript.unwritten(status.branch.id, range(1, status.plotted + 1))
    return unwritten == [status.plotted] and not status.story.settings.is_direct


def _write(status: BranchStatus) -> None:
    """Offer to have the newest chapter written at once, on the Write page."""
    task = WriteChapter(chapter=status.plotted)
    if st.button(
        strings.write_chapter(status.plotted),
        type="primary",
        icon=":material/edit_note:",
        key="write-newest",
    ):
        if attempt(lambda: workbench().runs.start(status.branch.id, task)):
            chapters.turn_to(status.branch.id, task.chapter)
            places.go("write")
        st.rerun()


def _ended(status: BranchStatus, why: str) -> None:
    with st.container(border=True, key="ended"):
        st.markdown(f"**{why}**")
        if status.is_reached:
            _evidence(status)
        with st.container(horizontal=True):
            if st.button(strings.ENDED_WRITE, type="primary", icon=":material/edit_note:"):
                places.go("write")
            if st.button(strings.ENDED_PLOT_MORE, key="plot-more"):
                act(lambda: _one_more(status))


def _one_more(status: BranchStatus) -> None:
    settings = status.story.settings
    if status.plotted >= settings.last_chapter:
        workbench().library.change_settings(
            status.story.id, lambda now: with_fields(now, chapter_cap=status.plotted + 1)
        )
    workbench().runs.start(status.branch.id, PlotChapters())


def _evidence(status: BranchStatus) -> None:
    """Show the events in which the story reached its goal, as named by the exit agent."""
    titles = workbench().story.evidence(status.branch.id, status.plotted)
    if titles:
        st.markdown("\n".join([strings.ENDED_EVIDENCE, *(f"- {plain(title)}" for title in titles)]))


def _why_reached(status: BranchStatus) -> str:
    verdict = workbench().proposals.verdict(status.branch.id, status.plotted)
    return strings.goal_reached(plain(verdict.reason) if verdict and verdict.is_reached else "")


_MOST_IN_A_ROW = 50
"""Chapters of a serial without a planned end that can be asked for at once."""


class Extent(StrEnum):
    """How much of the rest of the story is plotted on autopilot."""

    SOME = "some"
    END = "end"


class _Way(NamedTuple):
    chapters: int
    stops: bool


def show_several(status: BranchStatus) -> None:
    """Offer to plot any number of the remaining chapters on autopilot, or to write them directly."""
    is_direct = status.story.settings.is_direct
    with st.expander(strings.WRITE_SEVERAL if is_direct else strings.AUTOPILOT):
        st.markdown(strings.WRITE_SEVERAL_HELP if is_direct else strings.AUTOPILOT_HELP)
        way = _way(status.plotted, status.story.settings)
        free = PlotChapters(chapters=way.chapters, is_autopilot=True, stops_at_goal=way.stops)
        estimate = workbench().runs.estimate(status.branch.id, free)
        st.caption(words.estimate_sentence(estimate))
        task = free.model_copy(update={"caps": caps.ask(estimate)})
        name = strings.write_chapters if is_direct else strings.plot_chapters
        label = name(way.chapters)
        if st.button(label, icon=":material/fast_forward:", key="plot-several"):
            act(lambda: workbench().runs.start(status.branch.id, task))


def _way(plotted: int, settings: StorySettings) -> _Way:
    left = settings.last_chapter - plotted
    extent = _extent() if left > 1 and settings.planned else Extent.SOME
    if extent is Extent.END:
        if not settings.is_direct:
            st.caption(strings.extent_end_help(settings.last_chapter))
        return _Way(left, not settings.is_direct)
    most = min(left, _MOST_IN_A_ROW) if settings.is_open_ended else left
    chapters = (
        st.slider(strings.CHAPTERS, 1, most, min(3, most), key="by-itself") if most > 1 else 1
    )
    stops = not settings.is_direct and st.toggle(strings.STOP_AT_GOAL, True, key="stops-at-goal")
    return _Way(int(chapters), stops)


def _extent() -> Extent:
    labels = {Extent.SOME: strings.EXTENT_SOME, Extent.END: strings.EXTENT_END}
    key, index = labelled("how-far", list(Extent), Extent.SOME)
    return st.radio(
        strings.EXTENT,
        list(Extent),
        index=index,
        format_func=labels.__getitem__,
        horizontal=True,
        key=key,
    )
