"""The plot: goals, candidates side by side, the choice, and chapters by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextArea, TextInput

from graph_flow.plot.rewording import CandidateEdit
from pages.components.words import estimate_sentence, plain
from store.models.plot import Event
from store.models.proposals import Candidate, CandidateState
from store.models.run import Decision, PlotChapters, RunState, WriteChapter
from store.models.story import GateMode, Story
from tests.desk import GOAL_REACHED, verdict
from tests.fakes.scripted_server import refuse
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    texts_of,
    words,
)
from tests.statements import recorded, without_nested

NO_GOALS_GATE: dict[str, Any] = {
    "gates": {"configuration": GateMode.ASK, "goals": GateMode.GO_ON, "candidates": GateMode.ASK}
}


_MOST_STATEMENTS = 40


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SQL statements that any connection is given from now on; to be asked for before a desk."""
    return recorded(monkeypatch)


def plot(desk: Desk, story: Story) -> AppTest:
    window = desk.window("plot", story)
    expect_whole(window)
    return window


def choosing(desk: Desk) -> Story:
    """Return a story whose first chapter waits for a choice."""
    return desk.choosing(NO_GOALS_GATE)


def candidates(desk: Desk, story: Story, chapter: int = 1) -> list[Candidate]:
    return [one.candidate for one in desk.workbench.plot.candidates(desk.branch(story), chapter)]


def plotted(desk: Desk, story: Story) -> int:
    return desk.workbench.branches.status(desk.branch(story)).plotted


def test_three_candidates_are_shown_for_a_few_statements(statements: list[str], desk: Desk) -> None:
    """What all cards need is read for all of them at once, and what the page knows is not read again."""
    story = choosing(desk)
    window = plot(desk, story)
    assert len(candidates(desk, story)) == 3
    statements.clear()
    window.run()
    asked = without_nested(statements)
    assert 0 < len(asked) < _MOST_STATEMENTS, "\n".join(asked)
    assert sum("FROM scores" in one for one in asked) == 1


def typed(window: AppTest, candidate: Candidate, *field: str) -> TextInput | TextArea:
    """Return a field of the editor of a candidate."""
    key = "-".join(("rework", candidate.id, "0", *field))
    fields: list[TextInput | TextArea] = [*window.text_input, *window.text_area]
    return next(one for one in fields if one.key == key)


def test_story_that_has_not_begun_leads_to_its_premise(desk: Desk) -> None:
    window = plot(desk, desk.story())

    assert "The story has not begun" in words(window)
    button(window, "Go to the premise").click().run()

    assert texts_of(window.title) == ["Premise"]


def test_chapter_is_plotted_in_the_background_and_then_waits(desk: Desk) -> None:
    story = desk.founded(NO_GOALS_GATE)
    desk.server.latency = 0.2
    window = plot(desk, story)

    button(window, "Plot the first chapter").click().run()
    expect_whole(window)
    assert window.main.button(key="stop").label == "Stop"
    desk.settle(story)
    window.run()

    expect_whole(window)
    best = [view for view in desk.workbench.plot.candidates(desk.branch(story), 1) if view.is_best]
    assert primaries(window) == ["Choose"]
    assert window.button(key=f"choose-{best[0].candidate.id}").proto.type == "primary"
    assert labels(window).count("Choose") == 3
    for view in desk.workbench.plot.candidates(desk.branch(story), 1):
        assert plain(view.goal.text) in words(window)
        assert all(plain(line.text) in words(window) for line in view.happenings)
        assert all(plain(score.reason) in words(window) for score in view.candidate.scores)


def test_run_can_be_stopped_and_continued(desk: Desk) -> None:
    story = desk.founded(NO_GOALS_GATE)
    desk.server.latency = 30.0
    window = plot(desk, story)
    button(window, "Plot the first chapter").click().run()

    window.main.button(key="stop").click().run()
    desk.server.latency = 0.0
    assert desk.settle(story).state is RunState.STOPPED
    window.run()
    expect_whole(window)
    window.main.button(key="continue").click().run()

    assert desk.settle(story).state is RunState.WAITING


