"""Several chapters by themselves: how far, within which limits, and what it used so far."""

from __future__ import annotations

import itertools
import threading

from streamlit.testing.v1 import AppTest

from graph_flow.runtime.progress import LiveProgress, Pace
from pages.components.plot import strings as plot_strings
from pages.components.plot.next_chapter import Extent
from pages.components.runs import strings
from pages.components.words import plain
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.proposals import Candidate, CandidateState
from store.models.run import Activity, Caps, ChaptersDone, PlotChapters, RunState, WriteChapter
from store.models.story import Story
from tests.desk import GOAL_REACHED, verdict
from tests.fakes.scripted_server import Reply, Sent, refuse
from tests.graph_flow.scripting import saying
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_whole,
    labels,
    primaries,
    texts_of,
    words,
)
from tests.wording import says

SMALL = {"goals": 1, "roles": 1, "chapter_cap": 5}
SECONDS = 30


def plot(desk: Desk, story: Story) -> AppTest:
    window = desk.window("plot", story)
    expect_whole(window)
    return window


def task_of(desk: Desk, story: Story) -> PlotChapters:
    progress = desk.workbench.runs.progress(desk.branch(story))
    assert progress is not None
    assert isinstance(progress.run.task, PlotChapters)
    return progress.run.task


def use_priced(desk: Desk) -> None:
    endpoint = Endpoint(
        base_url=desk.server.url,
        model="dear",
        price_in=5.0,
        price_out=20.0,
        strength=ModelStrength.SMALL,
    )
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))


def test_limits_are_kept_to_and_as_much_can_be_allowed_again(desk: Desk) -> None:
    story = desk.founded(SMALL)
    window = plot(desk, story)

    window.number_input(key="cap-calls").set_value(3).run()
    expect_whole(window)
    button(window, "Plot 3 chapters").click().run()
    assert desk.settle(story).is_capped
    window.run()

    expect_whole(window)
    assert task_of(desk, story).caps == Caps(calls=3)
    assert says(words(window), "limit", "3 calls")
    assert primaries(window) == ["Allow as much again"]
    window.main.button(key="continue").click().run()
    assert desk.settle(story).is_capped
    progress = desk.workbench.runs.progress(desk.branch(story))
    assert progress is not None
    assert progress.totals.calls == 6


def test_without_prices_nothing_is_said_of_money(desk: Desk) -> None:
    window = plot(desk, desk.founded(SMALL))

    assert [one.key for one in window.number_input] == ["cap-calls", "cap-tokens"]
    assert "at your prices" not in words(window)


def test_with_prices_money_can_be_limited(desk: Desk) -> None:
    story = desk.founded(SMALL)
    use_priced(desk)
    window = plot(desk, story)
    assert "at your prices" in words(window)

    window.number_input(key="cap-tokens").set_value(90_000)
    window.number_input(key="cap-cost").set_value(1.5).run()
    button(window, "Plot 3 chapters").click().run()

    assert desk.settle(story).state is RunState.DONE
    assert task_of(desk, story).caps == Caps(tokens=90_000, cost=1.5)


def test_to_the_end_is_to_the_goal_or_the_last_chapter(desk: Desk) -> None:
    story = desk.plotted(1, SMALL | {"goals": 2, "roles": 2, "chapter_cap": 3})
    window = plot(desk, story)

    window.radio(key="how-far").set_value(Extent.END).run()
    expect_whole(window)
    assert "or chapter 3 at the latest" in words(window)
    button(window, "Plot 2 chapters").click().run()
    desk.settle(story)

    assert (task_of(desk, story).chapters, task_of(desk, story).stops_at_goal) == (2, True)
    assert desk.workbench.branches.status(desk.branch(story)).plotted == 3


def test_last_chapter_is_offered_without_asking_how_far(desk: Desk) -> None:
    window = plot(desk, desk.plotted(1, SMALL | {"chapter_cap": 2}))

    assert "Plot 1 chapter" in labels(window)
    assert len(window.radio) == 0


def test_estimate_tells_calls_tokens_and_time(desk: Desk) -> None:
    window = plot(desk, desk.founded(SMALL))

    assert "About 12 calls to scripted at 127.0.0.1" in words(window).replace("\\", "")
    assert "in about a minute" in words(window)
    assert "tokens in and" in words(window)


def test_what_it_used_so_far_is_told_beside_what_it_may(desk: Desk) -> None:
    story = desk.founded(SMALL)
    arrived, may_go = threading.Event(), threading.Event()

    def hold(_sent: Sent) -> Reply | None:
        arrived.set()
        may_go.wait()
        return None

    desk.server.answer = saying(scorer=hold)
    run = desk.workbench.runs.start(
        desk.branch(story), PlotChapters(is_autopilot=True, caps=Caps(calls=40))
    )
    assert arrived.wait(SECONDS)

    window = plot(desk, story)

    may_go.set()
    desk.settle(run)
    assert "Cost so far: 2 of 40 calls" in words(window).replace("\\", "")


