"""Bad answers and lost endpoints: a sentence, all finished work, and a way to go on."""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable

import pytest

from graph_flow.errors import PremiseUnusable, WorkbenchError
from store.models.endpoint import Dialect, Endpoint, ModelSettings
from store.models.plot import Event, Occurrence
from store.models.run import Decision, Initialize, PlotChapters, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import (
    Reply,
    Sent,
    broken_json,
    cut,
    hang,
    page,
    refuse,
    say,
    say_json,
    too_many,
    truncated,
)
from tests.graph_flow.scripting import (
    Held,
    asked,
    expect_none_again,
    finished_prompts,
    request_of,
    saying,
    the_nth,
)
from tests.graph_flow.structure import expect_whole_prototype, expect_whole_story, expect_written

GO_ON = {"gates": dict.fromkeys(Gate, GateMode.GO_ON)}
CHOOSING = {"gates": GO_ON["gates"] | {Gate.CANDIDATES: GateMode.ASK}}
NONSENSE = say("Once upon a time there was no JSON at all.")
SECONDS = 120


def is_sentence(message: str) -> bool:
    """Return whether a message is for a writer: a whole sentence without our words."""
    ours = ("Traceback", "Error", "JSON", "schema", "None", "{", "http", "Exception")
    return message.endswith(".") and " " in message and not any(word in message for word in ours)


def founded(desk: Desk, goals: int = 1, roles: int = 1) -> Story:
    story = desk.story(settings=GO_ON | {"goals": goals, "roles": roles})
    desk.do(story, Initialize())
    return story


def plotted(desk: Desk) -> Story:
    story = founded(desk)
    desk.do(story, PlotChapters())
    return story


def speaks(name: str, sent: Sent) -> bool:
    """Return whether a role agent speaks for somebody, asked for the first time or again."""
    return f"What does {name} do?" in sent.prompt


# Nonsense


def test_role_that_answers_nonsense_is_skipped_and_named(desk: Desk, store: Store) -> None:
    story = desk.story(settings=CHOOSING)
    desk.do(story, Initialize())
    branch = desk.branch(story)
    silent = desk.workbench.prototype.snapshot(branch).characters[0]
    desk.server.answer = saying(role=lambda sent: NONSENSE if speaks(silent.name, sent) else None)

    assert desk.do(story, PlotChapters()).state is RunState.WAITING

    for view in desk.workbench.plot.candidates(branch, 1):
        skipped = [turn for turn in view.candidate.turns if turn.is_skipped]
        assert {turn.character for turn in skipped} <= {silent.id}
        assert len(view.happenings) == len(view.candidate.turns) - len(skipped)
        assert [silent.name in sentence for sentence in view.skipped] == [True] * len(skipped)
    assert any(view.skipped for view in desk.workbench.plot.candidates(branch, 1))
    assert desk.answer(story).state is RunState.DONE
    expect_whole_prototype(desk.workbench.prototype.snapshot(branch))
    store.prototype.verify(branch)


def test_chapter_of_which_nobody_tells_anything_fails_in_words_and_can_be_continued(
    desk: Desk, store: Store
) -> None:
    story = founded(desk, goals=2, roles=2)
    branch = desk.branch(story)
    desk.server.answer = saying(role=NONSENSE)

    run = desk.do(story, PlotChapters())

    assert run.state is RunState.FAILED
    assert is_sentence(run.message)
    assert desk.workbench.branches.status(branch).plotted == 0
    assert not any(view.happenings for view in desk.workbench.plot.candidates(branch, 1))

    desk.server.answer = going_on
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_whole_story(desk.workbench, store, branch, chapters=1)


def test_without_scores_the_writer_still_chooses(desk: Desk) -> None:
    story = desk.story(settings=CHOOSING)
    desk.do(story, Initialize())
    desk.server.answer = saying(scorer=NONSENSE)

    run = desk.do(story, PlotChapters())

    assert run.state is RunState.WAITING
    views = desk.workbench.plot.candidates(run.branch, 1)
    kept = [[score.key for score in view.candidate.scores] for view in views]
    assert kept == [["continuity"]] * 3, "which is checked without a model"
    assert all("not scored" in view.candidate.comment for view in views)
    assert all(view.happenings for view in views)
    chosen = views[1].candidate
    assert desk.answer(story, Decision(choice=chosen.id)).state is RunState.DONE
    told = {event.id for event in desk.workbench.prototype.snapshot(run.branch).events}
    assert told == {one.id for one in chosen.delta.additions() if isinstance(one, Event)}


