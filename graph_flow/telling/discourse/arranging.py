"""What the writer says that a chapter of a telling is to show, as the parts that it is kept in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from store.models.desk.telling import ToldChapter, ToldPart
from store.models.manuscript import PartTime
from store.models.prototype import Snapshot


class ShownEvent(NamedTuple):
    """An event as a chapter shows it: when it happens beside the rest, and through whose eyes."""

    event: str
    time: PartTime = PartTime.PRESENT
    point_of_view: str | None = None


def shown_in(chapter: ToldChapter) -> list[ShownEvent]:
    """Return what a chapter shows, in order."""
    return [
        ShownEvent(event, part.time, part.point_of_view)
        for part in chapter.parts
        for event in part.events
    ]


def parts_of(shown: Iterable[ShownEvent], snapshot: Snapshot) -> tuple[ToldPart, ...]:
    """Return the parts of a chapter; what is not in the story, or comes twice, is left out."""
    each: dict[str, ShownEvent] = {}
    for one in shown:
        if one.event in snapshot.entities:
            each.setdefault(one.event, one)

    def alike(one: ShownEvent) -> tuple[int, PartTime, str | None]:
        return snapshot.first_chapter_of(one.event), one.time, one.point_of_view

    return tuple(
        ToldPart(
            chapter=chapter,
            events=tuple(one.event for one in run),
            time=time,
            point_of_view=point_of_view,
        )
        for (chapter, time, point_of_view), run in groupby(each.values(), key=alike)
    )


def rearranged(before: ToldChapter, after: ToldChapter) -> list[str]:
    """Return the events that both show, the second in another place, time or view than the first.

    An event has another place if another event comes before it.
    """
    old, new = _placed(shown_in(before)), _placed(shown_in(after))
    both = old.keys() & new.keys()
    return [event for event in new if event in both and old[event] != new[event]]


def _placed(shown: Sequence[ShownEvent]) -> dict[str, tuple[ShownEvent, str]]:
    """Return each event with what comes before it."""
    events = ["", *(one.event for one in shown)]
    return {one.event: (one, before) for one, before in zip(shown, events, strict=False)}
