"""What a telling's text has of each event: as it is, as it was, or not at all."""

from __future__ import annotations

from graph_flow.telling.discourse.coverage import TextOf, coverage
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.desk.telling import ToldChapter, ToldPart
from store.models.edits.staleness import StaleMark

KEY = FIRST_OF_TELLING
CHAPTERS = [
    ToldChapter(key=KEY, parts=(ToldPart(chapter=3, events=("end",)),)),
    ToldChapter(key=KEY + 1, parts=(ToldPart(chapter=1, events=("lamp", "door")),)),
    ToldChapter(key=KEY + 2, parts=(ToldPart(chapter=3, events=("end",)),)),
]
ALL: tuple[str, ...] = ()
"""A text of which it is not known which events it tells."""


def mark(key: int, *events: str) -> StaleMark:
    return StaleMark(
        id="mark",
        branch="main",
        commit_id=2,
        target_kind="draft",
        target=str(key),
        chapter=key,
        reason="Chapter 1 was changed.",
        events=events,
    )


def test_what_is_not_written_is_missing() -> None:
    found = coverage(CHAPTERS, {}, [])
    assert found == dict.fromkeys(("end", "lamp", "door"), TextOf.MISSING)


def test_what_a_text_tells_is_current_and_what_was_added_since_is_missing() -> None:
    texts = {KEY: ALL, KEY + 1: {"lamp"}, KEY + 2: ALL}
    found = coverage(CHAPTERS, texts, [])
    assert found == {"end": TextOf.CURRENT, "lamp": TextOf.CURRENT, "door": TextOf.MISSING}


def test_only_what_has_changed_is_stale() -> None:
    texts = dict.fromkeys((KEY, KEY + 1, KEY + 2), ALL)
    found = coverage(CHAPTERS, texts, [mark(KEY + 1, "door")])
    assert found == {"end": TextOf.CURRENT, "lamp": TextOf.CURRENT, "door": TextOf.STALE}
    # Of a text that was marked as a whole, all is.
    found = coverage(CHAPTERS, texts, [mark(KEY + 1)])
    assert (found["lamp"], found["door"]) == (TextOf.STALE, TextOf.STALE)


def test_event_that_is_shown_twice_counts_as_its_worse_text() -> None:
    texts = dict.fromkeys((KEY, KEY + 1, KEY + 2), ALL)
    assert coverage(CHAPTERS, texts, [mark(KEY, "end")])["end"] is TextOf.STALE
    assert coverage(CHAPTERS, {KEY: ALL}, [])["end"] is TextOf.MISSING
