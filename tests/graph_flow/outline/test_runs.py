"""An outline is drafted, reviewed within a bound, spread over the chapters, and used once approved."""

from __future__ import annotations

import pytest

from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.outline.entities import DRAFTS
from graph_flow.outline.structure import closing_links
from store.models.outline import Outline, OutlineState
from store.models.plot import LinkKind
from store.models.run import Caps, Decision, DraftOutline, Outcome, RunState
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, Settings
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.scripting import (
    Held,
    Say,
    asked,
    enumerated,
    expect_none_again,
    finished_prompts,
    request_of,
    saying,
    the_nth,
)

CHAPTERS = 6
SMALL: Settings = {
    "gates": dict.fromkeys(Gate, GateMode.GO_ON)
    | dict.fromkeys((Gate.CONFIGURATION, Gate.OUTLINE), GateMode.ASK),
    "chapter_cap": CHAPTERS,
    "goals": 1,
    "roles": 1,
}
NONSENSE = say("Once upon a time there was no JSON at all.")
AGREES = say_json({"weak": [], "goal_reached_in": "E1", "holds": True})
AGREES_WITHOUT_REASON = say_json({"weak": [], "goal_reached_in": "nothing", "holds": True})
DOUBTS = say_json({"weak": [], "goal_reached_in": "E1", "holds": False})
REMARK = "Let somebody want the opposite here."
NEVER = say_json(
    {"weak": [{"event": "E1", "remark": REMARK}], "goal_reached_in": "E2", "holds": False}
)
FORWARD = say_json({"links": [{"source": "E1", "link": "causes", "target": "E2"}]})
CIRCLE = say_json(
    {
        "links": [
            {"source": "E1", "link": "causes", "target": "E2"},
            {"source": "E2", "link": "before", "target": "E1"},
            {"source": "E1", "link": "parallels", "target": "E1"},
        ]
    }
)


def outlined(desk: Desk, **replies: Reply | Say) -> tuple[Story, Outline]:
    """Begin a story and have it outlined, up to the question."""
    story = desk.founded(SMALL)
    desk.server.answer = saying(**{"reviewer": AGREES, "links": FORWARD} | replies)
    desk.server.history.clear()
    desk.do(story, DraftOutline())
    found = desk.workbench.outline.newest(desk.branch(story))
    assert found is not None
    return story, found


def expect_usable(found: Outline) -> None:
    """Fail unless every event is split, and every part stands in a chapter."""
    assert found.events
    assert {part.event for part in found.sub_events} == {event.id for event in found.events}
    assert {part.chapter for part in found.sub_events} <= set(range(1, CHAPTERS + 1))


def test_outline_waits_for_the_writer_and_is_used_once_approved(desk: Desk, store: Store) -> None:
    story, draft = outlined(desk)
    branch = desk.branch(story)
    assert draft.state is OutlineState.DRAFT
    assert store.outlines.accepted(branch) is None
    expect_usable(draft)
    assert "works" in draft.review

    assert desk.answer(story).state is RunState.DONE

    accepted = store.outlines.accepted(branch)
    assert accepted is not None
    assert accepted.sub_events == draft.sub_events


def test_on_autopilot_nobody_is_asked(desk: Desk, store: Store) -> None:
    story = desk.founded(SMALL)
    run = desk.do(story, DraftOutline(is_autopilot=True))
    assert run.state is RunState.DONE
    accepted = store.outlines.accepted(desk.branch(story))
    assert accepted is not None
    expect_usable(accepted)


def test_people_of_an_outline_are_the_cast_and_whom_a_storyline_brings(desk: Desk) -> None:
    _, found = outlined(desk)
    for sent in asked(desk.server, "outline"):
        allowed = enumerated(sent, "events", "[]", "who", "[]")
        assert {"Mara Lenz"} <= set(allowed)
    named = {name for event in found.events for name in event.characters}
    assert named <= {
        name
        for sent in asked(desk.server, "outline")
        for name in enumerated(sent, "events", "[]", "who", "[]")
    }


# The reviewer


def test_reviewer_that_never_agrees_is_asked_a_bounded_number_of_times(
    desk: Desk, store: Store
) -> None:
    story, found = outlined(desk, reviewer=NEVER)
    branch = desk.branch(story)

    assert len(asked(desk.server, "reviewer")) == DRAFTS
    assert [remark.text for remark in found.remarks] == [REMARK]
    assert "objects to one point" in found.review
    expect_usable(found)
    assert [one.id for one in store.outlines.versions(branch)] == [found.id]
    assert desk.answer(story).state is RunState.DONE


