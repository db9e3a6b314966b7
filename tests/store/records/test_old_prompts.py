"""Old prompts are summed up, as the writer wishes; what a run may still ask for stays."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from itertools import count

import pytest

from store.models.proposals import Goal
from store.models.run import (
    Initialize,
    Outcome,
    PlotChapters,
    PromptKeeping,
    RunState,
    Task,
    WriteChapter,
)
from store.models.story import Branch
from store.open import Store
from store.records.old_prompts import BATCH
from tests.store.builders import adding, begin, go_on
from tests.store.records.test_calls import START, call_of, prompt_of

KEPT = 3
CHAPTERS = 8


@pytest.fixture
def told(store: Store, branch: Branch) -> Branch:
    """A branch of some chapters, with calls for each that are a minute younger than those before."""
    begin(store, branch.id)
    for chapter in range(1, CHAPTERS + 1):
        go_on(store, branch.id, adding())
        record(store, branch, chapter)
    store.old_prompts.change_keeping(KEPT)
    return branch


def record(
    store: Store, branch: Branch, chapter: int, run: str | None = None, part: str = "1/role/0/0"
) -> None:
    """Record a call of each outcome for a chapter."""
    for outcome in Outcome:
        call = call_of(
            branch,
            run=run,
            step=f"{chapter}/{part}",
            prompt=prompt_of(chapter),
            agent="role",
            tokens_in=chapter,
            tokens_out=1,
            cost=0.5,
            milliseconds=7,
            outcome=outcome,
            created=START + timedelta(minutes=next(_minutes)),
        )
        store.calls.record_call(call)


_minutes = count()


def chapters_kept(store: Store, branch: Branch) -> list[int]:
    calls = store.calls.newest(branch.id, 10_000)
    return sorted({int(call.step.partition("/")[0]) for call in calls})


def test_prompts_of_the_newest_twenty_chapters_are_kept_unless_the_writer_says_otherwise(
    store: Store,
) -> None:
    assert store.old_prompts.keeping == PromptKeeping(chapters=20)

    store.old_prompts.change_keeping(None)

    assert Store.of(store.database).old_prompts.keeping == PromptKeeping(chapters=None)


def test_older_calls_are_summed_up_and_nothing_that_was_used_is_lost(
    store: Store, told: Branch
) -> None:
    before = store.ledger.of_line(told.id), store.ledger.of_story(told.story)
    totals = store.ledger.totals(branch=told.id)

    gone = store.old_prompts.thin(told.id)

    assert gone == (CHAPTERS - KEPT) * len(Outcome)
    assert chapters_kept(store, told) == [6, 7, 8]
    assert (store.ledger.of_line(told.id), store.ledger.of_story(told.story)) == before
    assert store.ledger.totals(branch=told.id) == totals
    assert store.ledger.summed_up(told.id, 2) == len(Outcome)
    assert store.ledger.summed_up(told.id, 7) == 0
    assert store.old_prompts.thin(told.id) == 0


def test_chapter_that_was_worked_on_again_is_not_old(store: Store, told: Branch) -> None:
    store.old_prompts.thin(told.id)
    record(store, told, 2, part="text/2/plan")

    store.old_prompts.thin(told.id)

    assert chapters_kept(store, told) == [2, 7, 8]
    record(store, told, 9, part="1/role/0/0")
    go_on(store, told.id, adding())
    record(store, told, 1, part="text/1/plan")
    store.old_prompts.thin(told.id)
    assert chapters_kept(store, told) == [1, 2, 9]
    assert store.ledger.summed_up(told.id, 2) == len(Outcome)


def test_all_prompts_are_kept_if_the_writer_wants_them(store: Store, told: Branch) -> None:
    store.old_prompts.change_keeping(None)

    assert store.old_prompts.thin(told.id) == 0
    assert chapters_kept(store, told) == list(range(1, CHAPTERS + 1))


@pytest.mark.parametrize(
    ("task", "state", "stays"),
    [
        (WriteChapter(chapter=2), RunState.STOPPED, True),
        (WriteChapter(chapter=2), RunState.FAILED, True),
        (WriteChapter(chapter=2), RunState.WAITING, True),
        (WriteChapter(chapter=2), RunState.RUNNING, True),
        (WriteChapter(chapter=2), RunState.DONE, False),
        (Initialize(), RunState.STOPPED, True),
        (PlotChapters(chapters=9), RunState.RUNNING, False),
    ],
)
def test_what_a_run_can_still_ask_for_stays(
    store: Store, told: Branch, task: Task, state: RunState, *, stays: bool
) -> None:
    run = store.runs.claim_new(told.id, task)
    assert run is not None
    if state is not RunState.RUNNING:
        store.runs.end_run(run.id, state)
    record(store, told, 2, run.id, "text/1/plan")
    for chapter in (6, 7, 8):
        record(store, told, chapter)
    before = store.ledger.totals(run=run.id)

    store.old_prompts.thin(told.id)

    assert (2 in chapters_kept(store, told)) is stays
    assert store.ledger.totals(run=run.id) == before
    assert (store.calls.finished_call(told.id, "2/text/1/plan", "hash") is not None) is stays


def test_chapter_that_is_not_committed_yet_stays(store: Store, told: Branch) -> None:
    record(store, told, CHAPTERS + 1)
    for chapter in range(1, CHAPTERS + 1):
        record(store, told, chapter, part="text/1/plan")

    store.old_prompts.thin(told.id)

    assert chapters_kept(store, told) == [6, 7, 8, 9]


def test_branch_keeps_its_own(store: Store, told: Branch) -> None:
    left = store.library.fork(told.id, 4, "What if")
    for chapter in (5, 6):
        go_on(store, left.id, adding())
        record(store, left, chapter)
    before = store.ledger.of_line(left.id)

    store.old_prompts.thin_all(lambda: True)

    assert chapters_kept(store, left) == [5, 6]
    assert chapters_kept(store, told) == [6, 7, 8]
    assert store.ledger.of_line(left.id) == before
    assert store.ledger.summed_up(left.id, 3) == len(Outcome)
    assert store.ledger.summed_up(left.id, 5) == 0


def unpacked(store: Store) -> dict[str, int]:
    """Return how many long texts are kept unpacked, by table."""
    with closing(sqlite3.connect(store.database.path)) as connection:
        long = "SELECT count(*) FROM {} WHERE typeof({}) = 'text' AND length({}) > 160"
        places = (("calls", "prompt"), ("commits", "delta"), ("goals", "text"))
        return {
            table: connection.execute(long.format(table, name, name)).fetchone()[0]
            for table, name in places
        }


def put_back(store: Store, branch: Branch, calls: int) -> None:
    """Keep calls and goals as an earlier version did."""
    with store.database.write() as database:
        for number in range(calls):
            texts = {"prompt": prompt_of(number), "answer": prompt_of(-number)}
            call = call_of(branch, step=f"{number}/1/goals", **texts)
            store.calls.record_call(call)
            values = {"id": call.id, "prompt": call.prompt}
            database.execute("UPDATE calls SET prompt = :prompt WHERE id = :id", values)
        goal = Goal(
            id="g",
            branch=branch.id,
            chapter=1,
            round=1,
            position=0,
            title="A goal",
            text=prompt_of(1)[:900],
        )
        store.proposals.save_goals([goal])
        database.execute("UPDATE goals SET text = :text", {"text": goal.text})


def test_what_an_earlier_version_kept_is_packed_a_little_at_a_time(
    store: Store, branch: Branch
) -> None:
    calls = 2 * BATCH + 7
    put_back(store, branch, calls)
    before = store.calls.newest(branch.id, 1_000), store.proposals.all_goals(branch.id)
    size = store.old_prompts.kept().bytes
    assert unpacked(store) == {"calls": calls, "commits": 0, "goals": 1}
    steps = iter([True, True, False])

    assert store.old_prompts.pack(lambda: next(steps, False)) == 2 * BATCH
    assert unpacked(store) == {"calls": 7, "commits": 0, "goals": 1}
    assert (store.calls.newest(branch.id, 1_000), store.proposals.all_goals(branch.id)) == before

    assert store.old_prompts.pack(lambda: True) == 8
    assert unpacked(store) == {"calls": 0, "commits": 0, "goals": 0}
    assert (store.calls.newest(branch.id, 1_000), store.proposals.all_goals(branch.id)) == before
    assert store.old_prompts.kept().bytes < size / 3
    assert store.old_prompts.pack(lambda: True) == 0


def test_file_gives_back_space_that_is_most_of_it(store: Store, branch: Branch) -> None:
    with store.database.write() as database:
        database.execute("CREATE TABLE large (content BLOB)")
        for _ in range(20):
            database.execute("INSERT INTO large VALUES (zeroblob(1000000))")
    with store.database.write() as database:
        database.execute("DROP TABLE large")
    record(store, branch, 1)
    store.database.give_back_space()

    pages = store.database.rows(
        "SELECT page_count, freelist_count FROM pragma_page_count, pragma_freelist_count"
    )
    assert pages[0]["freelist_count"] == 0
    assert pages[0]["page_count"] < 1_000
    assert len(store.calls.newest(branch.id)) == len(Outcome)
