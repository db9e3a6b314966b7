"""The goals of a chapter where the writer is asked: what they move, who plays, and what is kept."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.plot import strings
from store.models.proposals import ChapterSketch, Goal
from store.models.story import GateMode, Story
from tests.pages.desk import HOSTILE, Desk, button, expect_only_text, expect_whole, words

ASKING = {"gates": {"goals": GateMode.ASK, "candidates": GateMode.GO_ON}}


@pytest.fixture
def story(desk: Desk) -> Story:
    """A story whose first chapter waits at its goals."""
    return desk.choosing(ASKING)


def goals(desk: Desk, story: Story) -> list[Goal]:
    return desk.workbench.plot.goals(desk.branch(story), 1)


def opened(desk: Desk, story: Story) -> AppTest:
    window = desk.window("plot", story)
    expect_whole(window)
    return window


def test_goal_shows_who_plays_and_what_it_would_move(desk: Desk, story: Story) -> None:
    window = opened(desk, story)

    players = desk.workbench.plot.players(desk.branch(story))
    for goal in goals(desk, story):
        assert window.multiselect(key=f"goal-roles-{goal.id}").value == list(goal.roles)
        assert set(goal.roles) <= players.keys()
    moving = [one for one in window.selectbox if one.label == "What it would advance"]
    assert len(moving) == len(goals(desk, story))


def test_goal_that_the_sketch_has_told_says_so_until_its_words_are_changed(
    desk: Desk, story: Story
) -> None:
    first = goals(desk, story)[0]
    desk.workbench.plot.change_goal(
        first.id, lambda now: now.model_copy(update={"is_sketched": True})
    )
    window = opened(desk, story)
    assert words(window).count(strings.GOAL_SKETCHED) == 1

    window.text_area(key=f"goal-text-{first.id}").set_value("Somebody swims.").run()

    expect_whole(window)
    assert not goals(desk, story)[0].is_sketched
    assert strings.GOAL_SKETCHED not in words(window)


def test_chapter_that_has_been_told_is_there_to_be_read_and_not_to_be_cast(
    desk: Desk, story: Story
) -> None:
    first = goals(desk, story)[0]
    told = ChapterSketch(text="Somebody swims\n\nShe *never* came back")
    desk.workbench.plot.change_goal(
        first.id, lambda now: now.model_copy(update={"is_sketched": True, "sketch": told})
    )

    window = opened(desk, story)

    said = words(window)
    assert said.count(strings.GOAL_TOLD) == 1
    assert "Somebody swims" in said
    assert r"\*never\*" in said  # no markup
    assert f"goal-text-{first.id}" not in {one.key for one in window.text_area}
    assert f"goal-roles-{first.id}" not in {one.key for one in window.multiselect}
    window.text_input(key=f"goal-title-{first.id}").set_value("The swim").run()
    expect_whole(window)
    [kept] = [one for one in goals(desk, story) if one.id == first.id]
    assert (kept.title, kept.sketch, kept.is_sketched) == ("The swim", told, True)


def test_writer_says_who_plays(desk: Desk, story: Story) -> None:
    window = opened(desk, story)
    first = goals(desk, story)[0]
    chosen = list(first.roles[1:])

    window.multiselect(key=f"goal-roles-{first.id}").set_value(chosen).run()

    expect_whole(window)
    assert goals(desk, story)[0].roles == tuple(chosen)


def test_pinned_goal_stays_when_others_are_asked_for(desk: Desk, story: Story) -> None:
    window = opened(desk, story)
    second = goals(desk, story)[1]

    window.button(key=f"pin-{second.id}").click().run()
    assert window.button(key=f"pin-{second.id}").label == "Pinned"
    again = next(one for one in window.button if str(one.key).startswith("again-"))
    again.click().run()
    desk.settle(story)

    now = goals(desk, story)
    assert now[0].text == second.text
    assert now[0].is_pinned
    assert now[0].round == 2
    expect_whole(opened(desk, story))


def test_a_pin_can_be_let_go(desk: Desk, story: Story) -> None:
    window = opened(desk, story)
    first = goals(desk, story)[0]

    window.button(key=f"pin-{first.id}").click().run()
    window.button(key=f"pin-{first.id}").click().run()

    assert not goals(desk, story)[0].is_pinned
    assert window.button(key=f"pin-{first.id}").label == "Pin"


def test_what_a_goal_moves_can_be_changed(desk: Desk, story: Story) -> None:
    branch = desk.branch(story)
    view = desk.workbench.plot.goal_views(branch, 1)[0]
    other = next(id_ for id_ in view.targets if id_ != view.goal.moves)
    window = opened(desk, story)

    boxes = [one for one in window.selectbox if one.label == "What it would advance"]
    boxes[0].select(other).run()

    expect_whole(window)
    assert goals(desk, story)[0].moves == other


def test_goal_of_hostile_words_is_shown_as_text(desk: Desk, story: Story) -> None:
    first = goals(desk, story)[0]
    desk.workbench.plot.save_goal(
        first.model_copy(update={"title": HOSTILE, "text": HOSTILE, "is_dropped": True})
    )

    expect_only_text(opened(desk, story), HOSTILE)


def test_goals_go_on_to_be_woven(desk: Desk, story: Story) -> None:
    window = opened(desk, story)

    button(window, "Weave these").click().run()
    desk.settle(story)

    assert desk.workbench.branches.status(desk.branch(story)).plotted == 1


def test_goal_that_is_typed_and_not_added_is_woven_too(desk: Desk, story: Story) -> None:
    window = opened(desk, story)
    [title] = [one for one in window.text_input if str(one.key).startswith("own-title")]
    title.set_value("The flood").run()

    button(window, "Weave these").click().run()
    desk.settle(story)

    texts = [one.text for one in goals(desk, story)]
    assert "The flood" in texts
    assert desk.workbench.branches.status(desk.branch(story)).plotted == 1
