"""Whom the writer talks with, and as of which chapter."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from enum import StrEnum

import streamlit as st

from pages.components import places
from pages.components.fields.autosave import bind, changing
from pages.components.runs.talk import strings
from pages.components.runs.talk.conversation import Partner
from pages.serving.services import workbench
from store.models.cast import Character, Life


class Mode(StrEnum):
    """The two kinds of talk."""

    STORY = "story"
    PERSON = "person"


_MODE = "mode of talk"


def choose(branch: str, at: int, plotted: int) -> Partner | None:
    """Show the choices; return whom the writer talks with, None if nobody is there.

    `at` is the chapter to begin with, unless the address names one.
    """
    asked = places.open_chapter()
    chapter = min(at if asked is None else asked, plotted)
    with st.container(horizontal=True, vertical_alignment="bottom", key="talk-choices"):
        mode = _mode()
        there = _people(branch, chapter) if mode is Mode.PERSON else []
        person = _person(branch, there) if there else None
        _chapter(branch, chapter, plotted, mode)
    if mode is Mode.STORY:
        return Partner(branch, chapter)
    if person is None:
        st.info(strings.NOBODY_THERE)
        return None
    return Partner(branch, chapter, person.id, person.name)


def _mode() -> Mode:
    names = {Mode.STORY: strings.WITH_STORY, Mode.PERSON: strings.WITH_PERSON}
    bound = bind("talk-mode", Mode(st.session_state.get(_MODE, Mode.STORY)))
    st.segmented_control(
        strings.MODE,
        list(Mode),
        default=bound.value,
        required=True,
        format_func=lambda mode: names[mode],
        label_visibility="collapsed",
        key=bound.key,
        on_change=changing(bound, lambda mode: st.session_state.__setitem__(_MODE, mode)),
    )
    return bound.value


def _people(branch: str, chapter: int) -> list[Character]:
    """Return who can answer as of a chapter."""
    people = workbench().talk.people(branch, chapter)
    return [person for person in people if person.life is not Life.DEAD]


def _person(branch: str, people: Sequence[Character]) -> Character:
    by_id = {person.id: person for person in people}
    memory = f"person to talk with on {branch}"
    kept = st.session_state.get(memory)
    called = zlib.crc32("-".join(by_id).encode())
    bound = bind(f"talk-person-{branch}-{called:x}", kept if kept in by_id else people[0].id)
    st.selectbox(
        strings.PERSON,
        list(by_id),
        index=list(by_id).index(bound.value),
        key=bound.key,
        width=260,
        format_func=lambda id_: by_id[id_].name,
        on_change=changing(bound, lambda id_: st.session_state.__setitem__(memory, id_)),
    )
    return by_id[bound.value]


def _chapter(branch: str, chapter: int, plotted: int, mode: Mode) -> None:
    if not plotted:
        return
    bound = bind(f"talk-chapter-{branch}", chapter)
    st.number_input(
        strings.CHAPTER if mode is Mode.PERSON else strings.CHAPTER_OF_STORY,
        0 if mode is Mode.PERSON else min(1, plotted),
        plotted,
        max(bound.value, 0 if mode is Mode.PERSON else 1),
        key=f"{bound.key}-{mode}",
        width=200,
        on_change=changing(bound._replace(key=f"{bound.key}-{mode}"), places.keep_chapter),
    )
