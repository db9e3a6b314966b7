"""The text of a chapter as it streams in, or to read."""

from __future__ import annotations

import streamlit as st

from graph_flow.telling.agents import REVIEW, REVISE
from pages.components.words import emphasised
from pages.components.write import strings
from pages.serving.services import workbench
from store.formats.book.layout import lay_out
from store.models.form import DEFAULT_FORM
from store.models.manuscript import Draft, DraftState
from store.models.run import Progress

_REVIEWERS = frozenset({REVIEW.name, REVISE.name})


def show(branch: str, chapter: int, progress: Progress) -> None:
    """Show the text so far, ending with the scene being written."""
    draft = workbench().manuscript.draft(branch, chapter)
    text = text_so_far(draft, progress)
    with st.container(key="story-stream"):
        st.markdown(shown(draft, text) or f":gray[{strings.TEXT_EMPTY}]")


def text_so_far(draft: Draft | None, progress: Progress) -> str:
    """Return the text that is being written, or reviewed; an older one does not count."""
    is_reviewed = any(one.agent in _REVIEWERS for one in progress.activities)
    is_new = draft is not None and (is_reviewed or draft.state is DraftState.WRITING)
    live = "\n\n".join(one.text for one in progress.activities if one.text)
    return f"{draft.text if draft and is_new else ''}\n\n{live}"


def shown(draft: Draft | None, text: str) -> str:
    """Return a text as Markdown, laid out as its form requires."""
    form = draft.form if draft else DEFAULT_FORM
    return lay_out(text, form.spec.layout, emphasised)
