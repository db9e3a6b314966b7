"""The views of the Graphs page, what is set on them, and the way to what a search or a finding points at."""

from __future__ import annotations

import zlib
from enum import StrEnum
from typing import TypeVar, cast

import streamlit as st

from pages.components.fields.autosave import bind, changing
from pages.components.frame import time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.graphs import findings
from pages.components.graphs.details import subject_of
from pages.components.pictures.filters import Filters
from pages.components.pictures.plot import Window
from pages.components.pictures.timeline import Order
from pages.components.services import workbench
from store.models.plot import Thread
from store.models.prototype import AnyEntity, Snapshot


class GraphName(StrEnum):
    """The views of the page."""

    ROLES = "Role Graph"
    PLOT = "Plot Graph"
    TIMELINE = "Timeline"
    COMPARE = "Compare"
    CONTINUITY = "Continuity"


_VIEW = "view of the graphs"


def choose_view(opened: OpenStory) -> GraphName:
    """Show the switch between the views; return the one to be seen."""
    names = {name: str(name) for name in GraphName}
    names[GraphName.CONTINUITY] = findings.label(opened.branch.id)
    # Browsers know a choice by what it is called, and how much is found changes that.
    called = zlib.crc32(names[GraphName.CONTINUITY].encode())
    bound = bind(f"graphs-view-{called:x}", current_view())
    st.segmented_control(
        "View",
        list(GraphName),
        default=bound.value,
        required=True,
        format_func=lambda name: names[name],
        label_visibility="collapsed",
        key=bound.key,
        wrap=True,
        on_change=changing(bound, turn_to),
    )
    return bound.value


def current_view() -> GraphName:
    """Return the view that was chosen last."""
    return GraphName(st.session_state.get(_VIEW, GraphName.ROLES))


def turn_to(view: GraphName) -> None:
    """See another view from now on; for callbacks."""
    st.session_state[_VIEW] = view


def go_to(opened: OpenStory, id_: str) -> None:
    """Look at something, by its id, in a view and at a place that shows it; for callbacks.

    What does not stand at the time cursor is looked at in the newest chapter, if it stands there.
    """
    branch_id, plotted = opened.branch.id, opened.status.plotted
    for chapter in dict.fromkeys((opened.chapter, plotted)):
        snapshot = workbench().prototype.snapshot(branch_id, chapter)
        entity = snapshot.entities.get(subject_of(snapshot, id_) or id_)
        if entity is not None:
            time_cursor.move(branch_id, chapter, plotted)
            _show(entity, snapshot, GraphSession(branch_id))
            return


def _show(entity: AnyEntity, snapshot: Snapshot, session: GraphSession) -> None:
    told = snapshot.told_in(entity.id)
    session.filter(Filters(thread=entity.id) if isinstance(entity, Thread) else Filters())
    session.select("" if isinstance(entity, Thread) else entity.id)
    if entity.kind in {"event", "scene", "thread"}:
        is_on_timeline = entity.kind == "event" and current_view() is GraphName.TIMELINE
        turn_to(GraphName.TIMELINE if is_on_timeline else GraphName.PLOT)
        session.focus_on(told, snapshot.chapter)
    else:
        turn_to(GraphName.ROLES)


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
