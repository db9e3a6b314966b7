"""The first reader of a plan: what it mends, what it leaves alone, and when it is not asked."""

from __future__ import annotations

from typing import Any

from graph_flow.founding.cast import held
from graph_flow.prompting.spine import turns_near
from store.models.base import WHOLE
from store.models.plot import Event
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import Action, Decision, Initialize, Run
from store.models.story import Story
from tests.desk import Desk
from tests.graph_flow.founding.able import CAST, FOUNDATION, SPINE, able_answers
from tests.graph_flow.scripting import asked, request_of
from tests.store.builders import altered

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
MENDED: dict[str, Any] = {
    "faults": ["Nobody says why Amos was believed.", "Ruth forgives him from the beginning."],
    "truth": "Amos passed the pin because Ruth was being born that night.",
    "ending": "Ruth reads the page aloud, and Amos has to listen.",
    "people": [
        {"person": "Amos Vale", "history": "He was believed because he wept.", "fear": "Thanks."},
        {"person": "Somebody else", "history": "Nobody knows them."},
    ],
    "past": [
        {"title": "the page  goes", "happened": "Amos burns the page, and Ruth smells it."},
        {"title": "No such event", "happened": "Nothing."},
    ],
}


def test_turns_stay_apart_when_a_reader_writes_them_anew(able_desk: Desk) -> None:
    turns = "Chapter 1: Ruth asks. || Chapter 9: The span gives. || Chapter 20: He reads."
    able_desk.server.answer = able_answers(founding_review={"turns": turns})
    story = able_desk.story(premise="A bridge.", settings={"chapter_cap": 24})
    able_desk.do(story, Initialize())

    asked_for = request_of(asked(able_desk.server, "founding_review")[0])
    assert " || ".join(SPINE["turns"]) in asked_for
    spine = able_desk.workbench.story.proposed_snapshot(able_desk.branch(story)).spine
    assert spine.turns.split("\n\n") == turns.split(" || ")
    assert turns_near(spine.turns, 12, lambda _: False).startswith("Chapter 9")


def founded(desk: Desk, review: Any) -> tuple[Story, Run]:
    """Have a story drafted by an able model with this answer of its first reader."""
    desk.server.answer = able_answers(founding_review=review)
    story = desk.story(premise=PREMISE)
    return story, desk.do(story, Initialize())


def proposed(desk: Desk, story: Story) -> Snapshot:
    return desk.workbench.story.proposed_snapshot(desk.branch(story))


def happened(snapshot: Snapshot, title: str) -> Event:
    return next(one for one in snapshot.events if one.title == title)


def test_faults_are_mended_and_all_else_stays(able_desk: Desk) -> None:
    story, run = founded(able_desk, MENDED)

    plan = proposed(able_desk, story)
    assert plan.foundation.truth == MENDED["truth"]
    assert plan.foundation.background == FOUNDATION["background"]
    assert (plan.spine.ending, plan.spine.cost) == (MENDED["ending"], SPINE["cost"])
    amos = next(one for one in plan.characters if one.name == "Amos Vale")
    assert (amos.history, amos.fear) == ("He was believed because he wept.", "Thanks.")
    assert amos.voice == CAST["people"][0]["voice"]
    assert amos.arc == "He learns that silence was for himself."
    assert happened(plan, "The page goes").summary == "Amos burns the page, and Ruth smells it."
    assert happened(plan, "The fall").summary.startswith("The bridge falls")
    assert len(plan.characters) == len(proposed(able_desk, founded(able_desk, {})[0]).characters)
    assert {"history", "fear"} <= set(amos.invented)
    # What a reader of the plan has mended is no more the writer’s own than what was drafted.
    assert held(plan, PREMISE).entities == {}
    [note] = run.notes
    assert "2 faults" in note
    assert "why Amos was believed" in note


def test_reader_sees_the_whole_plan(able_desk: Desk) -> None:
    founded(able_desk, {})

    [request] = [request_of(sent) for sent in asked(able_desk.server, "founding_review")]
    for said in (
        PREMISE,
        FOUNDATION["background"],
        SPINE["ending"],
        CAST["people"][0]["history"],
        "Amos passes a pin that is cracked.",
        "He learns that silence was for himself.",
    ):
        assert said in request


def test_plan_without_faults_is_left_as_it_is(able_desk: Desk) -> None:
    story, run = founded(able_desk, {})

    assert proposed(able_desk, story).spine.ending == SPINE["ending"]
    assert run.notes == ()


def test_what_the_writer_typed_or_locked_is_not_mended(able_desk: Desk) -> None:
    story, _ = founded(able_desk, {})
    first = proposed(able_desk, story)
    amos = next(one for one in first.characters if one.name == "Amos Vale")
    others = tuple(name for name in first.spine.invented if name != "ending")
    typed: tuple[AnyEntity, ...] = (
        altered(first.spine, ending="He signs.", invented=others),
        altered(amos, fear="Water.", locked=("fear",)),
        altered(happened(first, "The page goes"), locked=(WHOLE,)),
    )
    whole = {**first.entities, **{one.id: one for one in typed}}
    able_desk.workbench.story.save_configuration(
        able_desk.branch(story), "The Span", Snapshot(entities=whole)
    )
    able_desk.server.answer = able_answers(founding_review=MENDED)

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN))

    plan = proposed(able_desk, story)
    again = next(one for one in plan.characters if one.name == "Amos Vale")
    assert plan.spine.ending == "He signs."
    assert (again.fear, again.history) == ("Water.", "He was believed because he wept.")
    assert happened(plan, "The page goes").summary.startswith("Amos tears the page")
    assert plan.foundation.truth == MENDED["truth"]


def test_small_model_is_not_asked(desk: Desk) -> None:
    desk.drafted()

    assert asked(desk.server, "founding_review") == []
