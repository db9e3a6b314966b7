"""The views of the Graphs page, and the way to whatever a search or a finding points at."""

from __future__ import annotations

import zlib
from enum import StrEnum

import streamlit as st

from pages.components import findings, time_cursor
from pages.components.autosave import bind, changing
from pages.components.details import subject_of
from pages.components.filters import Filters
from pages.components.frame import OpenStory
from pages.components.graph_session import GraphSession
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
    branch_id, plotted = opened.branch.id, opened.desk.plotted
    for chapter in dict.fromkeys((opened.chapter, plotted)):
        snapshot = workbench().snapshot(branch_id, chapter)
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
