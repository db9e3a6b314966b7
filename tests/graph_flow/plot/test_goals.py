"""Short-term goals: different ones, pinned ones, what they move, who plays."""

from __future__ import annotations

from typing import Any

import pytest

from graph_flow.plot.goals import (
    PastEvents,
    WholeGoal,
    acting_in,
    go_the_same_way,
    is_new,
    quotes_in,
    targets_in,
)
from store.models.cast import Character, Life
from store.models.plot import Event
from store.models.proposals import Goal
from store.models.run import Action, Decision, Initialize, PlotChapters
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say_json
from tests.graph_flow.scripting import asked, enumerated, request_of, saying

ASKING = {"gates": {"configuration": "ask me", "goals": "ask me", "candidates": "ask me"}}


def goal(text: str, **more: Any) -> dict[str, Any]:
    return {"title": " ".join(text.split()[:3]), "goal": text, "moves": "nothing", **more}


def waiting_at_goals(desk: Desk, *rounds: list[dict[str, Any]]) -> Story:
    """Return a story that asks whether its goals are good; the agent says these, call by call."""
    answers = iter(rounds)

    def say(_sent: Sent) -> Reply | None:
        goals = next(answers, None)
        return say_json({"goals": goals}) if goals else None

    desk.server.answer = saying(goals=say)
    return desk.choosing(ASKING)


def goals_of(desk: Desk, story: Story) -> list[Goal]:
    return desk.workbench.plot.goals(desk.branch(story), 1)


FLOOD = "The river floods the mill at night and nobody can leave the island."
FEAST = "A feast is held in the hall and the host accuses his own brother."
STORM = "Lightning strikes the tower and the letters burn before they are read."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FLOOD, FLOOD),
        (FLOOD, FLOOD.upper()),
        (FLOOD, "At night the river floods the mill, and nobody can leave the island!"),
        ("河水在夜里淹没了磨坊，没有人能离开小岛。", "河水在夜里淹没了磨坊，没有人离开小岛。"),
    ],
)
def test_goals_that_share_most_of_their_words_go_the_same_way(one: str, other: str) -> None:
    assert go_the_same_way(one, other)
    assert not is_new(one, [FEAST, other])


@pytest.mark.parametrize("other", [FEAST, STORM, "河水在夜里淹没了磨坊。", "…"])
def test_goals_with_other_words_are_different(other: str) -> None:
    assert not go_the_same_way(FLOOD, other)


def test_goals_that_repeat_are_asked_for_once_more_and_told_what_there_is(desk: Desk) -> None:
    again = [goal(FEAST), goal(STORM)]
    story = waiting_at_goals(desk, [goal(FLOOD), goal(FLOOD), goal(FLOOD.lower())], again)

    assert [one.text for one in goals_of(desk, story)] == [FLOOD, FEAST, STORM]
    first, second = asked(desk.server, "goals")
    assert "Already thought of" not in request_of(first)
    assert FLOOD in request_of(second)


def test_goals_that_repeat_for_ever_leave_those_that_differ(desk: Desk) -> None:
    same = [goal(FLOOD)] * 3
    story = waiting_at_goals(desk, same, same[:2], same)

    assert [one.text for one in goals_of(desk, story)] == [FLOOD]
    assert len(asked(desk.server, "goals")) == 2


def test_goal_that_cannot_be_used_costs_no_other_and_is_asked_for_again(desk: Desk) -> None:
    story = waiting_at_goals(
        desk, [goal(FLOOD), goal("[{ }] {{ [ }] no text at all"), goal(FEAST)], [goal(STORM)]
    )

    assert [one.text for one in goals_of(desk, story)] == [FLOOD, FEAST, STORM]
    assert "1 different path" in request_of(asked(desk.server, "goals")[1])


def test_chapter_goes_on_with_the_goals_that_there_are(desk: Desk) -> None:
    unusable = [goal("...")]
    story = waiting_at_goals(desk, [goal(FLOOD), goal(FLOOD), goal(FEAST)], *[unusable] * 3)

    assert [one.text for one in goals_of(desk, story)] == [FLOOD, FEAST]


def test_pinned_goals_stay_when_others_are_asked_for(desk: Desk) -> None:
    story = waiting_at_goals(
        desk,
        [goal(FLOOD), goal(FEAST), goal(STORM)],
        [goal("Mara sells the boat to a stranger."), goal(STORM.lower() + " Twice.")],
        [goal("Hale hides in the ferry till dawn.")],
    )
    pinned = goals_of(desk, story)[1]
    desk.workbench.plot.save_goal(pinned.model_copy(update={"is_pinned": True}))

    desk.answer(story, Decision(action=Action.ASK_AGAIN, note="no water"))

    texts = [one.text for one in goals_of(desk, story)]
    assert texts == [
        FEAST,
        "Mara sells the boat to a stranger.",
        "Hale hides in the ferry till dawn.",
    ]
    kept = goals_of(desk, story)[0]
    assert kept.is_pinned
    assert kept.roles == pinned.roles
    assert kept.round == pinned.round + 1
    again = request_of(asked(desk.server, "goals")[1])
    assert "2 different paths" in again
    assert FLOOD in again


