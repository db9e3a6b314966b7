"""One chapter on the writer's desk: the editor with its text, and beside it what belongs to it."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from graph_flow.views import ChapterCard
from pages.components.fields import prose_editor, unsaved
from pages.components.fields.gate_buttons import Look, ask_again, decide
from pages.components.fields.prose_editor import Counts, Paper
from pages.components.fields.two_texts import SharedText
from pages.components.frame.frame import OpenStory
from pages.components.words import plain
from pages.components.write import strings, suggestions
from pages.components.write.beside import avoided, notes, tabs
from pages.components.write.comparing import offer
from pages.serving.services import workbench
from store.models.manuscript import Draft
from store.models.run import Question
from store.models.story import Story


@st.fragment
def show(opened: OpenStory, chapter: int) -> None:
    """Show the text in an editor, which saves it as it is typed, and beside it what belongs to it.

    A text shared with another branch is edited on the open branch only.
    """
    branch = opened.branch.id
    if workbench().contents.is_out(branch, chapter):
        st.rerun()  # the page says so
    story = workbench().library.story(
        opened.story.id
    )  # its settings are changed within the fragment
    draft = workbench().manuscript.draft(branch, chapter)
    left, right = st.columns([7, 3], gap="large")
    sheet = paper(branch, chapter)
    if draft is not None:
        with left:
            _edit(sheet, story, branch, draft)
            suggestions.show(branch, chapter, sheet)
    with right, st.container(key="beside"):
        # What comes and goes has a place of its own: the tabs below would begin anew if they moved.
        with st.container(key="beside-notes"):
            offer.show(branch, chapter)
            avoided.show(draft.text if draft else "", story.settings)
        tabs.show(story, branch, chapter, prose_editor.paragraph_of(sheet))
    unsaved.answer_here()


@st.fragment
def text_alone(opened: OpenStory, chapter: int) -> None:
    """Show the text of a chapter of another telling in an editor, which saves it as it is typed."""
    draft = workbench().manuscript.draft(opened.branch.id, chapter)
    if draft is not None:
        _edit(paper(opened.branch.id, chapter), opened.story, opened.branch.id, draft)
    unsaved.answer_here()


def paper(branch: str, chapter: int) -> Paper:
    """Return the editor of a chapter."""
    return Paper(f"text-{branch}-{chapter}", strings.TEXT, strings.TEXT_PLACEHOLDER)


def _edit(paper: Paper, story: Story, branch: str, draft: Draft) -> None:
    settings = story.settings
    manuscript, today = workbench().manuscript, _today()
    shared = SharedText(
        lambda found, typed: manuscript.replace_text(branch, draft.chapter, found, typed, today),
        lambda typed: manuscript.set_aside(branch, draft.chapter, typed),
    )
    counts = Counts(
        chapter=draft.words,
        today=manuscript.written_on(branch, today),
        book=workbench().desk.length(branch).words,
        target=settings.words or 0,
        target_today=settings.words_a_day,
        target_book=(settings.words or 0) * (settings.planned or 0),
    )
    prose_editor.show(paper, draft.text, shared, counts, notes.margin(branch, draft.chapter))


def _today() -> date:
    """Return the day on which the writer writes, where they are."""
    with suppress(LookupError, ValueError):  # a browser may name a zone that is not known here
        return datetime.now(ZoneInfo(st.context.timezone or "")).date()
    return datetime.now().date()


def approval(question: Question) -> None:
    """Offer to approve the text as it is, or to have it written again."""
    st.markdown(strings.APPROVE_TEXT_QUESTION)
    with st.container(horizontal=True):
        decide(question, Look(strings.APPROVE_TEXT, "approve-draft"))
        ask_again(question, strings.WRITE_AGAIN, strings.FEEDBACK)


def title(card: ChapterCard) -> None:
    """Show the heading of a chapter, and which one of the plot it is if that counts it otherwise."""
    st.header(f"{card.place}\\. {plain(card.title)}", anchor=False)
    for words in strings.of_the_plot(card):
        st.caption(words.capitalize())
