"""A story as an able model founds it: in four calls, with a past that only some know of."""

from __future__ import annotations

from typing import Any

import pytest

from graph_flow.agents import AGENTS
from graph_flow.cognition.knowledge import knowledge_of
from graph_flow.cognition.memory import whole_memory_line
from graph_flow.prompting.length import scope_words
from store.models.base import PARAGRAPH_LIMIT, WHOLE
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.plot import Event, Part, Participation
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot
from store.models.run import Action, Decision, Initialize
from store.models.story import Brief, Story
from tests.desk import Desk
from tests.fakes.scripted_server import say
from tests.graph_flow.founding.able import CAST, FOUNDATION, SPINE, able_answers
from tests.graph_flow.scripting import agent_of, request_of, saying
from tests.store.builders import altered

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
AGAIN = Decision(action=Action.ASK_AGAIN, note="Make it sadder.")


def begun(desk: Desk, premise: str = PREMISE, **settings: Any) -> Story:
    """Have a story drafted, up to the writer's approval."""
    story = desk.story(premise=premise, settings={"is_sketched": False, **settings})
    desk.do(story, Initialize())
    return story


def proposed(desk: Desk, story: Story) -> Snapshot:
    return desk.workbench.story.proposed_snapshot(desk.branch(story))


def called(desk: Desk) -> list[str]:
    return [agent_of(sent) for sent in desk.server.history]


def person(snapshot: Snapshot, name: str) -> Character:
    return next(one for one in snapshot.characters if one.name == name)


def event(snapshot: Snapshot, title: str) -> Event:
    return next(one for one in snapshot.events if one.title == title)


def save(desk: Desk, story: Story, *entities: AnyEntity) -> None:
    """Save edits of the proposed beginning."""
    whole = {**proposed(desk, story).entities, **{one.id: one for one in entities}}
    desk.workbench.story.save_configuration(
        desk.branch(story), "The Span", Snapshot(entities=whole)
    )


def test_able_model_founds_a_story_in_four_calls(able_desk: Desk) -> None:
    story = able_desk.story(premise=PREMISE, settings={"is_sketched": False})
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), Initialize()).calls

    able_desk.do(story, Initialize())

    assert called(able_desk) == ["foundation", "cast", "spine", "founding_review"]
    assert expected == 4


def test_what_was_considered_and_chosen_comes_first_in_an_answer_and_is_not_kept(
    able_desk: Desk,
) -> None:
    guess = "The pin was never cracked."
    able_desk.server.answer = able_answers(
        foundation={"considered": [guess], "chosen": guess, **FOUNDATION},
        spine={"considered": [guess], **SPINE},
    )

    snapshot = proposed(able_desk, begun(able_desk))

    foundation, _cast, spine, _review = able_desk.server.history
    for sent in (foundation, spine):
        assert sent.schema
        assert next(iter(sent.schema["properties"])) == "considered"
    assert snapshot.spine.ending == SPINE["ending"]
    assert guess not in snapshot.model_dump_json()


def test_idea_is_kept_and_told_to_whoever_goes_on_from_it(able_desk: Desk) -> None:
    idea = "Opal tells it to the new inspector: how she made Amos read her the page."
    able_desk.server.answer = able_answers(foundation={**FOUNDATION, "idea": idea})

    snapshot = proposed(able_desk, begun(able_desk))

    assert snapshot.foundation.idea == idea
    assert "idea" in snapshot.foundation.invented
    _foundation, *others = able_desk.server.history
    assert [agent_of(sent) for sent in others] == ["cast", "spine", "founding_review"]
    assert all(idea in request_of(sent) for sent in others)


@pytest.mark.parametrize(
    ("form", "is_told"), [(Form.NOVEL, True), (Form.AUDIO_DRAMA, False), (Form.STAGE_PLAY, False)]
)
def test_only_prose_is_asked_for_somebody_who_tells_it(
    able_desk: Desk, form: Form, is_told: bool
) -> None:
    brief = Brief(premise=PREMISE, form=form)
    story = able_desk.workbench.library.create_story(brief)

    able_desk.do(story, Initialize())

    asked_for = able_desk.server.history[0].prompt
    assert ("who tells it, or whom it stays close to" in asked_for) is is_told


