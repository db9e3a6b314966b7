"""What the pictures need of a story, read once and kept as long as it is the same.

Snapshots are values: what was found out about one stays true, and is kept for the few that were
looked at last. Nothing here shows anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.components.layout import Point, plot_positions, role_positions
from pages.components.plot_cut import Window
from pages.components.services import workbench
from pages.components.story_index import StoryIndex
from pages.components.viewpoint import Viewpoint
from store.models.prototype import Snapshot
from store.prototype.arrivals import Arrival, ToldChapter

_KEPT = 6


def viewpoint_at(branch_id: str, chapter: int) -> Viewpoint:
    """Return the story as of a chapter, held against the chapter before."""
    bench = workbench()
    # In this order: the store makes a snapshot out of the one before at next to no cost.
    before = bench.snapshot(branch_id, chapter - 1) if chapter else None
    return Viewpoint(index_of(bench.snapshot(branch_id, chapter)), before)


# By its identity: what is kept holds the snapshot, so that no other can come to have the same.
@st.cache_resource(show_spinner=False, max_entries=_KEPT, hash_funcs={Snapshot: id})
def index_of(snapshot: Snapshot) -> StoryIndex:
    """Return a snapshot sorted for drawing."""
    return StoryIndex(snapshot)


def seats(*branch_ids: str) -> Mapping[str, Point]:
    """Return a seat for everybody who ever came into one of some branches of a story."""
    arrivals = merged_arrivals([workbench().arrivals(branch_id) for branch_id in branch_ids])
    # Whoever came stays: how many came, and who was the last, tells one state from another.
    last = arrivals[-1].person if arrivals else ""
    return _seats((*branch_ids, str(len(arrivals)), last), arrivals)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _seats(key: tuple[str, ...], _arrivals: Sequence[Arrival]) -> Mapping[str, Point]:  # noqa: ARG001 - what it is kept by
    return role_positions(_arrivals)


def plot_places(window: Window, *branch_ids: str) -> Mapping[str, Point]:
    """Return a place for all that some chapters of some branches of a story ever told."""
    told = [workbench().told(branch_id, *window) for branch_id in branch_ids]
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
