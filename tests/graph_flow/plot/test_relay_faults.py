"""Relays in trouble: answers that cannot be used, and an endpoint that fails for some."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph_flow.llm.retries import TRIES_IN_SILENCE
from store.models.proposals import CandidateState
from store.models.run import RunState
from store.open import Store
from tests.fakes.scripted_server import Reply, Sent, hang, refuse
from tests.graph_flow.machine.test_faults import use
from tests.graph_flow.plot.relays import NONSENSE, Weaving, moving, replying, speaker
from tests.graph_flow.scripting import expect_none_again, finished_prompts, request_of, saying

# Bad answers


def for_others(weaving: Weaving) -> str:
    two, three = (person.name for person in weaving.people[1:3])
    return f"{two} gives {three} the ledger. They leave together before anybody sees it."


def in_russian(_weaving: Weaving) -> str:
    return "Сторож медленно идёт вдоль стены и долго слушает, как бьёт далёкий колокол."


@pytest.mark.parametrize(
    ("action", "problem"), [(for_others, "what others do"), (in_russian, "another language")]
)
def test_answer_for_others_or_in_another_language_is_asked_for_again_and_then_skipped(
    begin: Callable[..., Weaving], action: Callable[[Weaving], str], problem: str
) -> None:
    weaving = begin()
    first, *others = people = weaving.people[:3]
    bad = action(weaving)

    weaving.weave(
        people,
        role=replying({first.name: lambda sent: moving(sent, action=bad, emotion=bad[:60])}),
    )

    tries = [sent for sent in weaving.asked if speaker(sent) == first.name]
    assert len(tries) == 3
    assert problem in tries[1].messages[-1]["content"]
    assert tries[2].messages == tries[0].messages
    [candidate] = weaving.candidates
    assert [(turn.character, turn.is_skipped) for turn in candidate.turns] == [
        (first.id, True),
        *((person.id, False) for person in others),
    ]
    assert problem in candidate.turns[0].problem
    assert candidate.state is CandidateState.CHOSEN


def test_better_answer_the_second_time_counts(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    first, *_ = people = weaving.people[:3]
    bad = for_others(weaving)

    def twice(sent: Sent) -> Reply:
        is_again = "cannot be used" in request_of(sent)
        return moving(sent) if is_again else moving(sent, action=bad)

    weaving.weave(people, role=replying({first.name: twice}))

    [candidate] = weaving.candidates
    assert not any(turn.is_skipped for turn in candidate.turns)


def test_move_that_names_nobody_is_its_speaker_s_own(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    people = weaving.people[:3]

    weaving.weave(
        people,
        role=lambda sent: moving(sent, action="A light moves along the wall, and then goes out."),
    )

    [candidate] = weaving.candidates
    assert not any(turn.is_skipped for turn in candidate.turns)
    snapshot = weaving.desk.workbench.prototype.snapshot(weaving.branch)
    actors = [snapshot.participations_in(event.id)[0].character for event in snapshot.events_of(1)]
    assert actors == [person.id for person in people]


# An endpoint that fails for some


FOR_ONE_ROLE = {
    "nonsense": NONSENSE,
    "refused": refuse(400, "content policy"),
    "too long": refuse(400, "too much", code="context_length_exceeded"),
    "500": refuse(500, "internal"),
    "429": refuse(429, "Rate limit reached"),
}


@pytest.mark.parametrize("fault", list(FOR_ONE_ROLE.values()), ids=list(FOR_ONE_ROLE))
def test_role_for_which_it_fails_is_skipped_and_named_with_the_reason(
    begin: Callable[..., Weaving], fault: Reply
) -> None:
    weaving = begin()
    one, two, three = people = weaving.people[:3]

    run = weaving.weave(people, role=replying({two.name: fault}))

    assert run.state is RunState.DONE
    [candidate] = weaving.candidates
    assert [turn.name for turn in candidate.turns if not turn.is_skipped] == [one.name, three.name]
    [skipped] = [turn for turn in candidate.turns if turn.is_skipped]
    assert skipped.name == two.name
    assert skipped.problem.count(".") == 1, "on a card there is nothing to go on with"
    assert skipped.problem.endswith(".")
    assert "JSON" not in skipped.problem


def test_endpoint_that_fails_twice_in_a_row_is_down_and_the_run_pauses(
    begin: Callable[..., Weaving], store: Store
) -> None:
    weaving = begin()
    one, two, three = people = weaving.people[:3]
    down = refuse(500, "internal")

    run = weaving.weave(people, role=replying({two.name: down, three.name: down}))

    assert run.state is RunState.FAILED
    assert "problem of its own" in run.message
    assert weaving.candidates[0].state is CandidateState.WEAVING
    finished = finished_prompts(store, weaving.branch)
    weaving.desk.server.answer = saying(role=moving)
    done = weaving.desk.settle(weaving.desk.workbench.runs.resume(weaving.branch))
    assert done.state is RunState.DONE
    expect_none_again(weaving.desk.server, finished)
    [candidate] = weaving.candidates
    assert [turn.name for turn in candidate.turns] == [one.name, two.name, three.name]
    assert not any(turn.is_skipped for turn in candidate.turns)


def test_endpoint_that_says_nothing_ends_the_round_after_its_own_retries(
    begin: Callable[..., Weaving], store: Store
) -> None:
    weaving = begin()
    use(weaving.desk, timeout=2.0, strength="small")
    one, two, three = people = weaving.people[:3]

    run = weaving.weave(people, role=replying({two.name: hang()}))

    assert run.state is RunState.FAILED
    assert "said nothing for" in run.message
    asked = [speaker(sent) for sent in weaving.asked]
    assert asked == [one.name, *[two.name] * TRIES_IN_SILENCE]
    [candidate] = weaving.candidates
    assert [turn.is_skipped for turn in candidate.turns] == [False]
    finished = finished_prompts(store, weaving.branch)
    use(weaving.desk, strength="small")
    weaving.desk.server.answer = saying(role=moving)
    done = weaving.desk.settle(weaving.desk.workbench.runs.resume(weaving.branch))
    assert done.state is RunState.DONE
    expect_none_again(weaving.desk.server, finished)
    [candidate] = weaving.candidates
    assert [turn.name for turn in candidate.turns] == [one.name, two.name, three.name]
    assert not any(turn.is_skipped for turn in candidate.turns)


def test_endpoint_that_fails_now_and_then_does_not_end_the_run(
    begin: Callable[..., Weaving],
) -> None:
    weaving = begin(rounds=2)
    people = weaving.people[:3]
    down = refuse(500, "internal")

    run = weaving.weave(people, role=replying({people[1].name: down}))

    assert run.state is RunState.DONE
    [candidate] = weaving.candidates
    # In the second round the one in the middle opens: its two failures are not in a row.
    assert [turn.is_skipped for turn in candidate.turns] == [False, True, False, True, False, False]
