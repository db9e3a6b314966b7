"""What the pictures need of a story, read once and kept as long as it is the same; and the figures made of it.

Snapshots are values: what was found out about one stays true, and is kept for the few that were
looked at last. Nothing here shows anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.components.pictures.drawing import Tone
from pages.components.pictures.figure import Figure, plot_legend, role_legend, timeline_legend
from pages.components.pictures.layout import Point, plot_positions, role_positions
from pages.components.pictures.plot import PlotCut, Window, draw_plot
from pages.components.pictures.roles import RoleCut, draw_roles
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from pages.components.pictures.timeline import TimelineCut, draw_timeline
from pages.components.services import workbench
from store.models.prototype import Snapshot
from store.prototype.arrivals import Arrival, ToldChapter

_KEPT = 6


def viewpoint_at(branch_id: str, chapter: int) -> Viewpoint:
    """Return the story as of a chapter, held against the chapter before."""
    bench = workbench()
    # In this order: the store makes a snapshot out of the one before at next to no cost.
    before = bench.prototype.snapshot(branch_id, chapter - 1) if chapter else None
    return Viewpoint(index_of(bench.prototype.snapshot(branch_id, chapter)), before)


# By its identity: what is kept holds the snapshot, so that no other can come to have the same.
@st.cache_resource(show_spinner=False, max_entries=_KEPT, hash_funcs={Snapshot: id})
def index_of(snapshot: Snapshot) -> StoryIndex:
    """Return a snapshot sorted for drawing."""
    return StoryIndex(snapshot)


def seats(*branch_ids: str) -> Mapping[str, Point]:
    """Return a seat for everybody who ever came into one of some branches of a story."""
    arrivals = merged_arrivals([workbench().story.arrivals(branch_id) for branch_id in branch_ids])
    # Whoever came stays: how many came, and who was the last, tells one state from another.
    last = arrivals[-1].person if arrivals else ""
    return _seats((*branch_ids, str(len(arrivals)), last), arrivals)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _seats(key: tuple[str, ...], _arrivals: Sequence[Arrival]) -> Mapping[str, Point]:  # noqa: ARG001 - what it is kept by
    return role_positions(_arrivals)


def plot_places(window: Window, *branch_ids: str) -> Mapping[str, Point]:
    """Return a place for all that some chapters of some branches of a story ever told."""
    told = [workbench().story.told(branch_id, *window) for branch_id in branch_ids]
    return plot_positions(merged_chapters(told))


def merged_arrivals(lines: Sequence[Sequence[Arrival]]) -> list[Arrival]:
    """Return everybody of some lines once, in the order of the commits that brought them."""
    everybody = {arrival.person: arrival for line in reversed(lines) for arrival in line}
    return sorted(everybody.values(), key=lambda arrival: arrival.commit)


def merged_chapters(lines: Sequence[Sequence[ToldChapter]]) -> list[ToldChapter]:
    """Return the chapters of some lines, each with all that it tells on one or another of them."""
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
    """Return the Role Graph of a cut."""
    people, ties = cut.standing
    return Figure(
        name=name,
        picture=draw_roles(cut, places, tone=tone),
        legend=role_legend(cut, tone=tone),
        description=f"Role Graph: {_count(people, 'person', 'people')}, "
        f"{_count(ties, 'tie', 'ties')}",
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
    """Return the Plot Graph of a cut; `selected` is the id of what is looked at."""
    return Figure(
        name=name,
        picture=draw_plot(cut, places, selected=selected, tone=tone),
        legend=plot_legend(cut, tone=tone),
        description=f"Plot Graph: {_count(len(cut.events), 'event', 'events')}, "
        f"{_count(len(cut.people), 'person', 'people')}, "
        f"{_count(len(cut.scenes), 'scene', 'scenes')}",
        file="plot-graph",
        least_scale=0.55,
    )


def timeline_figure(name: str, cut: TimelineCut, *, selected: str = "") -> Figure:
    """Return the timeline of a cut; `selected` is the id of what is looked at."""
    return Figure(
        name=name,
        picture=draw_timeline(cut, selected=selected),
        legend=timeline_legend(cut),
        description=f"Timeline: {_count(len(cut.events), 'event', 'events')} "
        f"of {_count(len(cut.people), 'person', 'people')}, {cut.order}",
        file="timeline",
        least_scale=0.25,
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
