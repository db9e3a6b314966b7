"""Relays in the machine: who moves when, what a move may bring, and what becomes of bad answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from graph_flow.answers.weaving import SOMEBODY_NEW
from store.models.base import WHOLE
from store.models.cast import Character, Life
from store.models.outline import Outline, OutlineEvent, OutlineState, SubEvent
from store.models.plot import Event, Thread, ThreadState
from store.models.proposals import Candidate, CandidateState, Goal
from store.models.prototype import AnyEntity
from store.models.run import Initialize, PlotChapters, Run, RunState
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import (
    Say,
    asked,
    enumerated,
    expect_none_again,
    finished_prompts,
    request_of,
    saying,
)
from tests.graph_flow.structure import expect_whole_prototype

AT_GOALS = {gate: GateMode.GO_ON for gate in Gate} | {Gate.GOALS: GateMode.ASK}
NONSENSE = say("Once upon a time there was no JSON at all.")
QUESTION = Thread(
    id="question", title="who rang at low water", state=ThreadState.PLANTED, planted_in=0
)


class Weaving:
    """A story that waits at its goals, for a test to set who plays."""

    def __init__(self, desk: Desk, store: Store, **settings: Any) -> None:
        self.desk, self.store = desk, store
        wanted = {"gates": AT_GOALS, "goals": 1, "roles": 3} | settings
        self.story: Story = desk.story(settings=wanted)
        desk.do(self.story, Initialize())
        self.branch = desk.branch(self.story)

    @property
    def people(self) -> list[Character]:
        return self.desk.workbench.snapshot(self.branch).characters

    def put(self, *entities: AnyEntity) -> None:
        """Let the writer put something into the story, or change it."""
        head = self.desk.workbench.snapshot(self.branch)
        standing = {**head.entities, **{one.id: one for one in entities}}
        self.desk.workbench.edit(self.branch, head.model_copy(update={"entities": standing}))

    def weave(
        self, *plays: Sequence[Character], role: Reply | Say | None = None, **goal: Any
    ) -> Run:
        """Set goals, each with who plays in it, and weave; `goal` is what else they say."""
        self.desk.do(self.story, PlotChapters())
        for standing, people in zip(self.goals, plays, strict=False):
            roles = tuple(person.id for person in people)
            said = standing.model_copy(update={"roles": roles, **goal})
            self.store.proposals.save_goals([said])
        self.desk.server.answer = saying(role=role) if role else going_on
        return self.desk.answer(self.story)

    @property
    def goals(self) -> list[Goal]:
        return self.store.proposals.goals(self.branch, 1)

    @property
    def candidates(self) -> list[Candidate]:
        return self.store.proposals.candidates(self.branch, 1)

    @property
    def asked(self) -> list[Sent]:
        return asked(self.desk.server, "role")


@pytest.fixture
def begin(desk: Desk, store: Store) -> Callable[..., Weaving]:
    """Begin a story up to its cast, with settings that differ from a test's usual ones."""
    return lambda **settings: Weaving(desk, store, **settings)


def speaker(sent: Sent) -> str:
    """Return the name of the character who is asked for a move."""
    return sent.messages[3]["content"].rpartition("What does ")[2].partition(" do?")[0]


def moving(sent: Sent, **said: Any) -> Reply:
    """Make a move that names nobody else, but for what is said."""
    whole: dict[str, Any] = {
        "title": "A slow evening",
        "action": f"{speaker(sent)} walks along the wall for a while and comes back.",
        "place": enumerated(sent, "place")[-1],
        "new_place": "The long wall",
        "newcomer": "nothing",
        "newcomer_is": "nothing",
        "together_with": [],
        "because_of": "nothing",
        "emotion": "calm",
        "consequence": "the evening passes",
        "changed": "nothing",
        "change": "nothing",
        "relationship": {"toward": "nothing", "tie": "debt", "strength": 3},
        "tells": "nothing",
        "closes": "nothing",
        "opens": "nothing",
        **said,
    }
    return say_json({name: whole[name] for name in (sent.schema or {})["properties"]})


def replying(replies: Mapping[str, Reply | Say]) -> Say:
    """Reply so where these people are asked; the others make plain moves."""

    def say_so(sent: Sent) -> Reply | None:
        reply = replies.get(speaker(sent))
        said = reply(sent) if callable(reply) else reply
        return said or moving(sent)

    return say_so


# Who moves when


def test_everybody_moves_in_every_round_in_an_order_that_rotates(
    begin: Callable[..., Weaving], store: Store
) -> None:
    weaving = begin(rounds=2)
    one, two, three = weaving.people[:3]

    assert weaving.weave([one, two, three], role=moving).state is RunState.DONE

    [candidate] = weaving.candidates
    assert [(turn.round, turn.character) for turn in candidate.turns] == [
        *((1, person.id) for person in (one, two, three)),
        *((2, person.id) for person in (two, three, one)),
    ]
    steps = [call.step for call in store.runs.calls(weaving.branch) if call.agent == "role"]
    assert sorted(steps) == [f"1/1/role/0/{turn}" for turn in range(6)]
    again = ["moved in this chapter already" in request_of(sent) for sent in weaving.asked]
    assert again == [False] * 3 + [True] * 3


