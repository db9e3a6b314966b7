"""Which events a telling has in its text, which of them have changed since, and which are missing. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from store.models.desk.telling import ToldChapter
from store.models.edits.staleness import StaleMark
from store.models.manuscript import Draft, DraftState


class TextOf(StrEnum):
    """The state of what a telling's text has of an event."""

    CURRENT = "current"
    STALE = "stale"
    MISSING = "missing"
    NOT_SHOWN = "not shown"


class Written(NamedTuple):
    """What is written of a chapter: the events that its text tells; None: not known which."""

    is_there: bool
    events: frozenset[str] | None = None


def written(draft: Draft | None) -> Written:
    """Return what a text tells; a text that is still being written tells nothing yet."""
    if draft is None or draft.state is DraftState.WRITING or not draft.text.strip():
        return Written(is_there=False)
    events = frozenset(event for scene in draft.scenes for event in scene.events)
    return Written(is_there=True, events=events or None)


def coverage(
    chapters: Sequence[ToldChapter],
    texts: Mapping[int, Written],
    marks: Collection[StaleMark],
) -> dict[str, TextOf]:
    """Return the state of each event that a telling shows. `texts` and `marks` go by chapter keys.

    An event that is shown twice is only current if it is so in both places.
    """
    stale: dict[int, list[StaleMark]] = {}
    for mark in marks:
        if mark.target_kind == "draft":
            stale.setdefault(int(mark.target), []).append(mark)
    found: dict[str, TextOf] = {}
    for one in chapters:
        for event in one.events:
            state = _state(event, texts.get(one.key, Written(False)), stale.get(one.key, ()))
            found[event] = max(state, found.get(event, state), key=_WORSE.index)
    return found


_WORSE = (TextOf.NOT_SHOWN, TextOf.CURRENT, TextOf.STALE, TextOf.MISSING)


def _state(event: str, text: Written, marks: Collection[StaleMark]) -> TextOf:
    if not text.is_there or (text.events is not None and event not in text.events):
        return TextOf.MISSING
    is_stale = any(not mark.events or event in mark.events for mark in marks)
    return TextOf.STALE if is_stale else TextOf.CURRENT
