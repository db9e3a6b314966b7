"""Stories that a premise could become, told whole: which are, who chooses, and what comes of the choice."""

from __future__ import annotations

from typing import Any

import pytest

from store.models.endpoint import Endpoint, ModelSettings
from store.models.proposals import Configuration
from store.models.run import Action, Decision, Initialize, RunState
from store.models.story import Story
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.founding.able import FOUNDATION, able_answers
from tests.graph_flow.scripting import agent_of, asked, request_of

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
IDEAS = ("Amos signs.", "Ruth forges it.", "Opal burns it.", "The clerk swims.", "Nobody comes.")
ANSWER: dict[str, Any] = {
    **FOUNDATION,
    "considered": IDEAS,
    "number": 4,
    "next_best": ["2", "number 5"],
}
SHORT: dict[str, Any] = {"chapter_cap": 2, "words": 200}
READING = {
    "remarks": [
        {"number": 1, "remark": "It is dry, and has no river."},
        {"number": 2, "remark": "I smelled the river."},
        {"number": 9, "remark": "Of nothing."},
    ],
    "best": "number 2",
}


def told(idea: str, words: int = 400) -> str:
    """Return a sketch of an idea."""
    return f"## 1. Before\n\n{idea} " + "and then " * (words // 2)


def sketching(sent: Sent) -> Reply:
    """Tell the idea that is given."""
    return say(told(next(idea for idea in IDEAS if f"The idea: {idea}" in request_of(sent))))


def answering(**others: Any) -> Any:
    """Return what the model says; `others` are functions of the request, by agent."""
    usual = able_answers(foundation=ANSWER, sketch_reader=READING)
    said = {"sketch": sketching, **others}
    return lambda sent: said.get(agent_of(sent), usual)(sent)


def begun(desk: Desk, *, settings: dict[str, Any] = SHORT, **others: Any) -> Story:
    """Have a story drafted, up to the writer's approval."""
    desk.server.answer = answering(**others)
    story = desk.story(premise=PREMISE, settings=settings)
    desk.do(story, Initialize())
    return story


def configuration(desk: Desk, story: Story) -> Configuration:
    found = desk.workbench.proposals.configuration(desk.branch(story))
    assert found is not None
    return found


def test_three_stories_are_told_and_the_one_that_a_reader_prefers_is_drafted(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)

    found = configuration(able_desk, story)
    assert [one.idea for one in found.sketches] == [2, 4, 5]
    assert [one.remark for one in found.sketches] == [
        "It is dry, and has no river.",
        "I smelled the river.",
        "",
    ]
    assert found.idea == 4
    sketch = found.sketch_of(4)
    assert sketch is not None
    assert sketch.text == told(IDEAS[3]).strip()
    [reading] = asked(able_desk.server, "sketch_reader")
    assert [request_of(reading).index(told(IDEAS[at]).strip()) for at in (1, 3, 4)] == sorted(
        request_of(reading).index(told(IDEAS[at]).strip()) for at in (1, 3, 4)
    )


def test_what_is_founded_is_taken_from_the_sketch_and_its_reader_is_not_told(
    able_desk: Desk,
) -> None:
    begun(able_desk)

    first, second = asked(able_desk.server, "foundation")
    assert "- considered:" in first.prompt
    assert "- considered:" not in second.prompt
    weighed = {"considered", "number", "next_best", "chosen"}
    fields, taken = ((sent.schema or {})["properties"].keys() for sent in (first, second))
    assert weighed <= fields
    assert taken == fields - weighed
    for sent in (second, *asked(able_desk.server, "cast", "spine")):
        assert told(IDEAS[3]).strip() in request_of(sent)
        assert told(IDEAS[1]).strip() not in request_of(sent)
    [spine] = asked(able_desk.server, "spine")
    assert "considered" not in (spine.schema or {})["properties"]
    [review] = asked(able_desk.server, "founding_review")
    assert "and then and then" not in review.prompt


def test_remarks_of_their_reader_stand_beside_the_sketches_alone(able_desk: Desk) -> None:
    able_desk.server.answer = answering()
    story = able_desk.story(premise=PREMISE, settings=SHORT)
    run = able_desk.do(story, Initialize())
    # A note of the run would say it a second time, cut to its length.
    assert not any("I smelled the river." in note for note in run.notes)


@pytest.mark.parametrize(
    "settings",
    [
        {"chapter_cap": 40},
        {**SHORT, "is_open_ended": True},
        {**SHORT, "is_sketched": False},
    ],
)
def test_story_that_is_long_or_whose_writer_wants_none_has_no_sketches(
    able_desk: Desk, settings: dict[str, Any]
) -> None:
    story = begun(able_desk, settings=settings)
    assert configuration(able_desk, story).sketches == ()
    assert configuration(able_desk, story).idea == 4
    assert len(asked(able_desk.server, "foundation")) == 1


def use(desk: Desk, **settings: Any) -> None:
    """Let the app use the able model, with some fields set; and another for some agents."""
    usual = {"base_url": desk.server.url, "model": "scripted", "strength": "able"}
    other = Endpoint.model_validate(usual | {"name": "Small", "strength": "small"})
    agents = settings.pop("agents", {})
    found = ModelSettings(
        endpoint=Endpoint.model_validate(usual | settings), others=(other,), agents=agents
    )
    desk.workbench.models.change_settings(lambda _: found)


@pytest.mark.parametrize(("window", "count"), [(32_000, 3), (8_000, 0)])
def test_sketches_that_their_reader_has_no_room_for_are_not_told(
    able_desk: Desk, window: int, count: int
) -> None:
    use(able_desk, context_window=window)
    settings = {"chapter_cap": 2, "words": 1_500}
    story = begun(
        able_desk, settings=settings, sketch=lambda _: say("## 1. A\n\n" + "and then " * 1_400)
    )
    assert len(configuration(able_desk, story).sketches) == count


@pytest.mark.parametrize("agent", ["sketch", "sketch_reader"])
def test_small_model_neither_tells_sketches_nor_chooses(able_desk: Desk, agent: str) -> None:
    use(able_desk, agents={agent: "Small"})
    story = begun(able_desk)
    assert asked(able_desk.server, agent) == []
    found = configuration(able_desk, story)
    assert (found.sketches, found.idea, found.title) == ((), 4, "The Span")


def test_one_idea_alone_is_not_sketched(able_desk: Desk) -> None:
    story = begun(
        able_desk, foundation=lambda _: say_json({**ANSWER, "considered": IDEAS[:1], "number": 1})
    )
    assert configuration(able_desk, story).sketches == ()


@pytest.mark.parametrize("best", ["none of them", 9, None])
def test_reader_who_names_none_leaves_the_choice_to_the_author(able_desk: Desk, best: Any) -> None:
    story = begun(able_desk, sketch_reader=lambda _: say_json({"remarks": [], "best": best}))
    assert configuration(able_desk, story).idea == 4
    assert len(asked(able_desk.server, "foundation")) == 2


def test_sketches_that_are_far_too_short_are_left_out(able_desk: Desk) -> None:
    def some(sent: Sent) -> Reply:
        return say("Sorry.") if IDEAS[3] in request_of(sent) else sketching(sent)

    story = begun(able_desk, sketch=some)
    found = configuration(able_desk, story)
    assert [one.idea for one in found.sketches] == [2, 5]
    # The reader's second is the last.
    assert found.idea == 5


def test_without_any_sketch_the_story_is_the_one_drafted_first(able_desk: Desk) -> None:
    story = begun(able_desk, sketch=lambda _: say("Sorry."))
    found = configuration(able_desk, story)
    assert (found.sketches, found.idea, found.title) == ((), 4, "The Span")
    assert asked(able_desk.server, "sketch_reader") == []


def test_what_was_told_before_a_failure_is_not_paid_for_again(able_desk: Desk) -> None:
    usual = answering()
    able_desk.server.answer = lambda sent: (
        refuse(401, "no such key") if agent_of(sent) == "sketch_reader" else usual(sent)
    )
    story = able_desk.story(premise=PREMISE, settings=SHORT)
    assert able_desk.do(story, Initialize()).state is RunState.FAILED
    able_desk.server.answer = usual
    able_desk.server.history.clear()

    assert able_desk.do(story, Initialize()).state is RunState.WAITING

    assert asked(able_desk.server, "sketch") == []
    assert configuration(able_desk, story).idea == 4
    assert len(configuration(able_desk, story).sketches) == 3


def test_idea_that_has_a_sketch_is_drafted_from_it(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, choice="5"))

    assert asked(able_desk.server, "sketch", "sketch_reader") == []
    [sent] = asked(able_desk.server, "foundation")
    assert told(IDEAS[4]).strip() in request_of(sent)
    found = configuration(able_desk, story)
    assert (found.idea, [one.idea for one in found.sketches]) == (5, [2, 4, 5])


def test_idea_without_a_sketch_is_told_first(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, choice="1"))

    assert len(asked(able_desk.server, "sketch")) == 1
    assert asked(able_desk.server, "sketch_reader") == []
    found = configuration(able_desk, story)
    assert (found.idea, [one.idea for one in found.sketches]) == (1, [1, 2, 4, 5])
    assert told(IDEAS[0]).strip() in request_of(asked(able_desk.server, "cast")[0])


def test_story_that_is_to_be_different_is_no_longer_the_sketch(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.server.answer = answering(
        foundation=lambda _: say_json({**FOUNDATION, "idea": "Amos, at night."})
    )
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, note="Let it be at night."))

    found = configuration(able_desk, story)
    assert (found.ideas, found.idea) == (IDEAS, 4)
    assert [one.idea for one in found.sketches] == [2, 5]
    assert not any("and then and then" in sent.prompt for sent in asked(able_desk.server, "cast"))


def test_whoever_asks_for_other_stories_gets_other_sketches(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN))

    assert len(asked(able_desk.server, "sketch")) == 3
    assert len(configuration(able_desk, story).sketches) == 3
