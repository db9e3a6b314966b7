"""How much a story of some length can hold, in words for whoever invents it."""

from __future__ import annotations

import pytest

from graph_flow.prompting.length import scope_words
from store.models.story import StorySettings


@pytest.mark.parametrize(
    ("chapters", "words", "room"),
    [
        (3, 1_200, "about 7 turns or revelations in all"),
        (3, None, "about 7 turns or revelations in all"),
        (1, 300, "about one turn or revelation in all"),
        (12, 2_000, "about 48 turns or revelations in all"),
    ],
)
def test_longer_story_has_room_for_more(chapters: int, words: int | None, room: str) -> None:
    assert room in scope_words(StorySettings(chapter_cap=chapters, words=words))


def test_serial_has_room_by_the_chapter() -> None:
    said = scope_words(StorySettings(is_open_ended=True, words=1_500))

    assert "A chapter has room for about 3 turns" in said
