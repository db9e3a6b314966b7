"""The story answers with evidence that exists, and proposes; nothing changes by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.views import SideState
from graph_flow.workbench.beside.talk import TalkService
from graph_flow.workbench.workbench import Workbench
from store.errors import LibraryUnavailable, StoryMoved
from store.models.cast import Character
from store.models.desk.talk import ProposalState, TalkTurn
from store.models.run import Outcome, PlotChapters
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.full_disk import full_disk
from tests.fakes.scripted_server import Reply, Sent, hang, in_halves, say, say_json
from tests.graph_flow.scripting import asked, request_of, saying
from tests.graph_flow.talk.conftest import SECONDS, answered
from tests.store.builders import changing

QUESTION = "Who locked the lamp room?"


def label_of(sent: Sent, text: str) -> str:
    """Return the label of the line of a prompt in which a text stands."""
    line = next(one for one in request_of(sent).splitlines() if text in one)
    return line.removeprefix("- ").partition(".")[0]


def answering(**fields: object) -> Callable[[Sent], Reply]:
    """Return a script of the story's answer; a field may be made from what is sent."""
    return lambda sent: say_json(
        {
            "answer": "Hale did.",
            **{name: one(sent) if callable(one) else one for name, one in fields.items()},
        }
    )


def ask(desk: Desk, branch: str, question: str = QUESTION, chapter: int = 1) -> TalkTurn:
    """Ask the story, and return the question with its answer."""
    return answered(desk.workbench, desk.workbench.talk.ask(branch, question, chapter))


