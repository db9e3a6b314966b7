"""Talk: the story answers and proposes, a person answers, and nothing changes by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from store.models.desk.talk import TalkTurn
from store.models.endpoint import Endpoint, ModelSettings
from store.models.story import Story
from store.open import Store
from tests.fakes.full_disk import full_disk
from tests.fakes.scripted_server import hang, in_halves, refuse, say, say_json
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    texts_of,
    turn_to,
    words,
)
from tests.pages.told_story import tell_into

SECONDS = 60
QUESTION = "Who locked the lamp room?"


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters, and an able model."""
    story = desk.workbench.library.story(tell_into(library_path))
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    return story


@pytest.fixture
def store(desk: Desk, library_path: Path) -> Iterator[Store]:  # noqa: ARG001 - the desk makes it
    """The same library, to look into."""
    opened = Store.open(library_path)
    yield opened
    opened.close()


def rest(desk: Desk, story: Story, person: str | None = None) -> None:
    """Wait until nobody answers."""
    assert desk.workbench.talk.wait(desk.branch(story), person, SECONDS)


def ask(desk: Desk, window: AppTest, story: Story, question: str = QUESTION) -> AppTest:
    """Type a question, and wait for its answer."""
    window.chat_input[0].set_value(question).run()
    rest(desk, story)
    return window.run()


def said(window: AppTest) -> list[str]:
    """Return what the conversation says, in order."""
    texts = [text for one in window.chat_message for text in texts_of(one.markdown)]
    return [text.replace("\\", "") for text in texts]


def seen_on(window: AppTest) -> str:
    """Return all that a page says, as the writer reads it."""
    return words(window).replace("\\", "")


def test_empty_page_says_what_to_ask_and_which_model_answers(desk: Desk, told: Story) -> None:
    window = desk.window("talk", told)

    expect_whole(window)
    assert "Ask your story" in seen_on(window)
    assert "About 1 call to scripted" in seen_on(window)
    assert len([one for one in window.main.button if one.label.endswith("?")]) == 3
    assert window.chat_input[0].placeholder == "Ask the story, or say what should change"


def test_example_is_asked_at_a_click(desk: Desk, told: Story) -> None:
    desk.server.queue(say_json({"answer": "Two of them.", "evidence": []}))
    window = desk.window("talk", told)
    example = next(one for one in window.main.button if one.label.startswith("Which questions"))
    example.click().run()
    rest(desk, told)
    window.run()

    assert said(window)[1:] == ["Two of them."]
    assert said(window)[0].startswith("Which questions")


def test_answer_leads_to_what_it_rests_on(desk: Desk, told: Story, store: Store) -> None:
    event = store.prototype.snapshot(desk.branch(told)).events[0]
    desk.server.queue(say_json({"answer": "Hale did.", "evidence": ["E1", "C2", "E77", "C9"]}))
    window = ask(desk, desk.window("talk", told), told)

    expect_whole(window)
    assert said(window) == [QUESTION, "Hale did."]
    assert [one for one in labels(window) if one.startswith("Chapter ")] == ["Chapter 2"]
    button(window, "Chapter 2").click().run()
    assert texts_of(window.title) == ["Write"]
    assert "2. A light at sea" in seen_on(window)

    back = desk.window("talk", told)
    button(back, f"{event.title} · chapter 1").click().run()
    assert texts_of(back.title) == ["Graphs"]
    assert event.summary in seen_on(back)


def test_conversation_is_there_after_a_reload_and_can_be_put_away(desk: Desk, told: Story) -> None:
    desk.server.queue(say_json({"answer": "Hale did.", "evidence": []}))
    ask(desk, desk.window("talk", told), told)

    window = desk.window("talk", told)
    assert said(window) == [QUESTION, "Hale did."]
    button(window, "Start again").click().run()
    assert said(window) == []
    assert "Ask your story" in seen_on(window)


def test_proposed_change_is_shown_line_by_line_and_made_only_when_taken(
    desk: Desk, told: Story, store: Store
) -> None:
    branch = desk.branch(told)
    before = store.prototype.commits(branch)
    change = {"of": "P1", "field": "fear", "value": "the dark"}
    desk.server.queue(say_json({"answer": "So be it.", "changes": [change]}))
    window = ask(desk, desk.window("talk", told), told, "She should be afraid of the dark.")

    expect_whole(window)
    assert any("the dark" in text and text.startswith("±") for text in said(window))
    assert store.prototype.commits(branch) == before
    button(window, "Make this change").click().run()

    expect_whole(window)
    *_, edit = store.prototype.commits(branch)
    assert edit.kind == "edit"
    assert "You made this change" in seen_on(window)
    assert "Make this change" not in labels(window)


def test_change_can_be_refused(desk: Desk, told: Story, store: Store) -> None:
    before = store.prototype.commits(desk.branch(told))
    change = {"of": "P1", "field": "fear", "value": "the dark"}
    desk.server.queue(say_json({"answer": "So be it.", "changes": [change]}))
    window = ask(desk, desk.window("talk", told), told)
    button(window, "No, thanks").click().run()

    assert "You said no to this." in seen_on(window)
    assert store.prototype.commits(desk.branch(told)) == before


def test_goal_is_taken_into_the_goals(desk: Desk, told: Story) -> None:
    goal = "Mara burns the letters."
    desk.server.queue(say_json({"answer": "So be it.", "goal_title": "Fire", "goal": goal}))
    window = ask(desk, desk.window("talk", told), told)
    button(window, "Add to the goals").click().run()

    expect_whole(window)
    assert "among the goals" in seen_on(window)
    [kept] = desk.workbench.plot.goals(desk.branch(told), 4)
    assert kept.text == goal


