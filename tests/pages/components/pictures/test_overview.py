"""The strip of the whole story: how much happens where, who is in it, and what is seen."""

from __future__ import annotations

from pages.components.pictures.overview import strip_of
from pages.components.pictures.plot import Window
from pages.components.pictures.story_index import StoryIndex
from store.deltas.delta import apply
from store.models.plot import Event, Participation
from tests.store.builders import HALE, MARA, adding, snapshot_of


def story_of(chapters: int) -> StoryIndex:
    """Return a story whose every tenth chapter has two events, the others one; Mara is in the fifth."""
    snapshot = snapshot_of(MARA, HALE)
    for chapter in range(1, chapters + 1):
        count = 2 if chapter % 10 == 0 else 1
        told = [
            Event(id=f"e{chapter}-{n}", title="It", summary="It happens.", position=n)
            for n in range(count)
        ]
        parts = [Participation(id="in", character="mara", event="e5-0")] if chapter == 5 else []
        snapshot = apply(snapshot, adding(*told, *parts), chapter)
    return StoryIndex(snapshot)


def test_each_chapter_of_a_short_story_has_a_bar() -> None:
    strip = strip_of(story_of(12), Window(7, 12), ["mara"])

    assert strip.counts == (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1)
    assert [place for place, is_in in enumerate(strip.chosen, 1) if is_in] == [5]
    assert (strip.first, strip.last, strip.newest) == (7, 12, 12)


def test_bars_of_a_long_story_take_chapters_together_and_lose_none() -> None:
    strip = strip_of(story_of(400), Window(395, 400), [])

    assert len(strip.counts) == 160
    assert sum(strip.counts) == 440
    assert not any(strip.chosen)


def test_beginning_is_no_chapter() -> None:
    strip = strip_of(StoryIndex(snapshot_of(MARA)), Window(0, 0), [])

    assert strip.counts == (0,)
    assert strip.first == 1
