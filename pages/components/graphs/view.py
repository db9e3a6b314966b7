"""A view of the open story: the picture, its legend, and the panel beside it."""

from __future__ import annotations

import zlib

import streamlit as st

from pages.components.editor.draft import Panel
from pages.components.fields.autosave import bind, changing
from pages.components.frame import time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.graphs import compare, findings, strings, toolbar
from pages.components.graphs import panel as details_panel
from pages.components.graphs.details import choices, subject_of
from pages.components.graphs.navigation import GraphName, GraphSession, go_to
from pages.components.graphs.reading import (
    plot_figure,
    plot_places,
    role_figure,
    seats,
    timeline_figure,
    viewpoint_at,
)
from pages.components.library import export
from pages.components.pictures import network, overview
from pages.components.pictures import network as picture_file
from pages.components.pictures.figure import Figure
from pages.components.pictures.filters import Filters
from pages.components.pictures.plot import PlotCut
from pages.components.pictures.roles import RoleCut
from pages.components.pictures.story_index import Viewpoint
from pages.components.pictures.timeline import TimelineCut
from store.models.prototype import Snapshot


def show(view: GraphName, opened: OpenStory) -> None:
    """Show a view as of the chapter at the time cursor."""
    session = GraphSession(opened.branch.id)
    match view:
        case GraphName.COMPARE:
            compare.show(opened, session)
        case GraphName.CONTINUITY:
            findings.show(opened, lambda id_: go_to(opened, id_))
        case _:
            _Page(view, opened, session).show()


class _Page:
    def __init__(self, view: GraphName, opened: OpenStory, session: GraphSession) -> None:
        self._view = view
        self._opened = opened
        self._session = session
        self._viewpoint: Viewpoint = viewpoint_at(opened.branch.id, opened.chapter)
        self._now: Snapshot = self._viewpoint.now.snapshot

    def show(self) -> None:
        self._toolbar()
        seen, side = st.columns([7, 3], gap="medium")
        figure = self._figure()
        with side, st.container(key="graph-side"):
            selected = self._panel(figure)
        with seen:
            if figure.picture.nodes:
                network.show(figure, selected=selected, on_click=self._look_at)
            else:
                self._nothing_to_see()
            if self._view is not GraphName.ROLES:
                self._overview()
            branch_id, plotted = self._opened.branch.id, self._opened.status.plotted
            time_cursor.show_with_steps(branch_id, plotted, place="graphs")
            with st.container(horizontal=True, vertical_alignment="center"):
                picture_file.offer(figure)
                export.data_popover(self._opened)

    def _toolbar(self) -> None:
        with st.container(horizontal=True, vertical_alignment="center", key="graph-toolbar"):
            hits = toolbar.ask(self._opened.branch.id, self._opened.chapter)
            toolbar.filters(self._session, self._viewpoint.now)
            if self._view is not GraphName.ROLES:
                toolbar.span(self._session, self._opened.chapter)
            if self._view is GraphName.TIMELINE:
                toolbar.order(self._session)
        toolbar.show(hits, lambda id_: go_to(self._opened, id_))

    def _figure(self) -> Figure:
        branch_id, viewpoint = self._opened.branch.id, self._viewpoint
        filters, selected = self._session.filters, self._session.selected
        window = self._session.window(self._opened.chapter)
        match self._view:
            case GraphName.PLOT:
                cut = PlotCut(viewpoint, window, filters)
                places = plot_places(window, branch_id)
                return plot_figure(f"plot-{branch_id}", cut, places, selected=selected)
            case GraphName.TIMELINE:
                lanes = TimelineCut(viewpoint, window, self._session.order, filters)
                name = f"timeline-{self._session.order.name}-{branch_id}"
                return timeline_figure(name, lanes, selected=selected)
        return role_figure(f"roles-{branch_id}", RoleCut(viewpoint, filters), seats(branch_id))

    def _overview(self) -> None:
        """Show where in the story the picture is, unless it shows all of it."""
        chapter, session = self._opened.chapter, self._session
        window = session.window(chapter)
        if window == (0, chapter):
            return
        people = (session.selected, *session.filters.people)
        overview.show(
            f"overview-{self._opened.branch.id}",
            overview.strip_of(self._viewpoint.now, window, people),
            lambda last: session.see_until(last, chapter),
        )

    def _nothing_to_see(self) -> None:
        if self._session.filters.standing_in(self._viewpoint.now).count:
            st.info(strings.NO_MATCH)
            st.button(
                strings.FILTER_NONE, key="widen", on_click=self._session.filter, args=(Filters(),)
            )
        else:
            st.info(strings.NO_EVENTS)

    def _panel(self, figure: Figure) -> str:
        """Show who or what is chosen; return its id, or "" if nothing is."""
        chosen = self._choose(figure)
        panel = Panel(
            branch=self._opened.branch.id,
            newest=self._opened.status.plotted,
            before=self._viewpoint.before,
            now=self._now,
            look_at=lambda id_: self._session.select(id_ or ""),
        )
        details_panel.show(chosen, panel)
        return chosen

    def _choose(self, figure: Figure) -> str:
        selected = self._session.selected
        offered = choices(self._now, [*self._ids(figure), *([selected] if selected else [])])
        # Browsers keep a choice by its label: when the labels change, the widget needs a new key.
        names = zlib.crc32("\n".join(offered.values()).encode())
        bound = bind(f"look-at-{names:x}", selected if selected in offered else None)
        st.selectbox(
            strings.LOOK_AT,
            list(offered),
            format_func=lambda id_: offered[id_],
            index=list(offered).index(bound.value) if bound.value else None,
            placeholder=strings.LOOK_AT_PLACEHOLDER,
            key=bound.key,
            on_change=changing(bound, lambda id_: self._session.select(id_ or "")),
        )
        return bound.value or ""

    def _ids(self, figure: Figure) -> list[str]:
        """Return the ids of all that can be selected: nodes, and edges that have details."""
        items = (*figure.picture.nodes, *figure.picture.edges)
        ids = dict.fromkeys(str(item.get("subject") or item["id"]) for item in items)
        return [id_ for id_ in ids if subject_of(self._now, id_) == id_]

    def _look_at(self, id_: str) -> None:
        self._session.select(subject_of(self._now, id_) or "")
