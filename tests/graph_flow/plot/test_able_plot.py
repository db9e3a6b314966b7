"""The plot of a chapter by an able model: whole answers, who knows what, and how much is asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from graph_flow.agents import AGENTS
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.whole import PARAGRAPH
from graph_flow.workbench.workbench import Workbench
from store.models.cast import Life
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.plot import Event, Occurrence, Part, Participation, Scene
from store.models.prototype import FOUNDATION_ID
from store.models.run import Initialize, PlotChapters, RunState
from store.models.scoring import CONTINUITY_KEY, general_rules
from store.models.story import Story
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import Reply, Sent, refuse, say_json
from tests.graph_flow.scripting import (
    agent_of,
    asked,
    expect_none_again,
    finished_prompts,
    request_of,
    saying,
)
from tests.store.builders import altered

ROUND = {"goals": 3, "roles": 3, "rounds": 1}
PEOPLE = ("Amos Verrall", "Judith Verrall", "Opal Pruitt", "Calder Stroud")

PREMISE = "Amos Verrall is asked to sign off one last bridge, the one whose fall he covered up."

MOST_TOKENS = {"role": 3_000, "goals": 5_400, "scorer": 6_300}
"""For one request, as they are estimated, which errs on the high side."""

_number = count(1)


def prose(letters: int) -> str:
    """Return sentences of about so many letters, which nothing else repeats."""
    sentence = f"At low water number {next(_number)} comes up the river with all its lights out. "
    return (sentence * (1 + letters // len(sentence)))[:letters].rpartition(" ")[0] + "."


def cast(letters: int = 220) -> Reply:
    """Draft four people who have much to hide, and what lies between and behind them."""
    facts = ("personality", "history", "want", "fear", "misbelief", "secret", "voice")
    return say_json(
        {
            "people": [
                {"name": name, "occupation": "ferryman", **{one: prose(letters) for one in facts}}
                for name in PEOPLE
            ],
            "relationships": [
                {"person": one, "toward": other, "tie": "debt", "reason": prose(letters)}
                for one in PEOPLE
                for other in PEOPLE
                if one != other
            ],
            "past": [
                {
                    "title": f"What happened {at}",
                    "happened": prose(letters),
                    "years_before": 19 - at,
                    "acted": [PEOPLE[at % 4]],
                    "saw": [PEOPLE[(at + 1) % 4]],
                }
                for at in range(6)
            ],
            "places": [{"name": "The office"}, {"name": "The ferry"}],
        }
    )


def goals(sent: Sent) -> Reply:
    """Set goals that have nothing in common, each with its relay."""
    del sent
    paths = [
        ("The pin", "Amos asks Judith for the missing page before the council can burn it."),
        ("Low water", "Opal refuses every crossing until somebody tells her who rang that bell."),
        ("A signature", "Calder brings ink, flattery and an old debt into the sickroom at dawn."),
    ]
    return say_json(
        {
            "goals": [
                {
                    "title": title,
                    "goal": f"{goal} {prose(200)}",
                    "turn": "Somebody cannot go home.",
                    "relay": ["Judith", "Opal Pruitt", "Amos"],
                    "where": "The old pier",
                    "moves": ["R1", "T9"],
                }
                for title, goal in paths
            ]
        }
    )


def beats(sent: Sent, *, each: int = 300, number: int = 3, **said: Any) -> Reply:
    """Act at length, before the eyes of others."""
    me = request_of(sent).rpartition("What does ")[2].partition(" do?")[0]
    others = [one for one in PEOPLE if one != me][:2]
    beat = {
        "title": "On the pier",
        "observed": f"{me} waits. {prose(each)}",
        "inner": prose(each),
        "said": [prose(each // 2)],
        "place": "The old pier",
        "present": [
            {"name": one, "part": "witnesses", "learns": prose(each // 2)} for one in others
        ],
        **{name: prose(each // 2) for name in ("emotion", "consequence", "outcome", "plants")},
        "changes": [{"field": "motivation", "value": prose(each // 2)}],
        "feelings": [
            {"toward": one, "tie": "debt", "strength": 7, "reason": prose(each // 2)}
            for one in others
        ],
        **said,
    }
    return say_json({"beats": [beat] * number})


@pytest.fixture
def begin_able(desk: Desk) -> Callable[..., Story]:
    """Found a story with an able model, with settings that differ from a test's usual ones."""

    def begin(**settings: Any) -> Story:
        endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=128_000)
        desk.workbench.models.save_settings(ModelSettings(endpoint=endpoint))
        desk.server.answer = saying(cast=cast(), goals=goals, role=beats)
        story = desk.story(premise=PREMISE, settings=ROUND | settings)
        desk.do(story, Initialize())
        desk.answer(story)
        desk.server.history.clear()
        return story

    return begin


