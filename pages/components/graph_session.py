"""What the writer has set on the Graphs page; this window of the browser remembers it.

It is kept beside the widgets, not in them: a search may change it too, and a page that is left
forgets its widgets.
"""

from __future__ import annotations

from typing import TypeVar, cast

import streamlit as st

from pages.components.filters import Filters
from pages.components.plot_cut import Window
from pages.components.timeline import Order

T = TypeVar("T")

MOST_AT_ONCE = 100
"""Chapters; of more of them nothing could be made out."""
SPANS = (3, 6, 12, 30, MOST_AT_ONCE, 0)
"""How many chapters can be seen at once; 0: all of them."""
_DEFAULT_SPAN = 6


class GraphSession:
    """The settings of the page for one branch. Ids may be of what no longer stands."""

    def __init__(self, branch_id: str) -> None:
        self._branch = branch_id

    @property
    def selected(self) -> str:
        """The id of the person, tie, event or scene that is looked at; or ""."""
        return self._read("selected", "")

    def select(self, subject: str) -> None:
        """Look at something."""
        self._write("selected", subject)

    @property
    def filters(self) -> Filters:
        """What the pictures are cut down to."""
        return self._read("filters", Filters())

    def filter(self, filters: Filters) -> None:
        """Cut the pictures down to something else."""
        self._write("filters", filters)

    @property
    def order(self) -> Order:
        """What the timeline is ordered by."""
        return self._read("order", Order.TELLING)

    def set_order(self, order: Order) -> None:
        """Order the timeline by something else."""
        self._write("order", order)

    @property
    def span(self) -> int:
        """How many chapters are seen at once; 0: all of them."""
        return self._read("span", _DEFAULT_SPAN)

    def set_span(self, span: int) -> None:
        """See more chapters at once, or fewer."""
        self._write("span", span)

    def window(self, chapter: int) -> Window:
        """Return the chapters to be seen as of one: those that end with it, or that were asked for."""
        span = self._span_within(chapter)
        if span == 0:
            return Window(0, chapter)
        asked = self._read("seen until", cast("tuple[int, int] | None", None))
        # What was asked for holds until the time cursor moves.
        last = asked[0] if asked is not None and asked[1] == chapter else chapter
        last = min(chapter, max(last, span))
        first = last - span + 1
        # Chapter 0 tells something where a story begins with events; it is no chapter to count.
        return Window(0 if first <= 1 else first, last)

    def see_until(self, last: int, chapter: int) -> None:
        """See the chapters that end with `last`, as of `chapter`."""
        self._write("seen until", (last, chapter))

    def focus_on(self, told_in: int, chapter: int) -> None:
        """See the chapters around one, as of `chapter`."""
        self.see_until(told_in + self._span_within(chapter) // 2, chapter)

    def _span_within(self, chapter: int) -> int:
        """Return the span as it can be had: in a long story not everything at once."""
        if self.span == 0 and chapter > MOST_AT_ONCE:
            return MOST_AT_ONCE
        return self.span

    def _read(self, name: str, default: T) -> T:
        return cast(T, st.session_state.get(self._key(name), default))

    def _write(self, name: str, value: object) -> None:
        st.session_state[self._key(name)] = value

    def _key(self, name: str) -> str:
        return f"graphs {name} of {self._branch}"
