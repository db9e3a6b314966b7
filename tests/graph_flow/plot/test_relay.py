"""Relays in the machine: who moves when, what is left of them is enough, and how much is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from graph_flow.cognition.knowledge import Quotes, mentionable
from graph_flow.cognition.memory import PromptBudget
from graph_flow.plot.role_prompt import RoleInput, role_prompt
from store.deltas.delta import apply
from store.models.base import Line
from store.models.cast import Character, Life, Trait
from store.models.fields import Shown
from store.models.plot import Event, Part, Participation, Thread, ThreadState
from store.models.proposals import CandidateState
from store.models.prototype import Snapshot
from store.models.run import RunState
from store.open import Store
from tests.fakes.scripted_server import Reply, Sent
from tests.graph_flow.plot.relays import NONSENSE, Weaving, moving, replying, speaker
from tests.graph_flow.scripting import enumerated, request_of, saying
from tests.store.builders import adding
from tests.wording import says

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
    steps = [call.step for call in store.calls.newest(weaving.branch) if call.agent == "role"]
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
    assert says(run.message, "answer")
    assert [one.state for one in weaving.candidates] == [CandidateState.GIVEN_UP] * 2
    weaving.desk.server.answer = saying(role=moving)
    done = weaving.desk.settle(weaving.desk.workbench.runs.resume(weaving.branch))
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


# What a role is told of itself


class Speaker(Character):
    """A character who has an attribute more."""

    speech: Annotated[Line, Shown("Speech habits", "How they speak.")] = ""


def test_attribute_without_a_place_of_its_own_in_the_prompt_is_told_too() -> None:
    otto = Speaker(
        id="otto",
        name="Otto",
        age="40",
        speech="mumbles",
        traits=(Trait(name="rank", value="mate"),),
    )
    story = Snapshot(entities={"otto": otto})
    entrance = RoleInput(draft=story, mentionable=(), company=(otto,), goal="", language="English")

    told = role_prompt(entrance, "otto", PromptBudget(1_000)).variables

    assert told["traits"] == ["speech habits: mumbles", "rank: mate"]
    assert told["who"] == "40"


def test_open_question_is_only_for_somebody_who_knows_what_raised_it() -> None:
    people = [Character(id=name, name=name.title()) for name in ("otto", "ida")]
    raised = Event(id="raised", title="The missing page", summary="A page is missing from the log.")
    later = Event(id="later", title="Supper", summary="They eat.")
    question = Thread(id="question", title="Missing page", state=ThreadState.PLANTED, planted_in=1)
    saw = Participation(id="saw", character="ida", event="raised", part=Part.WITNESSES)
    ate = [Participation(id=one.id + "-ate", character=one.id, event="later") for one in people]
    story = apply(Snapshot(), adding(*people), 0)
    story = apply(story, adding(raised, later, question, saw, *ate), 1)
    relay = RoleInput(
        draft=story,
        mentionable=(mentionable(Quotes([question.title]), story),),
        company=tuple(people),
        goal="",
        language="English",
        threads=(question,),
        is_whole=True,
    )

    asked = {one.id: role_prompt(relay, one.id, PromptBudget(1_000)) for one in people}

    assert asked["ida"].variables["threads"] == ["Missing page"]
    assert asked["otto"].variables["threads"] == []