def test_goals_asked_for_anew_are_not_those_of_the_round_before(desk: Desk) -> None:
    first = [goal(FLOOD), goal(FEAST), goal(STORM)]
    story = waiting_at_goals(desk, first, first, [goal("Hale hides in the ferry till dawn.")] * 3)
    assert [one.text for one in goals_of(desk, story)] == [FLOOD, FEAST, STORM]

    desk.answer(story, Decision(action=Action.ASK_AGAIN))

    assert [one.text for one in goals_of(desk, story)] == ["Hale hides in the ferry till dawn."]


def test_a_chapter_has_a_goal_even_where_nothing_new_comes(desk: Desk) -> None:
    same = [goal(FLOOD)] * 3
    story = waiting_at_goals(desk, same, same[:2], same, same)

    desk.answer(story, Decision(action=Action.ASK_AGAIN))

    assert [one.text for one in goals_of(desk, story)] == [FLOOD]


def test_goal_names_the_thread_or_the_relationship_that_it_moves(desk: Desk, store: Store) -> None:
    labels: list[str] = []

    def say(sent: Sent) -> Reply:
        labels[:] = enumerated(sent, "goals", "[]", "moves")
        return say_json({"goals": [goal(FLOOD, moves=labels[0]), goal(FEAST), goal(STORM)]})

    desk.server.answer = saying(goals=say)
    story = desk.choosing(ASKING)

    circle = store.excerpts.of_circle(desk.branch(story), None, "")
    assert labels == [*targets_in(circle).ids, "nothing"]
    first, second, _ = desk.workbench.plot.goal_views(desk.branch(story), 1)
    assert first.goal.moves == targets_in(circle).ids[labels[0]]
    assert first.targets[first.goal.moves]
    assert second.goal.moves is None


def test_people_are_cast_for_each_goal_and_another_one_begins_each_time(desk: Desk) -> None:
    story = waiting_at_goals(desk, [goal(FLOOD), goal(FEAST), goal(STORM)])

    roles = [one.roles for one in goals_of(desk, story)]
    count = min(3, len(desk.workbench.plot.players(desk.branch(story))))
    assert all(len(people) == len(set(people)) == count for people in roles)
    assert len({people[0] for people in roles}) == count


def test_people_whom_the_writer_chose_play_in_that_order(desk: Desk, store: Store) -> None:
    story = waiting_at_goals(desk, [goal(FLOOD), goal(FEAST), goal(STORM)])
    first = goals_of(desk, story)[0]
    chosen = tuple(reversed(first.roles[:2]))
    desk.workbench.plot.save_goal(first.model_copy(update={"roles": chosen}))

    desk.answer(story)

    woven = {one.goal: one for one in store.proposals.candidates(desk.branch(story), 1)}
    assert [turn.character for turn in woven[first.id].turns] == list(chosen)


def test_goal_in_other_words_gets_other_people(desk: Desk) -> None:
    story = waiting_at_goals(desk, [goal(FLOOD), goal(FEAST), goal(STORM)])
    first, names = goals_of(desk, story)[0], desk.workbench.plot.players(desk.branch(story))
    last = first.roles[-1]
    text = f"{names[last]} goes away alone."

    desk.workbench.plot.save_goal(first.model_copy(update={"text": text, "position": 0}))

    assert goals_of(desk, story)[0].roles[0] == last


def test_the_dead_are_not_offered_to_play(desk: Desk) -> None:
    story = waiting_at_goals(desk)
    branch = desk.branch(story)
    snapshot = desk.workbench.prototype.snapshot(branch)
    gone = snapshot.characters[0]
    dead = gone.model_copy(update={"life": Life.DEAD})
    desk.workbench.story.edit(
        branch, snapshot.model_copy(update={"entities": {**snapshot.entities, gone.id: dead}})
    )

    assert gone.id not in desk.workbench.plot.players(branch)
    assert len(desk.workbench.plot.players(branch)) == len(snapshot.characters) - 1


def test_goals_of_a_told_chapter_stay_as_they_are(desk: Desk) -> None:
    story = desk.plotted(1, {"gates": {gate: GateMode.GO_ON for gate in ("goals",)}})
    told = desk.workbench.plot.goals(desk.branch(story), 1)[0]

    with pytest.raises(Exception, match="Chapter 1 is plotted"):
        desk.workbench.plot.save_goal(told.model_copy(update={"text": FLOOD}))

    assert desk.workbench.plot.goals(desk.branch(story), 1)[0].text == told.text


