"""A person of the story answers in their voice, and is told nothing that they cannot know."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from graph_flow.cognition.knowledge import knowledge_of
from graph_flow.cognition.memory import PromptBudget
from graph_flow.errors import WorkbenchError
from graph_flow.talk.agents import PERSON_TALK
from graph_flow.talk.rehearsal import person_s_knowledge
from graph_flow.workbench.beside.talk import TalkService
from store.models.desk.talk import TalkTurn
from store.models.endpoint import ModelStrength
from tests.desk import Desk
from tests.fakes.scripted_server import say
from tests.graph_flow.cognition.canaries import Story, canaries_in, may_know, stories
from tests.graph_flow.scripting import asked, request_of, saying
from tests.graph_flow.talk.conftest import HIDDEN, LATER, answered

PLENTY = PromptBudget(100_000, 1_000)
QUESTION = "What are you afraid of?"


def speak(desk: Desk, branch: str, person: str, chapter: int, question: str = QUESTION) -> TalkTurn:
    """Say something to a person, and return it with their answer."""
    turn = desk.workbench.talk.ask(branch, question, chapter, person)
    return answered(desk.workbench, turn)


@settings(max_examples=60)
@given(stories())
def test_nothing_that_a_person_cannot_know_is_in_their_prompt(story: Story) -> None:
    snapshot = story.snapshot
    for person in snapshot.characters:
        known = knowledge_of(snapshot, person.id)
        given_ = person_s_knowledge(known, snapshot, "", PLENTY, PLENTY)
        for strength in ModelStrength:
            messages = PERSON_TALK.prompt(strength).messages(
                {**given_, "said": [], "question": QUESTION, "language": "English"}
            )
            sent = "\n".join(message.content for message in messages)
            assert canaries_in(sent) <= may_know(snapshot, person.id, [])


def test_person_knows_their_own_secrets_and_deeds_and_others_do_not(
    desk: Desk, branch: str
) -> None:
    desk.server.answer = saying(person_talk=say("Nothing that I would tell you."))
    speak(desk, branch, "hale", 1)
    speak(desk, branch, "mara", 1, f"What do you know of the box, and of {QUESTION}")

    hale, mara = (one.prompt for one in asked(desk.server, "person_talk"))
    assert HIDDEN in hale
    assert HIDDEN not in mara
    assert "Mara finds the door locked" in mara
    assert "Mara finds the door locked" not in hale


def test_person_does_not_know_what_comes_after_the_chapter(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(person_talk=say("The dark."))
    speak(desk, branch, "mara", 2)
    speak(desk, branch, "mara", 1)
    speak(desk, branch, "mara", 1, "And what else?")

    second, first, again = (one.prompt for one in asked(desk.server, "person_talk"))
    assert LATER in second
    assert LATER not in first + again


def test_what_they_said_as_of_a_later_chapter_is_not_before_them_as_of_an_earlier_one(
    desk: Desk, branch: str, talk: TalkService
) -> None:
    desk.server.answer = saying(person_talk=say(f"I have found the {LATER}."))
    speak(desk, branch, "mara", 2)
    desk.server.answer = saying(person_talk=say("The dark."))
    speak(desk, branch, "mara", 1)
    speak(desk, branch, "mara", 1, "And what else?")

    *_, first, again = map(request_of, asked(desk.server, "person_talk"))
    assert LATER not in first + again
    assert "You: The dark." in again
    assert [one.answer for one in talk.turns(branch, "mara", 1)] == ["The dark.", "The dark."]
    assert len(talk.turns(branch, "mara", 2)) == 1


def test_what_is_said_to_one_person_another_does_not_hear(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(person_talk=say(f"I buried the {HIDDEN} letters."))
    speak(desk, branch, "hale", 1)
    speak(desk, branch, "mara", 1)
    assert HIDDEN not in asked(desk.server, "person_talk")[-1].prompt


@pytest.mark.parametrize("name", ["Mara:", "**Mara:**", "You:", "*MARA*:"])
def test_name_before_what_is_said_is_left_out(desk: Desk, branch: str, name: str) -> None:
    desk.server.answer = saying(person_talk=say(f"{name} *looks away* The dark."))
    assert speak(desk, branch, "mara", 1).answer == "*looks away* The dark."


def test_starting_again_puts_away_what_was_said_as_of_this_chapter(
    desk: Desk, branch: str, talk: TalkService
) -> None:
    desk.server.answer = saying(person_talk=say("The dark."))
    speak(desk, branch, "mara", 1)
    speak(desk, branch, "mara", 2)
    talk.put_away(branch, "mara", 1)
    assert talk.turns(branch, "mara", 1) == []
    assert len(talk.turns(branch, "mara", 2)) == 1
    speak(desk, branch, "mara", 1, "And what else?")
    assert "The dark." not in request_of(asked(desk.server, "person_talk")[-1])


@pytest.mark.parametrize(
    ("person", "chapter", "words"),
    [
        ("hale", 4, "Hale is dead by the end of chapter 4"),
        ("tobias", 2, "not in the story by the end of chapter 2"),
        ("nobody", 4, "not in the story"),
    ],
)
def test_who_is_dead_or_not_there_yet_does_not_answer(
    desk: Desk, branch: str, talk: TalkService, person: str, chapter: int, words: str
) -> None:
    with pytest.raises(WorkbenchError, match=words):
        talk.ask(branch, QUESTION, chapter, person)
    assert talk.turns(branch, person, chapter) == []
    assert asked(desk.server, "person_talk") == []


def test_who_has_met_nobody_yet_answers_from_themselves(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(person_talk=say("Who are you?"))
    assert speak(desk, branch, "tobias", 3).answer == "Who are you?"
    assert "Mara" not in request_of(asked(desk.server, "person_talk")[-1])


def test_person_goes_on_answering_while_the_story_does(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(person_talk=say("The dark."))
    talk = desk.workbench.talk
    turns = [talk.ask(branch, QUESTION, 1, person) for person in ("mara", "hale")]
    assert [answered(desk.workbench, one).answer for one in turns] == ["The dark."] * 2
