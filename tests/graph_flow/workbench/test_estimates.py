"""What a run is said to use before it starts, held against what it then uses."""

from __future__ import annotations

import pytest

from graph_flow.agents import AGENTS
from graph_flow.prompting.agent import Work
from graph_flow.workbench.estimates import calls_of, estimate_run
from store.models.endpoint import Endpoint, ModelStrength
from store.models.form import Form
from store.models.run import AgentSpending, Initialize, PlotChapters, Task, WriteChapter
from store.models.story import StorySettings
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.scripting import agent_of

PRICED = Endpoint(base_url="http://127.0.0.1/v1", model="m", price_in=2.0, price_out=10.0)


@pytest.mark.parametrize(("goals", "roles"), [(1, 1), (3, 3), (5, 2)])
def test_plot_takes_the_calls_that_were_estimated(
    desk: Desk, store: Store, goals: int, roles: int
) -> None:
    story = desk.founded({"goals": goals, "roles": roles})
    branch = desk.branch(story)
    task = PlotChapters(chapters=2, is_autopilot=True)

    expected = desk.workbench.runs.estimate(branch, task).calls
    run = desk.do(story, task)

    # That answers cannot be used, or goals come out too much alike, cannot be known before.
    asked = {call.step for call in store.calls.newest(branch, 1_000) if call.run == run.id}
    assert len([step for step in asked if not step.endswith("goals/2")]) == expected


def test_beginning_takes_about_the_calls_that_were_estimated(desk: Desk) -> None:
    story = desk.story()

    expected = desk.workbench.runs.estimate(desk.branch(story), Initialize()).calls
    desk.do(story, Initialize())

    people = sum(agent_of(sent) == "character" for sent in desk.server.history)
    assert abs(len(desk.server.history) - expected) <= abs(people - 3) + 1


@pytest.mark.parametrize("task", [Initialize(), PlotChapters(chapters=4), WriteChapter(chapter=1)])
def test_before_any_call_a_usual_one_is_assumed(task: Task) -> None:
    estimate = estimate_run(Work(task, StorySettings()), dict.fromkeys(AGENTS, PRICED), [])

    assert estimate.calls == calls_of(Work(task, StorySettings())) > 0
    assert estimate.tokens_in > estimate.tokens_out > 0
    assert estimate.cost == pytest.approx(
        (estimate.tokens_in * 2.0 + estimate.tokens_out * 10.0) / 1_000_000
    )


def test_sketches_are_counted_as_the_whole_stories_that_they_are() -> None:
    short = StorySettings(chapter_cap=3)
    with_sketches, without = (
        estimate_run(Work(Initialize(), settings), dict.fromkeys(AGENTS, PRICED), [])
        for settings in (short, short.model_copy(update={"is_sketched": False}))
    )
    assert with_sketches.calls - without.calls == 24
    # Five stories of 4,000 words are written, and twenty readers have two of them.
    assert with_sketches.tokens_out - without.tokens_out > 5 * 4_000
    assert with_sketches.tokens_in - without.tokens_in > 20 * 2 * 4_000
    past = [used("sketch", 5, 2_000, 9_000, 1_000)]
    known = estimate_run(Work(Initialize(), short), dict.fromkeys(AGENTS, PRICED), past)
    assert known.tokens_out > 45_000


def test_later_the_story_s_own_calls_tell() -> None:
    past = [used("goals", 2, 1_000, 100, 4_000), used("role", 10, 500, 50, 2_000)]

    estimate = estimate_run(
        Work(PlotChapters(), StorySettings(goals=1, roles=1)), dict.fromkeys(AGENTS, PRICED), past
    )

    # Goals and roles as they were; scorer, exit and spine, which were never asked, as any call.
    anything = (2 * 1_000 + 10 * 500) / 12
    assert estimate.calls == 5
    assert estimate.tokens_in == round(1_000 + 500 + 3 * anything)


def test_text_is_estimated_by_what_the_writer_of_its_form_took() -> None:
    past = [used("writer_novel", 4, 500, 300, 1_000), used("writer_screenplay", 4, 700, 900, 1_000)]
    settings = StorySettings(roles=1)
    novel, screenplay = (
        estimate_run(
            Work(WriteChapter(chapter=1, form=form), settings),
            dict.fromkeys(AGENTS, PRICED),
            past,
        )
        for form in (Form.NOVEL, Form.SCREENPLAY)
    )

    assert screenplay.tokens_in - novel.tokens_in == 200
    assert screenplay.tokens_out - novel.tokens_out == 600