def test_what_if_steers_the_first_chapter_of_its_branch_and_no_later_one(desk: Desk) -> None:
    story = desk.story(settings={"gates": {gate: GateMode.GO_ON for gate in Gate}, "goals": 1})
    desk.do(story, Initialize())
    desk.do(story, PlotChapters())
    words = "What if Mara takes the boat with the broken xebec lamp?"
    branch = desk.workbench.branches.ask_what_if(desk.branch(story), 1, words)

    for _ in range(2):
        desk.settle(desk.workbench.runs.start(branch.id, PlotChapters()))

    assert branch.name == words
    before, first, second = (request_of(sent) for sent in asked(desk.server, "goals"))
    assert "What if Mara takes the boat with the broken xebec lamp? It comes true" in first
    assert "xebec" not in before + second


def test_long_what_if_gives_a_short_name_and_is_kept_whole(desk: Desk) -> None:
    story = desk.story()
    desk.do(story, Initialize())
    desk.answer(story)
    words = "Mara, who has never learned to swim, " * 6

    branch = desk.workbench.branches.ask_what_if(desk.branch(story), 0, words)

    assert branch.what_if == words.strip()
    assert len(branch.name) <= 80
    assert branch.name.endswith("…")


SHEET = Event(
    id="sheet",
    title="The sheet on Ivy's table",
    summary="Denis typed at Ivy's table. The sheet read: 'She sang in the bath. She wouldn't stop.'",
)
QUARREL = Event(id="quarrel", title="A quarrel", summary="Denis and Ivy quarrelled over the clock.")
PAST = PastEvents(
    {"E3": "sheet", "E4": "quarrel", "E5": "gone"}, {"sheet": SHEET, "quarrel": QUARREL}
)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("He said “Come down,” and “now”.", ["Come down,", "now"]),
        ("It read: 'I wasn't there.' It's over.", ["I wasn't there."]),
        ('A card: "Sunday".', ["Sunday"]),
        ("纸上写着：「她走了。」", ["她走了。"]),
        ("It's what Ida's brother didn't say.", []),
    ],
)
def test_what_is_quoted_in_an_event_is_found_in_any_marks(text: str, quoted: list[str]) -> None:
    assert quotes_in(text) == quoted


def test_aim_has_the_words_that_somebody_finds_and_no_label_and_nothing_that_they_cannot_know() -> (
    None
):
    nell, ivy = Character(id="nell", name="Nell"), Character(id="ivy", name="Ivy")
    path = WholeGoal.model_validate(
        {
            "title": "The sheet",
            "goal": "Nell wants Ivy to own up.",
            "relay": [
                {"name": "Nell", "aim": "After E4 and E9 you ask.", "finds": "The sheet of E3."},
                {"name": "Ivy", "aim": "You pour tea.", "recalls": ["E3"]},
            ],
        }
    )

    first, second = acting_in(path, [nell, ivy], PAST, 3)

    assert first.finds == "The sheet of “She sang in the bath. She wouldn't stop.”."
    assert first.text == "After what happened before and E9 you ask."
    assert "Denis" not in f"{first.text} {first.finds}"
    assert second.recalls == ("sheet",)


def test_turn_begins_where_the_goal_says_that_it_does() -> None:
    nell, ivy = Character(id="nell", name="Nell"), Character(id="ivy", name="Ivy")
    path = WholeGoal.model_validate(
        {
            "title": "The tap",
            "goal": "Nell wants Ivy to own up.",
            "relay": [
                {
                    "name": "Nell",
                    "where": "The yard at six, Ivy's cart there",
                    "aim": "You hide it.",
                },
                {"name": "Ivy", "aim": "You pour tea."},
                {"name": "Nell", "where": "The kitchen that night."},
            ],
        }
    )

    assert [aim.text for aim in acting_in(path, [nell, ivy], PAST, 3)] == [
        "The yard at six, Ivy's cart there. You hide it.",
        "You pour tea.",
        "The kitchen that night.",
    ]


def test_aims_that_are_too_long_to_be_kept_are_cut() -> None:
    nell, ivy = Character(id="nell", name="Nell"), Character(id="ivy", name="Ivy")
    long = {"name": "Nell", "where": "The yard. " * 90, "aim": "You wait. " * 2_000}
    path = WholeGoal.model_validate(
        {
            "title": "The yard",
            "goal": "Nell waits.",
            "relay": [
                {**long, "finds": "E3 " * 3_000},
                {**long, "finds": "A key."},
                {"name": "Ivy", "aim": "You pour tea."},
            ],
        }
    )

    first, second = acting_in(path, [nell, ivy], PAST, 3)

    assert first.text.startswith("The yard.")
    assert first.text.endswith("You wait.")
    assert "She sang in the bath." in first.finds
    assert second.text == "You pour tea."
