"""What the pictures need to know of a story, cached, and the figures made from it.

Snapshots are values, so what is computed from one stays true; it is kept for the few that were
used last. Nothing here shows anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.components.graphs import strings
from pages.components.pictures.drawing import Tone
from pages.components.pictures.figure import Figure, plot_legend, role_legend, timeline_legend
from pages.components.pictures.layout import Point, plot_positions, role_positions
from pages.components.pictures.plot import PlotCut, Window, draw_plot
from pages.components.pictures.roles import RoleCut, draw_roles
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from pages.components.pictures.timeline import TimelineCut, draw_timeline
from pages.serving.services import workbench
from store.models.prototype import Snapshot
from store.prototype.arrivals import Arrival, ToldChapter

_KEPT = 6


def viewpoint_at(branch_id: str, chapter: int) -> Viewpoint:
    """Return the story as of a chapter, compared with the chapter before."""
    bench = workbench()
    # In this order: the store derives a snapshot from the one before at next to no cost.
    before = bench.prototype.snapshot(branch_id, chapter - 1) if chapter else None
    return Viewpoint(index_of(bench.prototype.snapshot(branch_id, chapter)), before)


# Hashed by identity, which is safe: the cached index keeps the snapshot, and so its id, alive.
@st.cache_resource(show_spinner=False, max_entries=_KEPT, hash_funcs={Snapshot: id})
def index_of(snapshot: Snapshot) -> StoryIndex:
    """Return a snapshot indexed for drawing."""
    return StoryIndex(snapshot)


def seats(*branch_ids: str) -> Mapping[str, Point]:
    """Return a place for everybody who ever entered any of the given branches."""
    arrivals = merged_arrivals([workbench().story.arrivals(branch_id) for branch_id in branch_ids])
    # Arrivals are only ever appended, so their number and the last one identify a state.
    last = arrivals[-1].person if arrivals else ""
    return _seats((*branch_ids, str(len(arrivals)), last), arrivals)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _seats(key: tuple[str, ...], _arrivals: Sequence[Arrival]) -> Mapping[str, Point]:  # noqa: ARG001 - the cache key
    return role_positions(_arrivals)


def plot_places(window: Window, *branch_ids: str) -> Mapping[str, Point]:
    """Return a place for everything that the chapters of a window tell on the given branches."""
    told = [workbench().story.told(branch_id, *window) for branch_id in branch_ids]
    return plot_positions(merged_chapters(told))


def merged_arrivals(lines: Sequence[Sequence[Arrival]]) -> list[Arrival]:
    """Return everybody who arrives on any of the branches once, in order of commit."""
    everybody = {arrival.person: arrival for line in reversed(lines) for arrival in line}
    return sorted(everybody.values(), key=lambda arrival: arrival.commit)


def merged_chapters(lines: Sequence[Sequence[ToldChapter]]) -> list[ToldChapter]:
    """Return the chapters of several branches, each with all that it tells on any of them."""
    merged: dict[int, ToldChapter] = {}
    for chapter in (one for line in lines for one in line):
        known = merged.get(chapter.chapter, ToldChapter(chapter=chapter.chapter))
        merged[chapter.chapter] = ToldChapter(
            chapter=chapter.chapter,
            events=tuple(dict.fromkeys((*known.events, *chapter.events))),
            people=tuple(dict.fromkeys((*known.people, *chapter.people))),
            scenes=tuple(dict.fromkeys((*known.scenes, *chapter.scenes))),
        )
    return list(merged.values())


def role_figure(
    name: str, cut: RoleCut, places: Mapping[str, Point], tone: Tone = Tone.CHAPTER
) -> Figure:
    """Return the Role Graph as a figure."""
    people, relationships = cut.standing
    return Figure(
        name=name,
        picture=draw_roles(cut, places, tone=tone),
        legend=role_legend(cut, tone=tone),
        description=strings.roles_description(people, relationships),
        file="role-graph",
        least_scale=0.07,
    )


def plot_figure(
    name: str,
    cut: PlotCut,
    places: Mapping[str, Point],
    *,
    selected: str = "",
    tone: Tone = Tone.CHAPTER,
) -> Figure:
    """Return the Plot Graph as a figure; `selected` is the id of the selected entity."""
    return Figure(
        name=name,
        picture=draw_plot(cut, places, selected=selected, tone=tone),
        legend=plot_legend(cut, tone=tone),
        description=strings.plot_description(len(cut.events), len(cut.people), len(cut.scenes)),
        file="plot-graph",
        least_scale=0.55,
    )


def timeline_figure(name: str, cut: TimelineCut, *, selected: str = "") -> Figure:
    """Return the timeline as a figure; `selected` is the id of the selected entity."""
    return Figure(
        name=name,
        picture=draw_timeline(cut, selected=selected),
        legend=timeline_legend(cut),
        description=strings.timeline_description(len(cut.events), len(cut.people), cut.order),
        file="timeline",
        least_scale=0.25,
    )
