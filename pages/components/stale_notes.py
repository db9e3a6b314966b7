"""What depends on what was changed since: told where it stands, until the writer has seen to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from pages.components import asking, chapter_list, places, time_cursor
from pages.components.frame import OpenStory
from pages.components.notices import attempt
from pages.components.services import workbench
from pages.components.text import plain
from pages.components.wording import counted
from store.models.staleness import StaleMark, TargetKind

Marks = Mapping[int, Sequence[StaleMark]]

_LISTED = 12
_REASONS = 3
_ALL = "all still fit"
_WHAT: Mapping[TargetKind, str] = {
    "event": "What happens",
    "plan": "The plan",
    "draft": "The text",
}


def by_chapter(branch: str) -> Marks:
    """Return what is stale on a branch, by chapter."""
    found: dict[int, list[StaleMark]] = defaultdict(list)
    for mark in workbench().stale(branch):
        found[mark.chapter].append(mark)
    return found


def note(marks: Sequence[StaleMark], place: str) -> None:
    """Show on a chapter's own page why it may no longer fit, and let the writer say that it does."""
    if not marks:
        return
    with st.container(border=True, key=f"stale-{place}-{marks[0].chapter}"):
        _reasons(marks)
        _still_fits(marks, place)


def mark(marks: Sequence[StaleMark], place: str) -> None:
    """Show the same inside a card: the first reason, and that it still fits."""
    if not marks:
        return
    more = f" … and {len(marks) - 1} more" if len({one.reason for one in marks}) > 1 else ""
    st.markdown(f":orange[:material/sync_problem:] {plain(marks[0].reason)}{more}")
    _still_fits(marks, place)


def show(opened: OpenStory) -> None:
    """Show all that is stale on the branch, by chapter, with the way there."""
    stale = by_chapter(opened.branch.id)
    if not stale:
        return
    st.header("To look at again", anchor=False)
    st.caption("What was changed earlier may matter to these. Each stays as it is until you act.")
    for chapter in sorted(stale)[:_LISTED]:
        with st.container(border=True, key=f"stale-list-{chapter}"):
            st.markdown(f"**Chapter {chapter}**")
            _reasons(stale[chapter])
            with st.container(horizontal=True):
                _still_fits(stale[chapter], "list")
                _go_there(opened, stale[chapter])
    rest = len(stale) - _LISTED
    if rest > 0:
        st.caption(f"… and {counted(rest, 'more chapter', 'more chapters')}.")
    if len(stale) > 1:
        _all_still_fit(stale)


def _reasons(marks: Sequence[StaleMark]) -> None:
    reasons: dict[str, list[str]] = {}
    for mark in marks:
        whats = reasons.setdefault(mark.reason, [])
        if _WHAT[mark.target_kind] not in whats:
            whats.append(_WHAT[mark.target_kind])
    for reason, whats in list(reasons.items())[:_REASONS]:
        st.markdown(f":orange[:material/sync_problem: {' · '.join(whats)}]  \n{plain(reason)}")
    if len(reasons) > _REASONS:
        st.caption(f"… and {counted(len(reasons) - _REASONS, 'more reason', 'more reasons')}.")


def _still_fits(marks: Sequence[StaleMark], place: str) -> None:
    st.button(
        "Still fits",
        icon=":material/check:",
        type="tertiary",
        key=f"still-fits-{place}-{marks[0].chapter}",
        on_click=_settle,
        args=(list(marks),),
    )


def _go_there(opened: OpenStory, marks: Sequence[StaleMark]) -> None:
    chapter = marks[0].chapter
    is_told = any(mark.target_kind != "event" for mark in marks)
    label, icon = ("Go to its page", "edit_note") if is_told else ("Look at it", "hub")
    if not st.button(
        label, icon=f":material/{icon}:", type="tertiary", key=f"go-to-stale-{chapter}"
    ):
        return
    if is_told:
        chapter_list.turn_to(opened.branch.id, chapter)
        places.go("write")
    time_cursor.move(opened.branch.id, chapter, opened.desk.plotted)
    places.go("graphs")


def _all_still_fit(stale: Marks) -> None:
    if not asking.is_asked(_ALL, "branch"):
        st.button(
            "All of them still fit …",
            type="tertiary",
            key="all-still-fit",
            on_click=asking.ask,
            args=(_ALL, "branch"),
        )
        return
    st.markdown(
        f"The marks of {counted(len(stale), 'chapter', 'chapters')} go; the chapters stay as they are."
    )
    marks = [mark for several in stale.values() for mark in several]
    with st.container(horizontal=True):
        st.button("They still fit", key="do-all-still-fit", on_click=_settle, args=(marks,))
        st.button("Keep the marks", type="tertiary", key="keep-marks", on_click=asking.put_away)


def _settle(marks: Sequence[StaleMark]) -> None:
    asking.put_away()
    for mark in marks:
        if not attempt(partial(workbench().settle, mark.id)):
            return