def test_people_come_with_their_past_their_secrets_and_how_they_talk(able_desk: Desk) -> None:
    snapshot = proposed(able_desk, begun(able_desk))

    said = CAST["people"][0]
    amos = person(snapshot, "Amos Vale")
    assert (amos.history, amos.voice) == (said["history"], said["voice"])
    assert (amos.fear, amos.misbelief) == (said["fear"], said["misbelief"])
    assert (amos.motivation, amos.secrets) == (said["want"], said["secret"])
    assert amos.age == "71"
    assert amos.arc == "He learns that silence was for himself."
    assert {"history", "voice", "secrets", "arc"} <= set(amos.invented)
    assert person(snapshot, "Opal Dray").secrets == ""


def test_ties_are_understood_as_far_as_they_can_be(able_desk: Desk) -> None:
    snapshot = proposed(able_desk, begun(able_desk))

    amos, ruth, opal = (
        person(snapshot, name).id for name in ("Amos Vale", "Ruth Vale", "Opal Dray")
    )
    ties = {(one.source, one.target): one for one in snapshot.relationships}
    assert ties.keys() == {(ruth, amos), (amos, opal)}
    kinship = ties[ruth, amos]
    assert (kinship.tie, kinship.strength) == (RelationshipKind.KINSHIP, 8)
    assert kinship.awareness is Awareness.MUTUAL
    assert kinship.reason == "He missed her graduation."
    assert ties[amos, opal].strength == 10


def test_what_takes_a_paragraph_is_kept_whole(able_desk: Desk) -> None:
    def long(about: str) -> str:
        return " ".join(f"What {about} comes to, part {at}, is not soon said." for at in range(15))

    amos = {"name": "Amos", "want": long("he wants"), "secret": long("he hides")}
    able_desk.server.answer = able_answers(
        foundation={**FOUNDATION, "long_term_goal": long("the end")},
        cast={"people": [{**amos, "voice": long("he says")}]},
        spine={**SPINE, "arcs": [{"person": "Amos", "arc": long("he learns")}]},
    )

    snapshot = proposed(able_desk, begun(able_desk))

    [amos_kept] = snapshot.characters
    assert 400 < len(long("he wants")) < PARAGRAPH_LIMIT
    assert snapshot.foundation.long_term_goal == long("the end")
    assert (amos_kept.motivation, amos_kept.secrets) == (long("he wants"), long("he hides"))
    assert (amos_kept.voice, amos_kept.arc) == (long("he says"), long("he learns"))


def test_spine_is_kept_and_marked_as_invented(able_desk: Desk) -> None:
    spine = proposed(able_desk, begun(able_desk)).spine

    assert spine.ending == SPINE["ending"]
    assert all(turn in spine.turns for turn in SPINE["turns"])
    assert {"ending", "turns", "last_image"} <= set(spine.invented)


def test_what_happened_before_the_story_is_told_in_chapter_0(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.answer(story)

    snapshot = able_desk.workbench.prototype.snapshot(able_desk.branch(story))

    past = snapshot.events_of(0)
    assert [one.title for one in past] == [
        "The pin is passed",
        "The fall",
        "The page goes",
        "The settlement",
    ]
    assert [one.story_order for one in past] == [-20, -19, -18.9, -18]
    amos, ruth = person(snapshot, "Amos Vale"), person(snapshot, "Ruth Vale")
    parts = {one.character: one.part for one in snapshot.participations_in(past[2].id)}
    assert parts == {amos.id: Part.ACTS, ruth.id: Part.WITNESSES}
    assert snapshot.spine.ending == SPINE["ending"]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Amos Vale", ["The pin is passed", "The fall", "The page goes"]),
        ("Ruth Vale", ["The fall", "The page goes"]),
        ("Opal Dray", ["The fall", "The settlement"]),
    ],
)
def test_role_knows_of_the_past_what_it_did_suffered_saw_or_was_told(
    able_desk: Desk, name: str, known: list[str]
) -> None:
    snapshot = proposed(able_desk, begun(able_desk))

    memories = knowledge_of(snapshot, person(snapshot, name).id).memories

    assert [memory.event.title for memory in memories] == known