def test_next_draft_is_told_what_the_reviewer_said_and_changes_only_that(desk: Desk) -> None:
    said = iter([NEVER])
    _, found = outlined(desk, reviewer=lambda _sent: next(said, AGREES))

    first, *later = asked(desk.server, "reviewer")
    assert len(later) == 1
    told = [sent for sent in asked(desk.server, "outline") if REMARK in request_of(sent)]
    assert len(told) == 1
    assert len(asked(desk.server, "storylines")) == 1
    lines = [line for line in request_of(first).splitlines() if line.startswith("E")]
    kept = [line for line in lines if line in request_of(later[0])]
    touched = found.events[0].line
    assert all(f"[{touched}]" in line for line in lines if line not in kept)
    assert kept
    assert found.remarks == ()


def test_agreement_without_a_reason_is_none(desk: Desk) -> None:
    _, found = outlined(desk, reviewer=AGREES_WITHOUT_REASON)
    assert len(asked(desk.server, "reviewer")) == DRAFTS
    assert [remark.text for remark in found.remarks] == [
        "No event shows how the story's end is reached."
    ]


def test_doubt_without_a_reason_costs_no_other_draft(desk: Desk) -> None:
    _, found = outlined(desk, reviewer=DOUBTS)
    assert len(asked(desk.server, "reviewer")) == 1
    assert "does not say why" in found.review


def test_reviewer_without_a_usable_answer_does_not_hold_the_outline_up(desk: Desk) -> None:
    _, found = outlined(desk, reviewer=NONSENSE)
    assert "no usable answer" in found.review
    expect_usable(found)


def test_what_shows_without_asking_is_put_right_before_the_reviewer_is_asked(desk: Desk) -> None:
    _, found = outlined(desk, links=CIRCLE)

    reviews = asked(desk.server, "reviewer")
    assert len(reviews) == 1
    assert "the other way round" in request_of(reviews[0])
    assert len(asked(desk.server, "links")) == DRAFTS
    assert any("the other way round" in request_of(sent) for sent in asked(desk.server, "links"))
    # What is wrong with links is no reason to outline events anew.
    assert len(asked(desk.server, "storylines")) == 1
    assert [link.link for link in found.links] == [LinkKind.CAUSES]
    assert closing_links(found.links) == []


# Bad answers


@pytest.mark.parametrize("agent", ["storylines", "outline", "links", "planner"])
def test_outline_comes_about_without_any_one_agent(desk: Desk, agent: str) -> None:
    story, found = outlined(desk, **{agent: NONSENSE})
    expect_usable(found)
    assert desk.answer(story).state is RunState.DONE


def test_event_that_comes_again_and_again_is_there_once(desk: Desk) -> None:
    def the_same(sent: Sent) -> Reply:
        who = enumerated(sent, "events", "[]", "who", "[]")[:1]
        items = (sent.schema or {})["properties"]["events"]
        event = {
            "title": "The Fair",
            "who": who,
            "setting": "a square at noon",
            "action": "Everybody dances until the roof of the booth falls in.",
            "conflict": "nobody wants to stop",
            "twist": "the band is asleep",
        }
        return say_json({"events": [event] * items["minItems"]})

    _, found = outlined(desk, outline=the_same)
    assert [event.title for event in found.events].count("The Fair") == 1
    expect_usable(found)


def test_planner_that_doubles_and_leaves_out_is_put_right(desk: Desk) -> None:
    def doubling(sent: Sent) -> Reply:
        [label, *_] = enumerated(sent, "parts", "[]", "event")
        chapter = enumerated(sent, "parts", "[]", "chapter")[-1]
        part = {"event": label, "happens": "It happens all at once.", "chapter": chapter}
        return say_json({"parts": [part] * (sent.schema or {})["properties"]["parts"]["minItems"]})

    _, found = outlined(desk, planner=doubling)
    expect_usable(found)
    texts = [part.text for part in found.sub_events]
    assert len(asked(desk.server, "planner")) > 1
    assert texts.count("It happens all at once.") == 1
    assert {part.chapter for part in found.sub_events} == set(range(1, CHAPTERS + 1))


def test_planner_that_names_chapters_that_are_not_there_is_not_followed(desk: Desk) -> None:
    part = {"event": "E1", "happens": "It happens much later.", "chapter": "chapter 9999"}
    _, found = outlined(desk, planner=say_json({"parts": [part] * 3}))
    assert "It happens much later." not in {part.text for part in found.sub_events}
    expect_usable(found)


# On the way


