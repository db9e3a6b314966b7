"""The plot of a chapter by an able model: its calls, its turns, and how much is asked."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.whole import PARAGRAPH
from store.models.plot import Occurrence, Part, Participation, Scene
from store.models.proposals import Sketch
from store.models.run import Action, Decision, PlotChapters, RunState
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say_json
from tests.graph_flow.plot.able.ferry import PEOPLE, beats, events_of, goals, prose
from tests.graph_flow.scripting import (
    agent_of,
    asked,
    request_of,
    saying,
)
from tests.store.builders import altered

MOST_TOKENS = {
    600: {"role": 3_100, "goals": 5_400, "scorer": 6_300},
    6: {"role": 5_100, "goals": 9_000, "scorer": 8_800},
}
"""For one request, by the planned chapters of a story: a short one has room to be remembered whole.

They are as estimated, which errs on the high side.
"""


def test_chapter_takes_a_call_for_each_turn_and_four_more(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able()

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.DONE
    assert not any("asked for less" in note for note in run.notes)
    agents = [agent_of(sent) for sent in desk.server.history]
    assert {agent: agents.count(agent) for agent in agents} == {
        "goals": 1,
        "role": 9,
        "scorer": 1,
        "exit": 1,
        "spine_update": 1,
    }


def test_relay_is_that_of_the_goal_from_who_begins_to_who_closes(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able()

    desk.do(story, PlotChapters(is_autopilot=True))

    branch = desk.branch(story)
    names = {one.id: one.name for one in desk.workbench.prototype.snapshot(branch).characters}
    for goal in store.proposals.goals(branch, 1):
        assert [names[id_] for id_ in goal.roles] == [
            "Judith Verrall",
            "Opal Pruitt",
            "Amos Verrall",
        ]
        assert goal.text.endswith("Somebody cannot go home. — The old pier.")
        assert goal.moves is not None


def test_goal_can_move_what_somebody_hides(desk: Desk, begin_able: Callable[..., Story]) -> None:
    story = begin_able(goals=1, gates=dict.fromkeys(Gate, GateMode.ASK))
    relay = [{"name": "Judith", "aim": "You ask."}, {"name": "Amos", "aim": "You refuse."}]
    path = {"title": "The asking", "goal": "Judith asks Amos for the page.", "relay": relay}
    desk.server.answer = saying(goals=say_json({"goals": [path | {"moves": ["S1 and R1"]}]}))
    desk.do(story, PlotChapters())

    [sent] = asked(desk.server, "goals")
    hidden = request_of(sent).partition("Hidden: S1. what ")[2].partition(" hides")[0]
    [view] = desk.workbench.plot.goal_views(desk.branch(story), 1)
    now = desk.workbench.prototype.snapshot(desk.branch(story))
    assert view.goal.moves in {one.id for one in now.characters if one.name == hidden}
    assert view.targets[view.goal.moves] == f"What {hidden} hides"


def test_answers_that_are_too_long_cost_no_second_call(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able()
    desk.server.answer = saying(
        goals=goals,
        role=lambda sent: beats(sent, each=20, number=4, observed=prose(1_200), said=prose(1_200)),
    )

    desk.do(story, PlotChapters(is_autopilot=True))

    assert len(asked(desk.server, "role")) == 9
    told = events_of(desk.workbench, desk.branch(story))
    assert len(told) == 9  # three beats of each of three people
    assert all(max(len(event.summary), len(event.spoken)) <= PARAGRAPH for event in told)


def test_last_chapter_s_requests_say_that_it_is_the_last(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(chapter_cap=1)

    desk.do(story, PlotChapters(is_autopilot=True))

    for agent in ("goals", "role", "scorer"):
        for sent in asked(desk.server, agent):
            assert "This is the last chapter." in request_of(sent), agent
    assert "each in a different way" in asked(desk.server, "goals")[0].prompt
    assert not desk.workbench.prototype.snapshot(desk.branch(story)).threads


def test_last_chapter_leaves_a_thread_open_if_the_writer_wants_that(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(chapter_cap=1, opens_late=True)

    desk.do(story, PlotChapters(is_autopilot=True))

    assert desk.workbench.prototype.snapshot(desk.branch(story)).threads


def test_role_brings_somebody_new_and_opens_a_place_at_any_turn(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)

    def act(sent: Sent) -> Reply:
        if "What does Opal Pruitt do?" not in sent.prompt:
            return beats(sent, number=1)
        company = [
            {"name": "Perrin Ashdown", "part": "witnesses", "newcomer": "a toll keeper"},
            "Nobody in particular",
        ]
        return beats(sent, number=1, place="The bell tower", present=company)

    desk.server.answer = saying(goals=goals, role=act)

    desk.do(story, PlotChapters(is_autopilot=True))

    snapshot = desk.workbench.prototype.snapshot(desk.branch(story))
    [newcomer] = [one for one in snapshot.characters if one.name not in PEOPLE]
    assert (newcomer.name, newcomer.occupation) == ("Perrin Ashdown", "a toll keeper")
    [part] = [one for one in snapshot.of(Participation) if one.character == newcomer.id]
    assert part.part is Part.WITNESSES
    [place] = [one for one in snapshot.of(Occurrence) if one.event == part.event]
    assert snapshot.get(Scene, place.scene).name == "The bell tower"


def test_what_changes_in_somebody_is_added_to_what_they_were(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    branch = desk.branch(story)
    change = {"field": "motivation", "value": "He wants to be found out."}
    desk.server.answer = saying(
        goals=goals, role=lambda sent: beats(sent, number=1, changes=[change])
    )
    before = {one.id: one for one in desk.workbench.prototype.snapshot(branch).characters}

    desk.do(story, PlotChapters(is_autopilot=True))

    after = desk.workbench.prototype.snapshot(branch)
    acted = [one for one in after.characters if one != before[one.id]]
    assert len(acted) == 3
    for person in acted:
        assert person.motivation == f"{before[person.id].motivation} {change['value']}"


def test_turn_adds_as_many_events_as_the_chapter_has_room_for(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, words=3_000)
    desk.do(story, PlotChapters(is_autopilot=True))
    assert "at most 3 things" in asked(desk.server, "role")[-1].prompt

    desk.workbench.library.change_settings(
        story.id,
        lambda _: desk.workbench.library.story(story.id).settings.model_copy(update={"words": 300}),
    )
    desk.do(story, PlotChapters(is_autopilot=True))
    assert "the one thing that you do" in asked(desk.server, "role")[-1].prompt


def test_role_is_not_asked_for_what_its_request_does_not_explain(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)

    desk.do(story, PlotChapters(is_autopilot=True))

    first, *_, last = asked(desk.server, "role")
    beat, closing = (
        sent.schema["properties"]["beats"]["items"]["properties"] if sent.schema else {}
        for sent in (first, last)
    )
    assert beat.keys().isdisjoint({"plants", "tells", "pays_off"})
    assert "plants" in closing


@pytest.mark.parametrize("planned", MOST_TOKENS)
def test_requests_keep_their_size_however_much_has_been_said(
    desk: Desk, begin_able: Callable[..., Story], planned: int
) -> None:
    story = begin_able(chapter_cap=planned)

    desk.do(story, PlotChapters(chapters=6, is_autopilot=True))

    for agent, most in MOST_TOKENS[planned].items():
        sizes = [
            sum(estimate_tokens(message["content"]) for message in sent.messages)
            for sent in asked(desk.server, agent)
        ]
        assert max(sizes) < most, f"{agent}: {sizes}"


def test_who_knows_of_what_came_before_is_said_however_little_room_there_is_for_it(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, chapter_cap=24)
    branch = desk.branch(story)
    now = desk.workbench.prototype.snapshot(branch)
    grown = {one.id: altered(one, summary=f"{'He counted and ' * 90}left.") for one in now.events}
    edited = now.model_copy(update={"entities": {**now.entities, **grown}})
    desk.workbench.story.edit(branch, edited)

    desk.do(story, PlotChapters(is_autopilot=True))

    request = request_of(asked(desk.server, "goals")[0])
    lines = request.partition("Before the story")[2].split("\n- ")[1 : len(grown) + 1]
    lines = [one.split("\n")[0] for one in lines]
    assert max(map(len, lines)) < 700
    assert [one for one in lines if not re.search(r"\(known to [^()]+\)$", one)] == []


@pytest.mark.parametrize(("planned", "due"), [(24, [1, 2, 3]), (8, [1]), (3, [])])
def test_first_chapters_of_a_longer_story_are_set_to_bring_what_its_premise_tells(
    desk: Desk, begin_able: Callable[..., Story], planned: int, due: list[int]
) -> None:
    story = begin_able(goals=1, chapter_cap=planned)

    desk.do(story, PlotChapters(chapters=min(4, planned), is_autopilot=True))

    told = [request_of(sent) for sent in asked(desk.server, "goals")]
    assert len(told) == min(4, planned)
    for chapter, request in enumerate(told, start=1):
        assert ("All that the premise tells" in request) is (chapter in due)
        assert (f"The premise: {story.brief.premise}" in request) is (chapter in due)


def test_single_author_plots_in_beats_with_one_call_a_goal(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(is_woven=False)

    def write(sent: Sent) -> Reply:
        del sent
        told = [
            {"who": who, "observed": f"{who} waits. {prose(80)}", "inner": prose(40)}
            for who in ("Judith", "Opal Pruitt", "Amos Verrall")
        ]
        return say_json({"beats": told})

    desk.server.answer = saying(goals=goals, plot=write)

    desk.do(story, PlotChapters(is_autopilot=True))

    requests = asked(desk.server, "plot")
    truth = desk.workbench.prototype.snapshot(desk.branch(story)).foundation.truth
    assert truth
    assert len(requests) == 3
    for sent in requests:
        assert truth[:60] in sent.prompt
        assert sent.schema is not None
        beat = sent.schema["properties"]["beats"]["items"]["properties"]
        assert beat.keys().isdisjoint({"tells", "pays_off"})
        assert "plants" in beat
    told = events_of(desk.workbench, desk.branch(story))
    acting = [event.summary.partition(" waits")[0] for event in told]
    assert acting == ["Judith", "Opal Pruitt", "Amos Verrall"]


def test_open_question_may_be_answered_in_any_turn_of_the_last_chapter(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, chapter_cap=3)

    desk.do(story, PlotChapters(chapters=3, is_autopilot=True))

    asked_for = ["pays_off" in sent.prompt for sent in asked(desk.server, "role")]
    assert asked_for == [False] * 3 + [False, False, True] + [True] * 3


def test_goals_are_set_from_their_own_chapter_of_the_sketch(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(chapter_cap=2)
    branch = desk.branch(story)
    told = "# The Pier\n\n## 1. Out\n\nOpal swam first.\n\n## 2. Back\n\nAmos could not swim."
    founded = store.proposals.configuration(branch)
    assert founded is not None
    update = {"idea": 1, "sketches": (Sketch(idea=1, text=told),)}
    store.proposals.save_configuration(founded.model_copy(update=update))

    desk.do(story, PlotChapters(chapters=2, is_autopilot=True))

    first, second = asked(desk.server, "goals")
    assert "The chapter, as the sketch tells it:\n\nOpal swam first." in request_of(first)
    assert "The chapter, as the sketch tells it:\n\nAmos could not swim." in request_of(second)
    for sent in (first, second):
        assert "The first of your chapters is that one" in sent.prompt
        assert not ("Opal swam" in sent.prompt and "Amos could not" in sent.prompt)
    # Whoever acts knows nothing of how it was told.
    assert not any("could not swim" in sent.prompt for sent in asked(desk.server, "role"))


def test_whoever_asks_for_other_goals_is_not_offered_the_sketch_s_again(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(chapter_cap=2, gates={Gate.GOALS: GateMode.ASK})
    branch = desk.branch(story)
    founded = store.proposals.configuration(branch)
    assert founded is not None
    update = {"idea": 1, "sketches": (Sketch(idea=1, text="Opal swam first."),)}
    store.proposals.save_configuration(founded.model_copy(update=update))
    desk.do(story, PlotChapters())

    desk.answer(story, Decision(action=Action.ASK_AGAIN, note="Nobody swims."))

    first, *again = asked(desk.server, "goals")
    assert again
    assert "The first of your chapters is that one" in first.prompt
    for sent in again:
        assert "That one has been thought of." in sent.prompt
        assert "what the writer says goes before it" in sent.prompt
        assert "The first of your chapters" not in sent.prompt


def test_goals_of_a_branch_and_of_a_story_without_a_sketch_are_set_from_none(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(chapter_cap=2)
    main = desk.branch(story)
    founded = store.proposals.configuration(main)
    assert founded is not None
    desk.do(story, PlotChapters(is_autopilot=True))
    branch = desk.workbench.branches.ask_what_if(main, 0, "What if Opal cannot swim?")
    update = {"idea": 1, "sketches": (Sketch(idea=1, text="Opal swam first."),)}
    store.proposals.save_configuration(founded.model_copy(update=update))

    desk.settle(desk.workbench.runs.start(branch.id, PlotChapters(is_autopilot=True)))

    assert len(asked(desk.server, "goals")) == 2
    assert not any("sketch" in sent.prompt.casefold() for sent in asked(desk.server, "goals"))
