"""The exports, each kind as a card that says what it is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.components import places
from pages.components.fields import autosave, downloads
from pages.components.fields.autosave import Box
from pages.components.fields.downloads import Download
from pages.components.fields.editing import with_text
from pages.components.fields.two_texts import SharedText
from pages.components.frame import time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.library import strings
from pages.components.library.mystery import strings as mystery_strings
from pages.components.services import workbench
from pages.components.words import plain
from store.formats.exports import DATA, DOCUMENTS, WHOLE_STORY, BookFormat, ExportFormat

_MADE = "export-made"
"""The session's key of the file that was made last."""


class _Made(NamedTuple):
    """A file, and what it was made of."""

    of: tuple[str, str, str]
    content: bytes


def manuscript(opened: OpenStory) -> None:
    """Show the card of the written chapters."""
    status = opened.status
    with st.container(border=True, height="stretch", key="export-manuscript"):
        st.subheader(strings.MANUSCRIPT, anchor=False)
        told_as = opened.story.brief.form
        fitting = [
            one for one in DOCUMENTS if not isinstance(one, BookFormat) or one.suits(told_as)
        ]
        form = _choice(fitting, place="manuscript")
        cards = workbench().desk.chapters(opened.branch.id)
        written = sum(card.words > 0 for card in cards)
        if not written:
            st.caption(strings.MANUSCRIPT_EMPTY)
            if st.button(strings.MANUSCRIPT_WRITE, type="primary", icon=":material/edit_note:"):
                places.go("write" if status.plotted else "plot" if status.is_founded else "premise")
            return
        st.caption(strings.chapters_written(written, len(cards) - written))
        _author(opened)
        if isinstance(form, BookFormat) and form.is_set:
            _make_first(opened, form)
        else:
            _download(opened, form, strings.MANUSCRIPT_DOWNLOAD, place="manuscript", is_main=True)


def _author(opened: OpenStory) -> None:
    story = opened.story

    def replace(found: str, typed: str) -> None:
        workbench().library.change_brief(
            story.id, lambda brief: with_text(brief, "author", found, typed)
        )

    box = Box(f"export-{story.id}-author", strings.AUTHOR, placeholder=strings.AUTHOR_HELP)
    autosave.shared_text_box(box, story.brief.author, SharedText(replace))


def _make_first(opened: OpenStory, form: BookFormat) -> None:
    """Offer to make a file that can fail; once it is made, offer to download it.

    What is wrong with it can be said here, and could not be once the browser has asked for the file.
    """
    of = (opened.branch.id, form.key, workbench().files.fingerprint(opened.branch.id))
    made = st.session_state.get(_MADE)
    if isinstance(made, _Made) and made.of == of:
        file = Download(
            lambda: made.content,
            f"{downloads.file_stem(opened.title)}{form.suffix}",
            form.media_type,
            about=f"{form.suffix} {opened.branch.id}",
        )
        downloads.button(strings.MANUSCRIPT_DOWNLOAD, file, key="download-made", kind="primary")
        return
    if st.button(strings.make_file(form.label), type="primary", icon=":material/auto_stories:"):
        with st.spinner(strings.MAKING):
            content = workbench().files.export(opened.branch.id, form)
        st.session_state[_MADE] = _Made(of, content)
        st.rerun()


def whole_story(opened: OpenStory) -> None:
    """Show the card of the whole story."""
    with st.container(border=True, height="stretch", key="export-story"):
        st.subheader(WHOLE_STORY.label, anchor=False)
        st.markdown(WHOLE_STORY.about)
        is_begun = opened.status.is_founded
        st.caption(strings.STORY_CURRENT if is_begun else strings.STORY_PREMISE_ONLY)
        _download(opened, WHOLE_STORY, strings.STORY_DOWNLOAD, place="story")


def data(opened: OpenStory) -> None:
    """Show the card of the story as data."""
    with st.container(border=True, key="export-data"):
        st.subheader(strings.DATA, anchor=False)
        st.markdown(strings.DATA_ABOUT)
        if not opened.status.is_founded:
            st.caption(strings.DATA_EMPTY)
            return
        data_choice(opened, place="export")


def mystery(opened: OpenStory) -> None:
    """Show the card that leads to the mystery game."""
    if not opened.status.is_founded:
        return
    with st.container(border=True, key="export-mystery"):
        st.subheader(mystery_strings.TITLE, anchor=False)
        st.markdown(mystery_strings.CARD_ABOUT)
        places.link("mystery", mystery_strings.CARD_OPEN, icon=":material/search:")


def data_popover(opened: OpenStory) -> None:
    """Offer the story as data on a page that shows it in another way."""
    with st.popover(strings.DATA_SAVE, icon=":material/download:", type="tertiary"):
        data_choice(opened, place="popover")


def data_choice(opened: OpenStory, *, place: str) -> None:
    """Offer the data formats, and a download of the chosen one.

    `place` distinguishes the choices on several pages.
    """
    form = _choice(DATA, place=place)
    when = time_cursor.words(opened.chapter, opened.status.plotted)
    st.caption(strings.data_as_of(when, plain(opened.branch.name)))
    _download(opened, form, strings.DATA_DOWNLOAD, place=f"data-{place}")


def _choice(formats: Sequence[ExportFormat], *, place: str) -> ExportFormat:
    """Return the format that the writer chooses; a single one is described, with no choice."""
    if len(formats) == 1:
        st.markdown(formats[0].about)
        return formats[0]
    by_suffix = {form.suffix: form for form in formats}
    chosen = st.radio(
        strings.EXPORT_FORMAT,
        list(by_suffix),
        format_func=lambda suffix: by_suffix[suffix].label,
        captions=[form.about for form in formats],
        label_visibility="collapsed",
        key=f"format-{place}",
    )
    return by_suffix.get(chosen, formats[0])


def _download(
    opened: OpenStory, form: ExportFormat, label: str, *, place: str, is_main: bool = False
) -> None:
    branch, chapter, files = opened.branch.id, opened.chapter, workbench().files
    file = Download(
        lambda: files.export(branch, form, chapter),
        f"{downloads.file_stem(opened.title)}{form.suffix}",
        form.media_type,
        about=f"{form.suffix} {branch}",
    )
    downloads.button(
        label, file, key=f"download-{place}", kind="primary" if is_main else "secondary"
    )
