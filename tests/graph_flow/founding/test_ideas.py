"""The stories that a premise could become: kept, offered to the writer, and drafted if one is taken."""

from __future__ import annotations

from typing import Any

import pytest

from store.models.proposals import Configuration
from store.models.run import Action, Decision, Initialize, RunState
from store.models.story import Story
from tests.desk import Desk
from tests.fakes.scripted_server import Sent, refuse, say_json
from tests.graph_flow.founding.able import FOUNDATION, able_answers
from tests.graph_flow.scripting import agent_of, request_of

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
IDEAS = ("Amos signs and is proved right.", "Ruth forges his name.", "Opal burns the bridge.")
ANSWER: dict[str, Any] = {**FOUNDATION, "considered": [*IDEAS, ""], "number": "Number 2."}


def begun(desk: Desk, **others: Any) -> Story:
    """Have a story drafted, up to the writer's approval."""
    desk.server.answer = able_answers(foundation={**ANSWER, "idea": "Ruth did it.", **others})
    story = desk.story(premise=PREMISE)
    desk.do(story, Initialize())
    return story


def decided(desk: Desk, story: Story, **decision: Any) -> None:
    desk.server.history.clear()
    desk.answer(story, Decision(action=Action.ASK_AGAIN, **decision))


def configuration(desk: Desk, story: Story) -> Configuration:
    found = desk.workbench.proposals.configuration(desk.branch(story))
    assert found is not None
    return found


def asked_for(desk: Desk) -> Sent:
    [sent] = [one for one in desk.server.history if agent_of(one) == "foundation"]
    return sent


def test_ideas_are_kept_with_the_one_that_is_drafted(able_desk: Desk) -> None:
    found = configuration(able_desk, begun(able_desk))
    assert (found.ideas, found.idea) == (IDEAS, 2)


@pytest.mark.parametrize(
    ("number", "place"), [("none", 0), (None, 0), (-3, 0), (9, 0), (4, 0), ("1e999", 1)]
)
def test_number_that_fits_none_is_no_failure(able_desk: Desk, number: Any, place: int) -> None:
    found = configuration(able_desk, begun(able_desk, number=number))
    assert (found.ideas, found.idea) == (IDEAS, place)


def test_idea_that_the_writer_takes_is_drafted_and_no_others_are_thought_of(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)
    # An answer that considers others all the same does not take away those that were offered.
    able_desk.server.answer = able_answers(foundation={**ANSWER, "considered": ["Another."]})

    decided(able_desk, story, choice="3")

    assert IDEAS[2] in request_of(asked_for(able_desk))
    assert not any(idea in request_of(asked_for(able_desk)) for idea in IDEAS[:2])
    assert "- considered:" not in asked_for(able_desk).prompt
    found = configuration(able_desk, story)
    assert (found.round, found.ideas, found.idea) == (2, IDEAS, 3)


def test_whoever_only_asks_again_gets_other_ideas(able_desk: Desk) -> None:
    story = begun(able_desk)
    new = ("Nobody signs.", "The river decides.")
    able_desk.server.answer = able_answers(
        foundation={**FOUNDATION, "considered": new, "number": 1}
    )

    decided(able_desk, story)

    assert all(idea in request_of(asked_for(able_desk)) for idea in IDEAS)
    found = configuration(able_desk, story)
    assert (found.ideas, found.idea) == (new, 1)


def test_whoever_says_what_should_be_different_has_that_changed_in_the_story_they_have_seen(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)
    able_desk.server.answer = able_answers(foundation={**FOUNDATION, "idea": "Ruth, at night."})

    decided(able_desk, story, note="Let it be at night.")

    for part in ("Ruth did it.", "Let it be at night."):
        assert part in request_of(asked_for(able_desk))
    found = configuration(able_desk, story)
    assert (found.ideas, found.idea) == (IDEAS, 2)


def test_whoever_begins_anew_after_a_failure_has_turned_no_story_down(able_desk: Desk) -> None:
    answer = able_answers(foundation=ANSWER)
    able_desk.server.answer = lambda sent: (
        refuse(401, "no such key") if agent_of(sent) == "cast" else answer(sent)
    )
    story = able_desk.story(premise=PREMISE)
    assert able_desk.do(story, Initialize()).state is RunState.FAILED
    assert configuration(able_desk, story).ideas == IDEAS
    able_desk.server.answer = answer
    able_desk.server.history.clear()

    assert able_desk.do(story, Initialize()).state is RunState.WAITING

    # It is asked the same, and that is paid for already.
    assert "foundation" not in map(agent_of, able_desk.server.history)
    found = configuration(able_desk, story)
    assert (found.ideas, found.idea) == (IDEAS, 2)


def test_idea_that_does_not_exist_is_as_good_as_none(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.server.answer = able_answers(foundation=ANSWER)

    decided(able_desk, story, choice="44")

    assert "- considered:" in asked_for(able_desk).prompt
    assert configuration(able_desk, story).idea == 2


def test_small_model_is_not_asked_for_ideas(desk: Desk) -> None:
    desk.server.answer = lambda _: say_json(FOUNDATION)
    story = desk.drafted()
    assert configuration(desk, story).ideas == ()