def test_answer_is_seen_as_it_comes_and_can_be_stopped(desk: Desk, told: Story) -> None:
    text = '{"answer": "Hale locked it, long before she came.", "evidence": []}'
    desk.server.queue(in_halves(text + " " * 30, threading.Event()))
    window = desk.window("talk", told)
    window.chat_input[0].set_value(QUESTION).run()
    moment = threading.Event()
    for _ in range(SECONDS * 20):
        seen = desk.workbench.talk.seen(desk.branch(told), None)
        if seen is not None and seen.text:
            break
        moment.wait(0.05)
    window.run()

    assert window.chat_input[0].disabled
    assert said(window)[1].startswith("Hale locked")
    button(window, "Stop").click().run()
    rest(desk, told)
    window.run()

    assert "Stopped as you asked." in seen_on(window)
    assert not window.chat_input[0].disabled
    desk.server.queue(say_json({"answer": "Hale did."}))
    button(window, "Ask again").click().run()
    rest(desk, told)
    assert said(window.run()) == [QUESTION, "Hale did."]


def test_failure_is_told_in_words_under_the_question(desk: Desk, told: Story) -> None:
    desk.server.queue(refuse(401, "no such key"))
    window = ask(desk, desk.window("talk", told), told)

    expect_whole(window)
    assert said(window) == [QUESTION]
    assert "does not accept the key" in seen_on(window)
    assert "Ask again" in labels(window)


def test_question_that_cannot_be_kept_stays_on_the_page(desk: Desk, told: Story) -> None:
    window = desk.window("talk", told)
    with full_disk() as disk:
        window.chat_input[0].set_value(QUESTION).run()
        expect_whole(window)
        assert "full" in seen_on(window)
        assert said(window) == [QUESTION]
        assert "This was not asked." in seen_on(window)
        disk.free()
        desk.server.queue(say_json({"answer": "Hale did."}))
        button(window, "Ask again").click().run()
    rest(desk, told)
    assert said(window.run()) == [QUESTION, "Hale did."]


def test_what_is_said_is_never_markup(desk: Desk, told: Story) -> None:
    desk.server.queue(say_json({"answer": HOSTILE, "goal": HOSTILE, "goal_title": HOSTILE}))
    window = ask(desk, desk.window("talk", told), told, HOSTILE)
    expect_whole(window)
    expect_only_text(window, HOSTILE)


def test_person_answers_as_of_the_chapter_that_is_chosen(desk: Desk, told: Story) -> None:
    desk.server.answer = lambda _: say("*She looks away.* The dark.")
    window = desk.window("talk", told)
    window.button_group[0].set_value("person").run()
    expect_whole(window)
    name = str(window.main.selectbox[0].options[0])
    person = str(window.main.selectbox[0].value)
    assert f"Talk with {name}" in seen_on(window)
    assert "at the end of chapter 3" in seen_on(window)

    window.main.number_input[0].set_value(1).run()
    assert "at the end of chapter 1" in seen_on(window)
    window.chat_input[0].set_value("What are you afraid of?").run()
    rest(desk, told, person)
    window.run()

    expect_whole(window)
    assert said(window) == ["What are you afraid of?", "*She looks away.* The dark."]
    window.main.number_input[0].set_value(2).run()
    assert said(window) == []


def test_every_page_leads_to_talk_with_its_chapter(desk: Desk, told: Story) -> None:
    for page in ("graphs", "history", "plot", "premise", "outline", "export", "cost", "app"):
        window = desk.window(page, told)
        button(window, "Ask").click().run()
        assert texts_of(window.title) == ["Talk"]
        assert window.main.number_input[0].value == 3

    window = desk.window("graphs", told)
    window.sidebar.slider[0].set_value(2).run()
    button(window, "Ask").click().run()
    assert window.main.number_input[0].value == 2

    window = desk.window("write", told)
    window.main.radio[0].set_value(1).run()
    button(window, "Ask").click().run()
    assert window.main.number_input[0].value == 1


def test_story_that_has_not_begun_sends_to_the_premise(desk: Desk) -> None:
    window = desk.window("talk", desk.story())
    assert "nobody to talk with yet" in seen_on(window)
    button(window, "Go to the premise").click().run()
    assert texts_of(window.title) == ["Premise"]
    assert "Ask" not in labels(window)


def test_question_is_answered_on_another_page_too(desk: Desk, told: Story) -> None:
    desk.server.queue(hang())
    window = desk.window("talk", told)
    window.chat_input[0].set_value(QUESTION).run()
    turn_to(window, "graphs")
    desk.server.release()
    rest(desk, told)
    turn_to(window, "talk")
    assert said(window)[0] == QUESTION
    assert not window.chat_input[0].disabled


def test_answer_that_comes_while_the_page_is_read_is_shown(
    desk: Desk, told: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    desk.server.queue(in_halves('{"answer": "Hale did.", "evidence": []}' + " " * 30, may_end))
    window = desk.window("talk", told)
    window.chat_input[0].set_value(QUESTION).run()
    turns = desk.workbench.talk.turns

    def read_just_before(*asked: Any) -> list[TalkTurn]:
        found = turns(*asked)
        may_end.set()
        rest(desk, told)
        return found

    monkeypatch.setattr(desk.workbench.talk, "turns", read_just_before)
    window.run()

    assert said(window) == [QUESTION, "Hale did."]
    assert "Ask again" not in labels(window)
