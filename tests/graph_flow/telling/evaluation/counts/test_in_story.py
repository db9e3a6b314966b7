"""What chapters name of their story, and which threads are open along them."""

from __future__ import annotations

import pytest

from graph_flow.telling.evaluation.counts.naming import ChapterNaming, Involved
from graph_flow.telling.evaluation.counts.threads import OpenThread, OpenThreads, open_threads
from store.deltas.delta import apply
from store.models.cast import Character
from store.models.plot import Event, Occurrence, Participation, Scene, Thread, ThreadState
from store.prototype.states import Version
from tests.store.builders import CAST, CHAPTER_ONE, adding, snapshot_of

LATE = Character(id="late", name="Odile Marchetti", aliases=("the lamplighter",))
SEEN = Event(id="seen", title="Seen", summary="Odile sees it.")
STORY = apply(
    apply(snapshot_of(*CAST), adding(*CHAPTER_ONE), 1),
    adding(
        LATE,
        SEEN,
        Participation(id="late-seen", character="late", event="seen"),
        Participation(id="hale-seen", character="hale", event="seen"),
        Scene(id="quay", name="渡口", place=""),
        Occurrence(id="seen-quay", event="seen", scene="quay"),
    ),
    2,
)


@pytest.mark.parametrize(
    ("chapter", "text", "found"),
    [
        (
            1,
            "Mara climbed. The lamp\nwas out. In the room Hale wrote.",
            ChapterNaming(named=("Mara",), missing=("Lamp room",), besides=("Hale",)),
        ),
        (1, "The LAMP, in its room: Mara.", ChapterNaming(named=("Mara", "Lamp room"))),
        (
            1,
            "The lamplighter came. He climbed the tower.",
            ChapterNaming(named=("Lamp room",), missing=("Mara",)),
        ),
        (
            2,
            "Marchetti waited at 渡口.",
            ChapterNaming(named=("Odile Marchetti", "渡口"), missing=("Hale",)),
        ),
        (3, "Mara slept.", ChapterNaming(besides=("Mara",))),
    ],
)
def test_what_a_chapter_names_is_set_against_what_its_events_involve(
    chapter: int, text: str, found: ChapterNaming
) -> None:
    assert Involved(STORY).naming(chapter, text) == found


def test_the_share_that_is_named() -> None:
    assert ChapterNaming(named=("A",), missing=("B", "C"), besides=("D",)).share == pytest.approx(
        1 / 3
    )
    assert ChapterNaming(besides=("D",)).share is None


def thread(id_: str, state: ThreadState, planted: int | None) -> Thread:
    return Thread(id=id_, title=f"The {id_}", state=state, planted_in=planted)


def test_open_threads_have_their_ages_along_the_chapters() -> None:
    timelines = {
        "key": (
            Version(chapter=1, entity=thread("key", ThreadState.PLANTED, 1)),
            Version(chapter=4, entity=thread("key", ThreadState.PAID_OFF, 1)),
        ),
        "map": (
            Version(chapter=0, entity=thread("map", ThreadState.PLANNED, 3)),
            Version(chapter=3, entity=thread("map", ThreadState.PLANTED, 3)),
        ),
        "dog": (
            Version(chapter=2, entity=thread("dog", ThreadState.PLANTED, None)),
            Version(chapter=3, entity=thread("dog", ThreadState.DROPPED, None)),
        ),
        "cat": (
            Version(chapter=2, entity=thread("cat", ThreadState.PLANTED, 2)),
            Version(chapter=5, entity=None),
        ),
    }

    one, two, three, four, six = open_threads(timelines, [1, 2, 3, 4, 6])

    assert (one.count, one.oldest_age) == (1, 0)
    assert (two.count, two.oldest_age) == (3, 1)
    assert two.mean_age == pytest.approx(1 / 3)
    assert [it.title for it in three.oldest] == ["The key", "The cat", "The map"]
    assert [it.title for it in four.oldest] == ["The cat", "The map"]
    assert six == OpenThreads(
        count=1, mean_age=3, oldest_age=3, oldest=(OpenThread(title="The map", age=3),)
    )
    assert list(open_threads({}, [1])) == [OpenThreads()]
