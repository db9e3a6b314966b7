"""The Premise page while the cast is drafted, and while it awaits approval."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.components import places
from pages.components.fields.gate_buttons import (
    Look,
    ask_again,
    choose_again,
    decide,
    take_back,
)
from pages.components.notices import act
from pages.components.premise import cast as cast_cards
from pages.components.premise import foundation, past, relationships, spine, strings
from pages.components.words import plain, prose
from pages.serving.services import workbench
from store.models.proposals import Configuration, Sketch
from store.models.prototype import Snapshot
from store.models.run import Question

_APPROVED = "cast was approved just now"
_HIGH = 480
"""Pixels of a sketch, which has some ten pages, that are seen at a time."""


def filling_in(branch: str) -> None:
    """Show, read-only, what the agents have drafted so far."""
    configuration = workbench().proposals.configuration(branch)
    if configuration is None:
        return
    snapshot = workbench().story.proposed_snapshot(branch)
    if not snapshot.foundation.idea:
        _sketches_so_far(configuration)
    left, right = st.columns(2, gap="large")
    with left:
        foundation.read(configuration.title, snapshot)
        spine.read(snapshot.spine)
    with right:
        cast_cards.read(snapshot.characters)
        relationships.read(snapshot)
        past.read(snapshot)


def leave_if_approved() -> None:
    """Go to the plot right after the writer approved the cast; a callback cannot do that."""
    if st.session_state.pop(_APPROVED, False):
        places.go("plot")


def approval(question: Question, snapshot: Snapshot) -> None:
    """Offer to approve what is shown below, or to have it drafted again."""
    st.markdown(strings.APPROVAL)
    with st.container(horizontal=True):
        if snapshot.characters:
            look = Look(strings.APPROVE, "approve")
            decide(question, look, then=lambda: st.session_state.update({_APPROVED: True}))
        else:
            st.markdown(strings.APPROVE_NO_CAST)
        ask_again(question, strings.DRAFT_AGAIN, strings.DRAFT_AGAIN_NOTE)
        take_back(
            question,
            strings.DRAFT_BACK,
            lambda: workbench().story.take_back_configuration(question.branch),
        )
    configuration = workbench().proposals.configuration(question.branch)
    if configuration is not None:
        _sketch(configuration)
        _other_ideas(question, configuration)


def _sketch(configuration: Configuration) -> None:
    """Show the sketch from which the story is worked out, if there is one."""
    sketch = configuration.sketch_of(configuration.idea)
    if sketch is None:
        return
    with st.expander(strings.SKETCH, icon=":material/menu_book:"):
        st.caption(strings.SKETCH_ABOUT if sketch.is_whole else strings.OPENING_ABOUT)
        if sketch.remark:
            st.info(strings.sketch_remark(plain(sketch.remark)), icon=":material/reviews:")
        with st.container(height=_HIGH, border=False):
            st.markdown(_told(sketch.text))
            _road(sketch)


def _sketches_so_far(configuration: Configuration) -> None:
    """Show the sketches that have been told, to be read until one of them is chosen."""
    if not configuration.sketches:
        return
    st.caption(strings.SKETCHES_SO_FAR)
    for sketch in configuration.sketches:
        label = strings.sketch_named(sketch.idea, plain(sketch.title))
        with st.expander(label, icon=":material/menu_book:", key=f"told-{sketch.idea}"):
            st.markdown(_told(sketch.body))
            _road(sketch)


def _other_ideas(question: Question, configuration: Configuration) -> None:
    """Offer the other stories that the premise could become, each to be drafted in place of this one."""
    others = configuration.other_ideas
    if not others:
        return
    with st.expander(strings.other_ideas(len(others)), icon=":material/lightbulb:"):
        st.caption(strings.OTHER_IDEAS_ABOUT)
        for place, idea in others.items():
            with st.container(border=True):
                _other_idea(question, configuration, place, idea)


def _other_idea(question: Question, configuration: Configuration, place: int, idea: str) -> None:
    sketch = configuration.sketch_of(place)
    if sketch is not None and sketch.title:
        st.markdown(f"**{plain(sketch.title)}**")
    st.markdown(prose(idea))
    if sketch is not None and sketch.remark:
        st.caption(strings.sketch_remark(plain(sketch.remark)))
    with st.container(horizontal=True):
        choose_again(question, strings.IDEA_TAKE, str(place))
        if sketch is not None:
            with st.popover(strings.SKETCH_READ, icon=":material/menu_book:", width="content"):
                st.markdown(_told(sketch.body))
                _road(sketch)


def _road(sketch: Sketch) -> None:
    """Show where a story goes of which only the opening is told."""
    if sketch.road:
        st.markdown(f"**{strings.SKETCH_ROAD}**")
        st.markdown(prose(sketch.road))


def _told(text: str) -> str:
    """Return a whole telling as Markdown: its headings in bold, and nothing else in it is markup."""
    parts = (part.strip() for part in text.split("\n\n"))
    return "\n\n".join(
        f"**{plain(part.lstrip('#').strip())}**" if part.startswith("#") else plain(part)
        for part in parts
        if part.strip("# ")
    )


def start_over(begin: Callable[[], None]) -> None:
    """Offer to draft again from the premise instead of continuing."""
    if st.button(strings.START_OVER, icon=":material/restart_alt:", key="draft-anew"):
        act(begin)


def lead_on() -> None:
    """Offer the way from the approved cast to the plot."""
    if st.button(strings.PLOT_FIRST, type="primary", icon=":material/account_tree:"):
        places.go("plot")
