"""A story is told in other orders: every event has its place, and the reader learns it at another time."""

from __future__ import annotations

from collections import Counter

import pytest

from graph_flow.telling.discourse.orders import arranged, is_possible, left_out, told_story
from graph_flow.telling.discourse.reader import first_known, knowledge_curve
from store.deltas.delta import apply
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.desk.telling import Arrangement, ToldChapter, ToldPart
from store.models.manuscript import PartTime
from store.models.plot import Event, Part, Participation
from store.models.prototype import Snapshot
from store.texts.tellings import NewChapter
from tests.store.builders import HALE, MARA, adding


def happens(id_: str, *people: str, position: int = 0) -> list[Event | Participation]:
    event = Event(id=id_, title=id_, summary=f"{id_} happens.", position=position)
    return [event, *(Participation(id=f"{one}-{id_}", character=one, event=id_) for one in people)]


def story(chapters: int = 4, past: int = 2) -> Snapshot:
    """A story in which Mara does the first thing in each chapter, and Hale the second."""
    before = [one for at in range(past) for one in happens(f"past-{at}", "mara", position=at)]
    snapshot = apply(Snapshot(), adding(MARA, HALE, *before), 0)
    for chapter in range(1, chapters + 1):
        there = [
            *happens(f"{chapter}-first", "mara"),
            *happens(f"{chapter}-second", "hale", position=1),
        ]
        snapshot = apply(snapshot, adding(*there), chapter)
    return snapshot


def keyed(chapters: list[NewChapter]) -> list[ToldChapter]:
    return [
        ToldChapter(key=key, parts=one.parts) for key, one in enumerate(chapters, FIRST_OF_TELLING)
    ]


def told(snapshot: Snapshot, arrangement: Arrangement) -> list[ToldChapter]:
    return keyed(arranged(told_story(snapshot), arrangement))


def outline(chapters: list[ToldChapter]) -> list[list[tuple[int, PartTime]]]:
    return [[(part.chapter, part.time) for part in one.parts] for one in chapters]


NOW, BACK, AHEAD, FRAME = (
    PartTime.PRESENT,
    PartTime.FLASHBACK,
    PartTime.FLASH_FORWARD,
    PartTime.FRAME,
)


@pytest.mark.parametrize(
    ("arrangement", "expected"),
    [
        (Arrangement.LINEAR, [[(1, NOW)], [(2, NOW)], [(3, NOW)], [(4, NOW)]]),
        (Arrangement.IN_MEDIAS_RES, [[(2, NOW)], [(1, BACK)], [(3, NOW)], [(4, NOW)]]),
        (
            Arrangement.FLASHBACKS,
            [[(1, NOW)], [(2, NOW), (0, BACK)], [(3, NOW), (0, BACK)], [(4, NOW)]],
        ),
        (Arrangement.FLASH_FORWARD, [[(4, AHEAD), (1, NOW)], [(2, NOW)], [(3, NOW)], [(4, NOW)]]),
        (
            Arrangement.FRAME,
            [[(4, FRAME), (1, BACK)], [(2, BACK)], [(3, BACK)], [(4, BACK), (4, FRAME)]],
        ),
        (Arrangement.PARALLEL, [[(1, NOW)], [(1, NOW)], [(2, NOW)], [(2, NOW)]]),
    ],
)
def test_each_order_has_its_shape(
    arrangement: Arrangement, expected: list[list[tuple[int, PartTime]]]
) -> None:
    found = outline(told(story(), arrangement))
    assert found[: len(expected)] == expected


