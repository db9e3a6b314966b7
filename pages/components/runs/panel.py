"""A run on the page it works for: what it is doing, how far it is, how to stop or continue it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components.notices import act
from pages.components.places import PageName
from pages.components.runs import cost, strings
from pages.components.words import clock, plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.run import ChaptersDone, Progress, Run, RunState

_SECONDS_BETWEEN_LOOKS = 0.8

_HALTED = frozenset({RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED})

_PAGES: Mapping[PageName, Callable[[BranchStatus], bool]] = {
    "premise": lambda status: not status.is_founded,
    "outline": lambda status: status.is_founded,
    "plot": lambda _: True,
    "write": lambda status: status.plotted > 0,
    "tellings": lambda status: status.plotted > 0,
}
"""The pages that watch or wait for a live run, and from when on."""

Body = Callable[[Progress], None]


def is_on(page: PageName, status: BranchStatus) -> bool:
    """Return whether a page refreshes a live run itself, so nothing else on it has to."""
    return page in _PAGES and _PAGES[page](status)


def of_kind(branch_id: str, newest: Progress | None, *kinds: str) -> Progress | None:
    """Return the newest run of a branch whose task is one of these kinds, even if it has halted.

    `newest` is the newest run of any kind, as the page has read it.
    """
    if newest is None or newest.run.task.kind in kinds:
        return newest
    return workbench().runs.progress(branch_id, *kinds)


def is_alive(progress: Progress | None) -> bool:
    """Return whether a run is at work."""
    return progress is not None and progress.run.state is RunState.RUNNING


def is_halted(progress: Progress | None) -> bool:
    """Return whether a run ended early and can be continued."""
    return progress is not None and progress.run.state in _HALTED


def watch(branch_id: str, page: PageName, body: Body) -> None:
    """Show a live run with `body` below it, refreshed until the run ends.

    Then the whole page runs again, to show the result.
    """

    def show(progress: Progress) -> None:
        _doing(progress)
        noted(progress)
        body(progress)

    _until_it_ends(branch_id, page, show)


def halted(progress: Progress) -> None:
    """Say why a run halted, and offer to continue it; nothing that was finished is lost."""
    run = progress.run
    with st.container(border=True, key="halted"):
        headline, go_on = strings.HALTED[run.state], strings.CONTINUE
        if run.is_capped:
            headline, go_on = strings.HALTED_BY_CAP, strings.CONTINUE_PAST_CAP
        st.markdown(f"**{headline}** {plain(said(run.message))}")
        st.caption(strings.HALTED_KEPT)
        if st.button(go_on, type="primary", icon=":material/play_arrow:", key="continue"):
            act(lambda: workbench().runs.resume(run.branch, run.task.kind))


def noted(progress: Progress | None) -> None:
    """Show what the writer should know of a run besides, while it is at work and after it."""
    for note in progress.run.notes if progress is not None else ():
        st.info(plain(said(note)), icon=":material/info:")


def busy_elsewhere(branch_id: str, page: PageName) -> None:
    """Say that another stage is working on this story, so this one has to wait."""
    _until_it_ends(branch_id, page, lambda progress: _busy(progress.run))


def _until_it_ends(branch_id: str, page: PageName, show: Body) -> None:
    def look() -> None:
        progress = workbench().runs.progress(branch_id)
        if progress is None or not is_alive(progress):
            st.rerun()
        show(progress)

    look_again(look, page, _SECONDS_BETWEEN_LOOKS)


def _busy(run: Run) -> None:
    st.info(strings.busy(run.task.kind), icon=":material/schedule:")


def _doing(progress: Progress) -> None:
    with st.container(border=True, key="at-work"):
        words = " · ".join(activity.words for activity in progress.activities)
        doing = words or progress.step or strings.PREPARING
        text, button = st.columns([4, 1], vertical_alignment="center")
        text.markdown(f"**{plain(said(doing))}**  \n{_facts(progress)}")
        with button:
            if st.button(strings.STOP, icon=":material/stop_circle:", key="stop", width="stretch"):
                act(lambda: workbench().runs.stop(progress.run.branch))
            _stop_after(progress)
        if progress.expected:
            st.progress(min(1.0, progress.done / progress.expected))
        if progress.chapters is not None:
            st.markdown(f":gray[{chapters_words(progress.chapters)}]")
            st.progress(progress.chapters.done / progress.chapters.of)
        for trouble in dict.fromkeys(one.trouble for one in progress.activities if one.trouble):
            st.markdown(f":orange[:material/hourglass_empty: {plain(said(trouble))}]")
        if progress.totals.calls:
            used = cost.used_of(progress.totals, progress.run.allowed)
            st.caption(plain(strings.cost_so_far(used)))


def _stop_after(progress: Progress) -> None:
    """Offer to stop a run that writes several chapters once the one under way is done."""
    run, chapters = progress.run, progress.chapters
    if run.writes is None or chapters is None or chapters.done + 1 >= chapters.of:
        return
    if run.is_last_chapter:
        st.caption(strings.STOPS_AFTER)
    elif st.button(strings.STOP_AFTER, type="tertiary", key="stop-after", width="stretch"):
        act(lambda: workbench().runs.stop_after_chapter(run.branch))


def _facts(progress: Progress) -> str:
    facts = [plain(said(progress.step))] if progress.activities and progress.step else []
    facts.append(clock(progress.seconds))
    if progress.expected:
        facts.append(strings.steps_done(progress.done, progress.expected))
    left = seconds_left(progress)
    if left is not None:
        facts.append(strings.time_left(clock(left)))
    return f":gray[{' · '.join(facts)}]"


def chapters_words(chapters: ChaptersDone) -> str:
    """Say how many chapters of a run are done, and how long the others will take."""
    words = strings.chapters_done(chapters.done, chapters.of, may_end_early=chapters.may_end_early)
    if chapters.seconds_left is None:
        left = strings.NO_TIME_YET if chapters.done == 0 else strings.NO_TIME_SINCE
    else:
        left = strings.all_time_left(clock(chapters.seconds_left))
    return f"{words} · {left}"


def seconds_left(progress: Progress) -> float | None:
    """Estimate the seconds left in the current step; None while that cannot be known."""
    if not progress.done or progress.done >= progress.expected:
        return None
    return progress.step_seconds / progress.done * (progress.expected - progress.done)


def look_again(look: Callable[[], None], page: PageName, seconds: float | None) -> None:
    """Show a part of a page now, and refresh it every `seconds`; None: never."""
    # Streamlit identifies a fragment by the name of its function and its position on the page, so
    # it may take the fragments of two pages for one. A refresh that a window requests while it is
    # moving to the next page would then run there on behalf of the page that was left, and the
    # window would go blank ("Bad delta path index"). With a name for each page, a late refresh is
    # recognised as one of a page that is gone, and skipped.
    look.__qualname__ = f"{look.__qualname__}.{page}"
    st.fragment(look, run_every=seconds)()