def test_answer_comes_with_evidence_that_exists_and_no_other(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(
        story_talk=answering(
            answer="Hale did, before Mara came up (E1). [C2, E99]",
            evidence=lambda sent: [
                label_of(sent, "Mara finds the door locked"),
                *("E98", "the lamp", "C1", "chapter 3", "C77", "C0"),
            ],
        )
    )
    turn = ask(desk, branch)

    assert turn.answer == "Hale did, before Mara came up."
    assert turn.events == ("locked",)
    assert turn.chapters == (1, 3, 2)
    assert (turn.change, turn.goal) == (None, None)


def test_prompt_holds_what_the_question_needs(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(story_talk=answering())
    ask(desk, branch)
    ask(desk, branch, "And why?")

    first, second = map(request_of, asked(desk.server, "story_talk"))
    assert QUESTION in first
    assert "Chapter 1: Mara finds the door locked." in first
    assert "Mara feels distrust toward Hale, 7 of 10" in first
    assert "the locked lamp room" in first
    assert "The writer is looking at chapter 1" in first
    assert f"The writer: {QUESTION}" in second
    assert "You: Hale did." in second


def test_only_the_answer_is_seen_as_it_streams(desk: Desk, branch: str, talk: TalkService) -> None:
    rest = threading.Event()
    text = '{"answer": "Hale \\u201elocked\\u201c it,\\nand kept the key.", "evidence": ["C1"]}'
    desk.server.queue(in_halves(text + " " * 40, rest))
    turn = talk.ask(branch, QUESTION, 1)
    moment = threading.Event()
    for _ in range(SECONDS * 50):
        seen = talk.seen(branch, None)
        if seen is not None and seen.text:
            break
        moment.wait(0.02)
    assert seen is not None
    assert seen.state is SideState.WORKING
    assert "Hale „locked“ it,\nand kept the key.".startswith(seen.text)
    rest.set()
    assert answered(desk.workbench, turn).chapters == (1,)


def test_proposed_change_changes_nothing_until_it_is_taken(
    desk: Desk, branch: str, talk: TalkService, store: Store
) -> None:
    desk.server.answer = saying(
        story_talk=answering(
            changes=lambda sent: [
                {"of": label_of(sent, "Mara (lighthouse"), "field": "Fear", "value": "the dark"},
                {"of": label_of(sent, "Mara feels distrust"), "field": "strength", "value": 9},
            ]
        )
    )
    before = store.prototype.commits(branch)
    turn = ask(desk, branch, "Mara should be afraid of the dark, and trust Hale even less.")

    assert turn.change is not None
    assert turn.change.state is ProposalState.OPEN
    assert len(talk.lines(turn.change, branch)) == 2
    assert store.prototype.commits(branch) == before

    talk.take_change(turn.id)

    mara = store.prototype.snapshot(branch).get(Character, "mara")
    assert mara.fear == "the dark"
    assert [one.strength for one in store.prototype.snapshot(branch).relationships] == [9]
    *_, edit = store.prototype.commits(branch)
    assert (edit.kind, edit.chapter) == ("edit", 4)
    taken = store.talks.get(turn.id).change
    assert taken is not None
    assert taken.state is ProposalState.TAKEN
    with pytest.raises(WorkbenchError, match="decided on that already"):
        talk.take_change(turn.id)
    assert len(store.prototype.commits(branch)) == len(before) + 1


def test_refused_change_changes_nothing(
    desk: Desk, branch: str, talk: TalkService, store: Store
) -> None:
    desk.server.answer = saying(
        story_talk=answering(
            changes=lambda sent: [
                {"of": label_of(sent, "Mara (lighthouse"), "field": "fear", "value": "the dark"}
            ]
        )
    )
    before = store.prototype.commits(branch)
    turn = ask(desk, branch)
    talk.refuse_change(turn.id)

    assert store.prototype.commits(branch) == before
    with pytest.raises(WorkbenchError, match="decided"):
        talk.take_change(turn.id)


def test_change_of_what_has_changed_since_is_not_made(
    desk: Desk, branch: str, talk: TalkService, store: Store
) -> None:
    desk.server.answer = saying(
        story_talk=answering(
            changes=lambda sent: [
                {"of": label_of(sent, "Mara (lighthouse"), "field": "fear", "value": "the dark"}
            ]
        )
    )
    turn = ask(desk, branch)
    mara = store.prototype.snapshot(branch).get(Character, "mara")
    desk.workbench.story.commit_edit(branch, changing(mara, fear="the sea"), 4)

    with pytest.raises(StoryMoved):
        talk.take_change(turn.id)
    assert store.prototype.snapshot(branch).get(Character, "mara").fear == "the sea"
    kept = store.talks.get(turn.id).change
    assert kept is not None
    assert kept.state is ProposalState.OPEN


@pytest.mark.parametrize(
    "change",
    [
        {"of": "P99", "field": "fear", "value": "the dark"},
        {"of": "Mara", "field": "fear", "value": "the dark"},
        {"of": "P1", "field": "shoe size", "value": "38"},
        {"of": "P1", "field": "id", "value": "hale"},
        {"of": "P1", "field": "name", "value": ""},
        {"of": "P1", "field": "name", "value": "Hale"},
        {"of": "P1", "field": "life", "value": "asleep"},
        {"of": "R1", "field": "target", "value": "tobias"},
        {"of": "R1", "field": "strength", "value": "88"},
        {"of": "T1", "field": "state", "value": "dropped"},
        {"of": "P1", "field": "occupation", "value": "x" * 3_999},
        {"field": "fear", "value": "nobody's"},
        "Mara should be afraid.",
    ],
)
def test_change_that_makes_no_sense_is_not_proposed(
    desk: Desk, branch: str, change: object
) -> None:
    desk.server.answer = saying(story_talk=answering(changes=[change]))
    turn = ask(desk, branch, "Mara, change!")
    assert turn.answer == "Hale did."
    assert turn.change is None


def test_what_the_writer_has_locked_is_not_to_be_changed(
    desk: Desk, branch: str, store: Store
) -> None:
    mara = store.prototype.snapshot(branch).get(Character, "mara")
    desk.workbench.story.commit_edit(branch, changing(mara, locked=("fear",)), 4)
    desk.server.answer = saying(
        story_talk=answering(
            changes=lambda sent: [
                {"of": label_of(sent, "Mara (lighthouse"), "field": name, "value": "the dark"}
                for name in ("fear", "status")
            ]
        )
    )
    turn = ask(desk, branch, "Mara, change!")
    assert turn.change is not None
    [changed] = turn.change.delta.changes
    assert changed.fields == ("status",)


def test_goal_that_is_taken_is_one_of_the_next_chapter_s(
    desk: Desk, talk: TalkService, store: Store
) -> None:
    story = desk.plotted(1, {"goals": 2, "roles": 2})
    branch = desk.branch(story)
    goal = "Mara breaks the door open and finds the room empty."
    desk.server.queue(
        say_json({"answer": "Then let her.", "evidence": []}),
    )
    turn = ask(desk, branch)
    store.talks.save(turn.model_copy(update={"goal": {"title": "The door", "text": goal}}))

    talk.take_goal(turn.id)
    with pytest.raises(WorkbenchError, match="decided"):
        talk.take_goal(turn.id)
    [kept] = desk.workbench.plot.goals(branch, 2)
    assert (kept.text, kept.is_pinned, kept.is_by_writer) == (goal, True, True)

    desk.do(story, PlotChapters())
    goals = [one.text for one in desk.workbench.plot.goals(branch, 2)]
    assert goals[0] == goal
    assert len(goals) == 2


def test_goal_is_proposed_and_refused(desk: Desk, branch: str, talk: TalkService) -> None:
    desk.server.answer = saying(story_talk=answering(goal="Mara burns the letters."))
    turn = ask(desk, branch, "Mara should burn the letters next.")
    assert turn.goal is not None
    assert (turn.goal.title, turn.goal.text) == (
        "Mara burns the letters",
        "Mara burns the letters.",
    )
    talk.refuse_goal(turn.id)
    assert desk.workbench.plot.goals(branch, 5) == []
    with pytest.raises(WorkbenchError, match="decided"):
        talk.take_goal(turn.id)


def test_able_model_that_gives_no_form_is_asked_for_less_in_this_question_only(
    desk: Desk, branch: str
) -> None:
    def answer(sent: Sent) -> Reply:
        if "goal_title" in str(sent.body):
            return say("I would rather write a poem.")
        return say_json({"answer": "Hale locked it, as it seems.", "evidence": ["E1"]})

    desk.server.answer = saying(story_talk=answer)
    turn = ask(desk, branch)
    assert turn.answer == "Hale locked it, as it seems."
    assert len(turn.events) == 1

    desk.server.answer = saying(story_talk=answering())
    assert ask(desk, branch, "Is that so?").answer == "Hale did."


def test_empty_answer_ends_in_words_and_the_question_can_be_asked_again(
    desk: Desk, branch: str, talk: TalkService
) -> None:
    desk.server.answer = saying(story_talk=say(""))
    turn = ask(desk, branch)
    seen = talk.seen(branch, None)
    assert seen is not None
    assert seen.state is SideState.FAILED
    assert "never in a usable form" in seen.message
    assert turn.answer == ""

    desk.server.answer = saying(story_talk=answering())
    talk.ask_again(turn.id)
    assert answered(desk.workbench, turn).answer == "Hale did."


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("", "Type a question"),
        (" \n ", "Type a question"),
        ("why? " * 4_001, "20,000 are the most"),
        ("warum 🕯 " * 2_400, "more than the model in use can read"),
    ],
)
def test_question_that_cannot_be_asked_is_refused_in_words_and_nothing_is_sent(
    desk: Desk, branch: str, talk: TalkService, question: str, words: str
) -> None:
    desk.server.history.clear()
    endpoint = desk.workbench.models.settings().endpoint
    assert endpoint is not None
    small = endpoint.model_copy(update={"context_window": 4_096})
    desk.workbench.models.change_settings(lambda it: it.model_copy(update={"endpoint": small}))
    with pytest.raises(WorkbenchError, match=words):
        talk.ask(branch, question, 1)
    assert talk.turns(branch) == []
    assert desk.server.history == []