def test_autopilot_goes_on_without_scores(desk: Desk) -> None:
    story = founded(desk)
    desk.server.answer = saying(scorer=NONSENSE)

    run = desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 1


@pytest.mark.parametrize("agent", ["character", "ties", "scenes"])
def test_cast_comes_about_though_one_agent_answers_nonsense(desk: Desk, agent: str) -> None:
    desk.server.answer = saying(**{agent: NONSENSE})
    story = desk.story(settings=GO_ON)

    run = desk.do(story, Initialize())

    assert run.state is RunState.DONE
    snapshot = desk.workbench.prototype.snapshot(run.branch)
    assert len(snapshot.characters) >= 2
    assert all(person.name for person in snapshot.characters)


@pytest.mark.parametrize("agent", ["exit", "recall", "thread", "plan"])
def test_chapter_comes_about_though_an_advising_agent_answers_nonsense(
    desk: Desk, agent: str
) -> None:
    story = founded(desk)
    desk.server.answer = saying(**{agent: NONSENSE})
    branch = desk.branch(story)

    assert desk.do(story, PlotChapters(chapters=2)).state is RunState.DONE
    assert desk.do(story, WriteChapter(chapter=2)).state is RunState.DONE

    expect_written(desk.workbench, branch, 2)


def test_cast_of_one_is_a_cast(desk: Desk) -> None:
    """A model that names one person three times, in a premise that names nobody."""
    one = {"name": "Zenobia", "part": "the keeper of a lamp"}
    desk.server.answer = saying(cast=say_json({"people": [one, one, one]}))
    story = desk.story(premise="a keeper finds a door", settings=GO_ON)

    run = desk.do(story, Initialize())

    assert run.state is RunState.DONE
    assert [person.name for person in desk.workbench.prototype.snapshot(run.branch).characters] == [
        "Zenobia"
    ]
    assert desk.do(story, PlotChapters()).state is RunState.DONE
    assert desk.do(story, WriteChapter(chapter=1)).state is RunState.DONE


# Faults of the endpoint


def half(sent: Sent) -> Reply:
    """Answer with the first half of an object."""
    return say(json.dumps({name: "…" for name in (sent.schema or {})["properties"]})[:-9])


FAULTS: dict[str, Reply | Callable[[Sent], Reply]] = {
    "nonsense": NONSENSE,
    "nothing": say(""),
    "half an object": half,
    "cut off": truncated('{"goals": [{"title": "The'),
    "broken off": cut('{"goals": [{"title"'),
    "a web page": page(),
    "broken JSON around it": broken_json(),
    "429": too_many(),
    "429 for a while": too_many(retry_after="7"),
    "429 for an hour": too_many(retry_after="3600"),
    "500": refuse(500, "internal"),
    "401": refuse(401, "no such key"),
    "no credit": refuse(429, "insufficient_quota", code="insufficient_quota"),
}


WORDS = {"nonsense", "half an object"}
"""Faults of an object that are none of a text: any words are a text."""

CASES = [
    pytest.param(agent, fault, id=f"{agent}, {name}")
    for agent in ("goals", "writer_novel")
    for name, fault in FAULTS.items()
    if agent == "goals" or name not in WORDS
]


@pytest.mark.parametrize(("agent", "fault"), CASES)
def test_fault_ends_a_run_in_words_and_continuing_repeats_nothing(
    desk: Desk, store: Store, agent: str, fault: Reply | Callable[[Sent], Reply]
) -> None:
    story = founded(desk)
    branch = desk.branch(story)
    task: PlotChapters | WriteChapter = PlotChapters()
    if agent == "writer_novel":
        desk.do(story, task)
        task = WriteChapter(chapter=1)
    desk.server.answer = saying(**{agent: fault})

    run = desk.do(story, task)

    assert run.state is RunState.FAILED
    assert is_sentence(run.message), run.message
    finished = finished_prompts(store, branch)
    desk.server.answer = going_on
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_none_again(desk.server, finished)
    expect_whole_story(desk.workbench, store, branch, chapters=1)


def test_call_that_fails_for_a_moment_is_tried_again_unseen(
    desk: Desk, pauses: list[float]
) -> None:
    story = founded(desk)
    desk.server.queue(too_many(retry_after="7"), refuse(503, "overloaded"), cut('{"goals": ['))

    assert desk.do(story, PlotChapters()).state is RunState.DONE

    assert pauses[0] == 7
    assert len(pauses) == 3
    assert all(pause > 0 for pause in pauses)