def events_of(workbench: Workbench, branch: str) -> list[Event]:
    """Return the events of the newest chapter."""
    snapshot = workbench.prototype.snapshot(branch)
    return snapshot.events_of(snapshot.chapter)


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


def test_answers_that_are_too_long_cost_no_second_call(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able()
    desk.server.answer = saying(
        goals=goals,
        role=lambda sent: beats(sent, each=20, number=4, observed=prose(1_200), said=prose(500)),
    )

    desk.do(story, PlotChapters(is_autopilot=True))

    assert len(asked(desk.server, "role")) == 9
    told = events_of(desk.workbench, desk.branch(story))
    assert len(told) == 9  # three beats of each of three people
    assert all(len(event.summary) <= PARAGRAPH and len(event.spoken) <= 400 for event in told)


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


def test_goals_see_what_lies_behind_and_ahead_and_roles_see_no_spine(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able()
    before = desk.workbench.prototype.snapshot(desk.branch(story))
    spine, people = before.spine, before.characters

    desk.do(story, PlotChapters(is_autopilot=True))

    [goals_request] = asked(desk.server, "goals")
    assert spine.ending[:40] in request_of(goals_request)
    assert all(one.secrets[:40] in request_of(goals_request) for one in people)
    assert "19 years before" in request_of(goals_request)
    for sent in asked(desk.server, "role"):
        assert spine.ending not in sent.prompt
        assert not any(one.arc and one.arc in sent.prompt for one in people)
        hidden = [one for one in people if one.secrets[:40] in sent.prompt]
        assert [f"What does {one.name} do?" in sent.prompt for one in hidden] == [True]


def test_somebody_knows_what_they_saw_and_came_to_believe_and_no_more(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)

    def act(sent: Sent) -> Reply:
        told = {"name": "Amos", "part": "is told", "learns": "It was the flood."}
        seen = {"name": "Opal", "part": "witnesses", "learns": ""}
        if "What does Judith Verrall do?" not in sent.prompt:
            return beats(sent, number=1)
        return beats(
            sent,
            number=1,
            observed="Judith Verrall holds a page over the candle.",
            inner="She means to keep a copy.",
            said="Nobody pulled it.",
            consequence="She can never go back.",
            present=[told, seen],
        )

    desk.server.answer = saying(goals=goals, role=act)

    desk.do(story, PlotChapters(chapters=2, is_autopilot=True))

    first, opal, amos, again, *_ = [sent.prompt for sent in asked(desk.server, "role")]
    assert "candle" not in first
    assert "over the candle. Judith Verrall: Nobody pulled it." in opal
    assert "You were told: It was the flood." in amos
    for secret in ("keep a copy", "never go back"):
        assert secret not in opal
        assert secret not in amos
    assert "candle" not in amos
    assert "You thought: She means to keep a copy." in again
    assert "For you: She can never go back." in again


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


def _with_aims(sent: Sent) -> Reply:
    """Set one goal, in which each who acts has an aim of their own."""
    del sent
    relay = [
        {"name": "Judith", "aim": "You want the page, and you will ask for it in front of Opal."},
        {"name": "Opal Pruitt", "aim": "You want to hear the bell named."},
        {"name": "Amos", "aim": "You want to be let alone with the lamp. You put it out."},
    ]
    goal = {
        "title": "The page",
        "goal": "Judith wants the page from Amos, who has burnt it. Opal listens.",
        "turn": "The page is known to be ash.",
    }
    return say_json({"goals": [{**goal, "relay": relay}]})


def test_each_role_is_told_what_it_is_after_and_who_acts_next(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    desk.server.answer = saying(goals=_with_aims, role=beats)

    desk.do(story, PlotChapters(is_autopilot=True))

    judith, opal, amos = asked(desk.server, "role")
    assert "in front of Opal" in judith.prompt
    assert "Opal Pruitt acts after you" in judith.prompt
    assert "You want to hear the bell named." in opal.prompt
    assert "You put it out." in amos.prompt
    assert "acts after you" not in amos.prompt
    for sent in (judith, opal, amos):
        assert "ash" not in sent.prompt, "the goal is the author's"
    assert "in front of Opal" not in amos.prompt


def test_aims_go_when_the_writer_gives_a_goal_another_text(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    branch = desk.branch(story)
    desk.server.answer = saying(goals=_with_aims, role=beats)
    desk.do(story, PlotChapters())
    [goal] = store.proposals.goals(branch, 1)
    assert [aim.role for aim in goal.aims] == list(goal.roles)

    desk.workbench.plot.save_goal(goal.model_copy(update={"text": "Amos swims."}))

    [reworded] = store.proposals.goals(branch, 1)
    assert reworded.aims == ()
    assert goal.aim_of(goal.roles[0])
    assert not reworded.aim_of(goal.roles[0])


def test_whoever_acts_next_sees_the_whole_of_what_has_just_happened(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    line = "You had only to say: not that one, and I would have gone home."

    desk.server.answer = saying(
        goals=_with_aims, role=lambda sent: beats(sent, number=2, said=[line])
    )
    desk.do(story, PlotChapters(is_autopilot=True))

    for sent in asked(desk.server, "role")[1:]:
        so_far = sent.prompt.partition("So far in it")[2]
        assert line in so_far


def test_turn_adds_as_many_events_as_the_chapter_has_room_for(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, words=3_000)
    desk.do(story, PlotChapters(is_autopilot=True))
    assert "at most 3 things" in asked(desk.server, "role")[-1].prompt

    desk.workbench.library.update_settings(
        story.id, desk.workbench.library.story(story.id).settings.model_copy(update={"words": 300})
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


def test_who_dies_acts_no_more(desk: Desk, begin_able: Callable[..., Story]) -> None:
    story = begin_able(goals=1)
    dying = {"field": "life", "value": "dead"}
    desk.server.answer = saying(
        goals=_with_aims, role=lambda sent: beats(sent, number=1, changes=[dying])
    )

    desk.do(story, PlotChapters(chapters=1, is_autopilot=True))

    branch = desk.branch(story)
    lives = {one.name: one.life for one in desk.workbench.prototype.snapshot(branch).characters}
    assert lives == dict.fromkeys(PEOPLE[:3], Life.DEAD) | {"Calder Stroud": Life.LIVING}
    desk.server.history.clear()
    desk.do(story, PlotChapters(is_autopilot=True))
    acting = {request_of(sent).rpartition("What does ")[2] for sent in asked(desk.server, "role")}
    assert acting == {"Calder Stroud do?"}


def test_no_role_is_told_what_is_really_the_case(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    truth = "It was the harbour master who cut the chain, and was paid for it in lamp oil."
    now = desk.workbench.prototype.snapshot(desk.branch(story))
    known = {FOUNDATION_ID: altered(now.foundation, truth=truth)}
    edited = now.model_copy(update={"entities": {**now.entities, **known}})
    desk.workbench.story.edit(desk.branch(story), edited)

    said = {"title": "Oil", "goal": f"Amos buys oil. {truth}"}
    desk.server.answer = saying(goals=say_json({"goals": [said]}), role=beats)
    desk.do(story, PlotChapters(is_autopilot=True))

    assert truth in asked(desk.server, "goals")[-1].prompt
    for sent in asked(desk.server, "role"):
        assert "lamp oil" not in sent.prompt


def test_requests_keep_their_size_however_much_has_been_said(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(chapter_cap=6)

    desk.do(story, PlotChapters(chapters=6, is_autopilot=True))

    for agent, most in MOST_TOKENS.items():
        sizes = [
            sum(estimate_tokens(message["content"]) for message in sent.messages)
            for sent in asked(desk.server, agent)
        ]
        assert max(sizes) < most, f"{agent}: {sizes}"


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

    assert len(asked(desk.server, "plot")) == 3
    told = events_of(desk.workbench, desk.branch(story))
    acting = [event.summary.partition(" waits")[0] for event in told]
    assert acting == ["Judith", "Opal Pruitt", "Amos Verrall"]


def is_whole(agent: str, sent: Sent) -> bool:
    """Whether a request asks an agent for a whole answer."""
    instructions = AGENTS[agent].prompt(ModelStrength.ABLE).instructions.partition("{")[0]
    return bool(sent.messages[0]["content"].startswith(instructions))


@pytest.mark.parametrize("agent", ["goals", "role", "exit", "plot", "scorer"])
def test_model_that_gives_no_usable_whole_is_asked_for_less(
    desk: Desk, begin_able: Callable[..., Story], agent: str
) -> None:
    story = begin_able(goals=2, is_woven=agent != "plot")
    usual = desk.server.answer

    def answer(sent: Sent) -> Reply | None:
        if is_whole(agent, sent):
            return Reply("I am only a small model.")
        return None if agent_of(sent) == agent else usual and usual(sent)

    desk.server.answer = answer

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.DONE
    assert any(AGENTS[agent].label in note for note in run.notes)
    assert any(not is_whole(agent, one) for one in asked(desk.server, agent))


SMALL_ONLY = Reply("I am only a small model.")


def test_resumed_run_does_not_ask_again_for_a_whole_that_failed(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)

    def answer(sent: Sent) -> Reply | None:
        agent = agent_of(sent)
        if agent == "goals":
            return SMALL_ONLY if is_whole("goals", sent) else going_on(sent)
        if agent == "role" and "This is chapter 2" in request_of(sent):
            return refuse(401, "no such key")
        return beats(sent) if agent == "role" else going_on(sent)

    desk.server.answer = answer
    failed = desk.do(story, PlotChapters(chapters=3, is_autopilot=True))
    before = len(desk.server.history)
    desk.server.answer = saying(role=beats)
    done = desk.settle(desk.workbench.runs.resume(desk.branch(story)))

    assert (failed.state, done.state) == (RunState.FAILED, RunState.DONE)
    again = [sent for sent in desk.server.history[before:] if agent_of(sent) == "goals"]
    assert again, "the goals of the third chapter"
    assert not any(is_whole("goals", sent) for sent in again)
    assert len([note for note in done.notes if "asked for less" in note]) == 1


def test_resumed_run_pays_for_nothing_again_that_was_answered_before_a_step_down(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, rounds=2)
    founding = finished_prompts(store, desk.branch(story))
    turns = {"whole": count(1), "small": count(1)}

    def act(sent: Sent) -> Reply | None:
        if is_whole("role", sent):
            return beats(sent, number=1) if next(turns["whole"]) <= 2 else SMALL_ONLY
        return None if next(turns["small"]) == 1 else refuse(401, "no such key")

    desk.server.answer = saying(goals=goals, role=act)
    failed = desk.do(story, PlotChapters(is_autopilot=True))
    finished = finished_prompts(store, desk.branch(story)) - founding
    before = len(asked(desk.server, "role"))
    desk.server.answer = saying(goals=goals)
    done = desk.settle(desk.workbench.runs.resume(desk.branch(story)))

    assert (failed.state, done.state) == (RunState.FAILED, RunState.DONE)
    expect_none_again(desk.server, finished)
    again = asked(desk.server, "role")[before:]
    assert len(again) == 3, "the turns that were still missing"
    assert not any(is_whole("role", sent) for sent in again)


def test_other_model_is_asked_for_the_whole_again(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    refused = refuse(401, "no such key")
    desk.server.answer = saying(goals=SMALL_ONLY, role=refused)
    assert desk.do(story, PlotChapters(is_autopilot=True)).state is RunState.FAILED
    stored = desk.workbench.models.settings()
    assert stored.endpoint is not None
    other = stored.endpoint.model_copy(update={"model": "another"})
    desk.workbench.models.save_settings(stored.model_copy(update={"endpoint": other}))
    before = len(desk.server.history)
    desk.server.answer = saying(goals=goals, role=beats)

    desk.settle(desk.workbench.runs.resume(desk.branch(story)))

    later = [sent for sent in desk.server.history[before:] if agent_of(sent) == "goals"]
    assert later
    assert all(is_whole("goals", sent) for sent in later)


def test_scores_that_the_small_form_leaves_out_are_taken_from_the_whole(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=2)
    rules = [rule.key for rule in general_rules() if rule.judge.spec.is_agent]
    usable, unusable = {"reason": "It shows.", "score": 4}, {"reason": "It is good.", "score": 9}
    said = {
        label: {key: unusable if key == "conflict" else usable for key in rules} for label in "AB"
    }

    def score(sent: Sent) -> Reply:
        return say_json(said) if is_whole("scorer", sent) else SMALL_ONLY

    desk.server.answer = saying(goals=goals, role=beats, scorer=score)

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.DONE
    for candidate in store.proposals.candidates(run.branch, 1):
        keys = {one.key for one in candidate.scores} - {CONTINUITY_KEY}
        assert keys == set(rules) - {"conflict"}
