"""Continue from the end of an earlier chapter: what if, and rewind. Both begin a branch."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import branch_switcher
from pages.components.frame.frame import OpenStory
from pages.components.history import strings
from pages.components.notices import attempt, keep
from pages.components.words import plain
from pages.serving.services import workbench

_WHAT_IF, _REWIND = "what if", "rewind"
_LONGEST = 400
"""Characters of what is to come true."""


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
        _button(strings.WHAT_IF, ":material/alt_route:", _WHAT_IF, about)
        if chapter < opened.status.plotted:
            _button(strings.REWIND, ":material/fast_rewind:", _REWIND, about)


def any_chapter(opened: OpenStory) -> None:
    """Let the writer choose any chapter to begin at, even one not in the list."""
    branch, plotted = opened.branch.id, opened.status.plotted
    chapter = st.number_input(
        strings.start_chapter(plotted),
        0,
        plotted,
        opened.chapter,
        key=f"start-from-{branch}-{opened.chapter}-{plotted}",
    )
    offer(opened, int(chapter), "any")


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
            strings.WHAT_IF_NAME,
            key=key,
            max_chars=_LONGEST,
            placeholder=strings.WHAT_IF_EXAMPLE,
            persist_state="session",
        )
        st.caption(strings.what_if_shares(chapter, plain(branch_switcher.name_of(opened.branch))))
        with st.container(horizontal=True):
            st.form_submit_button(
                strings.WHAT_IF_BEGIN, type="primary", on_click=_begin, args=(opened, chapter, key)
            )
            st.form_submit_button(strings.NEVER_MIND, type="tertiary", on_click=notices.stop_asking)


def _begin(opened: OpenStory, chapter: int, key: str) -> None:
    words = str(st.session_state.get(key) or "")

    def begin() -> None:
        branch = workbench().branches.ask_what_if(opened.branch.id, chapter, words)
        branch_switcher.turn_to(opened.story.id, branch.id)
        keep("done", strings.branch_begun(branch.name, chapter))

    if attempt(begin):
        st.session_state.pop(key, None)
        notices.stop_asking()


def _ask_to_rewind(opened: OpenStory, chapter: int, about: str) -> None:
    later = opened.status.plotted - chapter
    with st.container(border=True):
        st.markdown(
            strings.rewind_keeps(chapter, later, plain(branch_switcher.name_of(opened.branch)))
        )
        with st.container(horizontal=True):
            st.button(
                strings.rewind_to(chapter),
                type="primary",
                icon=":material/fast_rewind:",
                key=f"do-rewind-{about}",
                on_click=_rewind,
                args=(opened, chapter),
            )
            st.button(
                strings.REWIND_STAY,
                type="tertiary",
                key=f"stay-{about}",
                on_click=notices.stop_asking,
            )


def _rewind(opened: OpenStory, chapter: int) -> None:
    def rewind() -> None:
        branch = workbench().branches.rewind(opened.branch.id, chapter)
        places.keep_branch(opened.story.id, branch.id)
        keep("done", strings.rewound(branch.name, branch_switcher.name_of(opened.branch)))

    attempt(rewind)
    notices.stop_asking()