def test_text_without_a_form_is_estimated_in_the_story_s_own(desk: Desk) -> None:
    story = desk.founded()
    branch = desk.branch(story)
    desk.do(story, PlotChapters(is_autopilot=True))
    desk.do(story, WriteChapter(chapter=1, form=Form.SCREENPLAY, is_autopilot=True))
    desk.workbench.library.change_brief(
        story.id, lambda _: story.brief.model_copy(update={"form": Form.SCREENPLAY})
    )

    own, novel, screenplay = (
        desk.workbench.runs.estimate(branch, WriteChapter(chapter=1, form=form))
        for form in (None, Form.NOVEL, Form.SCREENPLAY)
    )

    assert own == screenplay != novel


def used(
    agent: str, calls: int, tokens_in: int, tokens_out: int, milliseconds: int
) -> AgentSpending:
    """Return calls to an agent, each of which took so much."""
    return AgentSpending(
        agent=agent,
        calls=calls,
        tokens_in=calls * tokens_in,
        tokens_out=calls * tokens_out,
        milliseconds=calls * milliseconds,
    )


ONE_SECOND = [used(agent, 3, 900, 200, 1_000) for agent in ("goals", "role", "scorer", "exit")]


@pytest.mark.parametrize(
    ("concurrency", "chapters", "seconds"),
    [
        # Goals, three roles in turn, scorer; the exit check costs time after the last chapter only,
        # and the spine is looked at beside it.
        (3, 1, 5 + 1),
        (3, 10, 50 + 1),
        (2, 1, 2 + 2 * 3 + 1),
        (1, 10, 10 * (2 + 9 + 2)),
    ],
)
def test_time_goes_by_the_longest_chain(concurrency: int, chapters: int, seconds: int) -> None:
    endpoint = PRICED.model_copy(update={"concurrency": concurrency})

    estimate = estimate_run(
        Work(PlotChapters(chapters=chapters), StorySettings(goals=3, roles=3)),
        dict.fromkeys(AGENTS, endpoint),
        ONE_SECOND,
    )

    assert estimate.seconds == seconds


def test_before_any_call_nothing_is_said_of_time() -> None:
    assert (
        estimate_run(
            Work(PlotChapters(), StorySettings()), dict.fromkeys(AGENTS, PRICED), []
        ).seconds
        is None
    )


@pytest.mark.parametrize(
    ("settings", "calls"),
    [
        (StorySettings(goals=3, roles=3), 4 + 9),
        (StorySettings(goals=3, roles=3, rounds=2), 4 + 18),
        (StorySettings(goals=3, roles=3, is_woven=False), 4 + 3),
        (StorySettings(goals=1, roles=2), 4 + 2),
    ],
)
def test_a_chapter_takes_the_calls_of_its_settings(settings: StorySettings, calls: int) -> None:
    assert calls_of(Work(PlotChapters(), settings)) == calls


def test_more_chapters_cost_as_many_times_more() -> None:
    one, ten = (calls_of(Work(PlotChapters(chapters=n), StorySettings())) for n in (1, 10))

    assert ten == 10 * one


@pytest.mark.parametrize(
    ("task", "story_form", "writer"),
    [
        (WriteChapter(chapter=1), Form.NOVEL, "writer_novel"),
        (WriteChapter(chapter=1), Form.SCREENPLAY, "writer_screenplay"),
        (WriteChapter(chapter=1, form=Form.SCREENPLAY), Form.NOVEL, "writer_screenplay"),
    ],
)
def test_text_is_estimated_by_whoever_writes_its_form(
    task: WriteChapter, story_form: Form, writer: str
) -> None:
    past = [used("writer_novel", 4, 100, 100, 1), used("writer_screenplay", 4, 700, 700, 1)]
    settings = StorySettings(roles=3, recalls=False)

    small = PRICED.model_copy(update={"strength": ModelStrength.SMALL})
    estimate = estimate_run(Work(task, settings, story_form), dict.fromkeys(AGENTS, small), past)

    each = 100 if writer == "writer_novel" else 700
    assert estimate.tokens_in == 3 * each + 400  # the plan takes what any call takes


def test_each_agent_s_calls_cost_what_its_own_endpoint_asks() -> None:
    free = PRICED.model_copy(update={"price_in": 0.0, "price_out": 0.0})
    past = [used(agent, 1, 1_000, 100, 1_000) for agent in ("goals", "role", "scorer", "exit")]

    estimate = estimate_run(
        Work(PlotChapters(), StorySettings(goals=2, roles=3)),
        {**dict.fromkeys(AGENTS, free), "role": PRICED},
        past,
    )

    assert estimate.is_priced
    assert estimate.cost == pytest.approx(6 * (1_000 * 2.0 + 100 * 10.0) / 1_000_000)


def test_relays_wait_for_each_other_by_what_their_own_endpoint_takes() -> None:
    slow = PRICED.model_copy(update={"concurrency": 1})

    estimate = estimate_run(
        Work(PlotChapters(), StorySettings(goals=3, roles=3)),
        {**dict.fromkeys(AGENTS, PRICED), "role": slow},
        ONE_SECOND,
    )

    assert estimate.seconds == 1 + 9 + 1 + 1