def test_relay_keeps_what_was_said_before_the_endpoint_failed(desk: Desk, store: Store) -> None:
    story = founded(desk, goals=2, roles=2)
    branch = desk.branch(story)
    desk.server.answer = saying(role=second_speaker(refuse(401, "no such key")))

    run = desk.do(story, PlotChapters())

    assert run.state is RunState.FAILED
    views = desk.workbench.plot.candidates(branch, 1)
    assert [len(view.happenings) for view in views] == [1, 1]
    finished = finished_prompts(store, branch)
    desk.server.answer = going_on
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_none_again(desk.server, finished)
    expect_whole_story(desk.workbench, store, branch, chapters=1)


def second_speaker(reply: Reply) -> Callable[[Sent], Reply | None]:
    """Reply so to the second role of every relay."""
    goals: Counter[str] = Counter()

    def say_so(sent: Sent) -> Reply | None:
        goal = request_of(sent).partition("In this chapter:")[2].partition("\n")[0]
        goals[goal] += 1
        return reply if goals[goal] > 1 else None

    return say_so


def use(desk: Desk, **endpoint: object) -> None:
    """Let the app use another endpoint."""
    given = {"base_url": desk.server.url, "model": "scripted"} | endpoint
    desk.workbench.models.change_settings(
        lambda _: ModelSettings(endpoint=Endpoint.model_validate(given))
    )


def test_silent_endpoint_ends_the_run_in_its_time(desk: Desk, store: Store) -> None:
    story = founded(desk)
    branch = desk.branch(story)
    use(desk, timeout=1.0)
    desk.server.queue(*[hang()] * 2)

    run = desk.do(story, PlotChapters())

    assert run.state is RunState.FAILED
    assert is_sentence(run.message)
    assert "said nothing for" in run.message
    finished = finished_prompts(store, branch)
    use(desk)
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_none_again(desk.server, finished)


@pytest.mark.parametrize("agent", ["goals", "role", "writer_novel"])
def test_stop_ends_a_run_that_waits_for_an_answer(desk: Desk, store: Store, agent: str) -> None:
    story = plotted(desk)
    branch = desk.branch(story)
    held = Held(the_nth(agent, 1))
    desk.server.answer = held
    task = WriteChapter(chapter=1) if agent == "writer_novel" else PlotChapters()
    run = desk.workbench.runs.start(branch, task)
    assert held.has_come.wait(SECONDS)

    desk.workbench.runs.stop(branch)

    stopped = desk.settle(run)
    assert stopped.state is RunState.STOPPED
    assert is_sentence(stopped.message)
    held.let_go()
    finished = finished_prompts(store, branch)
    assert desk.settle(desk.workbench.runs.resume(branch)).state is RunState.DONE
    expect_none_again(desk.server, finished)


def test_unreachable_endpoint_is_said_to_be_so(desk: Desk, pauses: list[float]) -> None:
    story = founded(desk)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        use(desk, base_url=f"http://127.0.0.1:{nobody.getsockname()[1]}/v1", name="My model")
        run = desk.do(story, PlotChapters())

    assert run.state is RunState.FAILED
    assert is_sentence(run.message)
    assert "My model cannot be reached" in run.message
    assert pauses, "it is tried more than once"
    use(desk)
    assert desk.settle(desk.workbench.runs.resume(run.branch)).state is RunState.DONE


@pytest.mark.parametrize("dialect", list(Dialect))
def test_story_is_told_on_an_endpoint_of_any_dialect(
    desk: Desk, store: Store, dialect: Dialect
) -> None:
    desk.server.dialect = dialect
    story = founded(desk)
    branch = desk.branch(story)

    assert desk.do(story, PlotChapters()).state is RunState.DONE
    assert desk.do(story, WriteChapter(chapter=1)).state is RunState.DONE

    expect_whole_story(desk.workbench, store, branch, chapters=1)
    expect_written(desk.workbench, branch, 1)


# What a writer types


@pytest.mark.parametrize(
    "premise",
    [
        "灯塔看守人玛拉发现门锁着，海尔船长在说谎。故事在她知道真相时结束。",
        "تجد مارا أن الباب مغلق وأن القبطان هيل يكذب. تنتهي القصة عندما تعرف السبب.",
        "<script>alert('Mara')</script> Robert'); DROP TABLE stories;-- finds {{ a }} {% door %}",
    ],
)
def test_any_premise_becomes_a_story_and_stays_as_it_was_typed(
    desk: Desk, store: Store, premise: str
) -> None:
    story = desk.story(premise=premise, settings=GO_ON | {"goals": 1, "roles": 1})
    branch = desk.branch(story)

    assert desk.do(story, Initialize()).state is RunState.DONE
    assert desk.do(story, PlotChapters()).state is RunState.DONE

    assert desk.workbench.library.story(story.id).brief.premise == premise
    assert all(premise in request_of(sent) for sent in asked(desk.server, "foundation"))
    expect_whole_story(desk.workbench, store, branch, chapters=1)


