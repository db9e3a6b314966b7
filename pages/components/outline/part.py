"""One part of an outline's event: what happens in it, and which chapter tells it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box, choice_box
from pages.components.fields.fields import text_field
from pages.components.notices import attempt
from pages.components.outline.current import OutlineSheet
from pages.components.outline.edits import change_part, remove_part
from pages.components.words import plain, window
from store.models.fields import shown
from store.models.outline import SubEvent
from store.text import first_line

_OFFERED = 200
"""Chapters that are offered at once; of more, the nearest."""

_LABEL = 50
_NOWHERE, _AT_END = 0, ""


def edit(sheet: OutlineSheet, part: SubEvent) -> None:
    """Show a part in fields that save themselves; one that was told is shown as it is."""
    if part.id not in sheet.told:
        _text(sheet, part)
        _chapter(sheet, part)
        _order(sheet, part)
    else:
        _as_told(sheet, part)


def edit_in_row(sheet: OutlineSheet, part: SubEvent) -> None:
    """Show a part among others of its event, without its place within the chapter."""
    if part.id in sheet.told:
        _as_told(sheet, part)
        return
    _text(sheet, part)
    chapter, out = st.columns([1, 1], vertical_alignment="bottom")
    with chapter:
        _chapter(sheet, part)
    with out:
        remove_button(sheet, part)


def _as_told(sheet: OutlineSheet, part: SubEvent) -> None:
    st.markdown(f"{plain(part.text)}  \n:gray[Told in chapter {sheet.told[part.id]}.]")


def _text(sheet: OutlineSheet, part: SubEvent) -> None:
    if sheet.is_late(part):
        st.warning(
            f"Chapter {part.chapter} went by without it. Give it a later one.",
            icon=":material/schedule:",
        )
    autosave.text_box(
        text_field(part, "text", f"{_key(sheet, part)}-text"),
        part.text,
        lambda text: sheet.change(lambda now: change_part(now, part.id, text)),
    )


def _chapter(sheet: OutlineSheet, part: SubEvent) -> None:
    chapter = sheet.chapter_of(part)
    choice_box(
        Box(f"{_key(sheet, part)}-chapter", shown(part, "chapter").label),
        chapters_offered(sheet, chapter),
        chapter or _NOWHERE,
        lambda to: sheet.place(part.id, to or None, None),
    )


def _order(sheet: OutlineSheet, part: SubEvent) -> None:
    chapter = sheet.chapter_of(part)
    if chapter is not None and len(sheet.parts_in(chapter)) > 1:
        choice_box(
            Box(f"{_key(sheet, part)}-before", "Told in it"),
            _places(sheet, part, chapter),
            _next_of(sheet, part, chapter),
            lambda before: sheet.place(part.id, chapter, before or None),
        )


def _key(sheet: OutlineSheet, part: SubEvent) -> str:
    return f"{sheet.key}-part-{part.id}"


def remove_button(sheet: OutlineSheet, part: SubEvent) -> None:
    """Offer to take a part out; what was told stays."""
    if part.id not in sheet.told:
        st.button(
            "Take this part out",
            key=f"{_key(sheet, part)}-out",
            icon=":material/close:",
            type="tertiary",
            on_click=_remove,
            args=(sheet, part),
        )


def chapters_offered(sheet: OutlineSheet, near: int | None) -> Mapping[int, str]:
    """Return the chapters that are still to be plotted, of many those near one; 0 is none."""
    open_ones = range(sheet.plotted + 1, sheet.cap + 1)
    at = (near or sheet.plotted + 1) - sheet.plotted - 1
    offered = [open_ones[place] for place in window(len(open_ones), at, _OFFERED)]
    return {_NOWHERE: "not placed", **{number: f"Chapter {number:,}" for number in offered}}


def _remove(sheet: OutlineSheet, part: SubEvent) -> None:
    attempt(lambda: sheet.change(lambda now: remove_part(now, part.id)))


def _places(sheet: OutlineSheet, part: SubEvent, chapter: int) -> dict[str, str]:
    """Return where in its chapter a part can stand: what it would come before, or its end."""
    others = [one for one in sheet.parts_in(chapter) if one.id != part.id]
    before = {
        one.id: f"{place}. before: {first_line(one.text, _LABEL)}"
        for place, one in enumerate(others, start=1)
    }
    return before | {_AT_END: f"{len(others) + 1}. at the end"}


def _next_of(sheet: OutlineSheet, part: SubEvent, chapter: int) -> str:
    ids = [one.id for one in sheet.parts_in(chapter)]
    after = ids[ids.index(part.id) + 1 :]
    return after[0] if after else _AT_END
