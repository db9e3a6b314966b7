"""The run chip: what is happening on the open branch, and how to stop or continue it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import NamedTuple

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components import places
from pages.components.frame import strings
from pages.components.places import PageName
from pages.components.runs import panel
from pages.components.runs.panel import look_again
from pages.components.words import clock, plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.run import Progress, Question, RunState

_SECONDS_BETWEEN_LOOKS = 1.0

ErrorsShown = Callable[[], AbstractContextManager[None]]


class Seen(NamedTuple):
    """What was read of a branch: its newest run, and what is waiting for the writer."""

    progress: Progress | None
    questions: Sequence[Question]


def show(status: BranchStatus, shown: Seen, page: PageName, showing_errors: ErrorsShown) -> None:
    """Show the newest run of a branch, refreshed only while the run is alive.

    If the page itself refreshes the run, the chip leaves it to the page. Every refreshed part
    starts again when the page changes; the fewer there are, the fewer refreshes come too late.
    """
    branch_id = status.branch.id
    just_read = [shown]  # What the page has read serves for the first look, and for no other.

    def look() -> None:
        with showing_errors():
            seen = just_read.pop() if just_read else _look(branch_id)
            if _standing(seen.progress) != _standing(shown.progress):
                st.rerun()  # What the whole page shows is out of date.
            _chip(branch_id, page, seen)

    with st.container(key="run-chip"):
        if not panel.is_alive(shown.progress):
            look_again(look, page, None)
        elif panel.is_on(page, status):
            st.caption(strings.RUN_ON_THIS_PAGE)
        else:
            look_again(look, page, _SECONDS_BETWEEN_LOOKS)


def _look(branch_id: str) -> Seen:
    runs = workbench().runs
    return Seen(runs.progress(branch_id), runs.pending(branch_id))


def _standing(progress: Progress | None) -> tuple[str, RunState] | None:
    return (progress.run.id, progress.run.state) if progress else None


def _chip(branch_id: str, page: PageName, seen: Seen) -> None:
    progress = seen.progress
    if progress is not None and progress.run.state is RunState.RUNNING:
        _alive(branch_id, progress)
        return
    if progress is not None and panel.is_halted(progress):
        _halted(branch_id, progress)
    _waiting(seen.questions, page)


def _alive(branch_id: str, progress: Progress) -> None:
    words = " · ".join(activity.words for activity in progress.activities)
    doing = words or progress.step or strings.RUN_AT_WORK
    st.markdown(f"{plain(said(doing))} · {clock(_elapsed(progress))}")
    if progress.expected:
        st.progress(min(1.0, progress.done / progress.expected))
    if progress.chapters is not None:
        st.caption(panel.chapters_words(progress.chapters))
    for trouble in dict.fromkeys(one.trouble for one in progress.activities if one.trouble):
        st.caption(f":orange[{plain(said(trouble))}]")
    if st.button(strings.RUN_STOP, key="run-chip-stop", icon=":material/stop_circle:"):
        workbench().runs.stop(branch_id)
        st.rerun()


def _elapsed(progress: Progress) -> float:
    """Return the seconds at work; for a run in another process, those since it began."""
    return progress.seconds or (datetime.now(UTC) - progress.run.started).total_seconds()


def _waiting(questions: Sequence[Question], page: PageName) -> None:
    question = next(iter(questions), None)
    if question is None:
        return
    where = places.GATE_PAGES[question.gate]
    if where == page:
        st.caption(strings.CHOICE_WAITS_HERE)
    else:
        places.link(where, strings.CHOICE_WAITS, icon=":material/front_hand:", is_wide=True)


def _halted(branch_id: str, progress: Progress) -> None:
    is_capped = progress.run.is_capped
    headline = strings.RUN_CAPPED if is_capped else strings.RUN_HALTED[progress.run.state]
    st.markdown(f"**{headline}**")
    if progress.run.message:
        st.caption(plain(said(progress.run.message)))
    go_on = strings.RUN_ALLOW_MORE if is_capped else strings.RUN_CONTINUE
    if st.button(go_on, key="run-chip-continue", icon=":material/play_arrow:"):
        workbench().runs.resume(branch_id)
        st.rerun()
