"""A graph of the open story: the picture, its legend, and the panel beside it."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from pages.components import details_panel, legend, network, time_cursor
from pages.components.changes import sentences
from pages.components.details import Details, choices, details_of, subject_of
from pages.components.drawing import Picture
from pages.components.frame import OpenStory
from pages.components.network import Figure
from pages.components.plot_cut import cut
from pages.components.plot_graph import draw_plot, links_shown
from pages.components.role_graph import draw_roles, ties_shown
from pages.components.services import workbench
from store.models.prototype import Snapshot

Graph = Literal["Role Graph", "Plot Graph"]

_GRAPHS: tuple[Graph, ...] = ("Role Graph", "Plot Graph")
_SPANS = {"3 chapters": 3, "6 chapters": 6, "12 chapters": 12, "All": 0}
_DEFAULT_SPAN = "6 chapters"


def choose_graph() -> Graph:
    """Show the switch between the graphs; return the one to be seen."""
    chosen = st.segmented_control(
        "Graph",
        _GRAPHS,
        default=_GRAPHS[0],
        required=True,
        label_visibility="collapsed",
        key="graphs-graph",
        persist_state="session",
    )
    return chosen or _GRAPHS[0]


def show(graph: Graph, opened: OpenStory) -> None:
    """Show a graph as of the chapter that the time cursor stands at."""
    bench = workbench()
    branch_id, chapter = opened.branch.id, opened.chapter
    # In this order: the store makes a snapshot out of the one before at next to no cost.
    before = bench.snapshot(branch_id, chapter - 1) if chapter else None
    now = bench.snapshot(branch_id, chapter)
    if graph == "Role Graph":
        figure = _roles(f"roles-{branch_id}", bench.snapshot(branch_id, 0), before, now)
    else:
        figure = _plot(f"plot-{branch_id}", before, now)
    if not figure.picture.nodes:
        st.info("Nothing has happened yet: events appear here when the first chapter is plotted.")
        return
    seen, side = st.columns([7, 3], gap="medium")
    with side, st.container(key="graph-side"):
        selected = _panel(figure, before, now, branch_id)
    with seen:
        network.show(
            figure,
            selected=selected,
            on_click=lambda id_: _look_at(figure.name, subject_of(now, id_)),
        )
        time_cursor.show(branch_id, opened.desk.plotted, place="graphs")


def _roles(name: str, beginning: Snapshot, before: Snapshot | None, now: Snapshot) -> Figure:
    return Figure(
        name=name,
        picture=draw_roles(beginning, before, now),
        legend=tuple(legend.role_legend(ties_shown(now), now.chapter)),
        description=f"Role Graph: {len(now.characters)} people, {len(now.relationships)} ties",
    )


def _plot(name: str, before: Snapshot | None, now: Snapshot) -> Figure:
    told = cut(now, _first_shown(now.chapter), now.chapter)
    return Figure(
        name=name,
        picture=draw_plot(told, before),
        legend=tuple(legend.plot_legend(links_shown(told), now.chapter)),
        description=f"Plot Graph: {len(told.events)} events, {len(told.people)} people, "
        f"{len(told.scenes)} scenes",
    )


def _first_shown(chapter: int) -> int:
    if chapter <= min(span for span in _SPANS.values() if span):
        return 0
    chosen = st.segmented_control(
        "How much of the story",
        list(_SPANS),
        default=_DEFAULT_SPAN,
        required=True,
        key="graphs-span",
        persist_state="session",
    )
    span = _SPANS[chosen or _DEFAULT_SPAN]
    return max(1, chapter - span + 1) if span else 0


def _panel(figure: Figure, before: Snapshot | None, now: Snapshot, branch_id: str) -> str:
    """Show who or what is chosen; return its id, or "" where nothing is."""
    key = _key(figure.name)
    offered = choices(now, _ids(figure.picture, now))
    if st.session_state.get(key) not in offered:
        st.session_state[key] = None
    chosen = st.selectbox(
        "Look at",
        list(offered),
        format_func=lambda id_: offered[id_],
        index=None,
        placeholder="Click in the picture, or choose here",
        key=key,
    )
    details = _details(chosen, now, branch_id) if chosen else None
    if details is not None:
        details_panel.show(details)
    else:
        details_panel.show_changes(now.chapter, sentences(before, now))
    return chosen or ""


def _details(chosen: str, now: Snapshot, branch_id: str) -> Details | None:
    moments = workbench().history(branch_id, now.chapter, now.entities[chosen])
    return details_of(now, chosen, moments)


def _ids(picture: Picture, now: Snapshot) -> list[str]:
    """Return the ids of all that can be looked at: the nodes, and the ties between people."""
    ids = [str(item["id"]) for item in (*picture.nodes, *picture.edges)]
    return [id_ for id_ in ids if subject_of(now, id_) == id_]


def _look_at(name: str, subject: str | None) -> None:
    st.session_state[_key(name)] = subject


def _key(name: str) -> str:
    return f"look-at-{name}"