def test_story_that_has_not_begun_is_not_asked(desk: Desk, talk: TalkService) -> None:
    with pytest.raises(WorkbenchError, match="not begun"):
        talk.ask(desk.branch(desk.story()), QUESTION, 0)


def test_answer_can_be_stopped_and_its_question_stays(
    desk: Desk, branch: str, talk: TalkService, store: Store
) -> None:
    desk.server.answer = lambda _: hang()
    desk.server.has_arrived.clear()
    turn = talk.ask(branch, QUESTION, 1)
    assert desk.server.has_arrived.wait(SECONDS)
    with pytest.raises(BranchBusy):
        talk.ask(branch, "And why?", 1)
    talk.stop(branch, None)

    assert answered(desk.workbench, turn).answer == ""
    seen = talk.seen(branch, None)
    assert seen is not None
    assert seen.state is SideState.STOPPED
    assert [one.question for one in talk.turns(branch)] == [QUESTION]
    assert [one.outcome for one in store.calls.newest(branch, 1)] == [Outcome.FAILED]


def test_answer_that_was_paid_for_survives_a_crash(
    desk: Desk, branch: str, store: Store, open_workbench: Callable[[], Workbench]
) -> None:
    desk.server.answer = saying(story_talk=answering())
    turn = ask(desk, branch)
    store.talks.save(turn.model_copy(update={"answer": ""}))  # as if it had died before this
    before = len(desk.server.history)

    later = open_workbench()
    assert later.talk.seen(branch, None) is None
    later.talk.ask_again(turn.id)

    assert answered(later, turn).answer == "Hale did."
    assert len(desk.server.history) == before


def test_full_disk_costs_no_answer_and_nothing_is_asked_that_cannot_be_kept(
    desk: Desk, branch: str, talk: TalkService
) -> None:
    with full_disk() as disk:
        disk.free()

        def fill(sent: Sent) -> Reply:
            disk.fill()
            return answering()(sent)

        desk.server.answer = saying(story_talk=fill)
        turn = ask(desk, branch)
        seen = talk.seen(branch, None)
        assert seen is not None
        assert seen.state is SideState.FAILED
        assert "full" in seen.message
        before = len(desk.server.history)
        with pytest.raises(LibraryUnavailable):
            talk.ask(branch, "And why?", 1)
        assert len(desk.server.history) == before
        disk.free()

        talk.ask_again(turn.id)
        assert answered(desk.workbench, turn).answer == "Hale did."
        assert len(desk.server.history) == before


def test_conversation_that_is_put_away_is_neither_shown_nor_sent(
    desk: Desk, branch: str, talk: TalkService
) -> None:
    desk.server.answer = saying(story_talk=answering())
    ask(desk, branch)
    talk.put_away(branch, None)
    assert talk.turns(branch) == []
    ask(desk, branch, "And why?")
    assert QUESTION not in request_of(asked(desk.server, "story_talk")[-1])


def test_small_model_answers_in_a_form_of_its_own(desk: Desk, store: Store) -> None:
    branch = desk.branch(desk.plotted(1, {"goals": 2, "roles": 2}))
    turn = ask(desk, branch)
    assert len(turn.answer) >= 10
    assert set(turn.events) <= {one.id for one in store.prototype.snapshot(branch).events}
    assert (turn.change, turn.goal) == (None, None)
    assert going_on is desk.server.answer