def test_who_was_told_something_else_remembers_that_in_place_of_what_happened(
    able_desk: Desk,
) -> None:
    snapshot = proposed(able_desk, begun(able_desk))
    opal = person(snapshot, "Opal Dray")

    [*_, told] = knowledge_of(snapshot, opal.id).memories

    assert told.event.summary == "That the money was a widow’s pension."
    assert "pin" not in whole_memory_line(told)
    assert set(told.part.invented) == {"learned", "part"}
    known = [memory.event.title for memory in knowledge_of(snapshot, opal.id).memories]
    assert "The page goes" not in known, "it concerns her, but she is in none of its lists"


def test_agents_are_told_how_much_fits_and_who_knows_what(able_desk: Desk) -> None:
    scope = scope_words(begun(able_desk).settings)

    _, cast, spine, review = (request_of(sent) for sent in able_desk.server.history)

    assert scope in cast
    assert scope in spine
    assert scope in review
    assert "(Opal Dray was told: That the money was a widow’s pension)" in spine
    assert "(known to Amos Vale, Ruth Vale)" in spine


@pytest.mark.parametrize(
    ("settings", "has_heart", "has_lines", "share"),
    [
        ({"chapter_cap": 3, "is_sketched": False}, True, False, 1),
        ({"chapter_cap": 10}, False, False, 1),
        ({"chapter_cap": 40}, False, True, 2),
        ({"is_open_ended": True}, False, True, 2),
    ],
)
def test_more_happens_in_a_longer_story(
    able_desk: Desk, settings: dict[str, Any], has_heart: bool, has_lines: bool, share: int
) -> None:
    begun(able_desk, **settings)

    sent = able_desk.server.history
    foundation, cast, spine, review = (one.prompt for one in sent)

    assert ("three people can matter in a short story" in foundation) is has_heart
    assert ("a line of their own beside the main one" in foundation) is has_lines
    assert ("a short story is carried by two" in cast) is has_heart
    assert ("no second secret" in spine) is False, "nothing was told in short"
    assert ("two to four places" in spine) is has_heart
    assert ("on a line of its own that begins with its chapter" in spine) is not has_heart
    assert ("Then take away whatever" in review) is has_heart
    limits = [AGENTS[agent_of(one)].prompt(ModelStrength.ABLE).max_tokens for one in sent]
    assert [one.body["max_tokens"] for one in sent[1:]] == [share * limit for limit in limits[1:]]


def test_answers_that_are_too_long_or_lack_lists_cost_no_second_call(able_desk: Desk) -> None:
    long = "A word and another. " * 400
    able_desk.server.answer = able_answers(
        foundation={"title": "T" * 300, "background": [long], "long_term_goal": long, "tone": 7},
        cast={"people": [{"name": "Ida", "history": long, "want": long, "voice": {"tone": "dry"}}]},
        spine={"ending": long, "turns": [{"chapter": 2, "turn": "She leaves."}]},
    )

    story = begun(able_desk)

    assert called(able_desk) == ["foundation", "cast", "spine", "founding_review"]
    snapshot = proposed(able_desk, story)
    assert snapshot.foundation.tone == "7"
    assert snapshot.foundation.background.endswith("another.")
    [ida] = snapshot.characters
    assert ida.motivation.endswith("another.")
    assert "dry" in ida.voice
    assert "She leaves." in snapshot.spine.turns


def test_cast_is_whom_an_able_model_names_and_nobody_is_added(able_desk: Desk) -> None:
    """A list of capitalized words would make a person of Earth."""
    story = begun(able_desk, "In three days the crew votes on whether to turn back to Earth.")

    names = [one.name for one in proposed(able_desk, story).characters]

    assert names == ["Amos Vale", "Ruth Vale", "Opal Dray"]


def test_people_of_one_name_are_one(able_desk: Desk) -> None:
    twice = [{"name": "Ida", "want": "out"}, {"name": "IDA", "want": "in"}]
    able_desk.server.answer = able_answers(cast={"people": twice})

    [ida] = proposed(able_desk, begun(able_desk)).characters

    assert (ida.name, ida.motivation) == ("Ida", "out")


def test_model_that_gives_no_whole_cast_is_asked_for_one_person_at_a_time(
    able_desk: Desk,
) -> None:
    fails = able_answers()
    able_desk.server.answer = lambda sent: (
        say("I would rather not.")
        if agent_of(sent) == "cast" and "relationships" in sent.messages[0]["content"].casefold()
        else (fails(sent) if agent_of(sent) in {"foundation", "spine", "founding_review"} else None)
    )

    story = able_desk.story(premise=PREMISE, settings={"is_sketched": False})
    run = able_desk.do(story, Initialize())

    agents = called(able_desk)
    assert agents.count("cast") == 4
    assert {"character", "ties", "scenes"} <= set(agents)
    assert len(run.notes) == 1
    assert run.notes[0].startswith("Cast")
    snapshot = proposed(able_desk, story)
    assert len(snapshot.characters) >= 3
    assert snapshot.foundation.tone == FOUNDATION["tone"]


