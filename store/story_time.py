"""When things happen in the story, apart from when they are told. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from store.models.plot import Event

_STEP = 0.5
"""How far from the first or last event of the story an event is that is put before or after it."""


def moment(event: Event, told_in: int) -> float:
    """Return when an event happens, on the scale of `Event.story_order`: chapter n begins at n.

    An event without an order of its own happens when it is told. Where it stands in its chapter
    then follows from its position alone, so that it need not be known what else the chapter tells.
    """
    if event.story_order is not None:
        return event.story_order
    return told_in + (event.position + 0.5) / (event.position + 2)


def right_before(anchor: float, others: Iterable[float]) -> float:
    """Return a moment between `anchor` and the last of the others that lies before it."""
    earlier = max((one for one in others if one < anchor), default=None)
    return anchor - _STEP if earlier is None else (earlier + anchor) / 2


def right_after(anchor: float, others: Iterable[float]) -> float:
    """Return a moment between `anchor` and the first of the others that lies after it."""
    later = min((one for one in others if one > anchor), default=None)
    return anchor + _STEP if later is None else (anchor + later) / 2
