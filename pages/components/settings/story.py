"""The settings of the open story: when it asks, and how long it gets."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.components.fields.autosave import bind, saver, show_problem
from pages.components.fields.editing import with_fields
from pages.components.outline import start
from pages.components.services import workbench
from pages.components.settings import strings
from store.models.story import Gate, GateMode, Story, StorySettings


class _Number(NamedTuple):
    field: str
    least: int
    most: int


_NUMBERS = (
    _Number("goals", 1, 5),
    _Number("roles", 1, 8),
    _Number("rounds", 1, 3),
    _Number("words_per_scene", 50, 3_000),
)
_PARTS = ("is_woven", "recalls")
"""The parts of the method that can be left out: a switch shows the opposite of its setting."""


def show(story: Story) -> None:
    """Show the settings of a story; each is saved as it is changed."""
    st.markdown(f"**{strings.GATES_HEADING}**")
    for gate, words in strings.GATES.items():
        _gate(story, gate, words)
    st.caption(strings.GATES_ABOUT)
    columns = st.columns(2)
    for position, number in enumerate(_NUMBERS):
        with columns[position % 2]:
            _number(story, number)
    start.choose_use(story, "settings")
    _leave_out(story)


def _leave_out(story: Story) -> None:
    """Show, folded, the parts of the method that can be left out."""
    with st.expander(strings.LEAVE_OUT):
        st.caption(strings.LEAVE_OUT_ABOUT)
        for field in _PARTS:
            _part(story, field)
        _direct(story)


def _part(story: Story, field: str) -> None:
    label, about = strings.LEFT_OUT[field]
    key = f"without-{story.id}-{field}"
    is_in: bool = getattr(story.settings, field)
    bound = bind(key, not is_in)

    def save(is_left_out: bool) -> None:
        _save(story, with_fields(_settings(story), **{field: not is_left_out}))

    st.toggle(label, bound.value, key=bound.key, help=about, on_change=saver(key, bound, save))


def _direct(story: Story) -> None:
    """Offer to leave out the whole method."""
    key = f"direct-{story.id}"
    bound = bind(key, story.settings.is_direct)

    def save(is_direct: bool) -> None:
        _save(story, with_fields(_settings(story), is_direct=is_direct))

    st.toggle(
        strings.DIRECT,
        bound.value,
        key=bound.key,
        help=strings.DIRECT_ABOUT,
        on_change=saver(key, bound, save),
    )


def _gate(story: Story, gate: Gate, words: str) -> None:
    key = f"gate-{story.id}-{gate.value}"
    bound = bind(key, story.settings.asks(gate))

    def save(asks: bool) -> None:
        now = _settings(story)
        mode = GateMode.ASK if asks else GateMode.GO_ON
        _save(story, with_fields(now, gates={**now.gates, gate: mode}))

    st.toggle(words, bound.value, key=bound.key, on_change=saver(key, bound, save))


def _number(story: Story, number: _Number) -> None:
    label, about = strings.NUMBERS[number.field]
    key = f"setting-{story.id}-{number.field}"
    stored: int = getattr(story.settings, number.field)
    bound = bind(key, stored)

    def save(value: int) -> None:
        _save(story, with_fields(_settings(story), **{number.field: value}))

    st.number_input(
        label,
        number.least,
        number.most,
        bound.value,
        key=bound.key,
        help=about,
        on_change=saver(key, bound, save),
    )
    show_problem(key)


def _settings(story: Story) -> StorySettings:
    return workbench().library.story(story.id).settings


def _save(story: Story, settings: StorySettings) -> None:
    workbench().library.update_settings(story.id, settings)
