"""A run on the page it works for: what happens now, how far it is, how to stop it, how to go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components.notices import act
from pages.components.places import PageName
from pages.components.runs import cost
from pages.components.services import workbench
from pages.components.words import clock, plain
from store.models.run import Progress, Run, RunState

_SECONDS_BETWEEN_LOOKS = 0.8

_HALTED = {
    RunState.STOPPED: "Stopped, as you asked.",
    RunState.FAILED: "This went wrong.",
    RunState.INTERRUPTED: "The app was closed while this was at work.",
}

_PAGES: Mapping[PageName, Callable[[BranchStatus], bool]] = {
    "premise": lambda status: not status.is_founded,
    "outline": lambda status: status.is_founded,
    "plot": lambda _: True,
    "write": lambda status: status.plotted > 0,
}
"""Where a run that is alive is watched, or waited for, and from when on."""

Body = Callable[[Progress], None]


def is_on(page: PageName, status: BranchStatus) -> bool:
    """Return whether a page looks by itself after a run that is alive: one part of it is enough."""
    return page in _PAGES and _PAGES[page](status)


def of_kind(branch_id: str, newest: Progress | None, *kinds: str) -> Progress | None:
    """Return the newest run of a branch whose task is one of these kinds: one that rests stays to go on with.

    `newest` is the newest of any kind, as the page has read it.
    """
    if newest is None or newest.run.task.kind in kinds:
        return newest
    return workbench().runs.progress(branch_id, *kinds)


def is_alive(progress: Progress | None) -> bool:
    """Return whether a run is at work."""
    return progress is not None and progress.run.state is RunState.RUNNING


def is_halted(progress: Progress | None) -> bool:
    """Return whether a run ended before its end, and can go on."""
    return progress is not None and progress.run.state in _HALTED


def watch(branch_id: str, page: PageName, body: Body) -> None:
    """Show a run that is alive, and `body` beneath it, again and again until it rests.

    Then the whole page runs again, so that it shows what the run has come to.
    """

    def show(progress: Progress) -> None:
        _doing(progress)
        body(progress)

    _until_it_rests(branch_id, page, show)


def halted(progress: Progress) -> None:
    """Say why a run does not go on, and offer to go on; nothing that was finished is lost."""
    run = progress.run
    with st.container(border=True, key="halted"):
        headline, go_on = _HALTED[run.state], "Continue"
        if run.is_capped:
            headline, go_on = "It has come to the limit that you set.", "Allow as much again"
        st.markdown(f"**{headline}** {plain(run.message)}")
        st.caption("What was finished is kept, and is not paid for again.")
        if st.button(go_on, type="primary", icon=":material/play_arrow:", key="continue"):
            act(lambda: workbench().runs.resume(run.branch, run.task.kind))


def busy_elsewhere(branch_id: str, page: PageName) -> None:
    """Say that another stage is at work on this story, so this one has to wait until it rests."""
    _until_it_rests(branch_id, page, lambda progress: _busy(progress.run))


def _until_it_rests(branch_id: str, page: PageName, show: Body) -> None:
    def look() -> None:
        progress = workbench().runs.progress(branch_id)
        if progress is None or not is_alive(progress):
            st.rerun()
        show(progress)

    look_again(look, page, _SECONDS_BETWEEN_LOOKS)


def _busy(run: Run) -> None:
    words = {
        "initialize": "The cast is being drafted",
        "outline": "The outline is being drafted",
        "plot": "A chapter is being plotted",
        "choose": "A chapter is being plotted",
    }
    doing = words.get(run.task.kind, "A chapter is being written")
    st.info(f"{doing}. This can go on when that is done, or stopped.", icon=":material/schedule:")


def _doing(progress: Progress) -> None:
    with st.container(border=True, key="at-work"):
        words = " · ".join(activity.words for activity in progress.activities)
        doing = words or progress.step or "Getting ready"
        text, button = st.columns([4, 1], vertical_alignment="center")
        text.markdown(f"**{plain(doing)}**  \n{_facts(progress)}")
        with button:
            if st.button("Stop", icon=":material/stop_circle:", key="stop", width="stretch"):
                act(lambda: workbench().runs.stop(progress.run.branch))
        if progress.expected:
            st.progress(min(1.0, progress.done / progress.expected))
        for trouble in dict.fromkeys(one.trouble for one in progress.activities if one.trouble):
            st.markdown(f":orange[:material/hourglass_empty: {plain(trouble)}]")
        if progress.totals.calls:
            used = cost.used_of(progress.totals, progress.run.allowed)
            st.caption(plain(f"Cost so far: {used}"))


def _facts(progress: Progress) -> str:
    facts = [plain(progress.step)] if progress.activities and progress.step else []
    facts.append(clock(progress.seconds))
    if progress.expected:
        facts.append(f"{progress.done} of about {progress.expected} steps")
    left = seconds_left(progress)
    if left is not None:
        facts.append(f"about {clock(left)} left")
    return f":gray[{' · '.join(facts)}]"


def seconds_left(progress: Progress) -> float | None:
    """Return about how many seconds the present step still takes; None until that can be told."""
    if not progress.done or progress.done >= progress.expected:
        return None
    return progress.seconds / progress.done * (progress.expected - progress.done)


def look_again(look: Callable[[], None], page: PageName, seconds: float | None) -> None:
    """Show a part of a page now, and again every so many seconds; None: not by itself."""
    # Streamlit tells fragments apart by the name of their function and the place on the page, so
    # that those of two pages may be one to it. A look that a window asks for while it is sent on to
    # the next page would then be done there, in the name of the page that was left, and a window
    # that is told of another page empties itself ("Bad delta path index", and nothing to be seen).
    # By a name of its own the late look is known for one of a page that is gone, and is left out.
    look.__qualname__ = f"{look.__qualname__}.{page}"
    st.fragment(look, run_every=seconds)()