@pytest.mark.parametrize("premise", ["", "  \n", "lighthouse " * 9_091])
def test_unusable_premise_is_refused_before_anything_is_asked(desk: Desk, premise: str) -> None:
    use(desk, context_window=4_096)
    story = desk.story(premise=premise)

    with pytest.raises(PremiseUnusable) as refused:
        desk.workbench.runs.start(desk.branch(story), Initialize())

    assert is_sentence(str(refused.value))
    assert desk.workbench.library.story(story.id).brief.premise == premise
    assert desk.workbench.runs.progress(desk.branch(story)) is None
    assert desk.server.history == []


@pytest.mark.parametrize("task", [PlotChapters(), WriteChapter(chapter=1)])
def test_what_comes_first_is_said(desk: Desk, task: PlotChapters | WriteChapter) -> None:
    story = desk.story()

    with pytest.raises(WorkbenchError, match="Approve the cast"):
        desk.workbench.runs.start(desk.branch(story), task)


def test_story_without_anybody_cannot_be_plotted(desk: Desk) -> None:
    story = founded(desk)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    alone = {head.foundation.id: head.foundation}
    desk.workbench.story.edit(branch, head.model_copy(update={"entities": alone}))

    with pytest.raises(WorkbenchError, match=r"(?i)nobody|no one"):
        desk.workbench.runs.start(branch, PlotChapters())


def test_chapter_without_a_plot_cannot_be_written(desk: Desk) -> None:
    story = founded(desk)

    with pytest.raises(WorkbenchError, match="no plot yet"):
        desk.workbench.runs.start(desk.branch(story), WriteChapter(chapter=1))


def test_chapter_that_was_emptied_by_hand_fails_in_words(desk: Desk) -> None:
    story = plotted(desk)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    kept = (*head.characters, *head.scenes, head.foundation)
    desk.workbench.story.edit(
        branch, head.model_copy(update={"entities": {one.id: one for one in kept}})
    )

    run = desk.do(story, WriteChapter(chapter=1))

    assert run.state is RunState.FAILED
    assert is_sentence(run.message)
    assert "inside Tellwright" not in run.message


def test_chapter_whose_people_were_removed_by_hand_can_be_written(desk: Desk) -> None:
    story = plotted(desk)
    branch = desk.branch(story)
    head = desk.workbench.prototype.snapshot(branch)
    kept = (*head.events, *head.scenes, *head.of(Occurrence), head.foundation)
    desk.workbench.story.edit(
        branch, head.model_copy(update={"entities": {one.id: one for one in kept}})
    )

    run = desk.do(story, WriteChapter(chapter=1))

    assert run.state is RunState.DONE
    expect_written(desk.workbench, branch, 1)


def test_run_whose_end_cannot_be_recorded_is_known_to_have_ended(desk: Desk, store: Store) -> None:
    """The library cannot be written when the run ends; its thread leaves no traceback."""
    story = desk.story(settings=GO_ON)
    branch = desk.branch(story)
    connection = sqlite3.connect(desk.library, isolation_level=None, check_same_thread=False)

    def refuse_runs(_sent: Sent) -> Reply | None:
        connection.execute("ALTER TABLE runs RENAME TO other_runs")
        desk.server.answer = going_on
        return None

    desk.server.answer = refuse_runs
    run = desk.workbench.runs.start(branch, Initialize())
    assert desk.workbench.runs.wait(run, SECONDS)
    connection.execute("ALTER TABLE other_runs RENAME TO runs")
    connection.execute("UPDATE runs SET heartbeat = '2001-01-01T00:00:00+00:00'")
    connection.close()

    progress = desk.workbench.runs.progress(branch)
    assert progress is not None
    assert progress.run.state is RunState.DONE
    assert store.runs.run(run.id).state in {RunState.INTERRUPTED, RunState.DONE}
    assert desk.do(story, PlotChapters()).state is RunState.DONE
    assert store.runs.run(run.id).state is RunState.DONE


def test_nothing_of_a_run_uses_the_library_once_it_has_ended(desk: Desk) -> None:
    """Whoever waited for it may close the library: a heartbeat under way would crash the process."""
    for _ in range(5):
        run = desk.workbench.runs.start(desk.branch(desk.story(settings=GO_ON)), Initialize())
        assert desk.workbench.runs.wait(run, SECONDS)
        assert f"heartbeat {run.id}" not in {thread.name for thread in threading.enumerate()}