def test_chapters_done_and_the_time_left_are_told_once_there_is_one_to_go_by(desk: Desk) -> None:
    story = desk.founded(SMALL)
    branch = desk.branch(story)
    arrived = [threading.Event() for _ in range(3)]
    may_go = [threading.Event() for _ in range(3)]

    def hold(_sent: Sent) -> Reply | None:
        done = desk.workbench.branches.status(branch).plotted
        arrived[done].set()
        may_go[done].wait()
        return None

    desk.server.answer = saying(scorer=hold, exit=lambda _: verdict(is_reached=False))
    task = PlotChapters(chapters=3, is_autopilot=True, stops_at_goal=True)
    run = desk.workbench.runs.start(branch, task)
    try:
        assert arrived[0].wait(SECONDS)
        first = plot(desk, story)
        aside = desk.window("graphs", story)
        may_go[0].set()
        assert arrived[1].wait(SECONDS)
        second = plot(desk, story)
        found = desk.workbench.runs.progress(branch)
    finally:
        for gate in may_go:
            gate.set()
        desk.settle(run)

    assert f"0 of at most 3 chapters done · {strings.NO_TIME_YET}" in words(first)
    assert "0 of at most 3 chapters done" in "".join(one.value for one in aside.sidebar.caption)
    assert "1 of at most 3 chapters done · about " in words(second)
    assert found is not None
    assert found.chapters is not None
    assert found.chapters.seconds_left is not None
    ended = desk.workbench.runs.progress(branch)
    assert ended is not None
    assert ended.chapters == ChaptersDone(done=3, of=3, may_end_early=True)


def test_time_left_counts_what_the_newest_chapter_has_already_taken() -> None:
    assert Pace(a_chapter=60.0, at_this_one=20.0).left(3) == 160.0
    assert Pace(a_chapter=60.0, at_this_one=90.0).left(3) == 120.0, (
        "it is late, and not before time"
    )
    work = LiveProgress()
    work.open_chapter(4)
    work.open_chapter(4)
    assert work.pace is None, "asked for again, it is the same chapter"
    work.open_chapter(5)
    assert work.pace is not None


def test_candidate_that_is_finished_can_be_read_while_others_are_woven(desk: Desk) -> None:
    story = desk.founded({**SMALL, "goals": 2})
    branch = desk.branch(story)
    asked, may_go = itertools.count(), threading.Event()

    def hold(_sent: Sent) -> Reply | None:
        if next(asked):
            may_go.wait()
        return None

    desk.server.answer = saying(role=hold)
    run = desk.workbench.runs.start(branch, PlotChapters(is_autopilot=True))
    try:
        while not (done := _finished(desk, branch)):
            assert not desk.workbench.runs.wait(run, 0.01), "none was finished before the other"
        window = plot(desk, story)
        folds = [one for one in window.main.expander if one.label == plot_strings.CANDIDATE_READ]
        assert plot_strings.HAPPENINGS not in words(window), "it is put together when it is opened"
        window.session_state[f"read-{done[0].id}"] = True
        window.run()
    finally:
        may_go.set()
        desk.settle(run)

    assert len(folds) == 1, "the other is not finished"
    assert f"**{plot_strings.HAPPENINGS}**" in words(window)


def _finished(desk: Desk, branch: str) -> list[Candidate]:
    found = desk.workbench.proposals.candidates(branch, 1)
    return [one for one in found if one.state is CandidateState.PROPOSED]


def test_run_of_one_chapter_counts_none(desk: Desk) -> None:
    story = desk.plotted()

    progress = desk.workbench.runs.progress(desk.branch(story))

    assert progress is not None
    assert progress.chapters is None


def test_trouble_is_told_while_it_waits_and_a_stop_ends_the_waiting(desk: Desk) -> None:
    story = desk.founded(SMALL)
    branch = desk.branch(story)
    desk.server.queue(refuse(503, "overloaded", retry_after="60"))
    desk.server.has_arrived.clear()
    run = desk.workbench.runs.start(branch, PlotChapters(is_autopilot=True))
    assert desk.server.has_arrived.wait(SECONDS)
    while not any(one.trouble for one in _activities(desk, branch)):
        assert not desk.workbench.runs.wait(run, 0.01), "it did not wait"

    window = plot(desk, story)
    said = words(window).replace("\\", "")
    assert says(said, "60 s")
    window.main.button(key="stop").click().run()

    assert desk.settle(story).state is RunState.STOPPED


def _activities(desk: Desk, branch: str) -> tuple[Activity, ...]:
    progress = desk.workbench.runs.progress(branch)
    return progress.activities if progress else ()


def test_end_is_shown_by_the_events_that_show_it(desk: Desk) -> None:
    story = desk.founded(SMALL)
    desk.server.answer = saying(exit=verdict(is_reached=True))
    branch = desk.do(story, PlotChapters(is_autopilot=True)).branch
    head = desk.workbench.prototype.snapshot(branch)
    event = head.events[0].model_copy(update={"title": HOSTILE})
    desk.workbench.story.edit(
        branch, head.model_copy(update={"entities": {**head.entities, event.id: event}})
    )

    window = plot(desk, story)

    assert plain(GOAL_REACHED) in words(window)
    assert f"- {plain(HOSTILE)}" in words(window)
    assert HOSTILE not in words(window)


def test_serial_is_plotted_on_by_number_and_never_to_an_end(desk: Desk) -> None:
    window = plot(desk, desk.plotted(1, SMALL | {"chapter_cap": 1, "is_open_ended": True}))

    assert button(window, "Plot the next chapter")
    assert "how-far" not in {radio.key for radio in window.radio}
    assert window.slider(key="by-itself").max == 50


def test_newest_chapter_is_written_by_the_first_button_and_read_on_write(desk: Desk) -> None:
    story = desk.plotted(1, SMALL)
    window = plot(desk, story)
    assert primaries(window) == ["Write chapter 1"]

    button(window, "Write chapter 1").click().run()

    assert texts_of(window.title) == ["Write"]
    assert desk.settle(story).task == WriteChapter(chapter=1)


def test_whoever_has_plotted_several_without_writing_any_goes_on_plotting(desk: Desk) -> None:
    assert primaries(plot(desk, desk.plotted(2, SMALL))) == ["Plot the next chapter"]
