"""The one write path: what is stored is the fold of what was committed, on every branch."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.database.model_tables import TABLES
from store.deltas.delta import apply
from store.errors import (
    DeltaInvalid,
    LibraryDamaged,
    NotFound,
    StoryMoved,
)
from store.models.cast import Character, Relationship
from store.models.delta import Change, Delta
from store.models.plot import EventLink, LinkKind
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Branch, Brief
from store.open import Store
from store.prototype.prototype import PrototypeStore
from store.prototype.states import WHERE_QUERIES, newest_query, partial_query
from tests.packed import teach
from tests.store.builders import (
    AFTER,
    CAST,
    CAUSE,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    LAMP_ROOM,
    LOCKED,
    MARA,
    THREAD,
    adding,
    altered,
    begin,
    changing,
    deltas_on,
    fold,
    go_on,
    histories,
    removing,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories(), st.data())
def test_the_stored_state_is_the_fold(
    store: Store, deltas: list[Delta], data: st.DataObject
) -> None:
    """At every chapter, after an edit at the head, and on a branch from any chapter."""
    branch = store.library.main_branch(store.library.create_story(Brief()).id).id
    for delta in deltas:
        (go_on if store.prototype.head(branch) else begin)(store, branch, delta)
    for chapter in range(len(deltas)):
        read = afresh(store).snapshot(branch, chapter)
        assert read == store.prototype.snapshot(branch, chapter) == fold(deltas[: chapter + 1])

    head = fold(deltas)
    edit = data.draw(deltas_on(head, 50))
    store.prototype.commit(branch, edit, chapter=head.chapter, kind="edit", origin="edit")
    edited = apply(head, edit, head.chapter)
    assert afresh(store).snapshot(branch) == store.prototype.snapshot(branch) == edited
    assert list(afresh(store).snapshot(branch).entities) == list(edited.entities)
    assert afresh(store).partial(branch, None, set(edited.first_chapter)) == edited

    chapter = data.draw(st.integers(0, head.chapter))
    start = store.prototype.snapshot(branch, chapter)
    fork = store.library.fork(branch, chapter, "What if").id
    other = data.draw(deltas_on(start, 60))
    go_on(store, fork, other)
    forked = apply(start, other, chapter + 1)
    assert afresh(store).snapshot(fork) == store.prototype.snapshot(fork) == forked
    assert afresh(store).partial(fork, None, set(forked.first_chapter)) == forked
    assert store.prototype.snapshot(fork, chapter) == start
    assert store.prototype.snapshot(branch) == edited
    store.prototype.verify(branch)
    store.prototype.verify(fork)


def afresh(store: Store) -> PrototypeStore:
    """Return the same prototypes as one reads them who has kept nothing."""
    return PrototypeStore(store.database)


def test_a_branch_does_not_see_what_its_parent_does_later(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    first = store.library.fork(branch.id, 1, "First").id
    edit = changing(MARA, status="ill")
    store.prototype.commit(branch.id, edit, chapter=1, kind="edit", origin="late")
    second = store.library.fork(branch.id, 1, "Second").id
    deep = store.library.fork(first, 0, "From the beginning").id
    assert afresh(store).snapshot(first).get(Character, "mara").status == ""
    assert store.prototype.partial(first, None, {"mara"}).get(Character, "mara").status == ""
    assert store.prototype.snapshot(second).get(Character, "mara").status == "ill"
    go_on(store, first, changing(MARA, status="away"))
    assert store.prototype.snapshot(deep) == fold([adding(*CAST)])
    assert [commit.origin for commit in store.prototype.commits(second)] == [
        "beginning",
        "chapter-1",
        "late",
    ]


def test_chapters_and_titles_in_order(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    edit = changing(MARA, status="ill")
    store.prototype.commit(branch.id, edit, chapter=1, kind="edit", origin="edit")
    go_on(store, branch.id, adding(altered(AFTER, id="dawn", title="Dawn")), "Dawn")
    chapters = store.prototype.chapters(branch.id)
    assert [(one.chapter, one.title) for one in chapters] == [(0, ""), (1, "The door"), (2, "Dawn")]
    assert len(store.prototype.commits(branch.id)) == 4
    assert store.prototype.title_of(branch.id, 2) == "Dawn"
    assert store.prototype.title_of(branch.id, 3) == ""
    head = store.prototype.head(branch.id)
    assert head is not None
    assert (head.commit, head.chapter) == (chapters[-1], 2)


def test_an_empty_branch(store: Store, branch: Branch) -> None:
    assert store.prototype.head(branch.id) is None
    assert store.prototype.snapshot(branch.id) == Snapshot()
    assert store.prototype.chapters(branch.id) == []
    store.prototype.verify(branch.id)
    with pytest.raises(NotFound):
        store.prototype.snapshot("nowhere")


def test_a_part_of_a_snapshot_is_like_the_whole(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    go_on(store, branch.id, changing(MARA, status="ill"))
    whole = store.prototype.snapshot(branch.id)
    part = store.prototype.partial(branch.id, None, {"mara", "locked", "nobody"})
    assert part.entities == {id_: whole.entities[id_] for id_ in ("mara", "locked")}
    assert part.first_chapter_of("locked") == 1
    early = store.prototype.partial(branch.id, 0, {"mara", "locked"})
    assert early.entities == {"mara": MARA}


def test_committing_from_the_same_origin_again_does_nothing(store: Store, branch: Branch) -> None:
    """A node that runs again after a crash must not make a chapter twice."""
    first = begin(store, branch.id)
    assert begin(store, branch.id) == first
    second = go_on(store, branch.id, adding(*CHAPTER_ONE))
    again = store.prototype.commit(
        branch.id, adding(*CHAPTER_ONE), chapter=1, kind="chapter", origin=second.origin
    )
    assert again == second
    assert len(store.prototype.commits(branch.id)) == 2


@pytest.mark.parametrize("chapter", [0, 1, 3])
def test_a_chapter_must_follow_the_head(store: Store, branch: Branch, chapter: int) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    with pytest.raises(StoryMoved, match="has reached chapter 1"):
        store.prototype.commit(
            branch.id, changing(MARA, status="ill"), chapter=chapter, kind="chapter", origin="x"
        )


def test_a_story_begins_once_and_at_the_beginning(store: Store, branch: Branch) -> None:
    with pytest.raises(StoryMoved, match="no beginning"):
        go_on_from_nothing(store, branch.id)
    begin(store, branch.id)
    with pytest.raises(StoryMoved, match="already begun"):
        store.prototype.commit(
            branch.id, adding(THREAD), chapter=0, kind="configuration", origin="again"
        )


def go_on_from_nothing(store: Store, branch: str) -> None:
    store.prototype.commit(branch, adding(*CAST), chapter=1, kind="chapter", origin="first")


def test_a_chapter_that_is_not_told_cannot_be_edited(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    with pytest.raises(StoryMoved, match="has reached chapter 0"):
        store.prototype.commit(
            branch.id, changing(MARA, status="ill"), chapter=1, kind="edit", origin="x"
        )


def test_a_change_to_what_moved_meanwhile_is_refused(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, changing(MARA, status="ill"))
    with pytest.raises(StoryMoved, match="Mara"):
        go_on(store, branch.id, changing(MARA, status="away"))


@pytest.mark.parametrize(
    ("delta", "words"),
    [
        (adding(altered(DISTRUST, id="new", target="nobody")), "does not exist"),
        (removing(HALE), "cannot be removed while"),
        (adding(altered(HALE, id="new", name="ＨＡＬＥ")), "two people called"),
        (adding(altered(CAUSE, id="back", source="after", target="locked")), "in a circle"),
        (adding(altered(LAMP_ROOM, id="mara")), "already in the story"),
    ],
)
def test_what_does_not_fit_is_refused_as_a_whole(
    store: Store, branch: Branch, delta: Delta, words: str
) -> None:
    """The rest of the story is not loaded, and yet everything that decides is seen."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    before = store.prototype.snapshot(branch.id)
    fitting = altered(LAMP_ROOM, id="cellar", name="Cellar")
    with pytest.raises(DeltaInvalid, match=words):
        go_on(store, branch.id, Delta(changes=(*adding(fitting).changes, *delta.changes)))
    assert store.prototype.snapshot(branch.id) == before
    assert len(store.prototype.commits(branch.id)) == 2