def test_choice_becomes_the_chapter(desk: Desk) -> None:
    story = choosing(desk)
    window = plot(desk, story)
    second = candidates(desk, story)[1]

    window.button(key=f"choose-{second.id}").click().run()
    desk.settle(story)
    window.run()

    expect_whole(window)
    assert [card.title for card in desk.workbench.story.chapters(desk.branch(story))] == [
        second.title
    ]
    assert primaries(window) == ["Write chapter 1"]
    assert button(window, "Plot the next chapter")
    assert plain(second.title) in words(window)


def test_double_choice_answers_one_question_only(desk: Desk) -> None:
    story = choosing(desk)
    first, second = plot(desk, story), plot(desk, story)
    one, other = candidates(desk, story)[:2]

    first.button(key=f"choose-{one.id}").click().run()
    desk.settle(story)
    desk.do(story, PlotChapters())
    second.button(key=f"choose-{other.id}").click().run()

    expect_whole(second)
    assert "already answered" in words(second)
    assert plotted(desk, story) == 1
    assert [question.chapter for question in desk.workbench.runs.pending(desk.branch(story))] == [2]
    assert "Chapter 2" in texts_of(second.header)
    woven = [one.state for one in candidates(desk, story, 2)]
    assert labels(second).count("Choose") == woven.count(CandidateState.PROPOSED)


def test_reworded_candidate_stands_beside_the_old_one(desk: Desk) -> None:
    story = choosing(desk)
    window = plot(desk, story)
    old = candidates(desk, story)[0]
    event = next(one for one in old.delta.additions() if isinstance(one, Event))

    window.button(key=f"edit-{old.id}").click().run()
    expect_whole(window)
    typed(window, old, "title").set_value("The other door")
    typed(window, old, event.id, "summary").set_value("Mara opens <b>the</b> door.")
    window.button(key=f"save-{old.id}").click().run()

    expect_whole(window)
    everything = candidates(desk, story)
    own = [one for one in everything if one.is_by_writer]
    assert len(everything) == 4
    assert old in everything
    assert own[0].title == "The other door"
    assert plain("Mara opens <b>the</b> door.") in words(window)


def test_rewording_that_cannot_be_kept_says_why_and_keeps_the_text(desk: Desk) -> None:
    story = choosing(desk)
    window = plot(desk, story)
    old = candidates(desk, story)[0]
    window.button(key=f"edit-{old.id}").click().run()

    typed(window, old, "title").set_value("x" * 100)
    window.button(key=f"save-{old.id}").click().run()

    expect_whole(window)
    assert "at most 80 characters" in words(window)
    assert typed(window, old, "title").value == "x" * 100
    assert len(candidates(desk, story)) == 3


def test_asking_again_keeps_the_earlier_candidates(desk: Desk) -> None:
    story = choosing(desk)
    window = plot(desk, story)
    question = desk.workbench.runs.pending(desk.branch(story))[0]
    desk.server.history.clear()

    window.text_area(key=f"note-{question.id}").set_value("Let it rain.")
    window.button(key=f"again-{question.id}").click().run()
    desk.settle(story)
    window.run()

    expect_whole(window)
    assert any("Let it rain." in sent.prompt for sent in desk.server.history)
    assert "Earlier candidates (3)" in words(window)
    assert labels(window).count("Choose") == 3
    assert primaries(window) == ["Choose"]


def test_goals_can_be_edited_dropped_and_added(desk: Desk) -> None:
    story = desk.choosing()
    branch = desk.branch(story)
    first, second, third = desk.workbench.plot.goals(branch, 1)
    window = plot(desk, story)
    assert primaries(window) == ["Weave these"]

    window.text_area(key=f"goal-text-{first.id}").set_value("Mara finds the key.").run()
    window.button(key=f"drop-{second.id}").click().run()
    window.text_input(key=f"own-title-{branch}-1").set_value(HOSTILE)
    window.text_area(key=f"own-text-{branch}-1").set_value("Hale tells the truth.")
    window.button(key="add-goal").click().run()
    expect_whole(window)
    button(window, "Weave these").click().run()
    desk.settle(story)
    window.run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    woven = {view.goal.text for view in desk.workbench.plot.candidates(branch, 1)}
    assert woven == {"Mara finds the key.", third.text, "Hale tells the truth."}


def test_dropping_every_goal_is_refused_in_words(desk: Desk) -> None:
    story = desk.choosing({"goals": 1})
    goal = desk.workbench.plot.goals(desk.branch(story), 1)[0]
    window = plot(desk, story)

    window.button(key=f"drop-{goal.id}").click().run()
    button(window, "Weave these").click().run()

    expect_whole(window)
    assert "Keep at least one goal" in words(window)
    window.button(key=f"keep-{goal.id}").click().run()
    button(window, "Weave these").click().run()
    assert desk.settle(story).state is RunState.WAITING


