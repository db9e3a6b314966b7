"""The ground of a story: title, world, the condition that ends it, themes, tone."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.fields import with_lock
from pages.components.premise.draft import Sheet
from pages.components.words import mark, plain, prose
from store.models.plot import Foundation
from store.models.prototype import FOUNDATION_ID, Snapshot


class _Field(NamedTuple):
    name: str
    label: str


_FIELDS = (
    _Field("background", "The world and what came before"),
    _Field("long_term_goal", "The story ends when …"),
    _Field("themes", "Themes"),
    _Field("tone", "Tone"),
)


def show(sheet: Sheet, foundation: Foundation) -> None:
    """Show the ground in fields that save themselves, each marked *yours* or *invented*."""
    autosave.text_box(Box(f"{sheet.key}-title", "Title"), sheet.title, sheet.save_title)
    for field in _FIELDS:
        _field(sheet, foundation, field)


def read(title: str, snapshot: Snapshot) -> None:
    """Show as much of the ground as there is, to read."""
    foundation = snapshot.foundation
    if title:
        st.subheader(plain(title), anchor=False)
    for field in _FIELDS:
        text = getattr(foundation, field.name)
        if text:
            st.markdown(f"**{field.label}**{mark(foundation, field.name)}")
            st.markdown(prose(text))


def _field(sheet: Sheet, foundation: Foundation, field: _Field) -> None:
    with with_lock(
        foundation,
        field.name,
        lambda locked: sheet.change(FOUNDATION_ID, locked=locked),
        key=f"{sheet.key}-lock",
    ):
        autosave.text_box(
            Box(
                f"{sheet.key}-{field.name}",
                f"{field.label}{mark(foundation, field.name)}",
                height="content",
            ),
            getattr(foundation, field.name),
            lambda text: sheet.change(FOUNDATION_ID, **{field.name: text}),
        )
