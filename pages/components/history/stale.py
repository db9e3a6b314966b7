"""What an edit has made stale, marked wherever it appears until the writer reviews it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.components import notices, places
from pages.components.frame.frame import OpenStory
from pages.components.graphs import navigation
from pages.components.history import strings
from pages.components.notices import attempt
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.write import chapters as chapter_list
from pages.serving.services import workbench
from store.models.edits.staleness import StaleMark, TargetKind

Marks = Mapping[int, Sequence[StaleMark]]

_LISTED = 8
_CHAPTERS = 8
_REASONS = 3
_ALL = "all still fit"


def by_chapter(branch: str) -> Marks:
    """Return what is stale on a branch, by chapter."""
    found: dict[int, list[StaleMark]] = defaultdict(list)
    for mark in workbench().branches.stale(branch):
        found[mark.chapter].append(mark)
    return found


def note(marks: Sequence[StaleMark], place: str) -> None:
    """Show on a chapter's page why it may no longer fit, and let the writer say that it does."""
    if not marks:
        return
    with st.container(border=True, key=f"stale-{place}-{marks[0].chapter}"):
        _reasons(marks)
        _still_fits(marks, f"{place}-{marks[0].chapter}")


def mark(marks: Sequence[StaleMark], place: str) -> None:
    """Show the same in a card: the first reason, and a button that says it still fits."""
    if not marks:
        return
    reasons = {one.reason for one in marks}
    reason = strings.stale_reason(plain(said(marks[0].reason)), len(reasons) - 1)
    st.markdown(f":orange[:material/sync_problem:] :small[{reason}]")
    _still_fits(marks, f"{place}-{marks[0].chapter}")


def show(opened: OpenStory) -> None:
    """Show all that is stale on the branch, by cause, with links to it."""
    causes: dict[str, list[StaleMark]] = defaultdict(list)
    for one in workbench().branches.stale(opened.branch.id):
        causes[one.reason].append(one)
    if not causes:
        return
    st.header(strings.STALE, anchor=False)
    st.caption(strings.STALE_WHAT)
    for place, (reason, marks) in enumerate(list(causes.items())[:_LISTED]):
        with st.container(border=True, key=f"stale-cause-{place}"):
            st.markdown(f":orange[:material/sync_problem:] {plain(said(reason))}")
            _cause(opened, marks, place)
    rest = len(causes) - _LISTED
    if rest > 0:
        st.caption(strings.stale_more_changes(rest))


def _cause(opened: OpenStory, marks: Sequence[StaleMark], place: int) -> None:
    chapters: dict[int, list[StaleMark]] = defaultdict(list)
    for one in marks:
        chapters[one.chapter].append(one)
    for chapter in sorted(chapters)[:_CHAPTERS]:
        touched = chapters[chapter]
        parts = strings.stale_parts(_kinds(touched))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{strings.chapter(chapter)}** · {parts}", width="stretch")
            _still_fits(touched, f"{place}-{chapter}")
            _go_there(opened, touched, place)
    rest = len(chapters) - _CHAPTERS
    if rest > 0:
        st.caption(strings.stale_more_chapters(rest))
    if len(chapters) > 1:
        _all_still_fit(marks, len(chapters), place)


def _reasons(marks: Sequence[StaleMark]) -> None:
    causes: dict[str, list[StaleMark]] = defaultdict(list)
    for one in marks:
        causes[one.reason].append(one)
    for reason, several in list(causes.items())[:_REASONS]:
        parts = strings.stale_parts_label(_kinds(several))
        st.markdown(f":orange[:material/sync_problem: {parts}]  \n{plain(said(reason))}")
    if len(causes) > _REASONS:
        st.caption(strings.stale_more_reasons(len(causes) - _REASONS))


def _kinds(marks: Sequence[StaleMark]) -> list[TargetKind]:
    return list(dict.fromkeys(one.target_kind for one in marks))


def _still_fits(marks: Sequence[StaleMark], place: str) -> None:
    st.button(
        strings.STALE_FITS,
        icon=":material/check:",
        type="tertiary",
        key=f"still-fits-{place}",
        on_click=_settle,
        args=(list(marks),),
    )


def _go_there(opened: OpenStory, marks: Sequence[StaleMark], place: int) -> None:
    chapter = marks[0].chapter
    has_text = any(one.target_kind != "event" for one in marks)
    label = strings.STALE_GO_TO_TEXT if has_text else strings.STALE_LOOK_AT_EVENT
    icon = "edit_note" if has_text else "hub"
    key = f"go-to-stale-{place}-{chapter}"
    if not st.button(label, icon=f":material/{icon}:", type="tertiary", key=key):
        return
    if has_text:
        chapter_list.turn_to(opened.branch.id, chapter)
        places.go("write")
    navigation.go_to(opened, marks[0].target)
    places.go("graphs")


def _all_still_fit(marks: Sequence[StaleMark], chapters: int, place: int) -> None:
    if not notices.is_asked(_ALL, place):
        st.button(
            strings.STALE_ALL_FIT,
            type="tertiary",
            key=f"all-still-fit-{place}",
            on_click=notices.ask,
            args=(_ALL, place),
        )
        return
    st.markdown(strings.stale_clear_all(chapters))
    with st.container(horizontal=True):
        st.button(
            strings.STALE_DO_ALL_FIT,
            type="primary",
            key="do-all-still-fit",
            on_click=_settle,
            args=(list(marks),),
        )
        st.button(
            strings.STALE_KEEP_MARKS,
            type="tertiary",
            key="keep-marks",
            on_click=notices.stop_asking,
        )


def _settle(marks: Sequence[StaleMark]) -> None:
    notices.stop_asking()
    attempt(lambda: workbench().branches.settle(*(one.id for one in marks)))
