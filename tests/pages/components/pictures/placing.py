"""Places for what stands in a snapshot, as if nothing had ever been taken out of its story."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.pictures.layout import Point, plot_positions
from pages.components.pictures.story_index import StoryIndex
from store.models.prototype import Snapshot
from store.prototype.arrivals import ToldChapter


def told_chapters(snapshot: Snapshot) -> list[ToldChapter]:
    """Return what each chapter up to a snapshot tells, as the store would."""
    index = StoryIndex(snapshot)
    return [_chapter(index, chapter) for chapter, _ in index.events_told()]


def plot_places_of(snapshot: Snapshot) -> Mapping[str, Point]:
    """Return the places of all that a snapshot tells."""
    return plot_positions(told_chapters(snapshot))


def _chapter(index: StoryIndex, chapter: int) -> ToldChapter:
    events = [event.id for event in index.events_in([chapter])]
    people = [part.character for event in events for part in index.parts_in(event)]
    scenes = [index.place_of[event].scene for event in events if event in index.place_of]
    return ToldChapter(
        chapter=chapter,
        events=tuple(events),
        people=tuple(dict.fromkeys(people)),
        scenes=tuple(dict.fromkeys(scenes)),
    )