def test_limit_that_is_reached_in_the_middle_loses_and_repeats_nothing(
    desk: Desk, store: Store
) -> None:
    story = desk.founded(SMALL)
    branch = desk.branch(story)
    desk.server.answer = saying(reviewer=NEVER, links=FORWARD)
    desk.server.history.clear()

    run = desk.do(story, DraftOutline(caps=Caps(calls=2)))
    stops = 0
    while run.state is not RunState.WAITING:
        assert run.state is RunState.STOPPED
        finished = finished_prompts(store, branch)
        run = desk.settle(desk.workbench.runs.resume(branch))
        expect_none_again(
            desk.server, {prompt for prompt in finished if prompt_is_ours(prompt, desk)}
        )
        stops += 1

    assert stops > 2
    found = desk.workbench.outline.newest(branch)
    assert found is not None
    expect_usable(found)
    assert len(store.outlines.versions(branch)) == 1


def prompt_is_ours(prompt: str, desk: Desk) -> bool:
    """Return whether a prompt was sent since the founding, which the server's history leaves out."""
    return any(sent.messages[-1]["content"] in prompt for sent in desk.server.history)


def test_outline_is_not_edited_while_agents_draft_it(desk: Desk) -> None:
    story = desk.founded(SMALL)
    branch = desk.branch(story)
    mine = desk.workbench.outline.begin(branch)
    held = Held(the_nth("outline", 1), saying(reviewer=AGREES, links=FORWARD))
    desk.server.answer = held
    run = desk.workbench.runs.start(branch, DraftOutline())
    held.has_come.wait()

    with pytest.raises(BranchBusy, match="being drafted"):
        desk.workbench.outline.save(mine.model_copy(update={"review": "mine"}))
    held.let_go()
    desk.settle(run)

    found = desk.workbench.outline.newest(branch)
    assert found is not None
    assert found.id != mine.id
    desk.workbench.outline.discard(branch)
    assert desk.workbench.outline.newest(branch) == mine


def test_writer_s_edits_are_what_is_approved_and_what_is_missing_is_named(
    desk: Desk, store: Store
) -> None:
    story, draft = outlined(desk)
    branch, part = desk.branch(story), draft.sub_events[0]
    desk.workbench.outline.place_part(branch, part.id, None)
    [question] = desk.workbench.runs.pending(branch)

    with pytest.raises(WorkbenchError, match="have no chapter"):
        desk.workbench.runs.decide(question, Decision())
    assert desk.workbench.runs.pending(branch) == [question]

    edited = desk.workbench.outline.place_part(branch, part.id, CHAPTERS)
    assert desk.answer(story).state is RunState.DONE
    accepted = store.outlines.accepted(branch)
    assert accepted is not None
    assert accepted.sub_events == edited.sub_events


def test_draft_that_was_discarded_meanwhile_cannot_be_approved(desk: Desk) -> None:
    story, _ = outlined(desk)
    branch = desk.branch(story)
    desk.workbench.outline.discard(branch)
    [question] = desk.workbench.runs.pending(branch)

    with pytest.raises(WorkbenchError, match="no outline"):
        desk.workbench.runs.decide(question, Decision())

    desk.workbench.outline.restore(branch)
    assert desk.answer(story).state is RunState.DONE


def test_only_the_chapters_that_are_left_are_planned(desk: Desk) -> None:
    story = desk.plotted(2, SMALL)
    desk.do(story, DraftOutline(is_autopilot=True))
    found = desk.workbench.outline.newest(desk.branch(story))
    assert found is not None
    assert {part.chapter for part in found.sub_events} == set(range(3, CHAPTERS + 1))


def test_another_run_asks_anew_and_both_are_in_the_ledger(desk: Desk, store: Store) -> None:
    story, first = outlined(desk)
    desk.answer(story)
    desk.do(story, DraftOutline())

    second = desk.workbench.outline.newest(desk.branch(story))
    assert second is not None
    assert second.id != first.id
    assert len(asked(desk.server, "storylines")) == 2
    calls = [
        one for one in store.calls.newest(desk.branch(story), limit=500) if one.agent == "planner"
    ]
    assert {call.outcome for call in calls} == {Outcome.OK}


def test_writer_can_read_what_each_agent_was_told(desk: Desk) -> None:
    story, _ = outlined(desk)
    told = desk.workbench.story.prompts(desk.branch(story), 0, "outline")
    assert len(told) == len(desk.server.history)
    assert told[0].words == "Finding the storylines"
    assert told[-1].words.startswith("Splitting")
    before = desk.workbench.story.prompts(desk.branch(story), 0, "plot")
    assert not {view.id for view in told} & {view.id for view in before}


def test_outline_takes_the_calls_that_were_estimated(desk: Desk) -> None:
    story = desk.founded(SMALL)
    desk.server.answer = saying(reviewer=AGREES, links=FORWARD)
    desk.server.history.clear()
    expected = desk.workbench.runs.estimate(desk.branch(story), DraftOutline()).calls

    desk.do(story, DraftOutline())

    spent = desk.workbench.ledger.of_line(desk.branch(story)).total
    assert len(desk.server.history) - spent.repeated == expected
