"""What the pictures keep a place for: all that ever came, in the order in which it came."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.models.cast import Character, Relationship, RelationshipKind
from store.models.delta import Delta
from store.models.plot import Event, Occurrence, Participation, Scene
from store.models.prototype import Snapshot
from store.models.story import Branch, Brief
from store.open import Store
from store.prototype.arrivals import read_arrivals, read_told
from tests.libraries import put_empty_library
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    HALE,
    LOCKED,
    MARA,
    adding,
    altered,
    begin,
    changing,
    go_on,
    histories,
    removing,
)

IDA = Character(id="ida", name="Ida")
SISTERS = Relationship(id="sisters", source="ida", target="mara", tie=RelationshipKind.KINSHIP)
MET = Event(id="met", title="They meet", summary="They meet.")


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One library for all stories that hypothesis thinks of."""
    store = Store.open(put_empty_library(tmp_path_factory.mktemp("library") / "library.db"))
    yield store
    store.close()


def test_people_come_in_the_order_of_their_commits_with_those_they_came_with(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    together = [
        Participation(id=f"in-{who}", character=who, event="met") for who in ("ida", "hale")
    ]
    go_on(store, branch.id, adding(IDA, SISTERS, MET, *together))

    arrivals = read_arrivals(store.database, branch.id)

    assert [one.person for one in arrivals] == ["mara", "hale", "ida"]
    assert arrivals[0].commit == arrivals[1].commit < arrivals[2].commit
    assert arrivals[0].companions == {"hale": 7}
    assert arrivals[2].companions == {"mara": 5, "hale": 5}


def test_who_comes_in_by_an_edit_of_an_earlier_chapter_comes_last(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(IDA))
    tobin = Character(id="tobin", name="Tobin")
    store.prototype.commit(branch.id, adding(tobin), chapter=0, kind="edit", origin="an-edit")

    assert [one.person for one in read_arrivals(store.database, branch.id)][2:] == ["ida", "tobin"]


def test_who_leaves_keeps_a_place_and_so_does_what_is_taken_out(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id, adding(MARA, HALE))
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    told = read_told(store.database, branch.id, 0, 9)
    removed = [one for one in CHAPTER_ONE if one.id in {"mara-locked", "in-lamp-room", "cause"}]
    go_on(store, branch.id, removing(*removed, LOCKED, HALE))

    assert [one.person for one in read_arrivals(store.database, branch.id)] == ["mara", "hale"]
    assert read_told(store.database, branch.id, 0, 9) == told


def test_a_chapter_tells_its_events_in_order_and_whom_and_what_they_bring_up(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    quay = Scene(id="quay", name="The quay")
    later, sooner = altered(MET, id="later", position=1), altered(MET, id="sooner", position=0)
    go_on(
        store,
        branch.id,
        adding(
            quay,
            later,
            sooner,
            Participation(id="p1", character="hale", event="later"),
            Participation(id="p2", character="mara", event="sooner"),
            Participation(id="p3", character="hale", event="sooner"),
            Occurrence(id="o1", event="later", scene="quay"),
        ),
    )
    [chapter] = read_told(store.database, branch.id, 1, 1)

    assert chapter.events == ("sooner", "later")
    assert chapter.people == ("mara", "hale")
    assert chapter.scenes == ("quay",)
    assert read_told(store.database, branch.id, 2, 9) == []


def test_an_event_stays_in_the_chapter_that_told_it_when_another_changes_it(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(MET))
    go_on(store, branch.id, changing(MET, consequences="They part."))

    assert [one.chapter for one in read_told(store.database, branch.id, 0, 9)] == [1]
    assert read_told(store.database, branch.id, 2, 2) == []


def test_a_branch_knows_who_came_before_it_began_and_not_who_came_elsewhere(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id, adding(*CAST))
    fork = store.library.fork(branch.id, 0, "What if")
    go_on(store, branch.id, adding(IDA))

    assert [one.person for one in read_arrivals(store.database, fork.id)] == ["mara", "hale"]


@given(histories(), st.data())
@settings(max_examples=40)
def test_everything_that_stands_has_come(
    shared_store: Store, deltas: list[Delta], data: st.DataObject
) -> None:
    store = shared_store
    branch = store.library.main_branch(store.library.create_story(Brief()).id).id
    begin(store, branch, deltas[0])
    for delta in deltas[1:]:
        go_on(store, branch, delta)
    chapter = data.draw(st.integers(0, len(deltas) - 1))
    snapshot = store.prototype.snapshot(branch, chapter)
    people = [one.person for one in read_arrivals(store.database, branch)]
    told = read_told(store.database, branch, 0, chapter)

    assert {one.id for one in snapshot.characters} <= set(people)
    assert _events(snapshot) <= {(one.chapter, event) for one in told for event in one.events}


def _events(snapshot: Snapshot) -> set[tuple[int, str]]:
    return {(snapshot.first_chapter_of(event.id), event.id) for event in snapshot.events}
