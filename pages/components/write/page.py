"""One chapter: its text as it streams in, then an editor, and its earlier versions."""

from __future__ import annotations

import streamlit as st

from graph_flow.telling.agents import REVIEW, REVISE
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.gate_buttons import Look, ask_again, decide
from pages.components.notices import act
from pages.components.services import workbench
from pages.components.words import emphasised, plain
from pages.components.write import strings
from store.formats.layout import lay_out
from store.models.form import DEFAULT_FORM
from store.models.run import Progress, Question
from store.models.telling import Draft, DraftState

_REVIEWERS = frozenset({REVIEW.name, REVISE.name})


def stream(branch: str, chapter: int, progress: Progress) -> None:
    """Show the text so far, ending with the scene being written."""
    draft = workbench().manuscript.draft(branch, chapter)
    text = text_so_far(draft, progress)
    with st.container(key="story-stream"):
        st.markdown(_shown(draft, text) or f":gray[{strings.TEXT_EMPTY}]")


def text_so_far(draft: Draft | None, progress: Progress) -> str:
    """Return the text that is being written, or reviewed; an older one does not count."""
    is_reviewed = any(one.agent in _REVIEWERS for one in progress.activities)
    is_new = draft is not None and (is_reviewed or draft.state is DraftState.WRITING)
    live = "\n\n".join(one.text for one in progress.activities if one.text)
    return f"{draft.text if draft and is_new else ''}\n\n{live}"


def edit(branch: str, draft: Draft) -> None:
    """Show the text in an editor that keeps every change as a new version.

    A text shared with another branch is edited on `branch` only.
    """
    st.caption(strings.text_facts(draft.words, draft.state))
    with st.container(key="story-text"):
        box = Box(
            f"text-{branch}-{draft.chapter}",
            strings.TEXT,
            height="content",
            is_label_hidden=True,
        )
        autosave.shared_text_box(
            box,
            draft.text,
            lambda found, typed: workbench().manuscript.replace_text(
                branch, draft.chapter, found, typed
            ),
            lambda typed: workbench().manuscript.set_aside(branch, draft.chapter, typed),
        )


def read(draft: Draft) -> None:
    """Show a text to read."""
    with st.container(key=f"story-version-{draft.id}"):
        st.markdown(_shown(draft, draft.text))


def approval(question: Question) -> None:
    """Offer to approve the text as it is, or to have it written again."""
    st.markdown(strings.APPROVE_TEXT_QUESTION)
    with st.container(horizontal=True):
        decide(question, Look(strings.APPROVE_TEXT, "approve-draft"))
        ask_again(question, strings.WRITE_AGAIN, strings.FEEDBACK)


def title(number: int, words: str) -> None:
    """Show the heading of a chapter."""
    st.header(f"{number}\\. {plain(words)}", anchor=False)


def _shown(draft: Draft | None, text: str) -> str:
    form = draft.form if draft else DEFAULT_FORM
    return lay_out(text, form.spec.layout, emphasised)


def show(branch: str, chapter: int) -> None:
    """Show the versions of a chapter, with a button that restores an older one."""
    versions = workbench().manuscript.versions(branch, chapter)
    if not versions:
        st.caption(strings.NO_VERSIONS)
        return
    by_number = {draft.version: draft for draft in versions}
    number = st.selectbox(
        strings.VERSION,
        list(by_number),
        format_func=lambda version: _label(by_number[version], versions[0]),
        key=f"version-{branch}-{chapter}-{versions[0].version}",
    )
    if number is None:
        return
    draft = by_number[number]
    if draft.version != versions[0].version and st.button(
        strings.RESTORE_VERSION, icon=":material/history:", key=f"take-{draft.id}"
    ):
        act(
            lambda: workbench().manuscript.save_text(branch, chapter, draft.text),
            done=strings.version_restored(draft.version),
        )
    read(draft)


def _label(draft: Draft, newest: Draft) -> str:
    state = None if draft.version == newest.version else draft.state
    return strings.version_facts(draft.version, state, draft.words, draft.created)
