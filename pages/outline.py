"""Outline, for writers who plan ahead: storylines, and a board of them and the chapters."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame import frame
from pages.components.outline import board as outline_board
from pages.components.outline import lines, start, strings
from pages.components.outline import side as outline_side
from pages.components.outline.current import CurrentOutline, open_outline
from pages.components.outline.start import OutlineView
from pages.components.runs import panel, prompts
from store.models.outline import OutlineState
from store.models.run import Question
from store.models.story import Gate

_ALONE = (1_000, 1)
_BESIDE = (3, 1)
"""Widths of the board and the panel beside it."""

opened = frame.show_story(strings.TITLE, "outline")
status, branch = opened.status, opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def show_outline(current: CurrentOutline, question: Question | None, *, is_halted: bool) -> None:
    """Show the outline in the chosen view, to edit."""
    start.review(current.outline)
    start.next_step(current, question, is_primary=not is_halted)
    if current.outline.events and start.choose_view() is OutlineView.BOARD:
        # The columns are always there, so opening a card does not scroll the board back.
        board, side = st.columns(
            _ALONE if outline_side.is_empty(current) else _BESIDE, gap="medium"
        )
        with side:
            outline_side.show(current)
        with board:
            outline_board.show(current)
    else:
        lines.show(current, is_primary=not is_halted and question is None)
    st.divider()
    start.choose_use(opened.story, "page")
    if question is None:
        start.discard(current)


with frame.showing_errors():
    outlining = panel.of_kind(branch, opened.progress, "outline")
    question = next((one for one in opened.questions if one.gate is Gate.OUTLINE), None)
    if not status.is_founded:
        frame.send_to_premise(strings.NOT_BEGUN, strings.NOT_BEGUN_ADVICE)
        st.stop()
    if panel.is_alive(outlining):
        panel.watch(branch, "outline", lambda _: start.filling_in(branch))
        st.stop()
    if panel.is_alive(opened.progress):
        panel.busy_elsewhere(branch, "outline")
    current = open_outline(status)
    is_accepted = current is not None and current.outline.state is OutlineState.ACCEPTED
    # A halted run that gave way to an accepted outline can still be continued in the sidebar.
    is_halted = panel.is_halted(outlining) and not is_accepted
    if outlining is not None and is_halted:
        start.halted(outlining, current)
    start.bring_back(branch, current.outline if current else None)
    if current is not None:
        show_outline(current, question, is_halted=is_halted)
    elif not is_halted:
        start.first(status)
    if current is not None or is_halted:
        prompts.show(branch, 0, "outline")
