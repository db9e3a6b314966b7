"""Search: any piece of any script, as of any chapter of any branch, whatever is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlite_utils
from hypothesis import given
from hypothesis import strategies as st

from store.database.migrations import MIGRATIONS
from store.database.word_index import lines_of, terms_of
from store.models.cast import Character, Relationship, RelationshipKind, Trait
from store.models.delta import Delta
from store.models.plot import Event, Scene, Thread
from store.models.story import Branch, Brief
from store.open import Store
from store.prototype.search import words_of
from store.text import fold
from tests.libraries import temporary_store
from tests.store.builders import (
    CHAPTER_ONE,
    adding,
    altered,
    begin,
    changing,
    deltas_on,
    go_on,
    removing,
)

MARA = Character(
    id="mara",
    name="Mara Lenz",
    aliases=("The Keeper",),
    secrets="she broke the lamp",
    traits=(Trait(name="rank", value="first watch"),),
)
HALE = Character(id="hale", name="Hale", occupation="inspector")
DEBT = Relationship(
    id="debt",
    source="hale",
    target="mara",
    tie=RelationshipKind.DEBT,
    reason="a borrowed oilskin",
    called="owes her his life",
)
GATE = Event(id="gate", title="门锁了", summary="玛拉发现门被锁上了。")
QUAY = Scene(id="quay", name="The quay", place="below the tower", time="at ebb")
KEY = Thread(id="key", title="the second key", description="Who has it?")
CAST = (MARA, HALE, DEBT, QUAY, KEY, GATE)


@pytest.fixture
def told(store: Store, branch: Branch) -> Store:
    begin(store, branch.id, adding(*CAST))
    return store


def ids(store: Store, branch: Branch, text: str, chapter: int | None = None) -> list[str]:
    return [hit.id for hit in store.search.find(branch.id, chapter, text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lenz", ["mara"]),
        ("LENZ mara", ["mara"]),
        ("keeper", ["mara"]),
        ("broke the lamp", ["mara"]),
        ("first watch", ["mara"]),
        ("oilskin", ["debt"]),
        ("owes her his", ["debt"]),
        ("below", ["quay"]),
        ("second", ["key"]),
        ("spect", ["hale"]),
        ("门锁", ["gate"]),
        ("玛拉", ["gate"]),
        ("锁", ["gate"]),
        ("了。", ["gate"]),
        ("bb", ["quay"]),
        ("ba", []),
        ("nobody", []),
        ("mara nobody", []),
        ("", []),
        ("  ", []),
    ],
)
def test_any_piece_of_any_text_is_found(
    told: Store, branch: Branch, text: str, found: list[str]
) -> None:
    assert ids(told, branch, text) == found


HOSTILE = [
    *('"', '""""', "'", "a OR b", "NEAR(mara, 2)", "mara*", "text:mara", "-mara", "^mara", "("),
    *("🗝️", "\x00mara", "mara\x00", "%", "_", "\\", "mara AND", "x" * 5_000, "a b " * 500, "\ud800"),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_typed_means_itself(told: Store, branch: Branch, text: str) -> None:
    for hit in told.search.find(branch.id, None, text):
        entity = told.prototype.snapshot(branch.id).entities[hit.id]
        assert all(word in fold("\n".join(lines_of(entity))) for word in words_of(text))


@given(text=st.text(max_size=30))
def test_any_text_at_all_can_be_asked_for(text: str) -> None:
    assert all(len(term) > 1 and not term.isspace() for term in terms_of(text))


def test_quotes_in_a_text_are_found(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(Event(id="e", title='He said "no"', summary="No.")))

    assert ids(store, branch, 'said "no"') == ["e"]


def test_what_is_called_so_comes_first(store: Store, branch: Branch) -> None:
    mentions = Event(id="e", title="A visit", summary="Hale comes, and Halewood burns.")
    wood = Scene(id="wood", name="Halewood")
    begin(store, branch.id, adding(HALE, wood, mentions))

    assert ids(store, branch, "hale") == ["hale", "wood", "e"]


def test_hit_says_what_it_is_where_it_was_told_and_where_it_says_so(
    told: Store, branch: Branch
) -> None:
    go_on(told, branch.id, adding(*CHAPTER_ONE))

    [debt] = told.search.find(branch.id, None, "oilskin")
    [locked] = told.search.find(branch.id, None, "finds the door")

    assert debt.label == "the debt (“owes her his life”) of Hale towards Mara Lenz"
    assert (debt.kind, debt.chapter, debt.excerpt) == ("relationship", 0, "a borrowed oilskin")
    assert (locked.kind, locked.chapter) == ("event", 1)
    assert locked.excerpt == "Mara finds the door locked."


def test_long_text_is_shown_around_what_was_asked_for(store: Store, branch: Branch) -> None:
    summary = f"{'before ' * 100}the lantern {'after ' * 100}"
    begin(store, branch.id, adding(Event(id="e", title="A night", summary=summary)))

    [hit] = store.search.find(branch.id, None, "lantern")

    assert "lantern" in hit.excerpt
    assert len(hit.excerpt) < 150


def test_only_what_is_so_at_the_chapter_is_found(told: Store, branch: Branch) -> None:
    go_on(told, branch.id, changing(HALE, occupation="harbour master"))
    go_on(told, branch.id, removing(QUAY))

    assert ids(told, branch, "inspector", 0) == ["hale"]
    assert ids(told, branch, "inspector", 1) == []
    assert ids(told, branch, "harbour", 0) == []
    assert ids(told, branch, "harbour") == ["hale"]
    assert ids(told, branch, "quay", 1) == ["quay"]
    assert ids(told, branch, "quay", 2) == []