def test_those_who_died_or_went_missing_since_do_not_play(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    one, two, three = weaving.people[:3]
    weaving.put(one.model_copy(update={"life": Life.DEAD}))
    weaving.put(two.model_copy(update={"life": Life.MISSING}))

    weaving.weave([one, two, three], role=moving)

    [candidate] = weaving.candidates
    assert [turn.name for turn in candidate.turns] == [three.name]
    [sent] = weaving.asked
    assert not {one.name, two.name} & set(enumerated(sent, "together_with", "[]"))


def test_whoever_fits_plays_where_none_of_a_goal_s_people_is_left(
    begin: Callable[..., Weaving],
) -> None:
    weaving = begin(roles=2)
    one, *others = weaving.people
    weaving.put(one.model_copy(update={"life": Life.DEAD}))

    weaving.weave([one], role=moving)

    [candidate] = weaving.candidates
    assert len(candidate.turns) == 2
    assert {turn.character for turn in candidate.turns} <= {person.id for person in others}


# What a move may bring


def bring(name: str) -> Say:
    """Bring somebody new, where that is asked."""

    def say_so(sent: Sent) -> Reply:
        may_bring = "newcomer" in (sent.schema or {})["properties"]
        met = [SOMEBODY_NEW] if may_bring else []
        return moving(sent, together_with=met, newcomer=name, newcomer_is="ferryman with a limp")

    return say_so


def test_opening_role_may_bring_somebody_whom_the_others_can_meet(
    begin: Callable[..., Weaving],
) -> None:
    weaving = begin()

    weaving.weave(weaving.people[:3], role=bring("Osk Tallis"))

    opening, *later = weaving.asked
    assert SOMEBODY_NEW in enumerated(opening, "together_with", "[]")
    for sent in later:
        assert "Osk Tallis" in enumerated(sent, "together_with", "[]")
        assert "newcomer" not in (sent.schema or {})["properties"]
    snapshot = weaving.desk.workbench.snapshot(weaving.branch)
    expect_whole_prototype(snapshot)
    [newcomer] = [one for one in snapshot.characters if one.name == "Osk Tallis"]
    assert newcomer.occupation == "ferryman with a limp"


def test_no_other_comes_in_with_the_chapter_after(begin: Callable[..., Weaving]) -> None:
    weaving = begin(gates=dict.fromkeys(Gate, GateMode.GO_ON))
    weaving.desk.server.answer = saying(role=bring("Osk Tallis"))

    weaving.desk.do(weaving.story, PlotChapters(chapters=2))

    asked_for = ["newcomer" in (sent.schema or {})["properties"] for sent in weaving.asked]
    assert asked_for == [True, False, False, False, False, False]


def test_dead_are_not_brought_back_by_their_name(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    rook = Character(id="rook", name="Old Rook", aliases=("The Crow",), life=Life.DEAD)
    weaving.put(rook)
    before = {person.id for person in weaving.people}

    weaving.weave(weaving.people[:3], role=bring("the crow"))

    assert {person.id for person in weaving.people} == before
    for sent in weaving.asked:
        assert "Old Rook" not in enumerated(sent, "together_with", "[]")


def closing(sent: Sent) -> Reply:
    """Answer the first open question, where that is asked."""
    may_close = "closes" in (sent.schema or {})["properties"]
    return moving(sent, closes=enumerated(sent, "closes")[0] if may_close else "nothing")


def test_closing_role_may_answer_an_open_question(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    weaving.put(QUESTION)

    weaving.weave(weaving.people[:3], role=closing)

    *earlier, last = weaving.asked
    assert QUESTION.title in request_of(last)
    assert not any("closes" in (sent.schema or {})["properties"] for sent in earlier)
    thread = weaving.desk.workbench.snapshot(weaving.branch).get(Thread, "question")
    assert (thread.state, thread.paid_off_in) == (ThreadState.PAID_OFF, 1)


def test_thread_that_the_goal_moves_comes_first(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    others = [
        QUESTION.model_copy(update={"id": f"q{at}", "title": f"what {word} means"})
        for at, word in enumerate(["salt", "the bell", "the blue coat", "silence", "tar"])
    ]
    weaving.put(QUESTION, *others)

    weaving.weave(weaving.people[:3], role=closing, moves="question")

    assert enumerated(weaving.asked[-1], "closes")[0] == QUESTION.title
    thread = weaving.desk.workbench.snapshot(weaving.branch).get(Thread, "question")
    assert thread.state is ThreadState.PAID_OFF


@pytest.mark.parametrize(
    "change",
    [
        {"locked": (WHOLE,)},
        {"state": ThreadState.PAID_OFF, "paid_off_in": 0},
        {"state": ThreadState.PLANNED, "planted_in": None},
    ],
)
def test_what_is_locked_settled_or_not_planted_yet_is_not_offered(
    begin: Callable[..., Weaving], change: dict[str, Any]
) -> None:
    weaving = begin()
    thread = QUESTION.model_copy(update=change)
    weaving.put(thread)

    weaving.weave(weaving.people[:3], role=moving)

    assert not any("closes" in (sent.schema or {})["properties"] for sent in weaving.asked)
    assert weaving.desk.workbench.snapshot(weaving.branch).get(Thread, "question") == thread


def test_moves_tell_what_the_outline_has_for_the_chapter_each_once(
    begin: Callable[..., Weaving], store: Store
) -> None:
    weaving = begin()
    plan = outline(weaving.branch, "The bell rings at low water.", "The boat is gone.")
    store.outlines.save(plan)

    def tell(sent: Sent) -> Reply:
        has_parts = "tells" in (sent.schema or {})["properties"]
        return moving(sent, tells=enumerated(sent, "tells")[0] if has_parts else "nothing")

    parts = tuple(part.id for part in plan.sub_events)
    weaving.weave(weaving.people[:3], role=tell, parts=parts)

    shown = [[part.text in request_of(sent) for part in plan.sub_events] for sent in weaving.asked]
    assert shown == [[True, True], [False, True], [False, False]]
    [candidate] = weaving.candidates
    told = [one.id for one in candidate.delta.additions() if isinstance(one, Event)]
    assert [(one.part, one.event) for one in candidate.tells] == list(
        zip(parts, told, strict=False)
    )


def outline(branch: str, *texts: str) -> Outline:
    """Return an accepted outline with one event, whose parts are all for the first chapter."""
    event = OutlineEvent(id="tide", title="The tide", line="The harbour")
    return Outline(
        id="outline",
        branch=branch,
        events=(event,),
        sub_events=tuple(
            SubEvent(id=f"part{at}", event="tide", text=text, chapter=1)
            for at, text in enumerate(texts)
        ),
        state=OutlineState.ACCEPTED,
        created="2026-01-01T00:00:00Z",
    )


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
    snapshot = weaving.desk.workbench.snapshot(weaving.branch)
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
    assert "trouble of its own" in run.message
    assert weaving.candidates[0].state is CandidateState.PROPOSED
    finished = finished_prompts(store, weaving.branch)
    weaving.desk.server.answer = saying(role=moving)
    done = weaving.desk.settle(weaving.desk.workbench.continue_run(weaving.branch))
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


# Enough left


def test_relay_with_too_little_left_is_given_up_and_kept(begin: Callable[..., Weaving]) -> None:
    weaving = begin(goals=2)
    one, two, three = weaving.people[:3]

    run = weaving.weave([one, two], [three], role=replying({three.name: NONSENSE}))

    assert run.state is RunState.DONE
    chosen, given_up = weaving.candidates
    assert chosen.state is CandidateState.CHOSEN
    assert given_up.state is CandidateState.GIVEN_UP
    assert [turn.is_skipped for turn in given_up.turns] == [True]


def test_half_of_a_relay_makes_a_candidate(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    one, two = weaving.people[:2]

    run = weaving.weave([one, two], role=replying({one.name: NONSENSE}))

    assert run.state is RunState.DONE
    assert weaving.candidates[0].state is CandidateState.CHOSEN


def test_round_of_which_nothing_is_left_pauses_and_goes_on_with_the_last_relay(
    begin: Callable[..., Weaving],
) -> None:
    weaving = begin(goals=2)
    one, two = weaving.people[:2]

    run = weaving.weave([one], [two], role=NONSENSE)

    assert run.state is RunState.FAILED
    assert "No answer came that could be used" in run.message
    assert [one.state for one in weaving.candidates] == [CandidateState.GIVEN_UP] * 2
    weaving.desk.server.answer = saying(role=moving)
    done = weaving.desk.settle(weaving.desk.workbench.continue_run(weaving.branch))
    assert done.state is RunState.DONE
    states = {one.state for one in weaving.candidates}
    assert states == {CandidateState.CHOSEN, CandidateState.GIVEN_UP}


# How much is sent


def test_prompts_grow_with_the_cast_hardly_at_all(begin: Callable[..., Weaving]) -> None:
    """Each role adds only its own move; eight roles do not send the plan to each other eight times."""
    weaving = begin(roles=8)
    everybody = [
        Character(id=f"extra{at}", name=name, occupation="keeper of a toll bridge")
        for at, name in enumerate(["Odo", "Brice", "Kirsi", "Teun", "Palash", "Rurik", "Imke"])
    ]
    weaving.put(*everybody)
    weaving.weave([*weaving.people[:1], *everybody], role=together)
    eight = max(len(sent.prompt) for sent in weaving.asked)
    weaving.desk.server.history.clear()

    small = Weaving(weaving.desk, weaving.store)
    small.weave(small.people[:3], role=together)
    three = max(len(sent.prompt) for sent in small.asked)

    assert eight <= 1.3 * three


def together(sent: Sent) -> Reply:
    """Act at length before as many as one may, so that everybody has much to remember."""
    deed = "walks along the wall with all the others and counts every light on the water."
    return moving(
        sent,
        action=f"{speaker(sent)} {deed} At the last one they stop, and nobody wants to go home yet.",
        together_with=enumerated(sent, "together_with", "[]")[:3],
    )
