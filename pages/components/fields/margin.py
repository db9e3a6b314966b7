"""The notes in the margin of an editor: what the browser shows of them, and the new ones that it sends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from streamlit.components.v2.types import ComponentRenderer

from pages.components.fields.memory import values
from pages.components.notices import attempt
from store.models.base import Id

_ASSETS = Path(__file__).parents[3] / "assets" / "editor"


class SentNote(BaseModel):
    """A note as the browser sends it: beside which paragraph, from 0, and about which words of it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    key: Id
    at: Annotated[int, Field(ge=0)]
    quote: Annotated[str, Field(max_length=400)]
    text: Annotated[str, Field(min_length=1, max_length=4_000)]


class ShownNote(NamedTuple):
    """A note that the editor shows: beside which paragraph, from 0, and under which words of it."""

    key: str
    at: int
    quote: str


class Margin(NamedTuple):
    """The notes beside a text, and what keeps a new one."""

    notes: Sequence[ShownNote]
    keep: Callable[[SentNote], object]


def taker(key: str, margin: Margin) -> Callable[[], None]:
    """Return what keeps a note that the editor has sent."""

    def on_note() -> None:
        try:
            sent = SentNote.model_validate((values().get(key) or {}).get("note"))
        except ValidationError:
            return
        attempt(lambda: margin.keep(sent))

    return on_note


def tell(key: str, margin: Margin) -> None:
    """Tell an editor which notes stand beside its text."""
    _news()(
        key=f"{key}-notes",
        data={"field": key, "notes": [one._asdict() for one in margin.notes]},
    )


@st.cache_resource(show_spinner=False)
def _news() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_editor_notes",
        html="<span hidden></span>",
        js=(_ASSETS / "margin_news.js").read_text("utf-8"),
        isolate_styles=False,
    )
