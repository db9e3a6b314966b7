"""What may go wrong around a commit: a clear sentence, and the library is as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from store.errors import BundleInvalid, DeltaInvalid, LibraryUnavailable, StoreError
from store.formats.bundle import export_bundle, import_bundle
from store.models.delta import Delta
from store.models.plot import Event, EventLink, LinkKind, Participation
from store.models.story import Branch, Story
from store.open import Store
from tests.store.builders import (
    AFTER,
    CHAPTER_ONE,
    HALE,
    LOCKED,
    MARA,
    adding,
    altered,
    begin,
    changing,
    filed,
    go_on,
    removing,
)


@pytest.fixture
def main(store: Store, branch: Branch) -> str:
    """A branch with its beginning and one chapter."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    return branch.id


def edit(store: Store, branch: str, delta: Delta, chapter: int = 1) -> None:
    store.prototype.commit(branch, delta, chapter=chapter, kind="edit", origin="edit")


@contextmanager
def unchanged(store: Store, branch: str) -> Iterator[None]:
    """Fail if what is done changes anything on a branch."""
    before = (store.prototype.head(branch), store.prototype.snapshot(branch))
    yield
    assert (store.prototype.head(branch), store.prototype.snapshot(branch)) == before
    store.prototype.verify(branch)


def test_full_disk_in_the_middle_of_a_commit(store: Store, main: str) -> None:
    database = store.database.read()
    pages = next(iter(database.query("PRAGMA page_count")))["page_count"]
    database.execute(f"PRAGMA max_page_count = {pages}")
    huge = [Event(id=f"e{at}", title=f"E{at}", summary="word " * 900) for at in range(400)]

    with unchanged(store, main), pytest.raises(LibraryUnavailable, match=r"no room.*Nothing was"):
        go_on(store, main, adding(*huge))

    database.execute("PRAGMA max_page_count = 1073741823")
    go_on(store, main, adding(*huge))
    assert len(store.prototype.snapshot(main).events) == 402
    store.prototype.verify(main)


def test_links_do_not_cross_branches(store: Store, main: str) -> None:
    what_if = store.library.fork(main, 1, "What if").id
    go_on(store, what_if, adding(Event(id="elsewhere", title="Elsewhere", summary="It happens.")))
    link = EventLink(id="across", source="locked", target="elsewhere", link=LinkKind.CAUSES)

    with unchanged(store, main), pytest.raises(DeltaInvalid, match="does not exist"):
        edit(store, main, adding(link))


@pytest.mark.parametrize("links", [[LinkKind.BEFORE], [LinkKind.CAUSES, LinkKind.BEFORE]])
def test_events_do_not_run_in_a_circle(store: Store, main: str, links: list[LinkKind]) -> None:
    back = [
        EventLink(id=f"back-{link}", source="after", target="locked", link=link) for link in links
    ]
    with unchanged(store, main), pytest.raises(DeltaInvalid, match="in a circle"):
        edit(store, main, adding(*back))


def test_circle_through_a_later_chapter(store: Store, main: str) -> None:
    dawn = Event(id="dawn", title="Dawn", summary="It dawns.")
    onward = EventLink(id="onward", source="after", target="dawn", link=LinkKind.CAUSES)
    returned = EventLink(id="returned", source="dawn", target="locked", link=LinkKind.PARALLELS)
    go_on(store, main, adding(dawn, onward, returned))
    other = Event(id="other", title="Other", summary="It happens.")
    edit(store, main, adding(other), 1)
    go_on(
        store,
        main,
        adding(EventLink(id="on", source="dawn", target="other", link=LinkKind.BEFORE)),
    )
    back = EventLink(id="back", source="other", target="after", link=LinkKind.BEFORE)

    with unchanged(store, main), pytest.raises(DeltaInvalid, match="in a circle"):
        store.prototype.commit(main, adding(back), chapter=1, kind="edit", origin="circle")


def test_what_a_later_chapter_needs_is_not_taken_out_of_an_earlier_one(
    store: Store, main: str
) -> None:
    part = Participation(id="hale-after", character="hale", event="after")
    go_on(store, main, adding(part))
    whole = store.prototype.snapshot(main, 0)
    relationship = whole.relationships[0]

    with (
        unchanged(store, main),
        pytest.raises(
            DeltaInvalid,
            match=r"In chapter 2, the part of Hale in .The lamp dies. still needs Hale",
        ),
    ):
        edit(store, main, removing(relationship, HALE), 0)


def test_what_a_later_chapter_takes_out_cannot_be_needed_from_before(
    store: Store, main: str
) -> None:
    go_on(store, main, removing(AFTER, next(one for one in CHAPTER_ONE if one.id == "cause")))
    part = Participation(id="hale-after", character="hale", event="after")
    with unchanged(store, main), pytest.raises(DeltaInvalid, match="In chapter 2"):
        edit(store, main, adding(part), 1)


def test_name_that_a_later_chapter_gives_is_taken(store: Store, main: str) -> None:
    go_on(store, main, adding(altered(HALE, id="tom", name="Tom")))
    with unchanged(store, main), pytest.raises(DeltaInvalid, match="two people called Tom"):
        edit(store, main, changing(MARA, name="Tom"), 0)


def test_agents_cannot_change_what_is_locked(store: Store, main: str) -> None:
    locked = altered(MARA, locked=("motivation",))
    edit(store, main, Delta.model_validate({"changes": [{"before": MARA, "after": locked}]}))
    with unchanged(store, main), pytest.raises(DeltaInvalid, match="locked"):
        go_on(store, main, changing(locked, motivation="to flee"))
    go_on(store, main, changing(locked, status="awake"))


def damaged(story: str, change: Any) -> str:
    document = json.loads(story)
    change(document["branches"][0]["commits"])
    return filed(document)


def test_file_that_takes_back_what_it_did_not_tell(store: Store, story: Story, main: str) -> None:
    """An undo whose words are not those of what it undoes, with a hash chain that holds."""
    edit(store, main, changing(MARA, status="ill"))
    edited = store.prototype.snapshot(main).characters[0]
    store.prototype.commit(
        main, changing(edited, status="well", age="9"), chapter=1, kind="undo", origin="lie"
    )
    text = export_bundle(store, story.id)
    before = len(store.library.stories())

    with pytest.raises(BundleInvalid, match="takes back"):
        import_bundle(store, text)

    assert len(store.library.stories()) == before


@pytest.mark.parametrize("kind", ["untell", "retell", "redo", "undo"])
def test_file_that_only_takes_back(store: Store, story: Story, main: str, kind: str) -> None:
    text = export_bundle(store, story.id)
    before = len(store.library.stories())

    def turn(commits: list[dict[str, Any]]) -> None:
        commits[-1]["kind"] = kind

    with pytest.raises(BundleInvalid, match="damaged"):
        import_bundle(store, damaged(text, turn))

    assert len(store.library.stories()) == before
    assert LOCKED.id in store.prototype.snapshot(main).entities


def test_nothing_is_undone_beyond_the_beginning(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    with unchanged(store, branch.id), pytest.raises(StoreError, match="nothing to undo"):
        store.prototype.undo(branch.id)
    with unchanged(store, branch.id), pytest.raises(StoreError, match="nothing to redo"):
        store.prototype.redo(branch.id)
