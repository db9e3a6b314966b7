"""How long the story is to be: its chapters, their words, and whether its end may open threads."""

from __future__ import annotations

import streamlit as st

from pages.components.fields.autosave import Box, bind, saver, text_box, toggle_box
from pages.components.fields.editing import with_fields
from pages.components.fields.keeping import show_problem
from pages.components.premise import strings
from pages.serving.services import workbench
from store.models.story import Story


def show(story: Story, branch: str) -> None:
    """Show the length, which can be changed at any time."""
    is_open_ended = story.settings.is_open_ended
    has_threads = not (is_open_ended or story.settings.is_direct)
    shown = [_words, _open_ended]
    if not is_open_ended:
        shown.insert(0, _chapters)
    if has_threads:
        shown.append(_opens_late)
    for column, show_one in zip(
        st.columns(len(shown), vertical_alignment="bottom"), shown, strict=True
    ):
        with column:
            show_one(story, branch)


def _words(story: Story, branch: str) -> None:
    words = story.settings.words
    label = strings.WORDS if story.brief.unit == "words" else strings.CHARACTERS
    text_box(
        Box(f"length-{story.id}-words", label, placeholder=strings.WORDS_EMPTY),
        str(words) if words else "",
        lambda text: _save(branch, words=text.strip() or None),
    )


def _chapters(story: Story, branch: str) -> None:
    settings = story.settings
    key = f"length-{story.id}-chapter_cap"
    bound = bind(key, settings.chapter_cap)
    st.number_input(
        strings.CHAPTERS,
        1,
        5_000,
        bound.value,
        key=bound.key,
        on_change=saver(key, bound, lambda value: _save(branch, chapter_cap=value)),
    )
    show_problem(key)


def _open_ended(story: Story, branch: str) -> None:
    toggle_box(
        Box(f"length-{story.id}-open", strings.OPEN_ENDED),
        story.settings.is_open_ended,
        lambda is_on: _save(branch, is_open_ended=is_on),
        strings.OPEN_ENDED_HELP,
    )


def _opens_late(story: Story, branch: str) -> None:
    toggle_box(
        Box(f"length-{story.id}-opens_late", strings.OPENS_LATE),
        story.settings.opens_late,
        lambda is_on: _save(branch, opens_late=is_on),
        strings.OPENS_LATE_HELP,
    )


def _save(branch: str, **values: object) -> None:
    workbench().story.change_length(branch, lambda settings: with_fields(settings, **values))
