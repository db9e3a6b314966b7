"""A longer story's later chapters, told before they are plotted: as candidates, and as the text of the one chosen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from graph_flow.founding.following import newest_read, told_text
from graph_flow.llm.tokens import estimate_tokens
from store.models.manuscript import Draft
from store.models.proposals import Candidate, Goal
from store.models.run import Action, Decision, DraftOutline, PlotChapters, RunState, WriteChapter
from store.models.story import Gate, GateMode, OutlineUse, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say
from tests.graph_flow.founding.opening import CHAPTERS, LONG, candidates, founded
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.store.builders import altered

FOURTH = "Amos went down to the river and Opal Dray was there. " + "She had the page. " * 170
OTHER = "Ruth Vale unscrewed the lamp herself. " + "It was still warm. " * 170
ALONE = PlotChapters(is_autopilot=True)


def telling(*texts: str) -> Callable[[Sent], Reply]:
    """Answer each version of a chapter with a text, under a title."""

    def say_version(sent: Sent) -> Reply:
        at = next(at for at in (1, 2) if f"It is version {at} of" in request_of(sent))
        text = texts[min(at, len(texts)) - 1]
        return say(f"## {at}. Version {at}\n\n{text}" if text else "")

    return say_version


def begun(desk: Desk, settings: dict[str, Any] = LONG, **others: Any) -> Story:
    """Plot the opening of a longer story; of what comes then, a chapter is told in two ways."""
    said = {"chapter_sketch": telling(FOURTH, OTHER), **others}
    story = founded(desk, settings, **said)
    opening = PlotChapters(chapters=3, is_autopilot=True)
    assert desk.do(story, opening).state is RunState.DONE
    desk.server.history.clear()
    return story


def goals_of(desk: Desk, story: Story, chapter: int = 4) -> list[Goal]:
    return [one.goal for one in desk.workbench.plot.goal_views(desk.branch(story), chapter)]


def agents(desk: Desk) -> list[str]:
    return [agent_of(sent) for sent in desk.server.history]


def draft_of(desk: Desk, story: Story, chapter: int = 4) -> Draft:
    assert desk.do(story, WriteChapter(chapter=chapter, is_autopilot=True)).state is RunState.DONE
    draft = desk.workbench.manuscript.draft(desk.branch(story), chapter)
    assert draft is not None
    return draft


def is_told(candidate: Candidate) -> bool:
    return candidate.is_sketched


def test_on_autopilot_a_chapter_is_told_in_two_ways_each_read_and_both_compared(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)

    assert able_desk.do(story, ALONE).state is RunState.DONE

    asked_of = agents(able_desk)
    assert asked_of.count("chapter_sketch") == asked_of.count("plot") == 2
    assert asked_of.count("scorer") == 1
    assert not {"goals", "role"} & {*asked_of}
    assert list(map(is_told, candidates(able_desk, story, 4))) == [True, True]
    [sent] = asked(able_desk.server, "scorer")
    assert FOURTH.strip() in request_of(sent)
    assert OTHER.strip() in request_of(sent)
    for sent in asked(able_desk.server, "plot"):
        assert (FOURTH.strip() in request_of(sent)) is not (OTHER.strip() in request_of(sent))
        assert CHAPTERS[3][1].strip() in request_of(sent)
        assert CHAPTERS[2][1].strip() not in request_of(sent)


def test_whoever_tells_a_chapter_has_read_those_before_it_and_knows_where_it_ends(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)
    able_desk.do(story, ALONE)

    for sent in asked(able_desk.server, "chapter_sketch"):
        request = request_of(sent)
        assert all(text.strip() in request for _, text in CHAPTERS.values())
        assert "The chapters so far, as they are read:" in request
        assert "How it ends: The story ends when Amos signs" in request
        assert "Now write chapter 4, in about 700 words." in request
        assert "E1. " not in request


def test_text_of_the_chosen_one_is_the_chapter_s_and_the_next_goes_on_from_it(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)
    able_desk.do(story, ALONE)
    [chosen] = [one for one in candidates(able_desk, story, 4) if one.chosen_by]
    told = next(one for one in goals_of(able_desk, story) if one.id == chosen.goal).sketch
    assert told is not None
    able_desk.server.history.clear()

    able_desk.do(story, ALONE)

    for sent in asked(able_desk.server, "chapter_sketch"):
        assert told.text in request_of(sent)
    able_desk.server.history.clear()
    task = WriteChapter(chapter=4, is_autopilot=True)
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), task).calls
    draft = draft_of(able_desk, story)
    assert draft.text == told.text
    assert draft.remarks == ()
    assert agents(able_desk) == ["plan", "review"]
    assert expected == 2


def test_writer_chooses_between_chapters_that_are_told_and_one_that_is_woven(
    able_desk: Desk,
) -> None:
    gates = {**LONG["gates"], Gate.GOALS: GateMode.ASK, Gate.CANDIDATES: GateMode.ASK}
    story = begun(able_desk, {**LONG, "gates": gates})

    assert able_desk.do(story, PlotChapters()).state is RunState.WAITING

    goals = goals_of(able_desk, story)
    assert [one.sketch is not None for one in goals] == [True, True, False]
    assert [one.title for one in goals[:2]] == ["Version 1", "Version 2"]
    [sent] = asked(able_desk.server, "goals")
    assert "1 different chapters" in request_of(sent)
    assert "is being told by others" in sent.prompt
    able_desk.answer(story)
    found = candidates(able_desk, story, 4)
    assert list(map(is_told, found)) == [True, True, False]
    other = found[1]
    assert able_desk.answer(story, Decision(choice=other.id)).state is RunState.DONE
    assert draft_of(able_desk, story).text == OTHER.strip()


def test_whoever_asks_for_other_goals_gets_woven_ones(able_desk: Desk) -> None:
    gates = {**LONG["gates"], Gate.GOALS: GateMode.ASK}
    story = begun(able_desk, {**LONG, "gates": gates})
    able_desk.do(story, PlotChapters())

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN, note="Nobody at the river."))

    goals = [one for one in goals_of(able_desk, story) if one.round == 2]
    assert len(goals) == 3
    assert not any(one.sketch for one in goals)


@pytest.mark.parametrize("texts", [("", ""), ("Too short.", "Far too short.")])
def test_chapter_that_nobody_could_tell_is_woven(able_desk: Desk, texts: tuple[str, ...]) -> None:
    story = begun(able_desk, chapter_sketch=telling(*texts))

    assert able_desk.do(story, ALONE).state is RunState.DONE

    assert "role" in agents(able_desk)
    found = candidates(able_desk, story, 4)
    assert len(found) == 3
    assert not any(map(is_told, found))


def test_writer_is_offered_as_many_goals_if_the_chapter_could_not_be_told(
    able_desk: Desk,
) -> None:
    gates = {**LONG["gates"], Gate.GOALS: GateMode.ASK}
    story = begun(able_desk, {**LONG, "gates": gates}, chapter_sketch=telling("", ""))

    able_desk.do(story, PlotChapters())

    goals = goals_of(able_desk, story)
    assert len(goals) == 3
    assert not any(one.sketch for one in goals)
    # What the writer makes of them is not asked for again.
    for one in goals:
        able_desk.workbench.plot.save_goal(one.model_copy(update={"text": f"{one.title} it is."}))
    able_desk.server.history.clear()
    assert able_desk.answer(story).state is RunState.DONE
    assert not asked(able_desk.server, "goals", "chapter_sketch")


def test_goals_that_the_writer_words_anew_at_the_gate_are_kept(able_desk: Desk) -> None:
    gates = {**LONG["gates"], Gate.GOALS: GateMode.ASK}
    story = begun(able_desk, {**LONG, "gates": gates})
    able_desk.do(story, PlotChapters())
    for one in goals_of(able_desk, story):
        able_desk.workbench.plot.save_goal(one.model_copy(update={"text": f"{one.title} it is."}))

    assert able_desk.answer(story).state is RunState.DONE

    texts = [
        view.goal.text for view in able_desk.workbench.plot.goal_views(able_desk.branch(story), 4)
    ]
    assert texts[:2] == ["Version 1 it is.", "Version 2 it is."]
    assert not any(map(is_told, candidates(able_desk, story, 4)))


def test_chapters_that_are_told_are_enough_if_no_goals_could_be_set(able_desk: Desk) -> None:
    gates = {**LONG["gates"], Gate.CANDIDATES: GateMode.ASK}
    story = begun(able_desk, {**LONG, "gates": gates}, goals=lambda _: say("No."))

    assert able_desk.do(story, PlotChapters()).state is RunState.WAITING

    assert list(map(is_told, candidates(able_desk, story, 4))) == [True, True]


def test_one_that_could_be_told_is_enough_on_autopilot(able_desk: Desk) -> None:
    story = begun(able_desk, chapter_sketch=telling("", OTHER))

    assert able_desk.do(story, ALONE).state is RunState.DONE

    assert list(map(is_told, candidates(able_desk, story, 4))) == [True]
    assert draft_of(able_desk, story).text == OTHER.strip()


@pytest.mark.parametrize(
    "settings", [{}, {"style_notes": "Dry."}, {"words": 2_000}, {"chapter_cap": 30}]
)
def test_words_are_those_told_only_while_nothing_else_is_asked_of_them(
    able_desk: Desk, settings: dict[str, Any]
) -> None:
    story = begun(able_desk)
    able_desk.do(story, ALONE)
    able_desk.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update=settings)
    )

    is_as_told = not {"style_notes", "words"} & {*settings}
    with closing(Store.open(able_desk.library)) as store:
        assert (told_text(store, able_desk.branch(story), 4) is not None) is is_as_told


def test_story_that_its_writer_has_changed_since_is_written_anew(able_desk: Desk) -> None:
    story = begun(able_desk)
    able_desk.do(story, ALONE)
    branch = able_desk.branch(story)
    now = able_desk.workbench.prototype.snapshot(branch)
    amos = next(iter(now.characters))
    edited = {**now.entities, amos.id: altered(amos, occupation="A tuner of pianos.")}

    able_desk.workbench.story.edit(branch, now.model_copy(update={"entities": edited}))

    text = draft_of(able_desk, story).text
    assert text
    assert text not in (FOURTH.strip(), OTHER.strip())
    assert asked(able_desk.server, "writer_novel")
    # Whoever tells the next goes on from the new text.
    able_desk.server.history.clear()
    able_desk.do(story, ALONE)
    for sent in asked(able_desk.server, "chapter_sketch"):
        assert text in request_of(sent)


def test_goal_that_the_writer_words_anew_is_woven(able_desk: Desk) -> None:
    gates = {**LONG["gates"], Gate.GOALS: GateMode.ASK}
    story = begun(able_desk, {**LONG, "gates": gates})
    able_desk.do(story, PlotChapters())
    first = goals_of(able_desk, story)[0]

    able_desk.workbench.plot.save_goal(first.model_copy(update={"text": "Amos swims."}))

    [goal] = [one for one in goals_of(able_desk, story) if one.id == first.id]
    assert (goal.is_sketched, goal.sketch) == (False, None)


def test_nothing_is_told_where_the_chapter_before_has_no_text(able_desk: Desk) -> None:
    story = begun(able_desk, chapter_sketch=telling("", ""))
    able_desk.do(story, ALONE)
    able_desk.server.history.clear()

    assert able_desk.do(story, ALONE).state is RunState.DONE

    assert not asked(able_desk.server, "chapter_sketch")


@pytest.mark.parametrize("is_sketched", [True, False])
def test_settings_can_do_without(able_desk: Desk, is_sketched: bool) -> None:
    story = begun(able_desk)
    able_desk.workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"is_sketched": is_sketched})
    )

    assert able_desk.do(story, ALONE).state is RunState.DONE

    assert len(asked(able_desk.server, "chapter_sketch")) == 2 * is_sketched


def test_estimate_counts_what_is_told_read_and_woven(able_desk: Desk) -> None:
    story = begun(able_desk)
    branch = able_desk.branch(story)
    for task in (ALONE, PlotChapters()):
        expected = able_desk.workbench.runs.estimate(branch, task).calls
        able_desk.server.history.clear()
        able_desk.do(story, task)
        # What closes a chapter is counted with it, and made with the next.
        closing_calls = {"exit", "spine_update"}
        assert expected == len([one for one in agents(able_desk) if one not in closing_calls]) + 2


def test_what_the_writer_has_locked_stands_in_every_request(able_desk: Desk) -> None:
    story = begun(able_desk)
    branch = able_desk.branch(story)
    now = able_desk.workbench.prototype.snapshot(branch)
    ruth = next(one for one in now.characters if one.name == "Ruth Vale")
    kept = altered(ruth, occupation="A tuner of pianos.", locked=frozenset({"occupation"}))
    able_desk.workbench.story.edit(
        branch, now.model_copy(update={"entities": {**now.entities, ruth.id: kept}})
    )
    able_desk.do(story, WriteChapter(chapter=3, is_autopilot=True))
    able_desk.server.history.clear()

    able_desk.do(story, ALONE)

    [first, second] = asked(able_desk.server, "chapter_sketch")
    for sent in (first, second):
        assert "Ruth Vale: occupation: A tuner of pianos." in request_of(sent)


@pytest.mark.parametrize(("use", "ways"), [(OutlineUse.FOLLOW, 1), (OutlineUse.GUIDE, 2)])
def test_chapter_is_told_as_the_outline_has_it(able_desk: Desk, use: OutlineUse, ways: int) -> None:
    story = founded(able_desk, {**LONG, "outline_use": use}, chapter_sketch=telling(FOURTH, OTHER))
    able_desk.do(story, DraftOutline(is_autopilot=True))
    able_desk.do(story, PlotChapters(chapters=3, is_autopilot=True))
    draft_of(able_desk, story, 3)
    able_desk.server.history.clear()

    assert able_desk.do(story, ALONE).state is RunState.DONE

    sent = asked(able_desk.server, "chapter_sketch")
    assert len(sent) == ways
    for one in sent:
        assert "The outline has this for the chapter:" in request_of(one)
    goals = goals_of(able_desk, story)
    assert len(goals) == ways
    assert all(one.parts and one.sketch for one in goals)


def test_what_lies_behind_the_story_is_noted_until_the_reader_has_been_told(
    able_desk: Desk,
) -> None:
    story = begun(able_desk)
    branch = able_desk.branch(story)
    first, *others = able_desk.workbench.prototype.snapshot(branch, 0).events_of(0)
    able_desk.do(story, ALONE)
    for sent in asked(able_desk.server, "chapter_sketch"):
        assert "What lies behind it, as you have thought of it:" in request_of(sent)
        assert all(one.title in request_of(sent) for one in (first, *others))
    draft_of(able_desk, story)
    with closing(Store.open(able_desk.library)) as store:
        draft = store.manuscript.require(branch, 4)
        store.manuscript.save_review(draft.id, (f"event:{first.id}",), [], [])
    able_desk.server.history.clear()

    able_desk.do(story, ALONE)

    for sent in asked(able_desk.server, "chapter_sketch"):
        behind = request_of(sent).partition("What lies behind it")[2].partition("Still open")[0]
        assert first.title not in behind
        assert all(one.title in behind for one in others)


def test_of_a_long_story_earlier_chapters_are_told_by_what_happened_in_them(
    able_desk: Desk,
) -> None:
    story = begun(able_desk, {**LONG, "is_open_ended": True})
    for _ in range(3):
        able_desk.server.history.clear()
        assert able_desk.do(story, ALONE).state is RunState.DONE

    [first, second] = asked(able_desk.server, "chapter_sketch")
    for sent in (first, second):
        request = request_of(sent)
        assert "What has happened before the chapters that stand below:" in request
        assert CHAPTERS[1][1].strip() not in request
        before = request.partition("What has happened before")[2].partition("Still open")[0]
        assert "Chapter 1: Amos climbs" in before
        assert "Chapter 5:" not in before
        assert "Ruth Vale:" in request
    for sent in asked(able_desk.server, "plot"):
        assert "The story up to this chapter" not in request_of(sent)


def test_last_chapters_are_read_as_far_as_there_is_room(able_desk: Desk) -> None:
    story = begun(able_desk)
    branch = able_desk.branch(story)

    with closing(Store.open(able_desk.library)) as store:
        whole = newest_read(store, branch, 4, 10_000)
        assert whole.chapters == 3
        assert newest_read(store, branch, 4, estimate_tokens(whole.text)).chapters in (2, 3)
        last = newest_read(store, branch, 4, 0)
        assert last == (1, f"## Back\n\n{CHAPTERS[3][1].strip()}")
        assert newest_read(store, branch, 1, 10_000) == (0, "")
