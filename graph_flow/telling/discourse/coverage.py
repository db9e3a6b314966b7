"""Which events a telling has in its text, which of them have changed since, and which are missing. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from store.models.desk.telling import ToldChapter
from store.models.edits.staleness import StaleMark


class TextOf(StrEnum):
    """The state of what a telling's text has of an event."""

    CURRENT = "current"
    STALE = "stale"
    MISSING = "missing"
    NOT_SHOWN = "not shown"


def coverage(
    chapters: Sequence[ToldChapter],
    texts: Mapping[int, Collection[str]],
    marks: Collection[StaleMark],
) -> dict[str, TextOf]:
    """Return the state of each event that a telling shows. `texts` and `marks` go by chapter keys.

    `texts` are the events that each finished text tells; none: not known which. An event that is shown
    twice is only current if it is so in both places.
    """
    stale: dict[int, list[StaleMark]] = {}
    for mark in marks:
        if mark.target_kind == "draft":
            stale.setdefault(int(mark.target), []).append(mark)
    found: dict[str, TextOf] = {}
    for one in chapters:
        for event in one.events:
            state = _state(event, texts.get(one.key), stale.get(one.key, ()))
            found[event] = max(state, found.get(event, state), key=_WORSE.index)
    return found


_WORSE = (TextOf.NOT_SHOWN, TextOf.CURRENT, TextOf.STALE, TextOf.MISSING)


def _state(event: str, told: Collection[str] | None, marks: Collection[StaleMark]) -> TextOf:
    if told is None or (told and event not in told):
        return TextOf.MISSING
    is_stale = any(not mark.events or event in mark.events for mark in marks)
    return TextOf.STALE if is_stale else TextOf.CURRENT
