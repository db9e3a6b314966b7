"""The exports, each kind as a card that says what it is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from pages.components import places
from pages.components.fields import autosave, downloads
from pages.components.fields.autosave import Box
from pages.components.fields.downloads import Download
from pages.components.fields.editing import with_text
from pages.components.fields.two_texts import SharedText
from pages.components.frame import branch_switcher, time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.library import strings
from pages.components.library.mystery import strings as mystery_strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.words.speaking import labelled
from pages.serving.services import workbench
from store.formats.exports import (
    DATA,
    DOCUMENTS,
    INTERACTIVE,
    WHOLE_STORY,
    BookFormat,
    ExportFormat,
)
from store.models.desk.telling import Telling

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
        telling = _telling(opened)
        told_as = telling.form if telling else opened.story.brief.form
        fitting = [
            one for one in DOCUMENTS if not isinstance(one, BookFormat) or one.suits(told_as)
        ]
        form = _choice(fitting, place="manuscript")
        written, unwritten = _written(opened, telling)
        if not written and telling is not None:
            st.caption(strings.TELLING_EMPTY)
            if st.button(strings.TELLING_WRITE, type="primary", icon=":material/edit_note:"):
                places.go("tellings")
            return
        if not written:
            st.caption(strings.MANUSCRIPT_EMPTY)
            if st.button(strings.MANUSCRIPT_WRITE, type="primary", icon=":material/edit_note:"):
                places.go("write" if status.plotted else "plot" if status.is_founded else "premise")
            return
        st.caption(strings.chapters_written(written, unwritten))
        _author(opened)
        text = _Text(opened, telling)
        if isinstance(form, BookFormat) and form.is_set:
            _make_first(text, form)
        else:
            downloads.button(
                strings.MANUSCRIPT_DOWNLOAD,
                text.file(form, lambda: text.export(form)),
                key="download-manuscript",
                kind="primary",
            )


def _telling(opened: OpenStory) -> Telling | None:
    """Let the writer choose between the book and its other tellings, if there are any."""
    tellings = workbench().tellings.of(opened.branch.id)
    if not tellings:
        return None
    by_id = {one.id: one for one in tellings}
    key = f"export-text-{opened.branch.id}"
    chosen = st.selectbox(
        strings.WHICH_TEXT,
        [None, *by_id],
        format_func=lambda one: by_id[one].name if one else strings.THE_BOOK,
        key=key,
    )
    return by_id.get(chosen or "")


def _written(opened: OpenStory, telling: Telling | None) -> tuple[int, int]:
    """Return how many chapters have a text, and how many have none."""
    if telling is None:
        cards = workbench().desk.chapters(opened.branch.id)
        written = sum(card.words > 0 for card in cards)
        return written, len(cards) - written
    written = sum(one.draft.words > 0 for one in workbench().tellings.texts(telling.id))
    return written, len(telling.chapters) - written


class _Text(NamedTuple):
    """The text that is exported: the book, or another telling."""

    opened: OpenStory
    telling: Telling | None

    @property
    def telling_id(self) -> str | None:
        return self.telling.id if self.telling else None

    def export(self, form: ExportFormat) -> bytes:
        branch = self.opened.branch.id
        return workbench().files.export(branch, form, telling_id=self.telling_id)

    def fingerprint(self) -> str:
        return workbench().files.fingerprint(self.opened.branch.id, self.telling_id)

    def file(self, form: ExportFormat, make: Callable[[], bytes]) -> Download:
        name = self.opened.title
        if self.telling is not None:
            name = strings.file_of_telling(name, self.telling.name)
        return Download(
            make,
            f"{downloads.file_stem(name)}{form.suffix}",
            form.media_type,
            about=f"{form.suffix} {self.opened.branch.id}",
        )


def _author(opened: OpenStory) -> None:
    story = opened.story

    def replace(found: str, typed: str) -> None:
        workbench().library.change_brief(
            story.id, lambda brief: with_text(brief, "author", found, typed)
        )

    box = Box(f"export-{story.id}-author", strings.AUTHOR, placeholder=strings.AUTHOR_HELP)
    autosave.shared_text_box(box, story.brief.author, SharedText(replace))


def _make_first(text: _Text, form: BookFormat) -> None:
    """Offer to make a file that can fail; once it is made, offer to download it.

    What is wrong with it can be said here, and could not be once the browser has asked for the file.
    """
    of = (text.telling_id or text.opened.branch.id, form.key, text.fingerprint())
    made = st.session_state.get(_MADE)
    if isinstance(made, _Made) and made.of == of:
        file = text.file(form, lambda: made.content)
        downloads.button(strings.MANUSCRIPT_DOWNLOAD, file, key="download-made", kind="primary")
        return
    if st.button(
        strings.make_file(said(form.label)), type="primary", icon=":material/auto_stories:"
    ):
        with st.spinner(strings.MAKING):
            content = text.export(form)
        st.session_state[_MADE] = _Made(of, content)
        st.rerun()


def interactive(opened: OpenStory) -> None:
    """Show the card of the story with the ways not taken."""
    with st.container(border=True, key="export-interactive"):
        st.subheader(strings.INTERACTIVE, anchor=False)
        st.markdown(strings.INTERACTIVE_ABOUT)
        ways = workbench().files.ways_not_taken(opened.branch.id)
        if not ways.number:
            st.caption(strings.INTERACTIVE_EMPTY)
            return
        form = _choice(INTERACTIVE, place="interactive")
        st.caption(strings.ways_not_taken(*ways))
        if ways.written < ways.number:
            st.caption(strings.INTERACTIVE_TEXT)
        _download(opened, form, strings.INTERACTIVE_DOWNLOAD, place="interactive")


def whole_story(opened: OpenStory) -> None:
    """Show the card of the whole story."""
    with st.container(border=True, height="stretch", key="export-story"):
        st.subheader(said(WHOLE_STORY.label), anchor=False)
        st.markdown(said(WHOLE_STORY.about))
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
    st.caption(strings.data_as_of(when, plain(branch_switcher.name_of(opened.branch))))
    _download(opened, form, strings.DATA_DOWNLOAD, place=f"data-{place}")


def _choice(formats: Sequence[ExportFormat], *, place: str) -> ExportFormat:
    """Return the format that the writer chooses; a single one is described, with no choice."""
    if len(formats) == 1:
        st.markdown(said(formats[0].about))
        return formats[0]
    by_suffix = {form.suffix: form for form in formats}
    key, index = labelled(f"format-{place}", list(by_suffix), formats[0].suffix)
    chosen = st.radio(
        strings.EXPORT_FORMAT,
        list(by_suffix),
        index=index,
        format_func=lambda suffix: said(by_suffix[suffix].label),
        captions=[said(form.about) for form in formats],
        label_visibility="collapsed",
        key=key,
    )
    return by_suffix.get(chosen, formats[0])


def _download(opened: OpenStory, form: ExportFormat, label: str, *, place: str) -> None:
    branch, chapter, files = opened.branch.id, opened.chapter, workbench().files
    file = Download(
        lambda: files.export(branch, form, chapter),
        f"{downloads.file_stem(opened.title)}{form.suffix}",
        form.media_type,
        about=f"{form.suffix} {branch}",
    )
    downloads.button(label, file, key=f"download-{place}")
