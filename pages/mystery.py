"""Mystery game: a story as a murder mystery for an evening, with booklets, clues, and a host guide."""

from __future__ import annotations

import streamlit as st

from graph_flow.telling.mystery.kit import Kit
from pages.components import notices, places
from pages.components.fields.autosave import bind, changing
from pages.components.frame import frame
from pages.components.library.mystery import case, checks, clues, strings, texts, work
from pages.components.words.messages import said
from pages.serving.services import workbench

_PART = "part of the mystery"

opened = frame.show_story(strings.TITLE, "mystery")
branch = opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def choose_part() -> str:
    """Show the parts of the game to choose from; return the one to show."""
    kept = st.session_state.get(_PART)
    bound = bind("mystery-part", kept if kept in strings.PARTS else "guide")
    st.segmented_control(
        strings.PART,
        list(strings.PARTS),
        default=bound.value,
        required=True,
        format_func=lambda part: strings.PARTS[part],
        label_visibility="collapsed",
        key=bound.key,
        on_change=changing(bound, lambda part: st.session_state.__setitem__(_PART, part)),
    )
    return str(bound.value)


def show_part(kit: Kit) -> None:
    """Show a part of the game."""
    match choose_part():
        case "booklets":
            texts.booklets(branch, kit)
        case "clues":
            clues.show(branch, kit)
        case _:
            texts.guide(branch, kit)


def lacking(kit: Kit) -> None:
    """Say what is missing, and where it can be added."""
    frame.empty_state(strings.LACKING, said(" ".join(one.words for one in kit.lacks)))
    if st.button(strings.TO_GRAPHS, type="primary", icon=":material/hub:"):
        places.go("graphs")


st.markdown(strings.ABOUT)
if not opened.status.is_founded:
    frame.send_to_premise(strings.NOT_BEGUN, strings.NOT_BEGUN_ADVICE)
    st.stop()

with frame.showing_errors():
    made = workbench().mysteries.kit(branch)
    work.show(branch)
    left, right = st.columns(2, gap="medium")
    with left:
        case.show(branch, made, opened.status.plotted)
    with right:
        if made.lacks:
            lacking(made)
        else:
            checks.show(branch, opened.title, made)
    if not made.lacks:
        show_part(made)
