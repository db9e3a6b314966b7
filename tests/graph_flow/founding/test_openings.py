"""The opening of a longer story, told before anything of it is worked out: what it is, and what comes of it."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from graph_flow.founding.following import follows, read_so_far
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.headings import parted_from_road
from store.models.run import DraftOutline, PlotChapters, RunState, WriteChapter
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import say, say_json
from tests.graph_flow.founding.able import FOUNDATION
from tests.graph_flow.founding.opening import (
    BEATS,
    CHAPTERS,
    LONG,
    OPENING,
    ROAD,
    SKETCH,
    candidates,
    founded,
)
from tests.graph_flow.founding.sketching import configuration
from tests.graph_flow.scripting import agent_of, asked, request_of


def test_longer_story_is_begun_in_several_ways_each_with_where_it_goes(able_desk: Desk) -> None:
    story = founded(able_desk)

    found = configuration(able_desk, story)
    assert len(found.sketches) == 5
    assert {(one.is_whole, one.road, one.text) for one in found.sketches} == {
        (False, ROAD, OPENING)
    }
    [first, *_] = asked(able_desk.server, "sketch")
    request = request_of(first)
    assert "3. (about 700 words)" in request
    assert "4. (about 700 words)" not in request
    assert "by the end of chapter 3 all that the premise tells has happened" in request
    assert "They have 2100 words in all" in request
    reading = request_of(asked(able_desk.server, "sketch_reader")[0])
    assert reading.count(ROAD) == reading.count("Opal Dray put out her lamp") == 2


def test_plan_of_a_story_that_is_begun_is_drafted_from_that_and_has_a_reader(
    able_desk: Desk,
) -> None:
    told = "Amos signs, and Ruth builds a bridge of her own."
    founded(able_desk, foundation=lambda _: say_json({**FOUNDATION, "idea": told}))

    for agent in ("foundation", "cast", "spine"):
        [sent] = asked(able_desk.server, agent)
        assert "Amos Vale climbed the span" in request_of(sent)
        # Where it goes is said once: by its sketch, or as it was decided by that.
        assert (ROAD in request_of(sent), told in request_of(sent)) == (
            agent == "foundation",
            agent != "foundation",
        )
    [spine] = asked(able_desk.server, "spine")
    assert "holds: what the story rests on" in spine.prompt
    assert len(asked(able_desk.server, "founding_review")) == 1


@pytest.mark.parametrize(
    ("settings", "chapters"),
    [
        ({"chapter_cap": 30, "words": 2_500}, 1),
        ({"chapter_cap": 8, "words": 1_200}, 1),
        ({"chapter_cap": 40, "words": 1_200}, 2),
        ({"chapter_cap": 3, "is_open_ended": True, "words": 1_000}, 3),
    ],
)
def test_opening_is_as_long_as_what_brings_the_premise_and_no_longer(
    able_desk: Desk, settings: dict[str, Any], chapters: int
) -> None:
    founded(able_desk, {**LONG, **settings})

    request = request_of(asked(able_desk.server, "sketch")[0])
    listed = [line for line in request.splitlines() if "(about" in line]
    assert len(listed) == chapters


def test_first_chapters_are_plotted_and_told_as_the_opening_is_and_the_next_is_woven(
    able_desk: Desk,
) -> None:
    story = founded(able_desk)
    branch = able_desk.branch(story)
    for chapter in (1, 2, 3):
        able_desk.server.history.clear()
        assert able_desk.do(story, PlotChapters(is_autopilot=True)).state is RunState.DONE
        agents = [agent_of(sent) for sent in able_desk.server.history]
        assert "role" not in agents
        assert "exit" not in agents
        assert [one.is_sketched for one in candidates(able_desk, story, chapter)] == [True]
        able_desk.server.history.clear()
        task = WriteChapter(chapter=chapter, is_autopilot=True)
        assert able_desk.do(story, task).state is RunState.DONE
        assert [agent_of(sent) for sent in able_desk.server.history] == ["plan", "review"]
        draft = able_desk.workbench.manuscript.draft(branch, chapter)
        assert draft is not None
        assert draft.text == CHAPTERS[chapter][1].strip()
        assert draft.echoes == ("a lamp",)
        assert draft.remarks == ()

    able_desk.server.history.clear()
    expected = able_desk.workbench.runs.estimate(branch, PlotChapters())
    able_desk.do(story, PlotChapters(is_autopilot=True))

    assert "role" in [agent_of(sent) for sent in able_desk.server.history]
    assert expected.calls > 5
    assert not any(one.is_sketched for one in candidates(able_desk, story, 4))
    for sent in asked(able_desk.server, "goals"):
        assert "as the sketch tells it" not in request_of(sent)


def test_outline_is_drafted_from_the_opening_which_is_followed_until_the_outline_is_changed(
    able_desk: Desk,
) -> None:
    story = founded(able_desk)
    branch = able_desk.branch(story)
    assert able_desk.do(story, DraftOutline(is_autopilot=True)).state is RunState.DONE
    for agent in ("outline", "planner"):
        assert asked(able_desk.server, agent)
        for sent in asked(able_desk.server, agent):
            assert "Amos Vale climbed the span" in request_of(sent)

    able_desk.do(story, PlotChapters(is_autopilot=True))
    [first] = candidates(able_desk, story, 1)
    assert first.is_sketched

    outline = able_desk.workbench.outline.newest(branch)
    assert outline is not None
    changed = tuple(
        part.model_copy(update={"text": "Somebody else comes."}) if part.chapter == 2 else part
        for part in outline.sub_events
    )
    able_desk.workbench.outline.save(outline.model_copy(update={"sub_events": changed}))
    able_desk.do(story, PlotChapters(is_autopilot=True))
    assert not any(one.is_sketched for one in candidates(able_desk, story, 2))


def test_story_that_is_made_short_afterwards_is_not_taken_for_its_opening(able_desk: Desk) -> None:
    story = founded(able_desk)
    able_desk.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"chapter_cap": 3})
    )

    able_desk.do(story, PlotChapters(is_autopilot=True))

    assert not any(one.is_sketched for one in candidates(able_desk, story, 1))


@pytest.mark.parametrize(
    ("text", "road"),
    [
        (SKETCH, ROAD),
        (OPENING, ""),
        ("# The Span\n\nNo headings at all.", ""),
        (f"{OPENING}\n\n## The book\n\n{ROAD}", ""),
    ],
)
def test_where_a_story_goes_stands_before_its_first_chapter(text: str, road: str) -> None:
    found, rest = parted_from_road(text)

    assert found == road
    assert "## 1. Out" in rest or "headings" in rest
    assert not road or ROAD not in rest


@pytest.mark.parametrize(
    ("settings", "is_followed"),
    [
        ({"words": 900}, True),
        ({"words": 500}, True),
        ({"words": 1_500}, False),
        ({"chapter_cap": 60}, True),
    ],
)
def test_opening_stays_as_long_as_it_is_about_as_long_as_its_chapters_are_to_be(
    able_desk: Desk, settings: dict[str, Any], is_followed: bool
) -> None:
    story = founded(able_desk)
    able_desk.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update=settings)
    )

    able_desk.do(story, PlotChapters(is_autopilot=True))

    assert all(one.is_sketched is is_followed for one in candidates(able_desk, story, 1))


def test_opening_with_fewer_chapters_than_asked_for_is_followed_as_far_as_it_goes(
    able_desk: Desk,
) -> None:
    first_two = SKETCH.partition("## 3.")[0]
    story = founded(able_desk, sketch=lambda _: say(first_two))

    able_desk.do(story, PlotChapters(chapters=3, is_autopilot=True))

    sketched = [
        all(one.is_sketched for one in candidates(able_desk, story, at)) for at in (1, 2, 3)
    ]
    assert sketched == [True, True, False]


def test_story_without_a_sketch_follows_none_before_its_first_chapter(able_desk: Desk) -> None:
    story = founded(able_desk, {**LONG, "is_sketched": False})

    with closing(Store.open(able_desk.library)) as store:
        assert not follows(store, able_desk.branch(story), 0)


def test_questions_that_the_opening_leaves_open_are_kept_for_the_chapters_that_follow(
    able_desk: Desk,
) -> None:
    asked_in = ("Who is coming on Thursday?", "What became of the page?")
    beats = [{**BEATS["beats"][0], "title": one, "plants": one} for one in asked_in]
    story = founded(able_desk, plot=lambda _: say_json({"beats": beats}))

    able_desk.do(story, PlotChapters(is_autopilot=True))

    [sent] = asked(able_desk.server, "plot")
    assert "any beat may leave a question open" in sent.prompt
    threads = able_desk.workbench.prototype.snapshot(able_desk.branch(story)).threads
    assert [one.title for one in threads] == list(asked_in)


def test_whoever_sets_goals_has_read_how_the_story_begins(able_desk: Desk) -> None:
    """Until more than two chapters after it have no text: what is read has no gap that matters."""
    story = founded(able_desk)
    branch = able_desk.branch(story)
    able_desk.do(story, PlotChapters(chapters=3, is_autopilot=True))
    able_desk.do(story, WriteChapter(chapter=3, is_autopilot=True))
    with closing(Store.open(able_desk.library)) as store:
        store.manuscript.save_text(branch, 3, "Opal kept her lamp.")
    requests = []
    for _ in range(4):
        able_desk.server.history.clear()
        able_desk.do(story, PlotChapters(is_autopilot=True))
        requests.append(request_of(asked(able_desk.server, "goals")[0]))

    assert ["The chapters so far" in one for one in requests] == [True, True, True, False]
    first, second = (requests[0].index(CHAPTERS[at][1].strip()) for at in (1, 2))
    assert first < second < requests[0].index("Opal kept her lamp.")
    assert CHAPTERS[3][1].strip() not in requests[0]


def test_beginning_that_is_too_long_to_be_read_again_is_not(able_desk: Desk) -> None:
    story = founded(able_desk)
    branch = able_desk.branch(story)
    able_desk.do(story, PlotChapters(chapters=3, is_autopilot=True))

    with closing(Store.open(able_desk.library)) as store:
        whole = read_so_far(store, branch, 4, 10_000)
        assert whole.count("## ") == 3
        assert read_so_far(store, branch, 4, estimate_tokens(whole)) == whole
        assert not read_so_far(store, branch, 4, estimate_tokens(whole) - 1)
        assert not read_so_far(store, branch, 1, 10_000)
