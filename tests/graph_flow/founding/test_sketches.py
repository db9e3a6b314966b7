"""Stories that a premise could become, told whole: which are, who chooses, and what comes of the choice."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from store.models.endpoint import Endpoint, ModelSettings
from store.models.run import Action, Decision, Initialize, RunState
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.founding.able import FOUNDATION
from tests.graph_flow.founding.sketching import (
    IDEAS,
    PLACES,
    PREMISE,
    SHORT,
    answering,
    begun,
    configuration,
    marks,
    place_of,
    preferring,
    read_in,
    sketching,
    text_of,
)
from tests.graph_flow.scripting import agent_of, asked, request_of


def test_stories_are_told_and_the_one_that_readers_prefer_is_drafted(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)

    found = configuration(able_desk, story)
    assert [(one.idea, one.text) for one in found.sketches] == [
        (at, text_of(place)) for at, place in enumerate(PLACES, start=1)
    ]
    assert [one.remark for one in found.sketches] == [
        "It is dry, and has no river.",
        "I smelled the river.",
        "",
        "",
        "Too long.",
    ]
    assert found.idea == 4
    assert found.sketch == text_of("fourth")
    # The founding begins with them: what is founded is drafted once.
    agents = [agent_of(sent) for sent in able_desk.server.history]
    assert agents[:26] == ["sketch"] * 5 + ["sketch_reader"] * 20 + ["foundation"]
    assert agents.count("foundation") == 1


def test_stories_stand_as_their_reader_retells_them_or_else_as_they_begin(able_desk: Desk) -> None:
    found = configuration(able_desk, begun(able_desk))
    assert (*found.ideas[:2], found.ideas[3]) == (IDEAS[0], IDEAS[1], IDEAS[3])
    for at, place in ((2, "third"), (4, "fifth")):
        assert found.ideas[at].startswith(f"The {place} begins and then")
        assert found.ideas[at].endswith(" …")
        assert len(found.ideas[at].split()) == 61


def test_each_writer_knows_the_premise_and_none_of_the_others(able_desk: Desk) -> None:
    begun(able_desk, settings={**SHORT, "style_notes": "Dry, please."})
    sketches = asked(able_desk.server, "sketch")
    assert len({sent.prompt for sent in sketches}) == len(sketches) == 5
    for sent in sketches:
        assert "begins and then" not in sent.prompt
        assert PREMISE in request_of(sent)
        assert "Dry, please." in request_of(sent)
        assert "400 words in all" in request_of(sent)


def test_what_is_founded_is_taken_from_the_sketch_and_has_no_reader_of_its_plan(
    able_desk: Desk,
) -> None:
    begun(able_desk)

    [founding] = asked(able_desk.server, "foundation")
    assert "- considered:" not in founding.prompt
    fields = (founding.schema or {})["properties"].keys()
    assert not {"considered", "number", "chosen"} & fields
    assert IDEAS[3] in request_of(founding)
    for sent in (founding, *asked(able_desk.server, "cast", "spine")):
        assert text_of("fourth") in request_of(sent)
        assert text_of("second") not in request_of(sent)
    [spine] = asked(able_desk.server, "spine")
    assert "considered" not in (spine.schema or {})["properties"]
    assert asked(able_desk.server, "founding_review") == []


def test_each_is_read_before_and_after_each_other_and_retold_once(able_desk: Desk) -> None:
    begun(able_desk)

    readings = asked(able_desk.server, "sketch_reader")
    read = [tuple(read_in(sent)) for sent in readings]
    assert sorted(read) == sorted(
        (one, other) for one in PLACES for other in PLACES if one != other
    )
    for sent, (first, second) in zip(readings, read, strict=True):
        assert text_of(first) in request_of(sent)
        assert text_of(second) in request_of(sent)
        assert PREMISE in request_of(sent)
        # Where they differ is said before they are marked.
        assert list((sent.schema or {})["properties"])[-2:] == ["weighed", "marks"]
    retold = [
        first
        for sent, (first, _) in zip(readings, read, strict=True)
        if "idea" in (sent.schema or {})["properties"]
    ]
    assert sorted(retold) == sorted(PLACES)


def test_they_are_read_side_by_side(able_desk: Desk) -> None:
    able_desk.server.answer = answering()
    able_desk.server.answer_together(3, lambda sent: agent_of(sent) == "sketch_reader")
    story = able_desk.story(premise=PREMISE, settings=SHORT)
    able_desk.do(story, Initialize())
    # The readings are made once, though they are asked for where they are weighed as well.
    assert len(asked(able_desk.server, "sketch_reader")) == 20
    assert able_desk.server.most_at_once >= 3


def test_each_reading_counts_once_among_the_calls_of_the_draft(able_desk: Desk) -> None:
    seen: list[Any] = []

    def found(_: Sent) -> Reply:
        seen.append(able_desk.workbench.runs.progress(able_desk.branch(story)))
        return say_json(FOUNDATION)

    able_desk.server.answer = answering(foundation=found)
    story = able_desk.story(premise=PREMISE, settings=SHORT)
    able_desk.do(story, Initialize())

    [progress] = seen
    # Five sketches, twenty readings; foundation, cast and spine are to come.
    assert (progress.done, progress.expected) == (25, 28)


def test_story_that_readers_prefer_on_average_is_chosen(able_desk: Desk) -> None:
    # The first loses to the third alone, and that by a hair's breadth.
    better = {("third", "first"), ("first", "third")}

    def read(sent: Sent) -> Reply:
        pair = tuple(read_in(sent))
        if pair in better:
            return preferring("third", "first")(sent)
        return preferring("first")(sent)

    assert configuration(able_desk, begun(able_desk, sketch_reader=read)).idea == 1


@pytest.mark.parametrize("of_no_use", [{}, {"marks": {}}, {"marks": marks("good", 7)}, None])
def test_reading_that_is_of_no_use_leaves_the_choice_to_the_others(
    able_desk: Desk, of_no_use: Any
) -> None:
    def read(sent: Sent) -> Reply:
        is_lost = read_in(sent) == ["fifth", "first"]
        if is_lost:
            return say_json(of_no_use) if of_no_use is not None else say("I liked both.")
        return preferring("second", said={"idea": "x"})(sent)

    assert configuration(able_desk, begun(able_desk, sketch_reader=read)).idea == 2


def test_one_reading_of_no_use_costs_none_of_the_others(able_desk: Desk) -> None:
    has_read = threading.Event()

    def read(sent: Sent) -> Reply:
        if read_in(sent) == ["first", "second"]:
            has_read.wait(30)
            return say("I liked both.")
        if len({tuple(read_in(one)) for one in asked(able_desk.server, "sketch_reader")}) > 6:
            has_read.set()  # six are more than are read at once
        return preferring("second")(sent)

    story = begun(able_desk, sketch_reader=read)

    assert len({tuple(read_in(one)) for one in asked(able_desk.server, "sketch_reader")}) == 20
    assert configuration(able_desk, story).idea == 2
    run = able_desk.settle(story)
    assert not any("asked for less" in note for note in run.notes)


def test_remarks_of_their_reader_stand_beside_the_sketches_alone(able_desk: Desk) -> None:
    able_desk.server.answer = answering()
    story = able_desk.story(premise=PREMISE, settings=SHORT)
    run = able_desk.do(story, Initialize())
    # A note of the run would say it a second time, cut to its length.
    assert not any("I smelled the river." in note for note in run.notes)


@pytest.mark.parametrize(
    "settings",
    [
        {"chapter_cap": 40, "is_sketched": False},
        {**SHORT, "is_sketched": False},
    ],
)
def test_story_whose_writer_wants_none_has_no_sketches(
    able_desk: Desk, settings: dict[str, Any]
) -> None:
    considered = {**FOUNDATION, "considered": IDEAS, "number": 4}
    story = begun(able_desk, settings=settings, foundation=lambda _: say_json(considered))
    found = configuration(able_desk, story)
    assert (found.sketches, found.ideas, found.idea) == ((), IDEAS, 4)
    assert asked(able_desk.server, "sketch", "sketch_reader") == []
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


@pytest.mark.parametrize(("window", "count"), [(16_000, 5), (6_000, 0)])
def test_sketches_that_their_reader_has_no_room_for_are_not_told(
    able_desk: Desk, window: int, count: int
) -> None:
    use(able_desk, context_window=window)
    settings = {"chapter_cap": 2, "words": 1_500}
    story = begun(
        able_desk, settings=settings, sketch=lambda _: say("## 1. A\n\n" + "and then " * 1_400)
    )
    assert len(configuration(able_desk, story).sketches) == count


def test_sketches_that_are_far_too_long_are_read_without_their_ends(able_desk: Desk) -> None:
    use(able_desk, context_window=6_000)
    long = "## 1. A\n\n" + "and then " * 1_500
    story = begun(
        able_desk,
        sketch=lambda _: say(long),
        sketch_reader=lambda _: say_json({"marks": marks(5, 5)}),
    )
    found = configuration(able_desk, story)
    assert [one.text for one in found.sketches] == [long.strip()] * 5
    readings = asked(able_desk.server, "sketch_reader")
    assert len(readings) == 20
    assert all(0 < sent.prompt.count("and then") < 3_000 for sent in readings)


@pytest.mark.parametrize("agent", ["sketch", "sketch_reader"])
def test_small_model_neither_tells_sketches_nor_chooses(able_desk: Desk, agent: str) -> None:
    use(able_desk, agents={agent: "Small"})
    story = begun(able_desk)
    assert asked(able_desk.server, agent) == []
    found = configuration(able_desk, story)
    assert (found.sketches, found.idea, found.title) == ((), 0, "The Span")


def test_readers_of_no_use_leave_the_first(able_desk: Desk) -> None:
    story = begun(able_desk, sketch_reader=lambda _: say_json({"marks": "high"}))
    found = configuration(able_desk, story)
    assert (found.idea, len(found.ideas)) == (1, 5)
    [founding] = asked(able_desk.server, "foundation")
    assert text_of("first") in request_of(founding)


def test_sketches_that_are_far_too_short_are_left_out(able_desk: Desk) -> None:
    def some(sent: Sent) -> Reply:
        is_short = place_of(sent) in {"first", "fourth"}
        return say("Sorry.") if is_short else sketching(sent)

    story = begun(able_desk, sketch=some, sketch_reader=preferring("third"))
    found = configuration(able_desk, story)
    # Those that are left have the places that their reader knows them by.
    assert [(one.idea, one.text) for one in found.sketches] == [
        (1, text_of("second")),
        (2, text_of("third")),
        (3, text_of("fifth")),
    ]
    assert (found.idea, len(found.ideas)) == (2, 3)


def test_only_sketch_has_no_reader(able_desk: Desk) -> None:
    def one(sent: Sent) -> Reply:
        return sketching(sent) if place_of(sent) == "fifth" else say("Sorry.")

    found = configuration(able_desk, begun(able_desk, sketch=one))
    assert (found.idea, found.sketch) == (1, text_of("fifth"))
    assert asked(able_desk.server, "sketch_reader") == []


def test_without_any_sketch_the_story_is_drafted_from_the_premise(able_desk: Desk) -> None:
    considered = {**FOUNDATION, "considered": IDEAS, "number": 2}
    story = begun(
        able_desk, sketch=lambda _: say("Sorry."), foundation=lambda _: say_json(considered)
    )
    found = configuration(able_desk, story)
    assert (found.sketches, found.ideas, found.idea) == ((), IDEAS, 2)
    assert asked(able_desk.server, "sketch_reader") == []
    assert "- considered:" in asked(able_desk.server, "foundation")[0].prompt


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
    assert len(configuration(able_desk, story).sketches) == 5


def test_another_of_them_is_drafted_from_its_sketch(able_desk: Desk) -> None:
    story = begun(able_desk)
    before = configuration(able_desk, story)
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, choice="5"))

    assert asked(able_desk.server, "sketch", "sketch_reader") == []
    [sent] = asked(able_desk.server, "foundation")
    assert text_of("fifth") in request_of(sent)
    found = configuration(able_desk, story)
    assert (found.idea, found.ideas, found.sketches) == (5, before.ideas, before.sketches)


def test_story_that_is_to_be_different_is_no_longer_the_sketch(able_desk: Desk) -> None:
    story = begun(able_desk)
    ideas = configuration(able_desk, story).ideas
    able_desk.server.answer = answering(
        foundation=lambda _: say_json({**FOUNDATION, "idea": "Amos, at night."})
    )
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, note="Let it be at night."))

    found = configuration(able_desk, story)
    assert (found.ideas, found.idea) == (ideas, 4)
    assert [one.idea for one in found.sketches] == [1, 2, 3, 5]
    assert asked(able_desk.server, "sketch") == []
    assert not any("and then and then" in sent.prompt for sent in asked(able_desk.server, "cast"))


def test_other_stories_in_answer_to_a_note_stand_alone(able_desk: Desk) -> None:
    story = begun(able_desk)
    others = ("Amos, at night.", "Ruth, at noon.")
    able_desk.server.answer = answering(
        foundation=lambda _: say_json({**FOUNDATION, "considered": others, "number": 2})
    )

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, note="Something else."))

    found = configuration(able_desk, story)
    assert (found.ideas, found.idea, found.sketches) == (others, 2, ())


def test_whoever_asks_for_other_stories_gets_other_sketches(able_desk: Desk) -> None:
    story = begun(able_desk)
    ideas = configuration(able_desk, story).ideas
    able_desk.server.history.clear()

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN))

    sketches = asked(able_desk.server, "sketch")
    assert len(sketches) == 5
    for sent in sketches:
        assert all(idea in request_of(sent) for idea in ideas)
    assert len(configuration(able_desk, story).sketches) == 5


def test_beginning_of_a_sketch_is_short_also_where_words_have_no_spaces(able_desk: Desk) -> None:
    story = begun(
        able_desk,
        sketch=lambda _: say("# 盐\n\n" + "雪落在桥上。" * 300),
        sketch_reader=lambda _: say_json({"marks": marks(5, 5)}),
    )
    for idea in configuration(able_desk, story).ideas:
        assert idea.startswith("雪落在桥上。")
        assert len(idea) == 402


def test_whoever_begins_anew_after_a_failure_keeps_the_draft_before_it(able_desk: Desk) -> None:
    story = begun(able_desk)
    first = configuration(able_desk, story)
    usual = answering()
    able_desk.server.answer = lambda sent: (
        refuse(401, "no such key") if agent_of(sent) == "foundation" else usual(sent)
    )
    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, choice="5"))
    able_desk.server.answer = usual

    assert able_desk.do(story, Initialize()).state is RunState.WAITING

    assert configuration(able_desk, story).round == 2
    assert configuration(able_desk, story).is_complete
    able_desk.workbench.story.take_back_configuration(able_desk.branch(story))
    back = configuration(able_desk, story)
    assert (back.delta, back.idea, back.sketches) == (first.delta, 4, first.sketches)
