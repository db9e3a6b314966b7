"""The ledger summed: by agent, by chapter, along a branch's line, and out of an index alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.models.base import new_id
from store.models.run import Call, Outcome, Spending
from store.models.story import Branch, Brief
from store.open import Store
from store.prototype.lineage import bounds
from store.records.ledger import BY_AGENT, BY_CHAPTER, OF_BRANCH, OF_RUN, OF_STORY
from tests.store.builders import adding, begin, go_on

START = datetime(2026, 1, 1, tzinfo=UTC)


def call(branch: Branch, step: str, agent: str = "role", **values: object) -> Call:
    given = {
        "id": new_id(),
        "branch": branch.id,
        "step": step,
        "agent": agent,
        "endpoint": "local",
        "model": "small",
        "prompt": "long " * 2_000,
        "prompt_hash": "hash",
        "tokens_in": 100,
        "tokens_out": 10,
        "milliseconds": 1_000,
        "cost": 0.25,
        "outcome": Outcome.OK,
        "created": START,
    }
    return Call.model_validate(given | values)


def keep(store: Store, *calls: Call) -> None:
    for one in calls:
        store.calls.record_call(one)


def test_nothing_was_used_before_the_first_call(store: Store, branch: Branch) -> None:
    line = store.ledger.of_line(branch.id)

    assert (line.agents, line.chapters) == ((), ())
    assert line.total == Spending()
    assert store.ledger.of_story(branch.story) == Spending()


def test_calls_add_up_by_agent_and_by_chapter(store: Store, branch: Branch) -> None:
    keep(
        store,
        call(branch, "0/1/cast", "cast"),
        call(branch, "1/1/goals/1", "goals"),
        call(branch, "1/1/role/0/0"),
        call(branch, "1/1/role/0/0", outcome=Outcome.UNUSABLE),
        call(branch, "1/text/1/plan", "plan"),
        call(branch, "12/1/role/0/0", outcome=Outcome.FAILED),
        call(branch, "12/1/role/0/1", outcome=Outcome.TRUNCATED),
    )

    line = store.ledger.of_line(branch.id)

    assert [(one.agent, one.calls, one.failed, one.repeated) for one in line.agents] == [
        ("role", 4, 1, 2),
        ("cast", 1, 0, 0),
        ("goals", 1, 0, 0),
        ("plan", 1, 0, 0),
    ]
    assert [(one.chapter, one.calls) for one in line.chapters] == [(0, 1), (1, 4), (12, 2)]
    assert line.total == Spending(
        calls=7,
        tokens_in=700,
        tokens_out=70,
        cost=1.75,
        milliseconds=7_000,
        failed=1,
        repeated=2,
    )
    assert sum(one.tokens_in for one in line.chapters) == 700
    assert store.ledger.of_story(branch.story) == line.total


def test_branch_has_what_led_to_it_and_no_more(store: Store, branch: Branch) -> None:
    other = store.library.create_story(Brief(premise="Another."))
    keep(store, *(call(branch, f"{chapter}/1/goals/1") for chapter in (0, 1, 2, 3)))
    keep(store, call(store.library.main_branch(other.id), "1/1/goals/1"))
    begin(store, branch.id)
    go_on(store, branch.id, adding())
    left = store.library.fork(branch.id, 1, "What if")
    keep(store, call(left, "2/1/goals/1", tokens_in=7))

    line = store.ledger.of_line(left.id)

    assert [(one.chapter, one.tokens_in) for one in line.chapters] == [(0, 100), (1, 100), (2, 7)]
    assert store.ledger.of_line(branch.id).total.calls == 4
    assert store.ledger.of_story(branch.story).calls == 5


@pytest.mark.parametrize(
    ("sql", "values"),
    [
        (BY_AGENT, bounds("b")),
        (BY_CHAPTER, bounds("b")),
        (OF_STORY, {"story": "s"}),
        (OF_RUN, {"value": "r"}),
        (OF_BRANCH, {"value": "b"}),
    ],
    ids=["by agent", "by chapter", "of a story", "of a run", "of a branch"],
)
def test_sums_read_no_prompt(store: Store, sql: str, values: dict[str, object]) -> None:
    plan = store.database.rows(f"EXPLAIN QUERY PLAN {sql}", values)

    [reading] = [row["detail"] for row in plan if "calls" in row["detail"]]
    assert reading.startswith("SEARCH calls USING COVERING INDEX")
