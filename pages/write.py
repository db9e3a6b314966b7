"""Write: a chapter's plan, its text as it is written, and the editor."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import notices, places
from pages.components.frame import frame
from pages.components.history import stale as stale_notes
from pages.components.runs import panel, prompts
from pages.components.services import workbench
from pages.components.write import actions, chapters, review, strings, style, whole
from pages.components.write import page as chapter_page
from pages.components.write import plan as plan_tab
from store.models.run import Progress, Question
from store.models.story import Gate

_GATES = (Gate.PLAN, Gate.DRAFT)

opened = frame.show_story(strings.TITLE, "write")
status, branch = opened.status, opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def page(card: ChapterCard, question: Question | None) -> None:
    """Show a chapter that is not being written."""
    draft = workbench().manuscript.draft(branch, card.number)
    stale_notes.note(stale.get(card.number, ()), "write")
    if question is not None and question.gate is Gate.DRAFT:
        chapter_page.approval(question)
    elif question is None:
        actions.show(opened, card, draft)
        whole.offer(opened)
    if draft is not None and draft.text:
        review.show(branch, draft)
        chapter_page.edit(branch, draft)


def plan(card: ChapterCard, question: Question | None) -> None:
    """Show the writing plan of a chapter."""
    found = workbench().manuscript.plan(branch, card.number)
    if found is None:
        st.caption(strings.NO_PLAN)
        return
    snapshot = workbench().prototype.snapshot(branch, card.number)
    if question is not None and question.gate is Gate.PLAN:
        plan_tab.edit(question, found, snapshot)
    else:
        plan_tab.read(found, snapshot)
    if found.is_whole:
        plan_tab.untold(workbench().story.untold(branch, card.number))


def chapter(card: ChapterCard, now: Progress | None, questions: list[Question]) -> None:
    """Show the chapter that the writer chose."""
    chapter_page.title(card.number, card.title)
    writing = actions.run_of(card, branch, now)
    if panel.is_alive(writing):
        panel.watch(branch, "write", lambda it: chapter_page.stream(branch, card.number, it))
        return
    reading = whole.run_of(now)
    if reading is not None and panel.is_alive(reading):
        whole.watch(branch)
        return
    panel.noted(writing)
    panel.noted(reading)
    if panel.is_alive(now):
        panel.busy_elsewhere(branch, "write")
    elif writing is not None and panel.is_halted(writing):
        panel.halted(writing)
    elif reading is not None and panel.is_halted(reading):
        panel.halted(reading)
    question = next((one for one in questions if one.chapter == card.number), None)
    actions.waiting_elsewhere(branch, questions, card.number)
    asks_for_plan = question is not None and question.gate is Gate.PLAN
    first, second, third = st.tabs(
        [strings.TAB_PAGE, strings.TAB_PLAN, strings.TAB_VERSIONS],
        default=strings.TAB_PLAN if asks_for_plan else strings.TAB_PAGE,
    )
    with first:
        page(card, question)
    with second:
        plan(card, question)
    with third:
        chapter_page.show(branch, card.number)
    prompts.show(branch, card.number, "write")


with frame.showing_errors():
    cards = workbench().story.chapters(branch)
    if not cards:
        frame.empty_state(strings.NOTHING_TO_WRITE, strings.NOTHING_TO_WRITE_ADVICE)
        if st.button(strings.GO_TO_PLOT, type="primary", icon=":material/account_tree:"):
            places.go("plot")
        st.stop()
    now = opened.progress
    asked = [one for one in opened.questions if one.gate in _GATES]
    stale = stale_notes.by_chapter(branch)
    first_card = chapters.first_to_show(cards, asked[0] if asked else None, now)
    left, middle = st.columns([1, 3], gap="large")
    with left:
        chosen = chapters.choose(branch, cards, first_card, stale)
        style.show(opened.story)
    with middle:
        chapter(chosen, now, asked)
