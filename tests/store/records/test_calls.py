"""Calls are kept packed, found again, and read as they were."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from store.errors import LibraryDamaged
from store.models.base import new_id
from store.models.run import Call, Outcome, PromptSource, Totals
from store.models.story import Branch
from store.open import Store
from store.records.calls import FINISHED_CALL, CallRecords
from tests.fakes.invention import prose

START = datetime(2026, 1, 1, tzinfo=UTC)
INSTRUCTIONS = "You are the planner of a story. " + prose(Random(1), 600)


@pytest.fixture
def calls(store: Store) -> CallRecords:
    """Return the calls of a library."""
    return store.calls


def prompt_of(number: int) -> str:
    """Return a prompt with the instructions of its agent and something of its own."""
    return f"[system]\n{INSTRUCTIONS}\n\n[user]\n{prose(Random(number), 250)}"


def bytes_of(store: Store, call: Call) -> int:
    [row] = store.database.rows(
        "SELECT length(prompt) + length(answer) AS size FROM calls WHERE id = :id", {"id": call.id}
    )
    return int(row["size"])


def call_of(place: Branch | None, **values: object) -> Call:
    return Call.model_validate(
        {
            "id": new_id(),
            "branch": place.id if place else None,
            "step": "1/1/goals",
            "agent": "goals",
            "endpoint": "local",
            "model": "small",
            "prompt_hash": "hash",
            "answer": "{}",
            "outcome": Outcome.OK,
            "created": START,
            **values,
        }
    )


def test_a_finished_call_is_found_again(calls: CallRecords, branch: Branch) -> None:
    calls.record_call(call_of(branch, outcome=Outcome.FAILED, created=START + timedelta(hours=1)))
    assert calls.finished_call(branch.id, "1/1/goals", "hash") is None
    calls.record_call(call_of(branch, answer="old"))
    newest = call_of(branch, answer="new", created=START + timedelta(minutes=1))
    calls.record_call(newest)
    assert calls.finished_call(branch.id, "1/1/goals", "hash") == newest
    assert calls.finished_call(branch.id, "1/1/goals", "other") is None
    assert calls.finished_call(branch.id, "2/1/goals", "hash") is None
    assert calls.finished_call("elsewhere", "1/1/goals", "hash") is None


def test_finding_a_finished_call_scans_nothing(store: Store) -> None:
    values = {"branch": "b", "step": "s", "hash": "h", "ok": "ok"}
    plan = store.database.rows(
        f"EXPLAIN QUERY PLAN SELECT * FROM calls WHERE {FINISHED_CALL}", values
    )
    assert [row["detail"] for row in plan] == [
        "SEARCH calls USING INDEX calls_by_step "
        "(branch=? AND step=? AND prompt_hash=? AND outcome=?)"
    ]


def test_what_was_used_adds_up(store: Store, calls: CallRecords, branch: Branch) -> None:
    """Failed calls count too: they were paid for."""
    assert store.ledger.totals(run="run") == Totals()
    used = {"tokens_in": 100, "tokens_out": 20, "cost": 0.5, "milliseconds": 900}
    calls.record_call(call_of(branch, run="run", **used))
    calls.record_call(call_of(branch, run="run", outcome=Outcome.TRUNCATED, **used))
    calls.record_call(call_of(branch, run="other", **used))
    assert store.ledger.totals(run="run") == Totals(
        calls=2, tokens_in=200, tokens_out=40, cost=1.0, milliseconds=1_800
    )
    assert store.ledger.totals(branch=branch.id).calls == 3


def test_the_ledger_shows_the_newest_calls_first(calls: CallRecords, branch: Branch) -> None:
    made = [call_of(branch, created=START + timedelta(minutes=n)) for n in range(5)]
    for call in made:
        calls.record_call(call)
    assert calls.newest(branch.id, limit=2) == [made[4], made[3]]


def test_a_call_without_a_run_or_branch_is_kept(store: Store, calls: CallRecords) -> None:
    """Testing a connection costs money too, and a ledger entry must never fail."""
    calls.record_call(call_of(None))
    calls.record_call(call_of(None, branch="gone", run="gone"))
    assert store.ledger.totals(branch="gone").calls == 1


def test_prompts_that_begin_alike_take_a_fraction_of_their_length(
    store: Store, branch: Branch, calls: CallRecords
) -> None:
    made = [
        call_of(
            branch, prompt=prompt_of(number), answer=prose(Random(number), 20), step=str(number)
        )
        for number in range(6)
    ]
    for call in made:
        calls.record_call(call)

    assert sorted(calls.newest(branch.id), key=lambda call: call.step) == made
    for call in made[1:]:
        alone = len(zlib.compress(call.prompt.encode(), 9))
        assert bytes_of(store, call) < 0.6 * alone < 0.6 * len(call.prompt)
    assert store.database.rows("SELECT count(*) AS kept FROM dictionaries") == [{"kept": 1}]


def test_instructions_that_change_get_a_dictionary_of_their_own(
    store: Store, branch: Branch, calls: CallRecords
) -> None:
    calls.record_call(call_of(branch, prompt=prompt_of(1)))
    calls.record_call(call_of(branch, prompt="Otherwise now. " + prompt_of(2)))
    for number in range(40):
        calls.record_call(call_of(branch, prompt=f"{number} times. {prompt_of(number)}"))

    kept = store.database.rows("SELECT count(*) AS kept FROM dictionaries")[0]["kept"]
    assert 2 < kept <= 12
    assert len({call.prompt for call in calls.newest(branch.id)}) == 42


@pytest.mark.parametrize("text", ["", "short", "ä" * 500, "\ud800 alone " * 50, "\x00" * 400])
def test_whatever_was_said_is_read_as_it_was(branch: Branch, calls: CallRecords, text: str) -> None:
    sources = (PromptSource(name="The story so far. " * 15, tokens=3),)
    call = call_of(branch, prompt=prompt_of(1), answer=text, sources=sources)
    calls.record_call(call)

    assert calls.finished_call(branch.id, call.step, "hash") == call


def test_library_that_was_replaced_while_it_was_open_has_its_own_dictionaries(
    store: Store, branch: Branch, calls: CallRecords
) -> None:
    first = call_of(branch, prompt=prompt_of(1), step="1")
    calls.record_call(first)
    assert calls.newest(branch.id) == [first]
    other = "\n".join(f"another dictionary {number}" for number in range(500)).encode()
    with store.database.write() as database:
        values = {"content": zlib.compress(other), "checksum": zlib.crc32(other)}
        database.execute("UPDATE dictionaries SET content = :content, checksum = :checksum", values)
        database.execute("DELETE FROM calls")

    second = call_of(branch, prompt=prompt_of(2), step="2")
    calls.record_call(second)

    assert calls.newest(branch.id) == [second]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE calls SET prompt = substr(prompt, 1, 40)",
        "UPDATE calls SET prompt = CAST(x'07' || prompt AS BLOB)",
        "UPDATE dictionaries SET content = x'0011'",
        "UPDATE dictionaries SET checksum = checksum + 1",
        "DELETE FROM dictionaries",
    ],
)
def test_damaged_prompt_is_said_to_be_damaged(
    store: Store, branch: Branch, calls: CallRecords, damage: str
) -> None:
    calls.record_call(call_of(branch, prompt=prompt_of(1)))
    calls.record_call(call_of(branch, prompt=prompt_of(2)))
    with store.database.write() as database:
        database.execute(damage)
    opened = Store.open(store.database.path)

    with pytest.raises(LibraryDamaged):
        opened.calls.newest(branch.id)
    opened.close()
