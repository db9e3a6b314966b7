"""What can be done with a chapter: write it, rewrite it, or move on to the next."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components import notices, places, words
from pages.components.frame.frame import OpenStory
from pages.components.notices import act, attempt
from pages.components.runs import panel
from pages.components.words.messages import said
from pages.components.write import chapters, several, strings
from pages.serving.services import workbench
from store.models.form import FORMS, Form
from store.models.manuscript import Draft
from store.models.run import PlotChapters, Progress, Question, WriteChapter

_FORM_WIDTH = 190
"""Pixels."""
_OVER_OWN_WORDS = "written over the writer's words"


def show(opened: OpenStory, card: ChapterCard, draft: Draft | None) -> None:
    """Offer to write the chapter in a form, alone or with others, or to move on if it is written."""
    branch = opened.branch.id
    if panel.is_alive(opened.progress):
        return
    # Resuming interrupted writing comes first.
    is_halted = panel.is_halted(run_of(card, branch, opened.progress))
    has_text = draft is not None and bool(draft.text)
    is_asked = notices.is_asked(_OVER_OWN_WORDS, _about(branch, card.number))
    with st.container(horizontal=True, vertical_alignment="center", key="chapter-actions"):
        task = WriteChapter(chapter=card.number, form=_form(opened))
        if st.button(
            strings.REWRITE_CHAPTER if has_text else strings.WRITE_CHAPTER,
            type="secondary" if has_text or is_halted else "primary",
            icon=":material/edit_note:",
            key="write-chapter",
        ):
            _begin(branch, task, draft if has_text else None)
        if has_text and not is_halted and not is_asked:
            _lead_on(opened, card.number)
    if is_asked:
        _ask_first(branch, task)
    if not has_text:
        st.caption(words.estimate_sentence(workbench().runs.estimate(branch, task)))
    several.offer(opened, task.form)


def _begin(branch: str, task: WriteChapter, draft: Draft | None) -> None:
    """Have a chapter written; ask first if the writer has typed in its text."""
    if draft is not None and _is_typed_in(branch, draft):
        notices.ask(_OVER_OWN_WORDS, _about(branch, task.chapter))
        st.rerun()
    act(lambda: workbench().runs.start(branch, task))


def _is_typed_in(branch: str, draft: Draft) -> bool:
    return workbench().manuscript.by_agent(branch, draft.chapter, draft.text) is None


def _about(branch: str, chapter: int) -> str:
    return f"{branch}-{chapter}"


def _ask_first(branch: str, task: WriteChapter) -> None:
    with st.container(border=True, key="over-own-words"):
        st.markdown(strings.OVER_OWN_WORDS)
        st.caption(words.estimate_sentence(workbench().runs.estimate(branch, task)))
        with st.container(horizontal=True):
            if st.button(strings.DO_REWRITE, type="primary", key="do-rewrite"):
                notices.stop_asking()
                act(lambda: workbench().runs.start(branch, task))
            st.button(
                strings.KEEP_MY_TEXT,
                type="tertiary",
                key="keep-my-text",
                on_click=notices.stop_asking,
            )


def by_hand(branch: str) -> None:
    """Say that a chapter has no plot, and lead to where the plot goes on, or begins."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(strings.TYPED_BY_HAND)
        if workbench().book_premise.is_wanted(branch):
            if st.button(strings.GO_TO_PREMISE, type="tertiary", icon=":material/lightbulb:"):
                places.go("premise")
        elif st.button(strings.GO_TO_PLOT, type="tertiary", icon=":material/account_tree:"):
            places.go("plot")


def run_of(card: ChapterCard, branch: str, now: Progress | None) -> Progress | None:
    """Return the newest writing run, if it is at this chapter, or was to write it and has halted."""
    writing = panel.of_kind(branch, now, "write")
    if writing is None or not isinstance(writing.run.task, WriteChapter):
        return None
    is_at_it = writing.run.writes == card.number
    return writing if is_at_it or _is_still_to_come(card, writing) else None


def _is_still_to_come(card: ChapterCard, writing: Progress) -> bool:
    task, at = writing.run.task, writing.run.writes or 0
    is_meant = isinstance(task, WriteChapter) and card.number in task.chapters
    return is_meant and card.number > at and card.draft is None and panel.is_halted(writing)


def _lead_on(opened: OpenStory, chapter: int) -> None:
    """Offer what comes next after a written chapter."""
    unwritten = next_unwritten(workbench().desk.chapters(opened.branch.id), chapter)
    status = opened.status
    if unwritten is not None:
        st.button(
            strings.go_on_to(unwritten.place),
            type="primary",
            key="next-chapter",
            on_click=chapters.turn_to,
            args=(opened.branch.id, unwritten.number),
        )
    elif status.is_reached or status.plotted >= status.story.settings.last_chapter:
        if st.button(strings.EXPORT_STORY, type="primary", icon=":material/ios_share:"):
            places.go("export")
    else:
        _plot_next(opened.branch.id)


def _plot_next(branch: str) -> None:
    """Offer to plot the next chapter at once, on the Plot page."""
    task = PlotChapters()
    if st.button(
        strings.PLOT_NEXT,
        type="primary",
        icon=":material/account_tree:",
        key="plot-next",
    ):
        if attempt(lambda: workbench().runs.start(branch, task)):
            places.go("plot")
        st.rerun()
    st.caption(words.estimate_sentence(workbench().runs.estimate(branch, task)), width="content")


def waiting_elsewhere(
    branch: str, questions: Sequence[Question], chapter: int, cards: Sequence[ChapterCard]
) -> None:
    """Show which other chapters are waiting for the writer."""
    places_of = {card.number: card.place for card in cards}
    for question in questions:
        if question.chapter != chapter:
            st.button(
                strings.chapter_waits(places_of.get(question.chapter, question.chapter)),
                icon=":material/front_hand:",
                key=f"waiting-{question.id}",
                on_click=chapters.turn_to,
                args=(branch, question.chapter),
            )


def _form(opened: OpenStory) -> Form:
    forms = list(Form)
    form = st.selectbox(
        strings.FORM,
        forms,
        index=forms.index(opened.story.brief.form),
        format_func=lambda form: said(FORMS[form].label),
        label_visibility="collapsed",
        width=_FORM_WIDTH,
        key=f"form-{opened.branch.id}",
        persist_state="session",
    )
    return form if isinstance(form, Form) else opened.story.brief.form


def next_unwritten(cards: Sequence[ChapterCard], chapter: int) -> ChapterCard | None:
    """Return the next chapter in the book, behind one, that has no text."""
    at = next((card.place for card in cards if card.number == chapter), len(cards))
    return next((card for card in cards[at:] if card.draft is None), None)
