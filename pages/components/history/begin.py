"""Continue from the end of an earlier chapter: what if, and rewind. Both begin a branch."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import branch_switcher
from pages.components.frame.frame import OpenStory
from pages.components.notices import attempt, keep
from pages.components.services import workbench
from pages.components.words import plain

_WHAT_IF, _REWIND = "what if", "rewind"


def offer(opened: OpenStory, chapter: int, place: str) -> None:
    """Offer what can begin at a chapter; `place` distinguishes the offers on one page."""
    about = f"{place}-{chapter}"
    if notices.is_asked(_WHAT_IF, about):
        _ask_name(opened, chapter, about)
        return
    if notices.is_asked(_REWIND, about):
        _ask_to_rewind(opened, chapter, about)
        return
    with st.container(horizontal=True):
        _button("What if … from here", ":material/alt_route:", _WHAT_IF, about)
        if chapter < opened.status.plotted:
            _button("Rewind to here", ":material/fast_rewind:", _REWIND, about)


def any_chapter(opened: OpenStory) -> None:
    """Let the writer choose any chapter to begin at, even one not in the list."""
    branch, plotted = opened.branch.id, opened.status.plotted
    chapter = st.number_input(
        f"From the end of chapter (0 to {plotted:,}; 0 is the beginning)",
        0,
        plotted,
        opened.chapter,
        key=f"start-from-{branch}-{opened.chapter}-{plotted}",
    )
    offer(opened, int(chapter), "any")


def words(chapter: int) -> str:
    """Return the name of a chapter as a starting point."""
    return f"chapter {chapter}" if chapter else "the beginning"


def _button(label: str, icon: str, question: str, about: str) -> None:
    st.button(
        label,
        icon=icon,
        key=f"{question}-{about}",
        type="tertiary",
        on_click=notices.ask,
        args=(question, about),
    )


def _ask_name(opened: OpenStory, chapter: int, about: str) -> None:
    key = f"name-{opened.branch.id}-{about}"
    with st.form(f"what-if-{about}", enter_to_submit=True):
        st.text_input(
            "What if …?",
            key=key,
            max_chars=80,
            placeholder="Mara takes the boat",
            persist_state="session",
        )
        st.caption(
            f"A new branch begins at {words(chapter)} of “{plain(opened.branch.name)}”. "
            "It shares everything up to that point; what comes after stays here."
        )
        with st.container(horizontal=True):
            st.form_submit_button(
                "Begin the branch", type="primary", on_click=_begin, args=(opened, chapter, key)
            )
            st.form_submit_button("Never mind", type="tertiary", on_click=notices.stop_asking)


def _begin(opened: OpenStory, chapter: int, key: str) -> None:
    name = " ".join(str(st.session_state.get(key) or "").split())

    def begin() -> None:
        branch = workbench().branches.start(opened.branch.id, chapter, name)
        branch_switcher.turn_to(opened.story.id, branch.id)

    if attempt(begin):
        st.session_state.pop(key, None)
        notices.stop_asking()
        keep("done", f"“{name}” begins at {words(chapter)}. You are on it now.")


def _ask_to_rewind(opened: OpenStory, chapter: int, about: str) -> None:
    later = opened.status.plotted - chapter
    stay = "later chapter stays" if later == 1 else f"{later:,} later chapters stay"
    with st.container(border=True):
        st.markdown(
            f"You continue from {words(chapter)} on a new branch. Nothing is lost: the {stay} "
            f"on “{plain(opened.branch.name)}”, and you can go back there at any time."
        )
        with st.container(horizontal=True):
            st.button(
                f"Rewind to {words(chapter)}",
                type="primary",
                icon=":material/fast_rewind:",
                key=f"do-rewind-{about}",
                on_click=_rewind,
                args=(opened, chapter),
            )
            st.button(
                "Stay here", type="tertiary", key=f"stay-{about}", on_click=notices.stop_asking
            )


def _rewind(opened: OpenStory, chapter: int) -> None:
    def rewind() -> None:
        branch = workbench().branches.rewind(opened.branch.id, chapter)
        places.keep_branch(opened.story.id, branch.id)
        keep("done", f"You are on “{branch.name}” now. “{opened.branch.name}” is as it was.")

    attempt(rewind)
    notices.stop_asking()