def test_failed_run_tells_why_and_goes_on(desk: Desk) -> None:
    story = desk.founded(NO_GOALS_GATE)
    desk.server.queue(refuse(401, "no such key"))
    run = desk.do(story, PlotChapters())
    window = plot(desk, story)

    assert run.state is RunState.FAILED
    assert plain(run.message) in words(window)
    assert primaries(window) == ["Continue"]
    window.main.button(key="continue").click().run()

    assert desk.settle(story).state is RunState.WAITING


def test_plot_that_broke_off_still_goes_on_once_a_chapter_was_written(desk: Desk) -> None:
    story = desk.plotted(settings=NO_GOALS_GATE)
    desk.server.queue(refuse(401, "no such key"))
    run = desk.do(story, PlotChapters())
    desk.do(story, WriteChapter(chapter=1, is_autopilot=True))
    window = plot(desk, story)

    assert plain(run.message) in words(window)
    window.main.button(key="continue").click().run()

    assert desk.workbench.runs.wait(run, 30)
    gone_on = desk.workbench.runs.progress(run.branch, "plot")
    assert gone_on is not None
    assert (gone_on.run.id, gone_on.run.state) == (run.id, RunState.WAITING)


def test_several_chapters_go_on_by_themselves(desk: Desk) -> None:
    story = desk.founded()
    window = plot(desk, story)

    window.slider(key="by-itself").set_value(2).run()
    task = PlotChapters(chapters=2, is_autopilot=True)
    assert estimate_sentence(desk.workbench.runs.estimate(desk.branch(story), task)) in words(
        window
    )
    window.toggle(key="stops-at-goal").set_value(False).run()
    button(window, "Plot 2 chapters").click().run()
    desk.settle(story)
    window.run()

    expect_whole(window)
    assert plotted(desk, story) == 2
    assert desk.workbench.runs.pending(desk.branch(story)) == []


def test_end_of_the_story_offers_the_writing_and_one_more_chapter(desk: Desk) -> None:
    story = desk.plotted(1, {"chapter_cap": 1})
    window = plot(desk, story)
    assert primaries(window) == ["Write the chapters"]

    button(window, "Plot one more anyway").click().run()
    desk.settle(story)

    expect_whole(window)
    assert [question.chapter for question in desk.workbench.runs.pending(desk.branch(story))] == [2]
    window = plot(desk, desk.plotted(1, {"chapter_cap": 1}))
    button(window, "Write the chapters").click().run()
    assert texts_of(window.title) == ["Write"]


def test_reached_goal_is_said_and_offers_the_writing(desk: Desk) -> None:
    story = choosing(desk)
    desk.server.queue(*[verdict(is_reached=True)] * 2)
    desk.answer(story)

    window = plot(desk, story)

    assert plain(GOAL_REACHED) in words(window)
    assert primaries(window) == ["Write the chapters"]
    button(window, "Plot one more anyway").click().run()
    assert desk.settle(story).state is RunState.WAITING


def test_hostile_candidate_is_shown_as_text(desk: Desk) -> None:
    story = choosing(desk)
    old = candidates(desk, story)[0]
    event = next(one for one in old.delta.additions() if isinstance(one, Event))
    told = {"title": HOSTILE, "summary": HOSTILE}
    own = desk.workbench.plot.edit_candidate(
        old.id, CandidateEdit(title=HOSTILE, values={event.id: told})
    )

    window = plot(desk, story)
    expect_only_text(window, HOSTILE)
    assert plain(HOSTILE) in words(window)
    desk.answer(story, Decision(choice=own.id))
    window.run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    assert plain(HOSTILE) in words(window)


def test_work_on_another_stage_is_told(desk: Desk) -> None:
    story = desk.plotted()
    desk.server.latency = 30.0
    writing = desk.window("write", story)
    writing.button(key="write-chapter").click().run()

    window = plot(desk, story)

    assert "A chapter is being written" in words(window)
    assert "Plot the next chapter" not in labels(window)
    desk.workbench.runs.stop(desk.branch(story))
    desk.server.release()
    desk.settle(story)