def test_redraft_keeps_what_the_writer_locked_or_changed(able_desk: Desk) -> None:
    story = begun(able_desk)
    first = proposed(able_desk, story)
    amos, ruth = person(first, "Amos Vale"), person(first, "Ruth Vale")
    [tie] = [one for one in first.relationships if one.source == ruth.id]
    fall = event(first, "The fall")
    save(
        able_desk,
        story,
        altered(amos, fear="Water.", invented=tuple(set(amos.invented) - {"fear"})),
        altered(ruth, history="She left at seventeen.", locked=("history",)),
        altered(tie, locked=(WHOLE,)),
        altered(fall, summary="It fell at night.", locked=(WHOLE,)),
        altered(first.spine, ending="He signs.", locked=("ending",)),
        Character(id="ida", name="Ida", occupation="a lock keeper"),
    )
    other = {**CAST["people"][0], "fear": "Fire.", "voice": "Loud."}
    able_desk.server.answer = able_answers(
        cast={
            "people": [other, {**CAST["people"][1], "history": "Nothing."}],
            "past": [{"title": "THE FALL", "happened": "It fell at noon."}],
        },
        spine={"ending": "He runs.", "cost": "Everything."},
    )

    able_desk.answer(story, AGAIN)

    after = proposed(able_desk, story)
    again = after.get(Character, amos.id)
    assert (again.fear, again.voice) == ("Water.", "Loud.")
    assert after.get(Character, ruth.id).history == "She left at seventeen."
    assert after.get(Character, "ida").occupation == "a lock keeper"
    assert after.get(Relationship, tie.id).reason == tie.reason
    assert [one.summary for one in after.events] == ["It fell at night."]
    assert len(after.participations_in(fall.id)) == 3
    assert (after.spine.id, after.spine.ending, after.spine.cost) == (
        SPINE_ID,
        "He signs.",
        "Everything.",
    )


def test_agents_are_told_what_a_redraft_has_to_fit_around(able_desk: Desk) -> None:
    story = begun(able_desk)
    first = proposed(able_desk, story)
    amos, fall = person(first, "Amos Vale"), event(first, "The fall")
    save(
        able_desk,
        story,
        altered(first.foundation, tone="wry", locked=("tone",)),
        altered(amos, fear="Water.", locked=("fear",)),
        altered(fall, summary="It fell at night.", locked=(WHOLE,)),
        altered(first.spine, ending="He signs.", locked=("ending",)),
    )
    able_desk.server.history.clear()

    able_desk.answer(story, AGAIN)

    foundation, cast, spine, review = (request_of(sent) for sent in able_desk.server.history)
    assert "- tone: wry" in foundation
    assert "- tone: wry" in review
    assert "- Amos Vale: fear: Water." in review
    assert "fear: Water." in cast
    assert "life: living" not in cast
    assert "It fell at night." in cast
    assert "- ending: He signs." in spine
    assert "- ending: He signs." in review
    assert amos.voice not in foundation + cast


def test_small_model_keeps_the_past_and_the_spine_that_the_writer_settled(desk: Desk) -> None:
    story = desk.drafted()
    first = proposed(desk, story)
    mara = first.characters[0]
    fire = Event(id="fire", title="The fire", summary="It burned.", story_order=-2.0)
    knows = Participation(id="knows", character=mara.id, event="fire")
    save(desk, story, fire, knows, altered(first.spine, ending="She stays."))

    desk.answer(story, AGAIN)

    after = proposed(desk, story)
    assert after.spine.ending == "She stays."
    assert after.get(Event, "fire").summary == "It burned."
    assert after.get(Participation, "knows").character == mara.id


def test_small_model_is_asked_for_no_spine(desk: Desk) -> None:
    desk.server.answer = saying()
    story = begun(desk)

    assert "spine" not in called(desk)
    assert SPINE_ID not in proposed(desk, story).entities