def test_what_was_taken_back_is_not_found(told: Store, branch: Branch) -> None:
    go_on(told, branch.id, adding(*CHAPTER_ONE))
    assert ids(told, branch, "finds the door") == ["locked"]

    told.prototype.undo(branch.id)
    assert ids(told, branch, "finds the door") == []

    told.prototype.redo(branch.id)
    assert ids(told, branch, "finds the door") == ["locked"]


def test_edit_of_an_earlier_chapter_is_found_from_there_on(told: Store, branch: Branch) -> None:
    go_on(told, branch.id, adding(*CHAPTER_ONE))
    told.prototype.commit(
        branch.id, changing(HALE, occupation="harbour master"), chapter=0, kind="edit", origin="x"
    )

    for chapter in (0, 1, None):
        assert ids(told, branch, "harbour", chapter) == ["hale"]
        assert ids(told, branch, "inspector", chapter) == []


def test_branch_finds_its_own_and_what_it_shares(told: Store, branch: Branch) -> None:
    fork = told.library.fork(branch.id, 0, "What if")
    go_on(told, branch.id, adding(Event(id="here", title="A wreck", summary="A boat strikes.")))
    go_on(told, fork.id, adding(Event(id="there", title="A feast", summary="They dance.")))

    assert ids(told, branch, "wreck") == ["here"]
    assert ids(told, branch, "feast") == []
    assert ids(told, fork, "wreck") == []
    assert ids(told, fork, "feast") == ["there"]
    assert ids(told, fork, "oilskin") == ["debt"]


def test_no_other_story_is_found(told: Store, branch: Branch) -> None:
    other = told.library.create_story(Brief(premise="Another."), "Another")
    begin(told, told.library.main_branch(other.id).id, adding(altered(HALE, id="other-hale")))

    assert ids(told, branch, "hale") == ["hale"]


def test_only_the_kinds_that_are_wanted_are_found(told: Store, branch: Branch) -> None:
    hits = told.search.find(branch.id, None, "the", kinds={"scene", "thread"})

    assert {hit.kind for hit in hits} == {"scene", "thread"}


def test_no_more_is_found_than_is_wanted(store: Store, branch: Branch) -> None:
    events = [Event(id=f"e{at}", title=f"Night {at}", summary="Rain.") for at in range(30)]
    begin(store, branch.id, adding(*events))

    assert len(store.search.find(branch.id, None, "rain")) == 20
    assert len(store.search.find(branch.id, None, "rain", limit=5)) == 5


def test_person_who_changed_least_lately_is_found_among_many_versions(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id, adding(MARA, altered(HALE, name="Marek")))
    mara = MARA
    for number in range(30):
        delta = changing(mara, status=f"day {number}")
        go_on(store, branch.id, delta)
        [change] = delta.changes
        assert isinstance(change.after, Character)
        mara = change.after

    assert set(ids(store, branch, "mar")) == {"mara", "hale"}


def test_empty_branch_has_nothing_to_find(store: Store, branch: Branch) -> None:
    assert ids(store, branch, "mara") == []


@given(st.data())
def test_search_finds_what_reading_everything_finds(data: st.DataObject) -> None:
    with temporary_store() as store:
        expect_all_found(store, data)


def expect_all_found(store: Store, data: st.DataObject) -> None:
    """Fail unless a search in a story of any changes finds what its texts contain, and no more."""
    story = store.library.create_story(Brief(premise="Any."))
    branch = store.library.main_branch(story.id)
    begin(store, branch.id, adding(MARA, HALE))
    for chapter in (1, 2):
        delta: Delta = data.draw(deltas_on(store.prototype.snapshot(branch.id), chapter))
        go_on(store, branch.id, delta)
    text = data.draw(st.sampled_from(["er", "person", "e", "event 1", "scene", "变", "changed"]))

    found = {hit.id for hit in store.search.find(branch.id, None, text, limit=1_000)}

    entities = store.prototype.snapshot(branch.id).entities.values()
    words = fold(text).split()
    wanted = {
        entity.id
        for entity in entities
        if all(word in fold("\n".join(lines_of(entity))) for word in words)
    }
    assert found == wanted


def test_library_from_before_the_search_is_indexed_when_it_opens(new_path: Path) -> None:
    old = sqlite_utils.Database(new_path)
    for number, migration in enumerate(MIGRATIONS[:8], start=1):
        migration(old)
        old.table("migrations").insert({"number": number, "name": "old", "applied": "then"})
    old.executescript(
        """
        INSERT INTO stories (id, title, brief, settings, created, touched)
        VALUES ('story', '', '{}', '{}', '2026-01-01', '2026-01-01');
        INSERT INTO branches (id, story, name) VALUES ('main', 'story', 'Main');
        INSERT INTO commits (branch, chapter, kind, title, origin, delta, parent_hash, hash, created)
        VALUES ('main', 0, 'configuration', '', 'o', '{"changes":[]}', '', 'h', '2026-01-01');
        INSERT INTO characters VALUES
        (1, 'main', 0, 0, 'mara', 0, '[]', 'Mara', 'mara', '["The Keeper"]', '', '', '["keeper', '',
         '', '', '', '', '', '[]', 'living', '[]');
        INSERT INTO events (commit_id, branch_id, chapter, ordinal, id, removed, invented, title,
            summary, consequences, position)
        VALUES (1, 'main', 0, 1, 'gate', 0, '[]', '门锁了', '', '', 0);
        """
    )
    old.close()

    store = Store.open(new_path)

    for text, found in (("the keeper", "mara"), ('["keep', "mara"), ("门锁", "gate")):
        assert [hit.id for hit in store.search.find("main", None, text)] == [found]
    store.close()
