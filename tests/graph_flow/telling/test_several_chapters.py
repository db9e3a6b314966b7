"""Several chapters are written in one run: in order, within caps, and never twice."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from pydantic import ValidationError

from graph_flow.errors import BranchBusy, WorkbenchError
from store.models.delta import Delta
from store.models.manuscript import DraftState
from store.models.run import Caps, ChaptersDone, Run, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say
from tests.graph_flow.processes import begin_command, kill
from tests.graph_flow.scripting import (
    Held,
    Say,
    agent_of,
    asked,
    expect_none_again,
    finished_prompts,
    request_of,
    the_nth,
)
from tests.graph_flow.telling.bridge import TEXT, plotted, telling
from tests.store.builders import go_on

SECONDS = 120
CHAPTERS = 4
BY_HAND = "I typed this one myself."
OF_ONE = ["plan", "writer_novel", "review", "revise"]


def telling_each() -> Say:
    """Return an able model that writes each chapter in other words, so that no two prompts are alike."""

    def write(sent: Sent) -> Reply:
        return say(f"{TEXT}\n\nSo ended {_chapter_asked(sent)}.")

    return telling(writer_novel=write)


def _chapter_asked(sent: Sent) -> int:
    found = re.search(r"chapter (\d+) of", request_of(sent))
    assert found is not None
    return int(found.group(1))


@pytest.fixture
def story(able: Desk, story_store: Store) -> Story:
    """A story of which four chapters are plotted, and none is written."""
    able.server.answer = telling_each()
    return plotted(able, story_store, CHAPTERS, chapter_cap=CHAPTERS, words=3_000)


def several(*chapters: int, caps: Caps | None = None) -> WriteChapter:
    first, *then = chapters
    return WriteChapter(chapter=first, then=tuple(then), is_autopilot=True, caps=caps or Caps())


def states(desk: Desk, story: Story) -> list[DraftState | None]:
    return [card.draft for card in desk.workbench.story.chapters(desk.branch(story))]


def type_by_hand(desk: Desk, story: Story, chapter: int) -> None:
    manuscript, branch = desk.workbench.manuscript, desk.branch(story)
    manuscript.begin_by_hand(branch, chapter, story.brief.form)
    manuscript.replace_text(branch, chapter, "", BY_HAND)


def text(desk: Desk, story: Story, chapter: int) -> str:
    draft = desk.workbench.manuscript.draft(desk.branch(story), chapter)
    return draft.text if draft else ""


def written_chapters(desk: Desk) -> list[int]:
    """Return the chapters that the writing agent was asked for, in order."""
    return [_chapter_asked(sent) for sent in asked(desk.server, "writer_novel")]


def progress(desk: Desk, run: Run) -> ChaptersDone:
    found = desk.workbench.runs.progress(run.branch)
    assert found is not None
    assert found.chapters is not None
    return found.chapters


def test_chapters_are_written_one_after_the_other(able: Desk, story: Story) -> None:
    run = able.do(story, several(1, 2, 3, 4))

    assert run.state is RunState.DONE
    assert [agent_of(sent) for sent in able.server.history] == OF_ONE * CHAPTERS
    assert written_chapters(able) == [1, 2, 3, 4]
    assert states(able, story) == [DraftState.APPROVED] * CHAPTERS
    assert progress(able, run) == ChaptersDone(done=4, of=4)


def test_chapter_that_has_a_text_is_left_alone(able: Desk, story: Story) -> None:
    type_by_hand(able, story, 1)
    type_by_hand(able, story, 3)

    run = able.do(story, several(1, 2, 3, 4))

    assert run.state is RunState.DONE
    assert written_chapters(able) == [2, 4]
    assert [text(able, story, chapter) for chapter in (1, 3)] == [BY_HAND, BY_HAND]
    assert states(able, story)[2] is DraftState.EDITED


def test_chapter_that_is_typed_meanwhile_is_left_alone(able: Desk, story: Story) -> None:
    held = Held(the_nth("writer_novel", 1), telling_each())
    able.server.answer = held
    run = able.workbench.runs.start(able.branch(story), several(1, 2, 3))
    assert held.has_come.wait(SECONDS)
    assert progress(able, run) == ChaptersDone(done=0, of=3)
    type_by_hand(able, story, 2)
    held.let_go()

    assert able.settle(run).state is RunState.DONE
    assert written_chapters(able) == [1, 3]
    assert text(able, story, 2) == BY_HAND


def test_one_chapter_alone_is_written_anew(able: Desk, story: Story) -> None:
    type_by_hand(able, story, 1)

    able.do(story, WriteChapter(chapter=1, is_autopilot=True))

    assert written_chapters(able) == [1]
    assert text(able, story, 1) != BY_HAND


def test_page_that_was_begun_and_is_empty_has_no_text(able: Desk, story: Story) -> None:
    able.workbench.manuscript.begin_by_hand(able.branch(story), 2, story.brief.form)

    assert able.workbench.manuscript.unwritten(able.branch(story), range(1, CHAPTERS + 1)) == [
        1,
        2,
        3,
        4,
    ]


def test_nobody_is_asked(able: Desk, story: Story) -> None:
    asking = dict.fromkeys(Gate, GateMode.ASK)
    able.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"gates": asking})
    )

    assert able.do(story, several(1, 2)).state is RunState.DONE


def test_cap_in_the_middle_keeps_what_is_finished_and_goes_on(
    able: Desk, story: Story, story_store: Store
) -> None:
    run = able.do(story, several(1, 2, 3, caps=Caps(calls=6)))

    assert run.state is RunState.STOPPED
    assert run.is_capped
    assert run.message == "This run has used the 6 calls that you allowed."
    assert states(able, story)[:3] == [DraftState.APPROVED, DraftState.DRAFTED, None]
    assert progress(able, run) == ChaptersDone(done=1, of=3)
    finished = finished_prompts(story_store, run.branch)

    run = able.settle(able.workbench.runs.resume(run.branch))

    assert run.state is RunState.DONE
    assert written_chapters(able) == [1, 2, 3]
    expect_none_again(able.server, finished)
    assert len(able.server.history) == 3 * len(OF_ONE)


def test_run_stops_after_the_chapter_if_it_is_asked_to(able: Desk, story: Story) -> None:
    held = Held(the_nth("writer_novel", 2), telling_each())
    able.server.answer = held
    run = able.workbench.runs.start(able.branch(story), several(1, 2, 3, 4))
    assert held.has_come.wait(SECONDS)
    able.workbench.runs.stop_after_chapter(run.branch)
    held.let_go()

    run = able.settle(run)

    assert (run.state, run.writes) == (RunState.STOPPED, 2)
    assert states(able, story) == [DraftState.APPROVED, DraftState.APPROVED, None, None]
    assert written_chapters(able) == [1, 2]
    assert able.settle(able.workbench.runs.resume(run.branch)).state is RunState.DONE
    assert written_chapters(able) == [1, 2, 3, 4]


def test_run_that_is_stopped_at_once_goes_on_in_its_chapter(able: Desk, story: Story) -> None:
    held = Held(the_nth("review", 2), telling_each())
    able.server.answer = held
    run = able.workbench.runs.start(able.branch(story), several(1, 2, 3))
    assert held.has_come.wait(SECONDS)
    able.workbench.runs.stop(run.branch)
    run = able.settle(run)
    held.let_go()

    assert (run.state, run.writes) == (RunState.STOPPED, 2)
    assert able.settle(able.workbench.runs.resume(run.branch)).state is RunState.DONE
    assert written_chapters(able) == [1, 2, 3]


@pytest.mark.parametrize("agent", OF_ONE)
def test_run_goes_on_after_a_kill_in_its_second_chapter(
    able: Desk, story: Story, story_store: Store, agent: str
) -> None:
    held = Held(the_nth(agent, 2), telling_each())
    finished = killed_while_held(able, story, held)
    branch = able.branch(story)

    run = able.settle(able.workbench.runs.resume(branch))

    assert run.state is RunState.DONE
    expect_none_again(able.server, finished)
    assert states(able, story)[:3] == [DraftState.APPROVED] * 3
    assert [len(story_store.manuscript.plans(branch, chapter)) for chapter in (1, 2, 3)] == [
        1,
        1,
        1,
    ]


def killed_while_held(desk: Desk, story: Story, held: Held) -> set[str]:
    """Have chapters written by the command line, and kill it when the reply is held back.

    Returns the prompts of all calls that had finished by then.
    """
    desk.server.answer = held
    arguments = ("run", "--story", story.id, "--chapters", "3", "--write")
    process = begin_command(desk.library, desk.server, *arguments, strength="able")
    try:
        assert held.has_come.wait(SECONDS), "the request that was to be held never came"
    finally:
        kill(process)
        held.let_go()
    with closing(Store.open(desk.library)) as store:
        return finished_prompts(store, desk.branch(story))


@pytest.mark.parametrize("agent", OF_ONE)
def test_run_goes_on_without_its_checkpoints(
    able: Desk, story: Story, story_store: Store, agent: str
) -> None:
    able.server.answer = failing_at(agent, 2)
    run = able.do(story, several(1, 2, 3))
    assert (run.state, run.writes) == (RunState.FAILED, 2)
    finished = finished_prompts(story_store, run.branch)
    for file in able.library.parent.glob("library.checkpoints.db"):
        with sqlite3.connect(file) as checkpoints:
            checkpoints.execute("DELETE FROM checkpoints")
    able.server.answer = telling_each()

    run = able.settle(able.workbench.runs.resume(run.branch))

    assert run.state is RunState.DONE
    assert any("was lost" in note for note in run.notes)
    expect_none_again(able.server, finished)
    assert states(able, story)[:3] == [DraftState.APPROVED] * 3
    assert [len(story_store.manuscript.plans(run.branch, one)) for one in (1, 2, 3)] == [1, 1, 1]


def failing_at(agent: str, number: int) -> Say:
    """Return a script in which the `number`-th call of an agent, and each after it, is refused."""
    is_it, tells = the_nth(agent, number), telling_each()
    has_failed = [False]

    def answer(sent: Sent) -> Reply | None:
        has_failed[0] = has_failed[0] or is_it(sent)
        return refuse(401, "no such key") if has_failed[0] else tells(sent)

    return answer


def test_chapter_in_which_nothing_happens_is_left_out_with_a_note(
    able: Desk, story: Story, story_store: Store
) -> None:
    go_on(story_store, able.branch(story), Delta(), "Nothing")

    run = able.do(story, several(4, 5))

    assert run.state is RunState.DONE
    assert written_chapters(able) == [4]
    assert run.notes == ("Nothing happens in chapter 5: it is left out.",)


def test_story_made_directly_gets_its_texts_one_after_the_other(able: Desk, story: Story) -> None:
    able.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"is_direct": True})
    )
    type_by_hand(able, story, 2)

    assert able.do(story, several(1, 2, 3)).state is RunState.DONE

    assert [agent_of(sent) for sent in able.server.history] == ["direct", "direct"]
    assert text(able, story, 2) == BY_HAND


def test_estimate_is_that_of_each_chapter(able: Desk, story: Story) -> None:
    branch, runs = able.branch(story), able.workbench.runs
    able.do(story, WriteChapter(chapter=1, is_autopilot=True))

    one, three = runs.estimate(branch, several(2)), runs.estimate(branch, several(2, 3, 4))

    assert three.calls == 3 * one.calls == 3 * len(OF_ONE)
    assert three.tokens_out == pytest.approx(3 * one.tokens_out, abs=3)
    assert three.seconds == pytest.approx(3 * (one.seconds or 0))
    before = len(able.server.history)
    able.do(story, several(2, 3, 4))
    assert len(able.server.history) - before == three.calls


def test_time_left_is_said_from_the_second_chapter_on(able: Desk, story: Story) -> None:
    held = Held(the_nth("writer_novel", 2), telling_each())
    able.server.answer = held
    run = able.workbench.runs.start(able.branch(story), several(1, 2, 3, 4))
    assert held.has_come.wait(SECONDS)

    seen = progress(able, run)

    held.let_go()
    able.settle(run)
    assert (seen.done, seen.of) == (1, 4)
    assert seen.seconds_left is not None
    assert seen.seconds_left > 0


def test_chapters_have_to_be_plotted_and_in_order(able: Desk, story: Story) -> None:
    with pytest.raises(WorkbenchError, match="Chapter 5 has no plot yet"):
        able.workbench.runs.start(able.branch(story), several(3, 4, 5))
    for chapters in ((2, 1), (1, 1)):
        with pytest.raises(ValidationError, match="in the order of the story"):
            several(*chapters)


def test_chapter_about_which_a_question_waits_is_not_written_beside_it(
    able: Desk, story: Story
) -> None:
    asking = dict.fromkeys(Gate, GateMode.ASK)
    able.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"gates": asking})
    )
    assert able.do(story, WriteChapter(chapter=2)).state is RunState.WAITING

    with pytest.raises(BranchBusy, match="A question waits"):
        able.workbench.runs.start(able.branch(story), several(1, 2, 3))
    assert able.do(story, several(1, 3)).state is RunState.DONE


def test_prompts_of_long_ago_go_while_the_run_goes_on(
    able: Desk, story: Story, story_store: Store
) -> None:
    able.workbench.prompts.keep(1)
    held = Held(the_nth("plan", 4), telling_each())
    able.server.answer = held
    run = able.workbench.runs.start(able.branch(story), several(1, 2, 3, 4))
    assert held.has_come.wait(SECONDS)

    kept = {call.step.split("/")[0] for call in story_store.calls.newest(run.branch, 1_000)}

    held.let_go()
    able.settle(run)
    assert kept == {"3"}
