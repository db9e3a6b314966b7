"""Write: a chapter's plan, its text as it is written, and the editor."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import notices, places
from pages.components.frame import frame
from pages.components.history import stale as stale_notes
from pages.components.runs import panel, prompts
from pages.components.write import (
    actions,
    arranging,
    chapters,
    desk,
    plan,
    review,
    several,
    streaming,
    strings,
    whole,
)
from pages.components.write.comparing import book, found
from pages.serving.services import workbench
from store.models.run import Progress, Question
from store.models.story import Gate

_GATES = (Gate.PLAN, Gate.DRAFT)

opened = frame.show_story(strings.TITLE, "write")
status, branch = opened.status, opened.branch.id
heading = st.container(
    horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
)
heading.title(strings.TITLE, anchor=False, width="content")
notices.show()


def before_the_text(card: ChapterCard, question: Question | None) -> None:
    """Show what can be done with a chapter that is not being written, and what is asked about it."""
    stale_notes.note(stale.get(card.number, ()), "write")
    draft = workbench().manuscript.draft(branch, card.number)
    if not card.is_plotted:
        actions.by_hand(branch)
    elif question is None:
        actions.show(opened, card, draft)
        whole.offer(opened)
    elif question.gate is Gate.DRAFT:
        desk.approval(question)
    else:
        planned = workbench().manuscript.plan(branch, card.number)
        if planned is not None:
            plan.edit(question, planned, workbench().prototype.snapshot(branch, card.number))
    if draft is not None and draft.text:
        review.show(branch, draft)


def stream(number: int, progress: Progress) -> None:
    """Show the text of a chapter as it is written, until the run turns to another one."""
    if progress.run.writes != number:
        st.rerun()  # The chapter is done: it can be read and edited now.
    streaming.show(branch, number, progress)


def chapter(card: ChapterCard, now: Progress | None, questions: list[Question]) -> None:
    """Show the chapter that the writer chose."""
    desk.title(card)
    writing = actions.run_of(card, branch, now)
    if panel.is_alive(writing):
        panel.watch(branch, "write", lambda it: stream(card.number, it))
        return
    reading = whole.run_of(now)
    if reading is not None and panel.is_alive(reading):
        whole.watch(branch)
        return
    panel.noted(writing)
    panel.noted(reading)
    if now is not None and now.chapters and now.run.writes and panel.is_alive(now):
        several.watch(branch)
    elif panel.is_alive(now) and not book.is_at_work(now):
        panel.busy_elsewhere(branch, "write")
    elif writing is not None and panel.is_halted(writing):
        panel.halted(writing)
    elif reading is not None and panel.is_halted(reading):
        panel.halted(reading)
    question = next((one for one in questions if one.chapter == card.number), None)
    actions.waiting_elsewhere(branch, questions, card.number, cards)
    before_the_text(card, question)
    if not is_book_shown:
        found.show(branch, card.number)
    desk.show(opened, card.number)
    prompts.show(branch, card.number, "write")


with frame.showing_errors():
    cards = workbench().desk.chapters(branch)
    if not cards:
        frame.empty_state(strings.NOTHING_TO_WRITE, strings.NOTHING_TO_WRITE_ADVICE)
        with st.container(horizontal=True):
            if st.button(strings.GO_TO_PLOT, type="primary", icon=":material/account_tree:"):
                places.go("plot")
            chapters.begin_by_hand(branch, 1, is_first=True)
        st.stop()
    now = opened.progress
    asked = [one for one in opened.questions if one.gate in _GATES]
    stale = stale_notes.by_chapter(branch)
    first_card = chapters.first_to_show(cards, asked[0] if asked else None, now)
    with heading:
        chosen = chapters.choose(
            branch, cards, first_card, stale, lambda card: arranging.show(branch, cards, card)
        )
    is_book_shown = book.show(opened, is_main=not chosen.is_plotted)
    chapter(chosen, now, asked)
