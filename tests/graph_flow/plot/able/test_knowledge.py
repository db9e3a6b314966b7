"""What the agents of an able model are told: each role its own aim and what it knows, no more."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from store.models.base import new_id
from store.models.cast import Character, Life, Relationship, RelationshipKind
from store.models.plot import Participation
from store.models.prototype import FOUNDATION_ID, SPINE_ID
from store.models.run import PlotChapters
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say_json
from tests.graph_flow.plot.able.ferry import PEOPLE, beats, goals, prose
from tests.graph_flow.scripting import (
    asked,
    request_of,
    saying,
)
from tests.store.builders import altered


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
    for agent in ("scorer", "exit"):
        [sent] = asked(desk.server, agent)
        assert spine.ending[:40] in request_of(sent), agent
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
    assert "Opal Pruitt acts next" in judith.prompt
    assert "You want to hear the bell named." in opal.prompt
    assert "You put it out." in amos.prompt
    assert "acts next" not in amos.prompt
    for sent in (judith, opal, amos):
        assert "ash" not in sent.prompt, "the goal is the author's"
    assert "in front of Opal" not in amos.prompt


def test_whoever_has_two_turns_answers_what_was_said_between(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    relay = [
        {"name": "Judith", "aim": "You ask Opal for the page."},
        {"name": "Opal Pruitt", "aim": "You want to keep it."},
        {"name": "Judith Verrall", "aim": "You give up the page for the bell."},
    ]
    goal = {"title": "The page", "goal": "Judith wants the page from Opal.", "relay": relay}
    acting = [{"name": name, "part": "acts"} for name in ("Judith Verrall", "Opal Pruitt")]
    desk.server.answer = saying(
        goals=say_json({"goals": [goal]}),
        role=lambda sent: beats(sent, number=1, present=acting),
    )

    desk.do(story, PlotChapters(is_autopilot=True))

    first, opal, again = asked(desk.server, "role")
    assert "What does Judith Verrall do?" in first.prompt
    assert "You ask Opal for the page." in first.prompt
    assert "You want to keep it." in opal.prompt
    assert "Judith Verrall acts next" in opal.prompt
    assert "What does Judith Verrall do?" in again.prompt
    assert "You give up the page for the bell." in again.prompt
    assert "You ask Opal for the page." not in again.prompt
    assert ["You have acted in this chapter" in sent.prompt for sent in (first, opal, again)] == [
        False,
        False,
        True,
    ]
    assert "Opal Pruitt waits." in again.prompt.partition("So far in it")[2]
    [saved] = store.proposals.goals(desk.branch(story), 1)
    assert len(saved.roles) == 2


def test_what_somebody_comes_upon_is_theirs_alone_and_from_that_turn_on(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    now = desk.workbench.prototype.snapshot(desk.branch(story))
    amos = next(one for one in now.characters if one.name == "Amos Verrall")
    letter = "The letter says: the pin was cracked before the flood."
    known = {amos.id: altered(amos, secrets=letter)}
    edited = now.model_copy(update={"entities": {**now.entities, **known}})
    desk.workbench.story.edit(desk.branch(story), edited)
    relay = [
        {"name": "Judith", "aim": f"You want the letter. {letter}"},
        {"name": "Opal Pruitt", "aim": "You want to leave."},
        {"name": "Judith", "aim": "You open it.", "finds": letter},
    ]
    goal = {"title": "The letter", "goal": "Judith opens the letter.", "relay": relay}
    desk.server.answer = saying(
        goals=say_json({"goals": [goal]}), role=lambda sent: beats(sent, number=1)
    )

    desk.do(story, PlotChapters(is_autopilot=True))

    first, opal, again = asked(desk.server, "role")
    assert "You want the letter." in first.prompt
    assert "cracked" not in first.prompt
    assert "cracked" not in opal.prompt
    assert f"you come upon this, which you did not know: {letter}" in again.prompt
    snapshot = desk.workbench.prototype.snapshot(desk.branch(story))
    *_, last = snapshot.events_of(1)
    learned = {one.character: one.learned for one in snapshot.participations_in(last.id)}
    people = {one.id: one.name for one in snapshot.characters}
    assert [people[id_] for id_, said in learned.items() if letter in said] == ["Judith Verrall"]


def test_author_says_what_must_be_remembered_whole_in_a_turn(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    branch = desk.branch(story)
    now = desk.workbench.prototype.snapshot(branch)
    [first] = [one for one in now.events_of(0) if one.title == "What happened 0"]
    words = prose(900)
    edited = now.model_copy(
        update={"entities": {**now.entities, first.id: altered(first, summary=words)}}
    )
    desk.workbench.story.edit(branch, edited)
    relay = [
        {"name": "Judith", "aim": "You tell it.", "recalls": ["E1", "E99"]},
        {"name": "Opal Pruitt", "aim": "You hear it.", "recalls": ["E1"]},
        {"name": "Judith", "aim": "You leave."},
    ]
    goal = {"title": "The telling", "goal": "Judith tells it.", "relay": relay}
    desk.server.answer = saying(
        goals=say_json({"goals": [goal]}), role=lambda sent: beats(sent, number=1)
    )

    desk.do(story, PlotChapters(is_autopilot=True))

    assert "E1. 19 years before: What happened 0" in asked(desk.server, "goals")[0].prompt
    told, heard, left = asked(desk.server, "role")
    assert words in told.prompt
    assert words[:40] not in heard.prompt, "she was not there"
    assert words not in left.prompt
    [saved] = store.proposals.goals(branch, 1)
    assert [aim.recalls for aim in saved.aims] == [(first.id,), (first.id,), ()]


def test_how_the_last_chapter_ended_can_be_recalled_as_well(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    branch = desk.branch(story)
    desk.server.answer = saying(goals=goals, role=lambda sent: beats(sent, number=1))
    desk.do(story, PlotChapters(is_autopilot=True))
    ended = desk.workbench.prototype.snapshot(branch).events_of(1)[-1]

    def recall(sent: Sent) -> Reply:
        [line] = [line for line in request_of(sent).splitlines() if ended.summary[:60] in line]
        label = line.removeprefix("- ").partition(".")[0]
        relay = [
            {"name": "Judith", "aim": "You answer.", "recalls": [label]},
            {"name": "Opal Pruitt", "aim": "You hear it."},
        ]
        return say_json({"goals": [{"title": "After", "goal": "They talk.", "relay": relay}]})

    desk.server.answer = saying(goals=recall, role=beats)

    desk.do(story, PlotChapters(is_autopilot=True))

    [saved] = store.proposals.goals(branch, 2)
    assert [aim.recalls for aim in saved.aims] == [(ended.id,), ()]


def test_people_whom_the_writer_chose_have_a_turn_each(
    desk: Desk, store: Store, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    desk.server.answer = saying(goals=_with_aims, role=beats)
    desk.do(story, PlotChapters())
    [goal] = store.proposals.goals(desk.branch(story), 1)
    judith, opal, _ = goal.roles

    fewer = goal.model_copy(update={"roles": (opal, judith)})

    assert fewer.speakers == (opal, judith)
    assert fewer.aim_of(judith) == goal.aim_of(judith)


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


def test_whoever_decides_knows_what_must_hold_until_its_time_and_no_role_does(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=2)
    holds = "Judith never hears before chapter 9 that the chain was cut."
    now = desk.workbench.prototype.snapshot(desk.branch(story))
    held = {SPINE_ID: altered(now.spine, holds=holds)}
    edited = now.model_copy(update={"entities": {**now.entities, **held}})
    desk.workbench.story.edit(desk.branch(story), edited)
    desk.server.history.clear()

    desk.do(story, PlotChapters(is_autopilot=True))

    for agent in ("goals", "scorer"):
        assert holds in asked(desk.server, agent)[-1].prompt, agent
    assert asked(desk.server, "role")
    for sent in asked(desk.server, "role"):
        assert "chain was cut" not in sent.prompt


def test_whoever_the_world_names_can_be_met_by_those_who_have_nothing_to_do_with_them(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    """They know the name; an event would otherwise lose a witness, and they what they saw."""
    story = begin_able(goals=1)
    now = desk.workbench.prototype.snapshot(desk.branch(story))
    pupil = Character(id=new_id(), name="Nives Longo")
    [judith] = [one for one in now.characters if one.name == "Judith Verrall"]
    tie = Relationship(id=new_id(), source=judith.id, target=pupil.id, tie=RelationshipKind.KINSHIP)
    world = {FOUNDATION_ID: altered(now.foundation, background="The only pupil left is Nives.")}
    edited = now.model_copy(
        update={"entities": {**now.entities, **world, pupil.id: pupil, tie.id: tie}}
    )
    desk.workbench.story.edit(desk.branch(story), edited)
    seen = {"name": "Nives", "part": "witnesses", "learns": "The bridge did not fall by itself."}
    desk.server.answer = saying(
        goals=_with_aims, role=lambda sent: beats(sent, number=1, present=[seen])
    )

    desk.do(story, PlotChapters(is_autopilot=True))

    for sent in asked(desk.server, "role"):
        company = request_of(sent).partition("You may meet: ")[2].partition("\n")[0]
        assert "Nives Longo" in company
    snapshot = desk.workbench.prototype.snapshot(desk.branch(story))
    learned = [one.learned for one in snapshot.of(Participation) if one.character == pupil.id]
    assert learned
    assert set(learned) == {"The bridge did not fall by itself."}


def test_shorter_a_story_the_more_of_themselves_somebody_is_told(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    pasts = []
    for chapters in (3, 12, 600):
        story = begin_able(goals=1, chapter_cap=chapters)
        branch = desk.branch(story)
        now = desk.workbench.prototype.snapshot(branch)
        judith = next(one for one in now.characters if one.name == "Judith Verrall")
        grown = altered(judith, history=prose(1_900), secrets=prose(300), voice=prose(300))
        edited = now.model_copy(update={"entities": {**now.entities, grown.id: grown}})
        desk.workbench.story.edit(branch, edited)
        desk.do(story, PlotChapters(is_autopilot=True))
        sent = next(
            one for one in asked(desk.server, "role") if "You are Judith" in request_of(one)
        )
        pasts.append(len(request_of(sent).partition("Behind you: ")[2].partition("\n")[0]))
    assert pasts == sorted(pasts, reverse=True)
    assert len(set(pasts)) == 3


def test_what_came_before_the_story_is_remembered_however_much_has_happened_since(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1)
    desk.server.answer = saying(
        goals=_with_aims, role=lambda sent: beats(sent, number=3, said=[prose(900)])
    )

    desk.do(story, PlotChapters(chapters=2, is_autopilot=True))

    snapshot = desk.workbench.prototype.snapshot(desk.branch(story))
    *_, judith, _opal, _amos = asked(desk.server, "role")
    remembered = judith.prompt.partition("You remember:")[2].partition("You may meet:")[0]
    me = next(one for one in snapshot.characters if one.name == "Judith Verrall")
    lived = [
        event
        for event in snapshot.events_of(0)
        for part in snapshot.participations_in(event.id)
        if part.character == me.id
    ]
    assert lived
    for event in lived:
        assert event.summary[:60] in remembered


def test_last_chapter_has_room_for_questions_and_answers(
    desk: Desk, begin_able: Callable[..., Story]
) -> None:
    story = begin_able(goals=1, chapter_cap=2)
    turns = ["Judith", "Opal Pruitt", "Judith", "Opal Pruitt", "Amos"]
    said = {"goal": "Judith wants the page from Opal.", "relay": turns}
    desk.server.answer = saying(
        goals=say_json({"goals": [{"title": "The page", **said}]}),
        role=lambda sent: beats(sent, number=1),
    )

    desk.do(story, PlotChapters(chapters=2, is_autopilot=True))

    first, second = asked(desk.server, "goals")
    assert "a relay of 3 turns" in first.prompt
    assert "a relay of 5 turns" in second.prompt
    roles = asked(desk.server, "role")
    acting = [sent.prompt.rpartition("What does ")[2].partition(" ")[0] for sent in roles]
    assert acting == ["Judith", "Opal", "Amos", "Judith", "Opal", "Judith", "Opal", "Amos"]
    assert all("the one thing that you do" in sent.prompt for sent in roles)


@pytest.mark.parametrize(("planned", "is_remembered"), [(3, True), (60, False)])
def test_in_a_short_story_each_remembers_all_that_they_have_lived_through(
    desk: Desk, begin_able: Callable[..., Story], planned: int, is_remembered: bool
) -> None:
    story = begin_able(goals=1, chapter_cap=planned)
    number = count(1)

    def act(sent: Sent) -> Reply:
        me = request_of(sent).rpartition("What does ")[2].partition(" do?")[0]
        said = f"{me} lights lamp {next(number)}."
        return beats(sent, number=1, observed=f"{said} {prose(150)}", each=220)

    desk.server.answer = saying(goals=goals, role=act)

    desk.do(story, PlotChapters(chapters=3, is_autopilot=True))

    *_, last = asked(desk.server, "role")
    snapshot = desk.workbench.prototype.snapshot(desk.branch(story))
    [me] = [one.id for one in snapshot.characters if f"What does {one.name} do?" in last.prompt]
    lived = [
        event.summary.partition(".")[0]
        for chapter in (1, 2)
        for event in snapshot.events_of(chapter)
        if me in {part.character for part in snapshot.participations_in(event.id)}
    ]
    assert len(lived) > 2
    assert all(deed in last.prompt for deed in lived) is is_remembered
