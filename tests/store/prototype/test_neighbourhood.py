"""What is around Deltas: what they speak of, how it became so, and no more in a longer story."""

from __future__ import annotations

from store.models.cast import Life
from store.models.delta import Delta
from store.models.plot import Event, EventLink, LinkKind, Participation
from store.models.story import Branch
from store.open import Store
from tests.store.builders import (
    AFTER,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    IN_LAMP_ROOM,
    LAMP_ROOM,
    LOCKED,
    MARA,
    MARA_LOCKED,
    adding,
    altered,
    begin,
    changing,
    go_on,
)


def happening(number: int) -> tuple[Event, Participation]:
    event = Event(id=f"event-{number}", title=f"Event {number}", summary="Mara waits.")
    return event, Participation(id=f"part-{number}", character="mara", event=event.id)


def leading_on(*sources: str) -> Delta:
    """Return a Delta whose event is led to by others."""
    links = [
        EventLink(id=f"from-{one}", source=one, target="next", link=LinkKind.CAUSES)
        for one in sources
    ]
    return adding(Event(id="next", title="Next", summary="Mara goes."), *links)


def test_what_a_delta_speaks_of_is_there(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))

    near = store.vicinity.of(branch.id, [leading_on("locked"), changing(DISTRUST, strength=2)])

    assert near.snapshot.chapter == 1
    standing = {LOCKED, AFTER, MARA_LOCKED, IN_LAMP_ROOM, LAMP_ROOM, MARA, HALE, DISTRUST}
    assert standing <= set(near.snapshot.entities.values())
    assert near.snapshot.first_chapter_of("locked") == 1
    assert near.whole_from == 0


def test_ties_back_are_there(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    back = altered(DISTRUST, id="back", source="hale", target="mara")
    go_on(store, branch.id, adding(back))

    near = store.vicinity.of(branch.id, [changing(DISTRUST, strength=2)])

    assert near.snapshot.entities["back"] == back
    assert [at.chapter for at in near.timelines["back"]] == [1]


def test_newest_versions_tell_how_things_became_so(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    hale = HALE
    for chapter in range(1, 12):
        after = altered(hale, status=f"chapter {chapter}")
        go_on(store, branch.id, changing(hale, status=after.status))
        hale = after
    go_on(store, branch.id, changing(hale, life=Life.DEAD))

    near = store.vicinity.of(branch.id, [changing(altered(hale, life=Life.DEAD), status="gone")])

    line = near.timelines["hale"]
    assert [at.chapter for at in line] == list(range(5, 13))
    assert line[-1].entity == altered(hale, life=Life.DEAD)
    assert line[-2].entity == hale


def test_longer_story_has_no_more_around_a_delta(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    sizes = {}
    for chapter in range(2, 121):
        go_on(store, branch.id, adding(*happening(chapter)))
        if chapter in {60, 120}:
            near = store.vicinity.of(branch.id, [leading_on("locked")])
            sizes[chapter] = len(near.snapshot.entities)
            assert near.snapshot.entities["locked"] == LOCKED
            assert near.whole_from == chapter - 48 + 2

    assert sizes[60] == sizes[120]


def test_branch_sees_what_stood_when_it_left(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    other = store.library.fork(branch.id, 1, "What if")
    go_on(store, branch.id, changing(HALE, status="drowned"))

    near = store.vicinity.of(other.id, [changing(HALE, status="warm")])

    assert near.snapshot.entities["hale"] == HALE
    assert [at.entity for at in near.timelines["hale"]] == [HALE]


def test_before_the_beginning_nothing_is_around(store: Store, branch: Branch) -> None:
    near = store.vicinity.of(branch.id, [adding(MARA)])

    assert near.snapshot.entities == {}
    assert near.timelines == {}