def test_a_name_that_was_given_up_is_free(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, changing(HALE, name="Inspector Hale"))
    go_on(store, branch.id, adding(altered(HALE, id="son")))
    assert len(store.prototype.snapshot(branch.id).characters) == 3


def test_a_circle_over_many_chapters_is_found(store: Store, branch: Branch) -> None:
    begin(store, branch.id, adding(*CAST, LOCKED))
    earlier = LOCKED
    for number in range(1, 7):
        event = altered(LOCKED, id=f"e{number}", title=f"Event {number}")
        kind = LinkKind.CAUSES if number % 2 else LinkKind.BEFORE
        link = EventLink(id=f"l{number}", source=earlier.id, target=event.id, link=kind)
        go_on(store, branch.id, adding(event, link))
        earlier = event
    closing = EventLink(id="closing", source="e6", target="locked", link=LinkKind.CAUSES)
    with pytest.raises(DeltaInvalid, match="circle"):
        go_on(store, branch.id, adding(closing))
    go_on(store, branch.id, adding(altered(closing, link=LinkKind.PARALLELS)))


def test_removed_things_are_gone_and_come_back_where_they_were(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, removing(DISTRUST))
    assert list(store.prototype.snapshot(branch.id).of(Relationship)) == []
    go_on(store, branch.id, adding(DISTRUST))
    snapshot = store.prototype.snapshot(branch.id)
    assert snapshot.first_chapter_of("distrust") == 0
    assert list(snapshot.entities) == list(store.prototype.snapshot(branch.id, 0).entities)


