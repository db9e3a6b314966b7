"""What is offered to choose from, in stories of any length."""

from __future__ import annotations

from pages.components.editor.new import MOST, events, first_free, has_more, people, scenes
from store.models.plot import Event, Scene
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import CAST, CHAPTER_ONE, adding, fold

SHORT = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def long_story(chapters: int) -> Snapshot:
    """Return a story of two events and a place in each chapter, the later event first."""
    told: dict[str, AnyEntity] = {}
    first: dict[str, int] = {}
    for chapter in range(1, chapters + 1):
        several: list[AnyEntity] = [Scene(id=f"s{chapter}", name=f"Place {chapter}")]
        several += [
            Event(id=f"e{chapter}-{place}", title="E", summary="", position=place)
            for place in (1, 0)
        ]
        for entity in several:
            told[entity.id], first[entity.id] = entity, chapter
    return Snapshot(chapter=chapters, entities=told, first_chapter=first)


LONG = long_story(500)


def test_short_story_offers_everything_in_the_order_of_the_telling() -> None:
    assert people(SHORT) == {"mara": "Mara", "hale": "Hale"}
    assert events(SHORT, 1) == {"locked": "1 · The door is locked", "after": "1 · The lamp dies"}
    assert scenes(SHORT, 1) == {None: "nowhere in particular", "lamp-room": "Lamp room"}
    assert not has_more(SHORT)


def test_long_story_offers_what_is_near_and_what_is_chosen() -> None:
    offered = list(events(LONG, around=250, keep=["e3-1"]))

    assert has_more(LONG)
    assert len(offered) == MOST + 1
    assert offered[0] == "e3-1"
    assert {"e250-0", "e250-1", "e220-0", "e280-1"} <= set(offered)
    assert offered.index("e250-0") < offered.index("e250-1")
    assert {None, "s250", "s9"} <= set(scenes(LONG, around=250, keep=["s9"]))


def test_first_that_is_free_is_offered_and_else_the_first() -> None:
    assert first_free({"a": "A", "b": "B"}, ["a"]) == "b"
    assert first_free({"a": "A"}, ["a"]) == "a"
    assert first_free({}, []) is None
