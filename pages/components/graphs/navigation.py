"""The views of the Graphs page, their settings, and how to get to a search hit or a finding."""

from __future__ import annotations

import zlib
from enum import StrEnum
from typing import TypeVar, cast

import streamlit as st

from pages.components.fields.autosave import bind, changing
from pages.components.frame import time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.graphs import findings, strings
from pages.components.graphs.details import subject_of
from pages.components.pictures.filters import Filters
from pages.components.pictures.plot import Window
from pages.components.pictures.timeline import Order
from pages.serving.services import workbench
from store.models.plot import Thread
from store.models.prototype import AnyEntity, Snapshot


class GraphName(StrEnum):
    """The views of the page."""

    ROLES = "roles"
    PLOT = "plot"
    TIMELINE = "timeline"
    COMPARE = "compare"
    CONTINUITY = "continuity"


_VIEW = "view of the graphs"


def choose_view(opened: OpenStory) -> GraphName:
    """Show the switch between the views; return the chosen one."""
    names = {name: strings.VIEWS[name] for name in GraphName}
    names[GraphName.CONTINUITY] = findings.label(opened.branch.id)
    # Browsers know a choice by its label, which changes with the number of findings.
    called = zlib.crc32(names[GraphName.CONTINUITY].encode())
    bound = bind(f"graphs-view-{called:x}", current_view())
    st.segmented_control(
        strings.VIEW,
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
    """Switch to another view; for callbacks."""
    st.session_state[_VIEW] = view


def go_to(opened: OpenStory, id_: str) -> None:
    """Select something by its id, in a view and a chapter that show it; for callbacks.

    What does not exist at the time cursor is shown in the newest chapter, if it exists there.
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
    told = snapshot.first_chapter_of(entity.id)
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
"""Chapters; with more of them the picture could not be made out."""
SPANS = (3, 6, 12, 30, MOST_AT_ONCE, 0)
"""How many chapters can be shown at once; 0 means all of them."""
_DEFAULT_SPAN = 6


class GraphSession:
    """The settings of the page for one branch; ids may be of entities that no longer exist."""

    def __init__(self, branch_id: str) -> None:
        self._branch = branch_id

    @property
    def selected(self) -> str:
        """The id of the selected character, relationship, event or scene, or ""."""
        return self._read("selected", "")

    def select(self, subject: str) -> None:
        """Select something; an empty id selects nothing."""
        self._write("selected", subject)

    @property
    def filters(self) -> Filters:
        """The filters of the pictures."""
        return self._read("filters", Filters())

    def filter(self, filters: Filters) -> None:
        """Replace the filters of the pictures."""
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
        """How many chapters are shown at once; 0 means all of them."""
        return self._read("span", _DEFAULT_SPAN)

    def set_span(self, span: int) -> None:
        """Set how many chapters are shown at once."""
        self._write("span", span)

    def window(self, chapter: int) -> Window:
        """Return the chapters to show as of `chapter`: those up to it, or those asked for."""
        span = self._span_within(chapter)
        if span == 0:
            return Window(0, chapter)
        asked = self._read("seen until", cast("tuple[int, int] | None", None))
        # A request holds until the time cursor moves.
        last = asked[0] if asked is not None and asked[1] == chapter else chapter
        last = min(chapter, max(last, span))
        first = last - span + 1
        # Chapter 0 may hold events from before the story; it does not count as a chapter.
        return Window(0 if first <= 1 else first, last)

    def see_until(self, last: int, chapter: int) -> None:
        """Show the chapters that end with `last`, as of `chapter`."""
        self._write("seen until", (last, chapter))

    def focus_on(self, around: int, chapter: int) -> None:
        """Show the chapters around `around`, as of `chapter`."""
        self.see_until(around + self._span_within(chapter) // 2, chapter)

    def _span_within(self, chapter: int) -> int:
        """Return the span, limited in a long story."""
        if self.span == 0 and chapter > MOST_AT_ONCE:
            return MOST_AT_ONCE
        return self.span

    def _read(self, name: str, default: T) -> T:
        return cast(T, st.session_state.get(self._key(name), default))

    def _write(self, name: str, value: object) -> None:
        st.session_state[self._key(name)] = value

    def _key(self, name: str) -> str:
        return f"graphs {name} of {self._branch}"
