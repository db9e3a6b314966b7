"""A plot that one agent writes: the same moves, folded in the same way, and one call."""

from __future__ import annotations

from typing import Any

import pytest

from graph_flow.plot.answers import SOMEBODY_NEW
from store.models.cast import Character, Life
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.plot import Event, Thread, ThreadState
from store.models.proposals import CandidateState
from store.models.run import Initialize, PlotChapters, RunState
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import asked, enumerated, saying
from tests.graph_flow.structure import expect_whole_prototype

ALONE = {
    "gates": dict.fromkeys(Gate, GateMode.GO_ON),
    "goals": 2,
    "roles": 2,
    "is_woven": False,
}


def founded(desk: Desk, goals: int = 2) -> Story:
    """Begin a story in which one agent writes each plot."""
    story = desk.story(settings=ALONE | {"goals": goals})
    desk.do(story, Initialize())
    return story


def plot(sent: Sent, *moves: dict[str, Any], **said: Any) -> Reply:
    """Write a plot of these moves, and plain ones up to three."""
    properties = (sent.schema or {})["properties"]
    item = properties["moves"]["items"]["properties"]
    whole = [*moves, *({} for _ in range(3 - len(moves)))]
    plain: dict[str, Any] = {
        "who": item["who"]["enum"][0],
        "title": "A slow evening",
        "action": "They walk along the wall for a while and come back.",
        "place": item["place"]["enum"][0],
        "together_with": [],
        "emotion": "calm",
        "consequence": "the evening passes",
        "changed": "nothing",
        "change": "nothing",
        "relationship": {"toward": "nothing", "tie": "debt", "strength": 3},
        "because_of": "nothing",
        "tells": "nothing",
    }
    answer = {
        "moves": [{name: {**plain, **move}[name] for name in item} for move in whole],
        "new_place": "The long wall",
        "newcomer": "nothing",
        "newcomer_is": "nothing",
        "closes": "nothing",
        "opens": "nothing",
        **said,
    }
    return say_json({name: answer[name] for name in properties})


def test_one_call_a_goal_makes_candidates_like_those_of_relays(desk: Desk, store: Store) -> None:
    story = founded(desk)
    branch = desk.branch(story)
    desk.server.answer = saying(plot=plot)

    assert desk.do(story, PlotChapters(chapters=2)).state is RunState.DONE

    assert len(asked(desk.server, "plot")) == 4
    assert asked(desk.server, "role") == []
    expect_whole_prototype(desk.workbench.prototype.snapshot(branch))
    store.prototype.verify(branch)
    for chapter in (1, 2):
        for candidate in store.proposals.candidates(branch, chapter):
            events = [one for one in candidate.delta.additions() if isinstance(one, Event)]
            assert [turn.text for turn in candidate.turns] == [one.summary for one in events]
            assert len(events) == 3


def test_whatever_an_author_answers_the_story_holds_together(desk: Desk, store: Store) -> None:
    story = founded(desk)

    assert desk.do(story, PlotChapters(chapters=3)).state is RunState.DONE

    expect_whole_prototype(desk.workbench.prototype.snapshot(desk.branch(story)))
    store.prototype.verify(desk.branch(story))


def test_author_sees_what_people_hide_and_names_only_who_is_there(desk: Desk, store: Store) -> None:
    story = founded(desk, goals=1)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    people = head.characters
    hidden = people[0].model_copy(update={"secrets": "She sold the bell."})
    rook = Character(id="rook", name="Old Rook", life=Life.DEAD)
    entities = {**head.entities, hidden.id: hidden, rook.id: rook}
    desk.workbench.story.edit(branch, head.model_copy(update={"entities": entities}))

    desk.do(story, PlotChapters())

    [sent] = asked(desk.server, "plot")
    [goal] = store.proposals.goals(branch, 1)
    names = {person.id: person.name for person in people}
    assert enumerated(sent, "moves", "[]", "who") == [names[id_] for id_ in goal.roles]
    assert ("She sold the bell." in sent.prompt) == (hidden.id in goal.roles)
    assert "Old Rook" not in enumerated(sent, "moves", "[]", "together_with", "[]")
    assert "Old Rook" in enumerated(sent, "moves", "[]", "relationship", "toward")


def test_new_people_places_and_answers_come_in_as_in_a_relay(desk: Desk) -> None:
    story = founded(desk, goals=1)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    question = Thread(id="q", title="who rang", state=ThreadState.PLANTED, planted_in=0)
    desk.workbench.story.edit(
        branch, head.model_copy(update={"entities": {**head.entities, "q": question}})
    )

    def bring(sent: Sent) -> Reply:
        return plot(
            sent,
            {"together_with": [SOMEBODY_NEW], "place": "a new place"},
            {"together_with": [SOMEBODY_NEW], "place": "a new place"},
            newcomer="Osk Tallis",
            newcomer_is="ferryman with a limp",
            closes="who rang",
        )

    desk.server.answer = saying(plot=bring)
    desk.do(story, PlotChapters())

    snapshot = desk.workbench.prototype.snapshot(branch)
    assert [one.name for one in snapshot.characters].count("Osk Tallis") == 1
    assert [scene.name for scene in snapshot.scenes].count("The long wall") == 1
    assert snapshot.get(Thread, "q").state is ThreadState.PAID_OFF


def test_plot_that_cannot_be_used_is_given_up_and_the_other_is_taken(
    desk: Desk, store: Store
) -> None:
    story = founded(desk)
    branch = desk.branch(story)
    said: list[str] = []

    def once_nonsense(sent: Sent) -> Reply | None:
        said.append(sent.messages[3]["content"])
        return say("No.") if sent.messages[3]["content"] == said[0] else plot(sent)

    desk.server.answer = saying(plot=once_nonsense)

    assert desk.do(story, PlotChapters()).state is RunState.DONE

    states = [one.state for one in store.proposals.candidates(branch, 1)]
    assert sorted(states) == [CandidateState.CHOSEN, CandidateState.GIVEN_UP]
    [given_up] = [
        one for one in store.proposals.candidates(branch, 1) if one.state is CandidateState.GIVEN_UP
    ]
    assert given_up.turns[0].problem
    assert given_up.delta.is_empty


@pytest.mark.parametrize("fault", [say("No."), refuse(500, "internal")])
def test_run_pauses_where_no_plot_comes_and_can_be_continued(desk: Desk, fault: Reply) -> None:
    story = founded(desk, goals=1)
    desk.server.answer = saying(plot=fault)

    run = desk.do(story, PlotChapters())

    assert run.state is RunState.FAILED
    assert run.message.endswith(".")
    desk.server.answer = saying(plot=plot)
    assert desk.settle(desk.workbench.runs.resume(run.branch)).state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 1


@pytest.mark.parametrize(("window", "most"), [(4_096, 3), (32_768, 5)])
def test_model_with_little_room_writes_few_moves(desk: Desk, window: int, most: int) -> None:
    endpoint = Endpoint(
        base_url=desk.server.url,
        model="scripted",
        context_window=window,
        strength=ModelStrength.SMALL,
    )
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    story = founded(desk, goals=1)

    desk.do(story, PlotChapters())

    sent = asked(desk.server, "plot")[0]
    properties = (sent.schema or {})["properties"]
    assert properties["moves"]["maxItems"] == most
    assert ("newcomer" in properties) == (most == 5)