def test_a_kept_snapshot_is_never_out_of_date(store: Store, branch: Branch) -> None:
    """Another process commits; what this one reads is what a third one reads afresh."""
    begin(store, branch.id)
    other = Store.open(store.database.path)
    for delta in (adding(*CHAPTER_ONE), changing(MARA, status="ill"), removing(DISTRUST)):
        assert store.prototype.snapshot(branch.id) == other.prototype.snapshot(branch.id)
        go_on(other, branch.id, delta)
    other.close()
    for chapter in (3, 1, 2, 0):
        read = store.prototype.snapshot(branch.id, chapter)
        assert read == afresh(store).snapshot(branch.id, chapter)
        assert list(read.entities) == list(afresh(store).snapshot(branch.id, chapter).entities)


def test_what_is_rolled_back_is_not_kept(store: Store, branch: Branch) -> None:
    begin(store, branch.id)

    def commit_and_fail() -> None:
        with store.database.write():
            go_on(store, branch.id, changing(MARA, status="ill"))
            assert store.prototype.snapshot(branch.id).chapter == 1
            raise KeyError

    with pytest.raises(KeyError):
        commit_and_fail()
    go_on(store, branch.id, changing(HALE, status="away"))
    go_on(store, branch.id, adding(THREAD))
    assert store.prototype.snapshot(branch.id) == afresh(store).snapshot(branch.id)
    assert store.prototype.snapshot(branch.id).get(Character, "mara").status == ""


def test_a_commit_keeps_its_delta(store: Store, branch: Branch) -> None:
    commit = begin(store, branch.id)
    assert store.prototype.delta_of(commit.id) == adding(*CAST)
    with pytest.raises(NotFound):
        store.prototype.delta_of(999)


def test_committing_touches_the_story(store: Store, branch: Branch) -> None:
    other = store.library.create_story(Brief(), "Later")
    assert store.library.stories()[0].story.id == other.id
    begin(store, branch.id)
    assert store.library.stories()[0].story.id == branch.story


def test_eight_windows_commit_and_nothing_is_lost(store: Store, branch: Branch) -> None:
    """Each adds people as edits at the head; every one of them is there afterwards."""
    begin(store, branch.id)
    barrier = threading.Barrier(8)

    def add(window: int) -> None:
        barrier.wait()
        for number in range(5):
            key = f"{window}-{number}"
            person = Character(id=f"p{key}", name=f"Person {key}")
            store.prototype.commit(
                branch.id, adding(person), chapter=0, kind="edit", origin=f"edit-{key}"
            )

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(add, window) for window in range(8)]:
            done.result()
    assert len(store.prototype.snapshot(branch.id).characters) == 2 + 40
    assert len(store.prototype.commits(branch.id)) == 41
    store.prototype.verify(branch.id)


