"""Candidates on the Plot page: parts of several, one kept as a branch, and the ways not taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from pages.components.plot import strings
from pages.components.words import plain
from store.models.cast import Character
from store.models.plot import Event, Participation, Thread, ThreadState
from store.models.proposals import Candidate, CandidateState, ChapterSketch, Goal, Score, Turn
from store.models.run import Decision, PlotChapters
from store.models.scoring import CONTINUITY_KEY
from store.models.story import GateMode, Story
from store.open import Store
from tests.fakes.scripted_server import say
from tests.graph_flow.scripting import saying
from tests.pages.desk import (
    HOSTILE,
    SECONDS_FOR_A_PAGE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    words,
)
from tests.store.builders import adding
from tests.wording import says

_GATES: dict[str, Any] = {
    "gates": {"configuration": GateMode.ASK, "goals": GateMode.GO_ON, "candidates": GateMode.ASK}
}
_NAME = HOSTILE[:70]


@pytest.fixture
def store(desk: Desk, library_path: Path) -> Iterator[Store]:  # noqa: ARG001 - the desk makes it
    opened = Store.open(library_path)
    yield opened
    opened.close()


@pytest.fixture
def story(desk: Desk, store: Store) -> Story:
    """A story whose first chapter waits for a choice between two plots that are known."""
    told = desk.founded({**_GATES, "goals": 2})
    desk.do(told, PlotChapters())
    branch = desk.branch(told)
    first, second = store.proposals.candidates(branch, 1)
    person = desk.workbench.prototype.snapshot(branch).characters[0]
    stranger = Character(id="stranger", name=_NAME)
    key = Event(id="key", title="The key", summary="A key turns up.", position=0)
    door = Event(id="door", title="The door", summary="A door opens.", position=1)
    storm = Event(id="storm", title="The storm", summary="A storm comes up.", position=0)
    came = Participation(id="came", character="stranger", event="storm")
    held = Participation(id="held", character=person.id, event="key")
    secret = Thread(id="secret", title="Who had it?", state=ThreadState.PLANTED, planted_in=1)
    one = {"title": "Keys", "delta": adding(key, door, held, secret)}
    other = {"title": "Storms", "delta": adding(stranger, storm, came)}
    for candidate, values in ((first, one), (second, other)):
        scored = {**values, "scores": (), "turns": (), "state": CandidateState.PROPOSED}
        store.proposals.save_candidate(candidate.model_copy(update=scored))
    return told


def plot(desk: Desk, story: Story) -> AppTest:
    window = desk.window("plot", story)
    expect_whole(window)
    return window


def woven(desk: Desk, story: Story) -> list[Candidate]:
    return desk.workbench.proposals.candidates(desk.branch(story), 1)


def tick(window: AppTest, entity: str) -> Checkbox:
    """Return the tick beside the line of something."""
    [found] = [one for one in window.checkbox if f"-{entity}" in str(one.key)]
    return found


def take_parts(window: AppTest, *entities: str) -> None:
    [switch] = [one for one in window.toggle if one.label == "Take parts of several"]
    switch.set_value(True).run()
    for entity in entities:
        tick(window, entity).check().run()
        expect_whole(window)


def test_chapter_as_it_was_first_told_is_marked_and_what_the_writer_makes_of_it_is_theirs(
    desk: Desk, store: Store, story: Story
) -> None:
    first = woven(desk, story)[0]
    store.proposals.save_candidate(first.model_copy(update={"is_sketched": True}))
    assert words(plot(desk, story)).count(strings.BADGE_SKETCHED) == 1

    own = desk.workbench.plot.combine(
        desk.branch(story), 1, {first.id: frozenset({"key", "held"})}, "Mine"
    )

    assert not own.is_sketched
    assert words(plot(desk, story)).count(strings.BADGE_SKETCHED) == 1


def test_chapter_that_was_told_can_be_read_on_its_card(
    desk: Desk, store: Store, story: Story
) -> None:
    first = woven(desk, story)[0]
    goal = store.proposals.goal(first.goal)
    told = ChapterSketch(text="She *never* came back")
    store.proposals.save_goals([goal.model_copy(update={"sketch": told})])
    assert strings.BADGE_TOLD not in words(plot(desk, story))

    store.proposals.save_candidate(first.model_copy(update={"is_sketched": True}))

    said = words(plot(desk, story))
    assert said.count(strings.BADGE_TOLD) == 1
    assert strings.BADGE_SKETCHED not in said
    assert r"She \*never\* came back" in said


def test_ticked_lines_of_two_grow_into_one_more(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    assert not window.checkbox

    take_parts(window, "storm", "key", "secret")

    assert "**3 lines** taken from **2 candidates**" in words(window)
    assert "What you have taken" in words(window)
    assert primaries(window) == ["Choose"]
    assert len(woven(desk, story)) == 2
    expect_only_text(window, HOSTILE)
    button(window, "Combine into a candidate").click().run()

    expect_whole(window)
    [own] = [one for one in woven(desk, story) if one.is_by_writer]
    assert {change.id for change in own.delta.changes} == {
        *("storm", "stranger", "came", "key", "held", "secret")
    }
    assert "What you have taken" not in words(window)
    assert labels(window).count("Choose") == 3
    desk.answer(story, Decision(choice=own.id))
    assert {"storm", "key"} <= desk.workbench.prototype.snapshot(desk.branch(story)).entities.keys()


def test_ticks_stay_on_other_pages_and_are_cleared_at_once(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    take_parts(window, "storm", "key")

    window.switch_page("pages/history.py").run()
    window.switch_page("pages/plot.py").run()
    assert tick(window, "storm").value
    assert "**2 lines** taken from **2 candidates**" in words(window)
    button(window, "Clear").click().run()

    expect_whole(window)
    assert not tick(window, "storm").value
    assert not tick(window, "key").value
    assert "taken from" not in words(window)
    tick(window, "key").check().run()
    assert "**1 line** taken from **1 candidate**" in words(window)
    assert not plot(desk, story).checkbox


def test_parts_without_an_event_are_refused_and_stay_ticked(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    take_parts(window, "secret")

    button(window, "Combine into a candidate").click().run()

    expect_whole(window)
    assert says(words(window), "at least one event")
    assert tick(window, "secret").value


def test_title_of_the_parts_that_is_too_long_is_refused_and_stays(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    take_parts(window, "key")
    [title] = [one for one in window.text_input if one.label == "Title"]

    title.set_value("x" * 90).run()
    button(window, "Combine into a candidate").click().run()

    expect_whole(window)
    assert "at most 80 characters" in words(window)
    assert next(one for one in window.text_input if one.label == "Title").value == "x" * 90
    assert len(woven(desk, story)) == 2


def test_line_is_struck_out_and_put_back(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    keys = next(one for one in woven(desk, story) if one.title == "Keys")
    window.button(key=f"edit-{keys.id}").click().run()

    window.button(key=f"strike-{keys.id}-key").click().run()
    window.button(key=f"strike-{keys.id}-secret").click().run()
    window.button(key=f"strike-{keys.id}-secret").click().run()
    expect_whole(window)
    assert "~~The key~~" in words(window)
    window.button(key=f"save-{keys.id}").click().run()

    expect_whole(window)
    [own] = [one for one in woven(desk, story) if one.is_by_writer]
    assert {change.id for change in own.delta.changes} == {"door", "secret"}


def test_line_that_cannot_be_kept_says_why_and_stays_as_it_was_typed(
    desk: Desk, story: Story
) -> None:
    window = plot(desk, story)
    keys = next(one for one in woven(desk, story) if one.title == "Keys")
    window.button(key=f"edit-{keys.id}").click().run()
    titles = {one.key: one for one in window.text_input}

    titles[f"rework-{keys.id}-0-key-title"].set_value("x" * 90)
    titles[f"rework-{keys.id}-0-secret-title"].set_value("  ")
    window.button(key=f"save-{keys.id}").click().run()

    expect_whole(window)
    assert says(words(window), "80 characters", "empty")
    titles = {one.key: one for one in window.text_input}
    assert titles[f"rework-{keys.id}-0-key-title"].value == "x" * 90
    assert len(woven(desk, story)) == 2
    titles[f"rework-{keys.id}-0-key-title"].set_value("The lost key")
    titles[f"rework-{keys.id}-0-secret-title"].set_value("Whose key?")
    window.button(key=f"save-{keys.id}").click().run()

    expect_whole(window)
    [own] = [one for one in woven(desk, story) if one.is_by_writer]
    told = {change.id: change.after for change in own.delta.changes}
    assert getattr(told["key"], "title", "") == "The lost key"
    assert getattr(told["secret"], "title", "") == "Whose key?"


def test_candidate_is_kept_as_a_branch_and_the_question_stays(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    storms = next(one for one in woven(desk, story) if one.title == "Storms")

    window.button(key=f"keep-{storms.id}").click().run()
    expect_whole(window)
    name = window.text_input(key=f"keep-name-{storms.id}")
    assert name.value == "Storms"
    name.set_value(_NAME)
    button(window, "Keep").click().run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    names = {branch.name: branch for branch in desk.workbench.library.branches(story.id)}
    assert desk.workbench.branches.status(names[" ".join(_NAME.split())].id).plotted == 1
    assert labels(window).count("Choose") == 2
    assert desk.workbench.runs.pending(desk.branch(story))


def test_branch_name_that_is_taken_is_refused_and_asked_again(desk: Desk, story: Story) -> None:
    window = plot(desk, story)
    storms = next(one for one in woven(desk, story) if one.title == "Storms")
    taken = desk.workbench.library.branches(story.id)[0].name

    window.button(key=f"keep-{storms.id}").click().run()
    window.text_input(key=f"keep-name-{storms.id}").set_value(taken)
    button(window, "Keep").click().run()

    expect_whole(window)
    assert "already" in words(window)
    assert window.text_input(key=f"keep-name-{storms.id}").value == taken
    assert len(desk.workbench.library.branches(story.id)) == 1


def test_what_could_not_be_finished_is_folded_with_its_reason(
    desk: Desk, store: Store, story: Story
) -> None:
    storms = next(one for one in woven(desk, story) if one.title == "Storms")
    turn = Turn(character="x", name=_NAME, text="", is_skipped=True, problem="It *timed* out.")
    store.proposals.save_candidate(
        storms.model_copy(
            update={
                **{"id": "gone", "is_by_writer": True, "title": "Gone"},
                **{"state": CandidateState.GIVEN_UP, "turns": (turn,)},
            }
        )
    )

    window = plot(desk, story)

    expect_only_text(window, HOSTILE, "It *timed* out.")
    assert "Could not be finished: Gone" in words(window)
    assert plain("It *timed* out.") in words(window)
    assert "choose-gone" not in [one.key for one in window.button]
    assert labels(window).count("Choose") == 2


def test_score_names_its_scale_and_the_events_that_show_it(
    desk: Desk, store: Store, story: Story
) -> None:
    storms = next(one for one in woven(desk, story) if one.title == "Storms")
    score = Score(
        rule="Danger", weight=1, value=7, top=10, reason="Waves.", evidence=("storm", "lost")
    )
    store.proposals.save_scores(storms.id, [score], "The dangerous one.")

    window = plot(desk, story)

    assert f"Danger **7** of 10: {plain('Waves.')}" in words(window)
    assert "Evidence: “The storm”" in words(window)
    assert plain("The dangerous one.") in words(window)


def test_ways_not_taken_are_read_when_asked_for_and_kept_as_a_branch(
    desk: Desk, story: Story
) -> None:
    keys, storms = woven(desk, story)
    desk.answer(story, Decision(choice=keys.id))
    window = plot(desk, story)
    assert plain("A storm comes up.") not in words(window)

    window.session_state["ways-not-taken"] = True
    window.run()

    expect_whole(window)
    assert plain("A storm comes up.") in words(window)
    assert ":blue-badge[chosen by you]" in words(window)
    assert "Choose" not in labels(window)
    assert f"keep-{keys.id}" not in [one.key for one in window.button]
    window.button(key=f"keep-{storms.id}").click().run()
    button(window, "Keep").click().run()
    expect_whole(window)
    [kept] = [one for one in desk.workbench.library.branches(story.id) if one.name == "Storms"]
    assert "storm" in desk.workbench.prototype.snapshot(kept.id).entities
    assert "key" not in desk.workbench.prototype.snapshot(kept.id).entities


def test_weave_names_rounds_and_who_was_left_out(desk: Desk, store: Store, story: Story) -> None:
    branch = desk.branch(story)
    goal = Goal(id="g", branch=branch, chapter=1, round=2, position=0, title="G", text="Go.")
    store.proposals.save_goals([goal])
    turns = (
        Turn(character="x", name=_NAME, text=HOSTILE),
        Turn(character="x", name="Ida", text="", round=2, is_skipped=True, problem="It timed out."),
    )
    fresh = {"id": "w", "goal": "g", "round": 2, "turns": turns}
    [first, *_] = woven(desk, story)
    store.proposals.save_candidate(first.model_copy(update=fresh))

    window = AppTest.from_function(_weave, args=(branch,), default_timeout=SECONDS_FOR_A_PAGE)
    window.run()

    expect_only_text(window, HOSTILE)
    said = words(window)
    assert "Round 1" in said
    assert "Round 2" in said
    assert f"**Ida** was left out. {plain('It timed out.')}" in said


def _weave(branch: str) -> None:
    from pages.components.plot import progress

    progress.show_weave(branch, 1)


def test_what_only_the_continuity_check_has_scored_is_called_not_scored(desk: Desk) -> None:
    desk.server.answer = saying(scorer=say("no scores today"))
    story = desk.choosing(_GATES)

    window = desk.window("plot", story)

    expect_whole(window)
    assert "of 5" not in words(window)
    assert "is not scored" in words(window)
    assert not any(view.is_best for view in desk.workbench.plot.candidates(desk.branch(story), 1))


def _bound_to_tie(store: Store, branch: str, *, is_judged: bool) -> list[Candidate]:
    """Give all candidates of a chapter the same score; in the last of them most happens."""
    key = "wit" if is_judged else CONTINUITY_KEY
    same = (Score(key=key, rule="Wit", weight=1, value=4),)
    candidates = store.proposals.candidates(branch, 1)
    deltas = [candidate.delta for candidate in candidates[:-1]]
    events = (Event(id=f"e{at}", title=f"E{at}", summary="More.", position=at) for at in range(99))
    for candidate, delta in zip(candidates, (*deltas, adding(*events)), strict=True):
        store.proposals.save_candidate(
            candidate.model_copy(update={"scores": same, "delta": delta})
        )
    return store.proposals.candidates(branch, 1)


@pytest.mark.parametrize("is_judged", [True, False])
def test_page_offers_first_what_is_told_where_nobody_chooses(
    desk: Desk, store: Store, is_judged: bool
) -> None:
    """Of several with the same score it is the one whose goal comes first; unread, the fullest."""
    story = desk.founded(_GATES)
    desk.do(story, PlotChapters())
    branch = desk.branch(story)
    tied = _bound_to_tie(store, branch, is_judged=is_judged)
    best = tied[0] if is_judged else tied[-1]

    window = plot(desk, story)
    views = desk.workbench.plot.candidates(branch, 1)
    desk.answer(story, Decision())

    assert window.button(key=f"choose-{best.id}").proto.type == "primary"
    assert [view.candidate.id for view in views if view.is_best] == [best.id] * is_judged
    assert [one.title for one in desk.workbench.story.chapters(branch)] == [best.title]
    assert store.proposals.candidate(best.id).state is CandidateState.CHOSEN
