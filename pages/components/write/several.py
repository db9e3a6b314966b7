"""Several chapters in one run: begin it, and see how far it is from a chapter beside it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components import places, words
from pages.components.frame.frame import OpenStory
from pages.components.notices import attempt
from pages.components.runs import caps, panel
from pages.components.write import chapters, strings
from pages.serving.services import workbench
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.form import Form
from store.models.run import Progress, WriteChapter

_SEVERAL = 2


def offer(opened: OpenStory, form: Form | None) -> None:
    """Offer to write the chapters that have no text yet, if there are several."""
    branch = opened.branch.id
    unwritten = _unwritten(opened)
    if len(unwritten) < _SEVERAL:
        return
    with st.expander(strings.WRITE_SEVERAL, icon=":material/fast_forward:"):
        st.markdown(strings.WRITE_SEVERAL_ABOUT)
        first, *then = _wanted(unwritten)
        free = WriteChapter(chapter=first, then=tuple(then), form=form, is_autopilot=True)
        estimate = workbench().runs.estimate(branch, free)
        st.caption(words.estimate_sentence(estimate))
        task = free.model_copy(update={"caps": caps.ask(estimate)})
        st.button(
            strings.write_chapters(task.chapters),
            icon=":material/fast_forward:",
            key="write-several",
            on_click=_begin,
            args=(branch, task),
        )


def _unwritten(opened: OpenStory) -> list[int]:
    """Return the chapters that have a plot and no text, and about which no question waits."""
    asked = {question.chapter for question in opened.questions}
    found = workbench().manuscript.unwritten(opened.branch.id, range(1, opened.status.plotted + 1))
    return [chapter for chapter in found if chapter not in asked]


def _wanted(unwritten: Sequence[int]) -> Sequence[int]:
    """Let the writer say up to which chapter; between two there is nothing to choose."""
    later = unwritten[1:]
    if len(later) < _SEVERAL:
        return unwritten
    key = f"write-up-to-{later[0]}-{later[-1]}"
    last = st.select_slider(strings.UP_TO, later, later[-1], key=key)
    return [chapter for chapter in unwritten if chapter <= last]


def _begin(branch: str, task: WriteChapter) -> None:
    if attempt(lambda: workbench().runs.start(branch, task)):
        chapters.turn_to(branch, task.chapter)


def watch(branch: str) -> None:
    """Show beside a chapter how far a run is that writes others, with the way to the one it is at."""

    def lead_to(progress: Progress) -> None:
        at = progress.run.writes
        if at is None:
            return
        if at >= FIRST_OF_TELLING:
            if st.button(strings.WATCH_TELLING, icon=":material/visibility:", key="watch-telling"):
                places.go("tellings")
        elif st.button(
            strings.watch_chapter(at), icon=":material/visibility:", key="watch-chapter"
        ):
            chapters.turn_to(branch, at)
            st.rerun()

    panel.watch(branch, "write", lead_to)
