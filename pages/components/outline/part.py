"""One part of an outline event: what happens in it, and which chapter tells it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box, choice_box
from pages.components.fields.fields import text_field
from pages.components.notices import attempt
from pages.components.outline import strings
from pages.components.outline.current import CurrentOutline
from pages.components.outline.edits import change_part, remove_part
from pages.components.words import plain, window
from pages.components.words.messages import said
from store.models.fields import shown
from store.models.outline import SubEvent
from store.text import first_line

_OFFERED = 200
"""How many chapters are offered at once; of more, the nearest."""

_LABEL = 50
_NOWHERE, _AT_END = 0, ""


def edit(current: CurrentOutline, part: SubEvent) -> None:
    """Show a part in autosaving fields, or as plain text once it has been told."""
    if part.id not in current.told:
        _text(current, part)
        _chapter(current, part)
        _order(current, part)
    else:
        _as_told(current, part)


def edit_in_row(current: CurrentOutline, part: SubEvent) -> None:
    """Show a part among others of its event, without its position in the chapter."""
    if part.id in current.told:
        _as_told(current, part)
        return
    _text(current, part)
    chapter, out = st.columns([1, 1], vertical_alignment="bottom")
    with chapter:
        _chapter(current, part)
    with out:
        remove_button(current, part)


def _as_told(current: CurrentOutline, part: SubEvent) -> None:
    st.markdown(f"{plain(part.text)}  \n:gray[{strings.part_told(current.told[part.id])}]")


def _text(current: CurrentOutline, part: SubEvent) -> None:
    if part.chapter is not None and current.is_late(part):
        st.warning(strings.part_late(part.chapter), icon=":material/schedule:")
    autosave.text_box(
        text_field(part, "text", f"{_key(current, part)}-text"),
        part.text,
        lambda text: current.change(lambda now: change_part(now, part.id, text)),
    )


def _chapter(current: CurrentOutline, part: SubEvent) -> None:
    chapter = current.chapter_of(part)
    choice_box(
        Box(f"{_key(current, part)}-chapter", said(shown(part, "chapter").label)),
        chapters_offered(current, chapter),
        chapter or _NOWHERE,
        lambda to: current.place(part.id, to or None, None),
    )


def _order(current: CurrentOutline, part: SubEvent) -> None:
    chapter = current.chapter_of(part)
    if chapter is not None and len(current.parts_in(chapter)) > 1:
        choice_box(
            Box(f"{_key(current, part)}-before", strings.PART_POSITION),
            _places(current, part, chapter),
            _next_of(current, part, chapter),
            lambda before: current.place(part.id, chapter, before or None),
        )


def _key(current: CurrentOutline, part: SubEvent) -> str:
    return f"{current.key}-part-{part.id}"


def remove_button(current: CurrentOutline, part: SubEvent) -> None:
    """Offer to remove a part, unless it has been told."""
    if part.id not in current.told:
        st.button(
            strings.PART_REMOVE,
            key=f"{_key(current, part)}-out",
            icon=":material/close:",
            type="tertiary",
            on_click=_remove,
            args=(current, part),
        )


def chapters_offered(current: CurrentOutline, near: int | None) -> Mapping[int, str]:
    """Return the chapters still to be plotted, or those nearest to `near`; 0 is none."""
    open_ones = range(current.plotted + 1, current.cap + 1)
    at = (near or current.plotted + 1) - current.plotted - 1
    offered = [open_ones[place] for place in window(len(open_ones), at, _OFFERED)]
    return {
        _NOWHERE: strings.PART_CHAPTER_NONE,
        **{number: strings.part_chapter(number) for number in offered},
    }


def _remove(current: CurrentOutline, part: SubEvent) -> None:
    attempt(lambda: current.change(lambda now: remove_part(now, part.id)))


def _places(current: CurrentOutline, part: SubEvent, chapter: int) -> dict[str, str]:
    """Return the positions of a part in its chapter, by the id of the next part."""
    others = [one for one in current.parts_in(chapter) if one.id != part.id]
    before = {
        one.id: strings.part_position(place, first_line(one.text, _LABEL))
        for place, one in enumerate(others, start=1)
    }
    return before | {_AT_END: strings.part_position_last(len(others) + 1)}


def _next_of(current: CurrentOutline, part: SubEvent, chapter: int) -> str:
    ids = [one.id for one in current.parts_in(chapter)]
    after = ids[ids.index(part.id) + 1 :]
    return after[0] if after else _AT_END
