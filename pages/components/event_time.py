"""When an event happens in the story, said by the events around it. Pure."""

from __future__ import annotations

from typing import Literal, NamedTuple

from store.models.plot import Event, moment, right_after, right_before
from store.models.prototype import Snapshot

Side = Literal["when it is told", "right before", "right after"]

SIDES: tuple[Side, ...] = ("when it is told", "right before", "right after")


class When(NamedTuple):
    """A place in the story's own time. `other` is the id of an event; None when it is told."""

    side: Side
    other: str | None = None


def when_of(event: Event, snapshot: Snapshot) -> When:
    """Return where an event stands in the story's time, by the nearest event before or after it."""
    if event.story_order is None:
        return When("when it is told")
    return _beside(event, event.story_order, snapshot)


def nearest(event: Event, side: Side, snapshot: Snapshot) -> When:
    """Return a place on one side of an event that stands near it now, to begin a choice with."""
    if side == "when it is told":
        return When(side)
    times = _times(event, snapshot)
    if not times:
        return When("when it is told")
    here = moment(event, snapshot.told_in(event.id))
    return When(side, min(times, key=lambda id_: abs(times[id_] - here)))


def order_at(event: Event, when: When, snapshot: Snapshot) -> float | None:
    """Return the `Event.story_order` of an event at a place; None for when it is told."""
    times = _times(event, snapshot)
    if when.side == "when it is told" or when.other not in times:
        return None
    between = right_before if when.side == "right before" else right_after
    return between(times[when.other], times.values())


def when_words(event: Event, snapshot: Snapshot) -> str:
    """Say when an event happens in the story."""
    when = when_of(event, snapshot)
    if when.other is None:
        return when.side
    return f"{when.side} “{snapshot.get(Event, when.other).title}”"


def _beside(event: Event, order: float, snapshot: Snapshot) -> When:
    times = _times(event, snapshot)
    if not times:
        return When("when it is told")
    earlier = [id_ for id_, time in times.items() if time <= order]
    if earlier:
        return When("right after", max(earlier, key=lambda id_: times[id_]))
    return When("right before", min(times, key=lambda id_: times[id_]))


def _times(event: Event, snapshot: Snapshot) -> dict[str, float]:
    """Return when all other events happen."""
    return {
        other.id: moment(other, snapshot.told_in(other.id))
        for other in snapshot.of(Event)
        if other.id != event.id
    }
