"""Excerpts: as the whole story has it, no more in a long story than in a short one, and the right part."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.models.cast import Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Participation,
    Scene,
    Spine,
    Thread,
    ThreadState,
)
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot
from store.models.story import Branch, Brief
from store.open import Store
from store.prototype.excerpts import Excerpts, Mentions, Query, joined
from tests.libraries import put_empty_library
from tests.store.builders import (
    GROUND,
    adding,
    altered,
    begin,
    changing,
    deltas_on,
    go_on,
    removing,
)

PEOPLE = [Character(id=f"p{at}", name=f"Person {at}", secrets=f"secret {at}") for at in range(30)]
HALL = Scene(id="hall", name="Hall")
FIRST = Relationship(id="first", source="p0", target="p1", tie=RelationshipKind.DEBT, reason="gold")


def chapter_of(number: int) -> Delta:
    """Return a chapter: an event of the first person with one of the others, and what came of it."""
    event = Event(id=f"e{number}", title=f"Day {number}", summary=f"They meet, time {number}.")
    others = [f"p{1 + number % 20}", "p0"]
    told: list[AnyEntity] = [
        event,
        *(Participation(id=f"{who}-{event.id}", character=who, event=event.id) for who in others),
        Occurrence(id=f"o{number}", event=event.id, scene="hall"),
        Thread(id=f"t{number}", title=f"question {number}", state=ThreadState.PLANTED),
        Relationship(
            id=f"r{number}", source="p0", target=f"p{1 + number % 20}", tie=RelationshipKind.RIVALRY
        ),
    ]
    if number > 1:
        link = EventLink(
            id=f"l{number}", source=f"e{number - 1}", target=event.id, link=LinkKind.CAUSES
        )
        told.append(link)
    return adding(*told)


def tell(store: Store, chapters: int) -> str:
    """Tell a story of so many chapters; return its branch."""
    branch = store.library.main_branch(store.library.create_story(Brief(premise="Any.")).id).id
    begin(store, branch, adding(GROUND, *PEOPLE, HALL, FIRST))
    for number in range(1, chapters + 1):
        go_on(store, branch, chapter_of(number))
    return branch


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store.open(put_empty_library(tmp_path_factory.mktemp("excerpts") / "library.db"))


@pytest.fixture(scope="module")
def long(library: Store) -> str:
    return tell(library, 60)


def events_in(snapshot: Snapshot) -> set[str]:
    return {event.id for event in snapshot.of(Event)}


def every_excerpt(excerpts: Excerpts, branch: str, chapter: int) -> list[Snapshot]:
    """Return one excerpt of each kind."""
    people = ["p0", "p3", "p00-0"]
    text = "Person 3 and Event 1 meet in Scene 2, with question 2"
    return [
        excerpts.foundation(branch, chapter),
        excerpts.of_chapter(branch, chapter),
        excerpts.of_people(branch, chapter, people, text),
        excerpts.of_circle(branch, chapter, text),
        excerpts.of_words(branch, chapter, text),
        excerpts.of_past(branch, chapter, Query(text=text, people=tuple(people), events=("e2",))),
        excerpts.of_threads(branch, chapter, text),
        excerpts.newest(branch, chapter, 5),
        excerpts.mentioned(
            branch, chapter, Mentions(place="Hall", thread=text, people=("p0", "p3"))
        ),
    ]


@settings(max_examples=40)
@given(data=st.data())
def test_excerpt_holds_only_what_is_so(library: Store, data: st.DataObject) -> None:
    """Whatever was added, changed, removed, at any chapter, on any branch."""
    branch = library.library.main_branch(library.library.create_story(Brief(premise="Any.")).id).id
    chapters = data.draw(st.integers(0, 3))
    for number in range(chapters + 1):
        delta = data.draw(deltas_on(library.prototype.snapshot(branch), number))
        kind = "chapter" if number else "configuration"
        library.prototype.commit(branch, delta, chapter=number, kind=kind, origin=str(number))  # type: ignore[arg-type] # one of two
    if chapters:
        at = data.draw(st.integers(0, chapters - 1))
        branch = library.library.fork(branch, at, "What if").id
        go_on(library, branch, data.draw(deltas_on(library.prototype.snapshot(branch), at + 1)))
    head = library.prototype.snapshot(branch).chapter
    for chapter in (head, data.draw(st.integers(0, head))):
        whole = library.prototype.snapshot(branch, chapter)
        for part in every_excerpt(library.excerpts, branch, chapter):
            for id_, entity in part.entities.items():
                assert whole.entities[id_] == entity
                assert part.first_chapter_of(id_) == whole.first_chapter_of(id_)


def test_excerpt_is_no_larger_in_a_long_story(library: Store, long: str) -> None:
    longer = tell(library, 150)

    for short, whole in zip(
        every_excerpt(library.excerpts, long, 60),
        every_excerpt(library.excerpts, longer, 150),
        strict=True,
    ):
        assert len(whole.entities) <= 1.1 * len(short.entities) + 8


def test_empty_branch_has_empty_excerpts(store: Store, branch: Branch) -> None:
    assert all(not part.entities for part in every_excerpt(store.excerpts, branch.id, 0))


def test_chapter_comes_with_its_people_places_and_ties(library: Store, long: str) -> None:
    part = library.excerpts.of_chapter(long, 5)

    assert [event.id for event in part.events_of(5)] == ["e5"]
    assert {person.id for person in part.characters} == {"p0", "p6"}
    scene = part.scene_of("e5")
    assert scene is not None
    assert scene.id == "hall"
    assert {relationship.id for relationship in part.relationships} == {"r5"}
    assert part.foundation == GROUND


def test_people_come_with_their_newest_past_and_what_is_spoken_of(
    library: Store, long: str
) -> None:
    newest = library.excerpts.of_people(long, None, ["p0"])
    spoken = library.excerpts.of_people(long, None, ["p0"], "Think of Day 7, time 7")

    assert {"e60", "e59", "e50"} <= events_in(newest)
    assert "e2" not in events_in(newest)
    assert {"e60", "e59"} <= events_in(spoken)


def test_people_come_with_what_they_shared_long_ago(library: Store, long: str) -> None:
    part = library.excerpts.of_people(long, None, ["p0", "p3"])

    assert {"e2", "e22", "e42"} <= events_in(part)


def test_rare_word_is_found_however_far_back_it_was_said(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(*PEOPLE, HALL, FIRST))
    sextant = Event(id="far", title="A find", summary="A brass sextant lies in the sand. 铜六分仪")
    go_on(store, branch.id, adding(sextant, Participation(id="x", character="p0", event="far")))
    for number in range(2, 60):
        go_on(store, branch.id, chapter_of(number) if number > 2 else adding(_event(2)))

    for text in ("Who has the sextant?", "谁有六分仪？"):
        assert "far" in events_in(store.excerpts.of_past(branch.id, None, Query(text=text)))
        assert "far" in events_in(store.excerpts.of_people(branch.id, None, ["p0"], text))
        assert "far" in events_in(store.excerpts.of_words(branch.id, None, text))
    assert "far" not in events_in(store.excerpts.of_past(branch.id, None, Query(text="Nobody.")))
    assert "far" not in events_in(store.excerpts.of_people(branch.id, None, ["p4"], "sextant"))


def _event(number: int) -> Event:
    return Event(id=f"e{number}", title=f"Day {number}", summary=f"They meet, time {number}.")


def test_past_leads_back_along_the_links(library: Store, long: str) -> None:
    part = library.excerpts.of_past(long, None, Query(events=("e9",)))

    assert {"e7", "e8", "e10", "e11"} <= events_in(part)
    assert any(link.target == "e9" for link in part.of(EventLink))


def test_past_has_what_planted_an_open_thread(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(*PEOPLE, HALL, FIRST))
    go_on(store, branch.id, adding(_event(1)))
    for number in range(2, 60):
        go_on(store, branch.id, adding(_event(number)))
    thread = Thread(id="t", title="Whose?", state=ThreadState.PLANTED, planted_in=1)
    go_on(store, branch.id, adding(thread))

    assert "e1" in events_in(store.excerpts.of_past(branch.id, None, Query()))


def test_circle_has_who_is_named_who_acts_and_whom_it_began_with(library: Store, long: str) -> None:
    people = {
        person.id for person in library.excerpts.of_circle(long, None, "Person 29 wakes").characters
    }

    assert {"p0", "p29", "p1", "p20"} <= people
    assert len(people) == 16


def test_relays_are_cast_from_the_circle_of_each_text(library: Store, long: str) -> None:
    texts = ["Person 29 wakes", "Person 3 sleeps", ""]
    kinds = {"character", "event", "participation"}

    for text, found in zip(texts, library.excerpts.of_relays(long, texts), strict=True):
        circle = library.excerpts.of_circle(long, None, text)
        expected = {id_: one for id_, one in circle.entities.items() if one.kind in kinds}
        assert list(found.entities.items()) == list(expected.items())
        assert all(found.first_chapter_of(id_) == circle.first_chapter_of(id_) for id_ in expected)


def test_words_are_found_where_they_stand(library: Store, long: str) -> None:
    part = library.excerpts.of_words(long, None, "The gold of Person 29")

    assert {"first", "p29"} <= part.entities.keys()


def test_what_is_mentioned_is_found_by_its_name(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(*PEOPLE, HALL, FIRST))
    thread = Thread(id="t", title="who has the second key", state=ThreadState.PLANTED)
    go_on(store, branch.id, adding(Scene(id="vault", name="The Vault"), thread))

    found = store.excerpts.mentioned(
        branch.id,
        1,
        Mentions(place="the  VAULT", thread="Who took the second key?", people=("p0", "p1")),
    )

    assert {"vault", "t", "first"} <= found.entities.keys()
    known = {"vault", "p0"}
    rest = store.excerpts.mentioned(
        branch.id, 1, Mentions(place="the vault", people=("p0", "p1")), known
    )
    assert rest.entities.keys() == found.entities.keys() - {"t", *known}
    nothing = store.excerpts.mentioned(branch.id, 1, Mentions(place="cellar"))
    assert nothing.entities == {}


def test_changed_name_is_found_and_the_old_one_leads_to_it(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(*PEOPLE, HALL))
    go_on(store, branch.id, changing(HALL, name="Great Chamber"))

    for name in ("Great Chamber", "Hall"):
        assert "hall" in store.excerpts.mentioned(branch.id, 1, Mentions(place=name)).entities


def test_what_was_removed_is_in_no_excerpt(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(*PEOPLE, HALL, FIRST))
    go_on(store, branch.id, removing(FIRST))

    assert "first" in store.excerpts.of_people(branch.id, 0, ["p0"]).entities
    assert "first" not in store.excerpts.of_people(branch.id, None, ["p0"]).entities


def test_telling_has_people_ties_and_threads_as_they_were_when_the_chapter_begins(
    store: Store, branch: Branch
) -> None:
    before = Character(id="p", name="Pia", motivation="to leave", invented=("motivation",))
    other = Character(id="q", name="Quint")
    event = Event(id="now", title="Now", summary="They meet.")
    parts = [Participation(id=f"{who}-now", character=who, event="now") for who in ("p", "q")]
    formed = Relationship(
        id="formed", source="p", target="q", tie=RelationshipKind.DEBT, invented=("tie",)
    )
    open_ = Thread(id="t", title="Why?", state=ThreadState.PLANTED, invented=("state", "title"))
    begin(store, branch.id, adding(GROUND, before, other, open_))
    changed = altered(before, motivation="to stay", invented=("motivation",))
    additions = adding(event, *parts, formed).changes
    becoming = changing(before, motivation="to stay").changes
    paid_off = changing(open_, state=ThreadState.PAID_OFF).changes
    told = Delta(changes=(*additions, *becoming, *paid_off))
    go_on(store, branch.id, told)

    telling = store.excerpts.of_telling(branch.id, 1)

    assert telling.get(Character, "p").motivation == "to leave"
    assert telling.get(Thread, "t").state is ThreadState.PLANTED
    assert "formed" not in telling.entities
    assert store.excerpts.of_chapter(branch.id, 1).get(Character, "p") == changed

    by_hand = altered(changed, motivation="to swim", invented=())
    edit = Delta(changes=(Change(before=changed, after=by_hand),))
    store.prototype.commit(branch.id, edit, chapter=1, kind="edit", origin="by-hand")

    assert store.excerpts.of_telling(branch.id, 1).get(Character, "p").motivation == "to swim"


def test_telling_knows_how_the_story_has_come_to_end_and_how_it_now_sounds(
    store: Store, branch: Branch
) -> None:
    spine = Spine(id=SPINE_ID, ending="He signs.", invented=("ending",))
    begin(store, branch.id, adding(GROUND, spine))
    go_on(store, branch.id, adding(Event(id="now", title="Now", summary="He waits.")))
    go_on(store, branch.id, changing(spine, ending="He burns it."))
    go_on(store, branch.id, changing(GROUND, tone="As cold as slate.", background="All is sea."))

    telling = store.excerpts.of_telling(branch.id, 1)

    assert telling.chapter == 1
    assert telling.spine.ending == "He burns it."
    assert telling.foundation.tone == "As cold as slate."
    assert telling.foundation.background == GROUND.background


def test_later_events_come_in_order_and_only_later_ones(library: Store, long: str) -> None:
    assert events_in(library.excerpts.after(long, 57, 2)) == {"e58", "e59"}
    assert events_in(library.excerpts.after(long, 60, 4)) == set()


def test_joined_parts_are_as_one() -> None:
    one = Snapshot(chapter=3, entities={"a": HALL}, first_chapter={"a": 1})
    other = Snapshot(chapter=2, entities={"b": GROUND}, first_chapter={"b": 0})

    both = joined(one, other)

    assert (both.chapter, set(both.entities), both.first_chapter_of("a")) == (3, {"a", "b"}, 1)
