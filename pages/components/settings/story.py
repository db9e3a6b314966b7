"""The settings of the open story: when it asks, and how long it gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from pages.components.fields.autosave import bind, saver, show_problem
from pages.components.fields.editing import with_fields
from pages.components.outline import start
from pages.components.services import workbench
from store.models.story import Gate, GateMode, Story, StorySettings

_GATES: Mapping[Gate, str] = {
    Gate.CONFIGURATION: "The cast and the foundation, before the story begins",
    Gate.OUTLINE: "The outline, when it has been drafted",
    Gate.GOALS: "The goals of a chapter, before it is plotted",
    Gate.CANDIDATES: "Which candidate becomes the chapter",
    Gate.PLAN: "The writing plan of a chapter, before it is written",
    Gate.DRAFT: "The text of a chapter, when it has been written",
}


class _Number(NamedTuple):
    field: str
    label: str
    least: int
    most: int
    help: str


_NUMBERS = (
    _Number("goals", "Goals per chapter", 1, 5, "Each goal becomes a candidate to choose from."),
    _Number(
        "roles", "People who act in each", 1, 8, "Each of them adds a turn to every candidate."
    ),
    _Number(
        "rounds", "Rounds", 1, 3, "How many turns each of them takes before a plot is complete."
    ),
    _Number(
        "chapter_cap", "Maximum number of chapters", 1, 5_000, "The plot ends there at the latest."
    ),
    _Number(
        "words_per_scene",
        "Words per scene",
        50,
        3_000,
        "Approximate; the text may be shorter or longer.",
    ),
)


class _Part(NamedTuple):
    """A part of the method that can be left out: its switch shows the opposite of the setting."""

    field: str
    label: str
    help: str


_PARTS = (
    _Part(
        "is_woven",
        "One agent writes the plot",
        "Instead of its people, who take turns to shape it, each from what they know.",
    ),
    _Part(
        "recalls",
        "No recall and no threads before writing",
        "A chapter is written without first looking for what it should recall and set up.",
    ),
)


def show(story: Story) -> None:
    """Show the settings of a story; each is saved as it is changed."""
    st.markdown("**Ask me about**")
    for gate, words in _GATES.items():
        _gate(story, gate, words)
    st.caption("Whatever is off goes on without asking; you can still change it afterwards.")
    columns = st.columns(2)
    for position, number in enumerate(_NUMBERS):
        with columns[position % 2]:
            _number(story, number)
    start.choose_use(story, "settings")
    _leave_out(story)


def _leave_out(story: Story) -> None:
    """Show, folded, the parts of the method that can be left out."""
    with st.expander("Leave out (to compare)"):
        st.caption(
            "To see what a part of the method is good for, plot or write without it. "
            "With one goal per chapter there are no alternatives to choose from."
        )
        for part in _PARTS:
            _part(story, part)


def _part(story: Story, part: _Part) -> None:
    key = f"without-{story.id}-{part.field}"
    is_in: bool = getattr(story.settings, part.field)
    bound = bind(key, not is_in)

    def save(is_left_out: bool) -> None:
        _save(story, with_fields(_settings(story), **{part.field: not is_left_out}))

    st.toggle(
        part.label, bound.value, key=bound.key, help=part.help, on_change=saver(key, bound, save)
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
    key = f"setting-{story.id}-{number.field}"
    stored: int = getattr(story.settings, number.field)
    bound = bind(key, stored)

    def save(value: int) -> None:
        _save(story, with_fields(_settings(story), **{number.field: value}))

    st.number_input(
        number.label,
        number.least,
        number.most,
        bound.value,
        key=bound.key,
        help=number.help,
        on_change=saver(key, bound, save),
    )
    show_problem(key)


def _settings(story: Story) -> StorySettings:
    return workbench().library.story(story.id).settings


def _save(story: Story, settings: StorySettings) -> None:
    workbench().library.update_settings(story.id, settings)