@pytest.mark.parametrize("arrangement", list(Arrangement))
@pytest.mark.parametrize("chapters", [1, 2, 3, 5, 20])
@pytest.mark.parametrize("past", [0, 1, 7])
def test_every_event_is_shown_in_any_order(
    arrangement: Arrangement, chapters: int, past: int
) -> None:
    snapshot = story(chapters, past)
    found = told(snapshot, arrangement)
    counted = Counter(event for one in found for part in one.parts for event in part.events)
    of_story = {event.id for event in snapshot.events if snapshot.first_chapter_of(event.id)}
    assert of_story <= set(counted)
    # Only what opens a frame or a glimpse of the end is shown twice.
    twice = [event for event, times in counted.items() if times > 1]
    assert len(twice) <= (arrangement in {Arrangement.FRAME, Arrangement.FLASH_FORWARD})
    assert all(one.parts for one in found)


def test_story_with_nothing_in_it_has_no_chapters() -> None:
    assert all(told(story(0, 0), one) == [] for one in Arrangement)


def test_order_that_a_story_is_too_short_for_is_not_offered() -> None:
    one = told_story(story(chapters=1))
    possible = [order for order in Arrangement if is_possible(one, order)]
    assert possible == [Arrangement.LINEAR, Arrangement.PARALLEL]
    alone = told_story(apply(Snapshot(), adding(MARA, *happens("only", "mara")), 1))
    assert not is_possible(alone, Arrangement.PARALLEL)


def test_lines_are_told_by_turns_each_with_its_own_people() -> None:
    found = told(story(2), Arrangement.PARALLEL)
    assert [one.events for one in found] == [
        ("1-first",),
        ("1-second",),
        ("2-first",),
        ("2-second",),
    ]


def test_what_happens_after_a_telling_was_made_is_left_out_until_it_is_added() -> None:
    early = told(story(2), Arrangement.LINEAR)
    shown = frozenset(event for one in early for event in one.events)
    more = left_out(told_story(story(3)), shown)
    assert [one.parts for one in more] == [(ToldPart(chapter=3, events=("3-first", "3-second")),)]


def test_frame_puts_its_reader_ahead_of_the_people_where_a_linear_telling_does_not() -> None:
    snapshot = story(3, past=0)
    linear = knowledge_curve(told(snapshot, Arrangement.LINEAR), snapshot)
    frame = knowledge_curve(told(snapshot, Arrangement.FRAME), snapshot)
    assert [one.known for one in linear] == [2, 4, 6]
    assert [one.known for one in frame] == [3, 5, 6]
    # Mara and Hale are both there, so together they know all that has happened so far.
    assert [one.ahead for one in linear] == [0, 0, 0]
    # The reader has seen the end. Only Hale is in it, so in the last part Mara's three are the reader's own.
    assert [one.ahead for one in frame] == [1, 1, 3]


def test_telling_that_begins_in_the_middle_keeps_from_its_reader_what_the_people_know() -> None:
    snapshot = story(4, past=0)
    linear = knowledge_curve(told(snapshot, Arrangement.LINEAR), snapshot)
    middle = knowledge_curve(told(snapshot, Arrangement.IN_MEDIAS_RES), snapshot)
    assert [one.behind for one in linear] == [0, 0, 0, 0]
    assert [one.behind for one in middle] == [2, 0, 0, 0]


def test_reader_learns_before_or_after_the_people() -> None:
    snapshot = story(3, past=0)
    told_of = Participation(id="heard", character="mara", event="3-second", part=Part.IS_TOLD)
    snapshot = apply(snapshot, adding(told_of), 3)
    linear = {one.event: one for one in first_known(told(snapshot, Arrangement.LINEAR), snapshot)}
    frame = {one.event: one for one in first_known(told(snapshot, Arrangement.FRAME), snapshot)}
    assert linear["3-second"].reader == 3
    assert frame["3-second"].reader == 1
    assert linear["1-first"].people == {"mara": 1, "hale": None}
    assert linear["3-second"].people == {"mara": 3, "hale": 3}


def test_event_that_a_telling_leaves_out_is_never_known_to_its_reader() -> None:
    snapshot = story(1, past=1)
    found = first_known(told(snapshot, Arrangement.LINEAR), snapshot)
    assert [(one.event, one.reader) for one in found] == [
        ("1-first", 1),
        ("1-second", 1),
        ("past-0", None),
    ]
