"""The settings of the open story: when it asks, and how long it gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from pages.components.fields.autosave import Box, bind, saver, toggle_box
from pages.components.fields.editing import with_fields
from pages.components.fields.keeping import show_problem
from pages.components.outline import start
from pages.components.settings import strings
from pages.serving.services import workbench
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
_PARTS = ("is_sketched", "is_woven", "recalls")
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
    is_in: bool = getattr(story.settings, field)

    def save(is_left_out: bool) -> None:
        _save(story, lambda now: with_fields(now, **{field: not is_left_out}))

    toggle_box(Box(f"without-{story.id}-{field}", label), not is_in, save, about)


def _direct(story: Story) -> None:
    """Offer to leave out the whole method."""

    def save(is_direct: bool) -> None:
        _save(story, lambda now: with_fields(now, is_direct=is_direct))

    box = Box(f"direct-{story.id}", strings.DIRECT)
    toggle_box(box, story.settings.is_direct, save, strings.DIRECT_ABOUT)


def _gate(story: Story, gate: Gate, words: str) -> None:

    def save(asks: bool) -> None:
        mode = GateMode.ASK if asks else GateMode.GO_ON
        _save(story, lambda now: with_fields(now, gates={**now.gates, gate: mode}))

    toggle_box(Box(f"gate-{story.id}-{gate.value}", words), story.settings.asks(gate), save)


def _number(story: Story, number: _Number) -> None:
    label, about = strings.NUMBERS[number.field]
    key = f"setting-{story.id}-{number.field}"
    stored: int = getattr(story.settings, number.field)
    bound = bind(key, stored)

    def save(value: int) -> None:
        _save(story, lambda now: with_fields(now, **{number.field: value}))

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


def _save(story: Story, change: Callable[[StorySettings], StorySettings]) -> None:
    workbench().library.change_settings(story.id, change)
