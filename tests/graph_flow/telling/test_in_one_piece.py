"""A short story that an able model can hold is planned and written in one piece."""

from __future__ import annotations

from typing import Any

import pytest

from store.models.base import new_id
from store.models.endpoint import Endpoint, ModelStrength
from store.models.form import Form
from store.models.manuscript import DraftState, WritingPlan
from store.models.proposals import Configuration, Sketch
from store.models.run import Action, Decision, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Sent, refuse, say, say_json
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import FACTS, PLAN, plotted, telling

TEXTS = (
    "Amos stopped at the pin.\n\n***\n\nHe put his thumb to it.",
    "Ruth laid the log open. There was a stub.",
    "He read the page aloud, and nobody looked up.",
)
HEADED = "\n\n".join(f"## {at}. A title\n\n{one}" for at, one in enumerate(TEXTS, start=1))


def scene(*events: str, reveals: tuple[str, ...] = ()) -> dict[str, Any]:
    return {**PLAN["scenes"][0], "events": list(events), "reveals": list(reveals), "threads": []}


STORY_PLAN: dict[str, Any] = {
    "chapters": [
        {"scenes": [scene("C1", "C2", "C3", reveals=("F1",))], "withheld": "what Ruth has found"},
        {"scenes": [scene("C5", "C9"), scene("C4", reveals=("F1", "F2"))]},
        {"scenes": [scene("C7"), scene("C8", "C9", reveals=("F3",))]},
    ]
}
REMARK = {
    "kind": "unclear",
    "quote": "There was a stub.",
    "remark": "A stub of what?",
    "remedy": "Say it.",
}


def silent(sent: Sent) -> Any:
    """Find fault with the second chapter alone."""
    remarks = (
        [REMARK] if "There was a stub" in request_of(sent).rpartition("The chapter (")[2] else []
    )
    return say_json({"told": [], "echoes": [], "remarks": remarks})


def whole(**others: Any) -> Any:
    """Return what an able model says of a story that it writes in one piece."""
    said = {
        "story_plan": say_json(STORY_PLAN),
        "writer_novel": say(HEADED),
        "review": silent,
        "revise": say_json(
            {"passages": [{"old": "There was a stub.", "new": "A page had been torn out."}]}
        ),
    }
    return telling(**{**said, **others})


@pytest.fixture
def story(able: Desk, story_store: Store) -> Story:
    """Return a story of three plotted chapters, none of them written."""
    able.server.answer = whole()
    return plotted(able, story_store, chapters=3)


ALL = WriteChapter(chapter=1, then=(2, 3), is_autopilot=True)


def write(able: Desk, story: Story, task: WriteChapter = ALL) -> list[str]:
    """Write the story; return which agents were asked, in order."""
    able.server.history.clear()
    assert able.do(story, task).state is RunState.DONE
    return [agent_of(one) for one in able.server.history]


def texts_of(able: Desk, story: Story) -> list[str]:
    drafts = [able.workbench.manuscript.draft(able.branch(story), at) for at in (1, 2, 3)]
    return [draft.text if draft else "" for draft in drafts]


def plans_of(able: Desk, story: Story) -> list[WritingPlan]:
    found = [able.workbench.manuscript.plan(able.branch(story), at) for at in (1, 2, 3)]
    return [one for one in found if one is not None]


def test_one_call_plans_all_chapters_and_one_writes_them(able: Desk, story: Story) -> None:
    expected = able.workbench.runs.estimate(able.branch(story), ALL).calls

    agents = write(able, story)

    assert agents == ["story_plan", "writer_novel", "review", "review", "revise", "review"]
    assert expected == 2 + 2 * 3
    assert texts_of(able, story) == [
        "Amos stopped at the pin.\n\n* * *\n\nHe put his thumb to it.",
        "Ruth laid the log open. A page had been torn out.",
        TEXTS[2],
    ]
    states = [
        able.workbench.manuscript.versions(able.branch(story), at)[0].state for at in (1, 2, 3)
    ]
    assert states == [DraftState.APPROVED] * 3


def test_every_event_is_planned_in_its_own_chapter_and_every_fact_once(
    able: Desk, story: Story
) -> None:
    write(able, story)

    plans = plans_of(able, story)
    for plan in plans:
        told = [event for one in plan.scenes for event in one.events]
        assert sorted(told) == [f"c{plan.chapter}e{at}" for at in range(3)]
    assert [plan.reveals for plan in plans] == [(FACTS[0],), (FACTS[1],), (FACTS[2],)]
    assert [plan.words for plan in plans] == [1_200, 1_200, 1_600]


def test_planner_and_writer_see_the_end_from_the_beginning(able: Desk, story: Story) -> None:
    write(able, story)

    [planning], [writing] = asked(able.server, "story_plan"), asked(able.server, "writer_novel")
    for request in (request_of(planning), request_of(writing)):
        assert "Amos reads the page aloud." in request
        for chapter in (1, 2, 3):
            assert f"nothing is settled in chapter {chapter}" in request
    assert "What the reader must not know yet at its end: what Ruth has found" in request_of(
        writing
    )
    for chapter in (1, 2, 3):
        assert f"## {chapter}. Part {chapter}" in request_of(writing)
    assert "about 4000 words" in request_of(writing)


@pytest.mark.parametrize(
    "settings",
    [
        {"chapter_cap": 4},
        {"words": 4_000},
        {"gates": {gate: GateMode.ASK for gate in Gate}},
    ],
    ids=["more is to come", "too long for one answer", "each plan is to be seen"],
)
def test_otherwise_it_is_written_chapter_by_chapter(
    able: Desk, story_store: Store, settings: dict[str, Any]
) -> None:
    able.server.answer = whole()
    story = plotted(able, story_store, chapters=3, **settings)
    task = ALL.model_copy(update={"is_autopilot": False})
    able.server.history.clear()

    able.do(story, task)

    assert agent_of(able.server.history[0]) == "plan"
    assert not asked(able.server, "story_plan")