def test_two_windows_that_commit_one_candidate_make_one_chapter(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    barrier = threading.Barrier(2)

    def choose() -> int:
        barrier.wait()
        return store.prototype.commit(
            branch.id, adding(*CHAPTER_ONE), chapter=1, kind="chapter", origin="candidate"
        ).id

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(choose), pool.submit(choose)
        assert first.result() == second.result()
    head = store.prototype.head(branch.id)
    assert head is not None
    assert head.chapter == 1


@pytest.mark.parametrize(
    ("damage", "chapter"),
    [
        ("UPDATE commits SET delta = altered(delta, 'locked', 'opened') WHERE chapter = 1", 1),
        ("UPDATE commits SET delta = substr(delta, 1, 90) WHERE chapter = 1", 1),
        ("UPDATE commits SET delta = x'0700' WHERE chapter = 1", 1),
        ("UPDATE commits SET delta = '{' WHERE chapter = 1", 1),
        ("UPDATE commits SET title = 'Other' WHERE chapter = 2", 2),
        ("UPDATE commits SET parent_hash = '' WHERE chapter = 2", 2),
        ("UPDATE commits SET chapter = 7 WHERE chapter = 2", 7),
        ("UPDATE characters SET secrets = 'none' WHERE id = 'mara'", 0),
        ("UPDATE events SET summary = 'Nothing.' WHERE id = 'locked'", 1),
        ("UPDATE events SET removed = 1 WHERE id = 'locked'", 1),
        ("DELETE FROM threads", 1),
    ],
)
def test_damage_shows_and_names_the_chapter(
    store: Store, branch: Branch, damage: str, chapter: int
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    go_on(store, branch.id, changing(THREAD, title="the lamp"))
    store.prototype.verify(branch.id)
    with store.database.write() as database:
        teach(database.conn)
        database.execute(damage)
    with pytest.raises(LibraryDamaged) as damaged:
        store.prototype.verify(branch.id)
    assert damaged.value.chapter == chapter


def test_a_row_that_no_model_accepts_is_damage(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    with store.database.write() as database:
        database.execute("UPDATE relationships SET strength = 777")
    with pytest.raises(LibraryDamaged, match="cannot be read"):
        store.prototype.snapshot(branch.id)


def test_everything_can_be_read_as_triples(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    rows = store.database.rows("SELECT * FROM triples")
    triples = {(row["subject"], row["predicate"], row["object"]) for row in rows}
    assert {
        ("mara", "name", "Mara"),
        ("mara", "distrust", "hale"),
        ("mara", "IN_EVENT", "locked"),
        ("locked", "OCCURRED_IN", "lamp-room"),
        ("locked", "causes", "after"),
        ("thread", "state", "planned"),
        ("foundation", "long_term_goal", "Mara leaves."),
    } <= triples
    strength = store.database.row(
        "SELECT json_extract(properties, '$.strength') AS value FROM triples "
        "WHERE predicate = 'distrust' AND branch_id = :branch AND chapter = 0",
        {"branch": branch.id},
    )
    assert strength == {"value": 7}


@pytest.mark.parametrize(
    "query",
    [
        *(query((kind,)) for query in (partial_query, newest_query) for kind in TABLES),
        partial_query(tuple(TABLES)),
        *WHERE_QUERIES.values(),
    ],
)
def test_looking_up_a_few_things_scans_no_table(store: Store, query: str) -> None:
    """The cost of a commit must not grow with the story."""
    values = {"branch": "b", "chapter": 1, "commit": 1, "values": "[]"}
    values |= {f"{kind}_ids": "[]" for kind in TABLES}
    plan = store.database.rows(f"EXPLAIN QUERY PLAN {query}", values)
    steps = [row["detail"] for row in plan if re.match(r"\w+ (e|o|own)\b", row["detail"])]
    assert steps
    for step in steps:
        assert step.startswith("SEARCH")
        assert "branch_id=? AND" in step or "USING INTEGER PRIMARY KEY" in step


def test_a_commit_reads_no_more_of_a_long_story(store: Store, branch: Branch) -> None:
    """Count the steps of SQLite's machine for one commit at chapter 10 and at chapter 300."""
    begin(store, branch.id, adding(*CAST[2:], CAST[0], altered(MARA, status="status 0")))

    def tell(chapter: int) -> None:
        event = altered(LOCKED, id=f"e{chapter}", title=f"Event {chapter}")
        entities: list[AnyEntity] = [
            event,
            altered(CAUSE, id=f"l{chapter}", source=f"e{chapter - 1}", target=event.id),
        ]
        before = altered(MARA, status=f"status {chapter - 1}")
        changed = Change(before=before, after=altered(MARA, status=f"status {chapter}"))
        added = adding(*entities[: 1 if chapter == 1 else 2])
        go_on(store, branch.id, Delta(changes=(*added.changes, changed)))

    def steps_of(chapter: int) -> int:
        ticks: list[int] = []
        connection = store.database.read().conn
        connection.set_progress_handler(lambda: ticks.append(1), 50)
        tell(chapter)
        connection.set_progress_handler(None, 0)
        return len(ticks)

    for chapter in range(1, 10):
        tell(chapter)
    early = steps_of(10)
    for chapter in range(11, 300):
        tell(chapter)
    assert steps_of(300) <= 1.2 * early