def test_small_window_is_not_filled_with_a_whole_story(able: Desk, story: Story) -> None:
    narrow = Endpoint(
        base_url=able.server.url,
        model="scripted",
        context_window=16_000,
        strength=ModelStrength.ABLE,
    )
    able.workbench.models.change_settings(lambda now: now.model_copy(update={"endpoint": narrow}))

    assert "story_plan" not in write(able, story)


def test_story_of_which_something_is_written_is_gone_on_with(able: Desk, story: Story) -> None:
    able.server.answer = whole(writer_novel=say(TEXTS[0]))
    write(able, story, WriteChapter(chapter=1, is_autopilot=True))

    agents = write(able, story, ALL)

    assert "story_plan" not in agents
    assert agents.count("writer_novel") == 2


def test_plan_for_too_few_chapters_is_none(able: Desk, story: Story) -> None:
    few = {"chapters": STORY_PLAN["chapters"][:2]}
    able.server.answer = whole(story_plan=say_json(few), writer_novel=say(TEXTS[0]))

    agents = write(able, story)

    assert agents[:2] == ["story_plan", "plan"]
    assert agents.count("writer_novel") == 3
    assert all(texts_of(able, story))


def test_run_that_fails_while_it_writes_pays_for_no_plan_again(able: Desk, story: Story) -> None:
    able.server.answer = whole(writer_novel=refuse(400, "No."))
    able.server.history.clear()
    assert able.do(story, ALL).state is RunState.FAILED
    able.server.answer = whole()

    run = able.settle(able.workbench.runs.resume(able.branch(story)))

    assert run.state is RunState.DONE
    assert len(asked(able.server, "story_plan")) == 1
    assert all(texts_of(able, story))


def test_run_that_fails_while_it_reviews_writes_nothing_again(able: Desk, story: Story) -> None:
    able.server.answer = whole(review=refuse(400, "No."))
    able.server.history.clear()
    assert able.do(story, ALL).state is RunState.FAILED
    able.server.answer = whole()

    assert able.settle(able.workbench.runs.resume(able.branch(story))).state is RunState.DONE

    assert len(asked(able.server, "writer_novel")) == 1
    assert len(asked(able.server, "revise")) == 1


def test_writer_sees_each_chapter_and_can_have_one_written_again(
    able: Desk, story_store: Store
) -> None:
    able.server.answer = whole()
    gates = {gate: GateMode.GO_ON for gate in Gate} | {Gate.DRAFT: GateMode.ASK}
    story = plotted(able, story_store, chapters=3, gates=gates)
    able.server.history.clear()
    task = ALL.model_copy(update={"is_autopilot": False})
    assert able.do(story, task).state is RunState.WAITING
    able.server.answer = whole(writer_novel=say("Amos went home."))

    again = able.answer(story, Decision(action=Action.ASK_AGAIN, note="shorter"))
    assert again.state is RunState.WAITING
    assert texts_of(able, story)[0] == "Amos went home."
    for _ in range(3):
        last = able.answer(story)

    assert last.state is RunState.DONE
    assert texts_of(able, story)[2] == TEXTS[2]


def sketched(able: Desk, story_store: Store, story: Story, text: str) -> None:
    """Let a story have been worked out from a sketch."""
    told = Configuration(
        id=new_id(),
        branch=able.branch(story),
        round=9,
        idea=2,
        sketches=(Sketch(idea=1, text="The river sulked."), Sketch(idea=2, text=text)),
    )
    story_store.proposals.save_configuration(told)


def test_story_that_was_sketched_is_planned_and_written_from_its_sketch(
    able: Desk, story_store: Store, story: Story
) -> None:
    sketched(able, story_store, story, "Snow lay on the bridge.")

    write(able, story)

    [planned] = asked(able.server, "story_plan")
    [sent] = asked(able.server, "writer_novel")
    for one in (planned, sent):
        assert "The sketch:\n\nSnow lay on the bridge." in request_of(one)
        assert "The river sulked." not in one.prompt
    assert "How it meets its reader stays" in planned.prompt
    assert "the plan goes first" in request_of(sent)


def test_what_if_is_planned_and_written_without_the_sketch_that_it_leads_away_from(
    able: Desk, story_store: Store, story: Story
) -> None:
    sketched(able, story_store, story, "Snow lay on the bridge.")
    branch = able.workbench.branches.ask_what_if(able.branch(story), 3, "What if it holds?")
    further = able.workbench.branches.start(branch.id, 3, "Further")
    for one in (branch, further):
        able.server.history.clear()
        assert able.settle(able.workbench.runs.start(one.id, ALL)).state is RunState.DONE
        assert len(asked(able.server, "story_plan", "writer_novel")) == 2
        assert not any("Snow lay on" in sent.prompt for sent in able.server.history)


@pytest.mark.parametrize(
    ("text", "form"),
    [("", None), ("Snow lay on the bridge. " * 4_000, None), ("Snow lay on it.", Form.SCREENPLAY)],
)
def test_sketch_that_there_is_no_room_for_or_in_another_form_is_not_shown(
    able: Desk, story_store: Store, story: Story, text: str, form: Form | None
) -> None:
    if text:
        sketched(able, story_store, story, text)

    write(able, story, ALL.model_copy(update={"form": form}))

    written = asked(
        able.server, "story_plan", "plan", "writer_screenplay" if form else "writer_novel"
    )
    assert len(written) > 1
    assert not any("sketch" in request_of(sent).casefold() for sent in written)
