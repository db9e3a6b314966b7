"""A story that follows its sketch: its plot is read from there, and its text is there already."""

from __future__ import annotations

from typing import Any

import pytest

from store.models.form import Form
from store.models.plot import EventLink, Participation
from store.models.proposals import Candidate, CandidateState
from store.models.prototype import Snapshot
from store.models.run import (
    Action,
    Decision,
    Initialize,
    PlotChapters,
    ReadStory,
    RunState,
    WriteChapter,
)
from store.models.story import Gate, GateMode, Story
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.founding.able import FOUNDATION, able_answers
from tests.graph_flow.founding.sketching import POINTS, PREMISE, marks
from tests.graph_flow.plot.able import ferry
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import PLAN
from tests.store.builders import altered

ALONE: dict[str, Any] = {
    "chapter_cap": 2,
    "words": 150,
    "gates": {gate: GateMode.GO_ON for gate in Gate},
}
ASKED = {**ALONE, "gates": {**ALONE["gates"], Gate.CANDIDATES: GateMode.ASK}}
FIRST = "Amos Vale climbed the span before it was light. " + "He counted the bolts. " * 34
SECOND = "Ruth Vale laid the log open on the rail. " + "Nobody spoke. " * 68
OUT, BACK = FIRST.strip(), SECOND.strip()
SKETCH = f"# The Span\n\n## 1. Out\n\n{OUT}\n\n## Chapter 2: Back\n\n{BACK}\n"
BEATS: dict[str, Any] = {
    "beats": [
        {
            "who": "Amos",
            "title": "Before light",
            "observed": "Amos climbs the span and counts the bolts.",
            "inner": "He hopes that one is missing.",
            "place": "The span",
            "present": [{"name": "Opal", "part": "told", "learns": "He was there at dawn."}],
        },
        {"who": "Opal Dray", "title": "A lamp", "observed": "Opal sees a lamp.", "place": "Home"},
    ]
}
READING: dict[str, Any] = {
    "understood": "An inspector counts.",
    "best": [],
    "remarks": [{"kind": "unclear", "quote": "Amos Vale climbed the span", "remark": "All of it?"}],
}
NEW = f"## 1. Out\n\nAll of it. {OUT}\n\n## 2. Back\n\nAll at last. {BACK}"


def answering(**others: Any) -> Any:
    """Return what the model says; `others` are functions of the request, by agent."""
    told: dict[str, Any] = {
        "sketch": lambda _: say(SKETCH),
        "sketch_reader": lambda _: say_json({"marks": marks(7, 6)}),
        "plot": lambda _: say_json(BEATS),
        "story_plan": lambda _: say_json(
            {"chapters": [{**PLAN, "scenes": PLAN["scenes"][:1]}] * 2}
        ),
        "first_reader": lambda _: say_json(READING),
        "second_draft": lambda _: say(NEW),
        **others,
    }
    usual = able_answers(foundation=FOUNDATION)
    return lambda sent: told.get(agent_of(sent), usual)(sent)


def founded(desk: Desk, settings: dict[str, Any] = ALONE, **others: Any) -> Story:
    """Found a story on a sketch."""
    desk.server.answer = answering(**others)
    story = desk.story(premise=PREMISE, settings=settings)
    desk.do(story, Initialize(is_autopilot=True))
    desk.server.history.clear()
    return story


def plotted(desk: Desk, story: Story, chapters: int = 2) -> None:
    task = PlotChapters(chapters=chapters, is_autopilot=True)
    assert desk.do(story, task).state is RunState.DONE


def written(desk: Desk, story: Story, **changes: Any) -> list[str]:
    """Return the texts of both chapters, once they are written."""
    task = WriteChapter(chapter=1, then=(2,), is_autopilot=True)
    assert desk.do(story, task.model_copy(update=changes)).state is RunState.DONE
    return texts_of(desk, story)


def texts_of(desk: Desk, story: Story) -> list[str]:
    drafts = [desk.workbench.manuscript.draft(desk.branch(story), at) for at in (1, 2)]
    return [one.text for one in drafts if one is not None]


def candidates(desk: Desk, story: Story, chapter: int = 1) -> list[Candidate]:
    found = desk.workbench.plot.candidates(desk.branch(story), chapter)
    return [view.candidate for view in found]


def test_on_autopilot_each_chapter_is_read_from_the_sketch_and_nothing_else_is_plotted(
    able_desk: Desk,
) -> None:
    story = founded(able_desk)
    expected = able_desk.workbench.runs.estimate(
        able_desk.branch(story), PlotChapters(chapters=2, is_autopilot=True)
    ).calls

    plotted(able_desk, story)

    agents = [agent_of(sent) for sent in able_desk.server.history]
    assert {agent: agents.count(agent) for agent in agents} == {
        "plot": 2,
        "exit": 1,
        "spine_update": 1,
    }
    [end] = asked(able_desk.server, "exit")
    assert "chapter 2 of 2" in request_of(end)
    assert expected == len(agents)
    first, second = map(request_of, asked(able_desk.server, "plot"))
    assert f"The chapter, as it was told:\n\n{OUT}" in first
    assert f"The chapter, as it was told:\n\n{BACK}" in second
    assert BACK not in first
    assert f"The story up to this chapter, as it was told:\n\n{OUT}\n" in second
    assert "The story up to this chapter" not in first
    now = able_desk.workbench.prototype.snapshot(able_desk.branch(story))
    assert [one.title for one in now.events_of(2)] == ["Before light", "A lamp"]
    # Whoever is named in the chapter takes part; whoever else acts in it is found among the cast.
    assert candidates(able_desk, story, 2)[0].title == "Back"
    [chosen] = candidates(able_desk, story)
    assert (chosen.is_sketched, chosen.state) == (True, CandidateState.CHOSEN)
    assert [turn.name for turn in chosen.turns] == ["Amos Vale", "Opal Dray"]


def test_chapter_that_has_only_one_candidate_is_compared_with_nothing(able_desk: Desk) -> None:
    story = founded(able_desk, {**ASKED, "goals": 1})
    task = PlotChapters(chapters=1)
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), task).calls

    assert able_desk.do(story, task).state is RunState.WAITING
    [view] = able_desk.workbench.plot.candidates(able_desk.branch(story), 1)
    assert able_desk.answer(story, Decision(choice=view.candidate.id)).state is RunState.DONE

    assert not asked(able_desk.server, "goals", "scorer")
    assert expected == len(able_desk.server.history)


def test_beats_name_what_led_to_them_and_whoever_came_in_before_them_acts(able_desk: Desk) -> None:
    ferrier = {"name": "Nan Ferrier", "part": "acts", "newcomer": "who keeps the ferry"}
    told = [
        {"who": "Amos", "title": "A hail", "observed": "Amos hails.", "present": [ferrier]},
        {
            "who": "Nan Ferrier",
            "title": "No",
            "observed": "Nan will not put out.",
            "because_of": "B1",
        },
    ]
    story = founded(able_desk, plot=lambda _: say_json({"beats": told}))

    plotted(able_desk, story, chapters=1)

    now = able_desk.workbench.prototype.snapshot(able_desk.branch(story))
    hail, no = now.events_of(1)
    [new] = [one for one in now.characters if one.name == "Nan Ferrier"]
    assert [one.event for one in now.of(Participation) if one.character == new.id] == [
        hail.id,
        no.id,
    ]
    assert [(one.source, one.target) for one in now.of(EventLink)] == [(hail.id, no.id)]


def test_its_text_is_the_sketch_for_which_nobody_is_asked_again(able_desk: Desk) -> None:
    story = founded(able_desk)
    plotted(able_desk, story)
    able_desk.server.history.clear()
    task = WriteChapter(chapter=1, then=(2,), is_autopilot=True)
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), task).calls

    assert written(able_desk, story) == [OUT, BACK]

    assert [agent_of(sent) for sent in able_desk.server.history] == ["story_plan"]
    assert expected == 1


def test_chapter_that_is_written_by_itself_is_the_sketch_s_once(able_desk: Desk) -> None:
    story = founded(able_desk)
    plotted(able_desk, story, 1)
    task = WriteChapter(chapter=1, is_autopilot=True)
    able_desk.do(story, task)
    assert texts_of(able_desk, story) == [OUT]
    assert asked(able_desk.server, "writer_novel", "review") == []

    able_desk.do(story, task)

    assert texts_of(able_desk, story) != [OUT]
    assert len(asked(able_desk.server, "writer_novel")) == 1


def test_in_another_form_it_is_written_anew(able_desk: Desk) -> None:
    story = founded(able_desk)
    plotted(able_desk, story)

    texts = written(able_desk, story, form=Form.SCREENPLAY)

    assert OUT not in texts
    assert asked(able_desk.server, "writer_screenplay")


def test_writer_chooses_between_the_sketch_and_other_chapters(able_desk: Desk) -> None:
    story = founded(
        able_desk, ASKED, goals=ferry.goals
    )  # so different that they are asked for once
    task = PlotChapters(chapters=2)
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), task).calls

    assert able_desk.do(story, task).state is RunState.WAITING

    [sent] = asked(able_desk.server, "goals")
    assert "That one has been thought of." in sent.prompt
    assert f"{OUT[:40]}" in request_of(sent)
    assert "2 different chapters" in request_of(sent)
    found = candidates(able_desk, story)
    assert [one.is_sketched for one in found] == [True, False, False]

    other = next(one for one in found if not one.is_sketched)
    able_desk.answer(story, Decision(choice=other.id))

    # The story has left its sketch, and goes on from what happened.
    sent = asked(able_desk.server, "goals")[1]
    assert "as far as it fits what has happened since" in sent.prompt
    assert not any(one.is_sketched for one in candidates(able_desk, story, 2))
    assert len(asked(able_desk.server, "plot")) == 1
    able_desk.answer(story)
    assert expected > len(asked(able_desk.server, "plot", "goals", "scorer"))
    assert OUT not in written(able_desk, story)


def test_whoever_asks_for_other_goals_gets_others(able_desk: Desk) -> None:
    story = founded(able_desk, {**ALONE, "gates": {**ALONE["gates"], Gate.GOALS: GateMode.ASK}})
    able_desk.do(story, PlotChapters())
    goals = able_desk.workbench.plot.goals(able_desk.branch(story), 1)
    assert [goal.is_sketched for goal in goals] == [True, False, False]
    assert goals[0].text == f"{' '.join(OUT.split()[:60])} …"

    able_desk.answer(story, Decision(action=Action.ASK_AGAIN))

    newest = able_desk.workbench.plot.goals(able_desk.branch(story), 1)
    assert [(goal.round, goal.is_sketched) for goal in newest] == [(2, False)] * 3


def test_goal_that_the_writer_words_anew_is_no_longer_the_sketch_s(able_desk: Desk) -> None:
    story = founded(able_desk, {**ALONE, "gates": {**ALONE["gates"], Gate.GOALS: GateMode.ASK}})
    able_desk.do(story, PlotChapters())
    goals = able_desk.workbench.plot.goals(able_desk.branch(story), 1)
    able_desk.workbench.plot.save_goal(goals[0].model_copy(update={"text": "Amos swims."}))

    able_desk.answer(story)

    assert not asked(able_desk.server, "plot")
    assert not any(one.is_sketched for one in candidates(able_desk, story))


@pytest.mark.parametrize("what", ["cast", "event", "length", "headings"])
def test_story_that_its_writer_has_changed_is_written_anew(able_desk: Desk, what: str) -> None:
    sketch = SKETCH.replace("## Chapter 2: Back\n\n", "") if what == "headings" else SKETCH
    story = founded(able_desk, sketch=lambda _: say(sketch))
    branch = able_desk.branch(story)
    if what == "length":
        change = {"words": 400}
        able_desk.workbench.library.change_settings(
            story.id, lambda now: now.model_copy(update=change)
        )
    if what == "event":
        plotted(able_desk, story)
    now = able_desk.workbench.prototype.snapshot(branch)
    one = {
        "cast": next(iter(now.characters)),
        "event": next(iter(now.events_of(2)), None),
    }.get(what)
    if one is not None:
        field = {"cast": "occupation", "event": "summary"}[what]
        edited = altered(one, **{field: "A tuner of pianos."})
        entities = {**now.entities, one.id: edited}
        able_desk.workbench.story.edit(branch, now.model_copy(update={"entities": entities}))
    if what != "event":
        plotted(able_desk, story)
        assert asked(able_desk.server, "goals", "role")

    texts = written(able_desk, story)

    assert OUT not in texts
    # It is told from the sketch nevertheless.
    [sent] = asked(able_desk.server, "writer_novel")
    assert "Amos Vale climbed the span" in request_of(sent)


@pytest.mark.parametrize(
    ("brief", "settings"),
    [
        ({}, {"style_notes": "Dry."}),
        ({}, {"style_sample": "It rained. It rained all day."}),
        ({"language": "German"}, {}),
        ({"wishes": "Nobody dies."}, {}),
    ],
)
def test_words_are_the_sketch_s_only_while_nothing_else_is_asked_of_them(
    able_desk: Desk, brief: dict[str, Any], settings: dict[str, Any]
) -> None:
    story, library = founded(able_desk), able_desk.workbench.library
    library.change_brief(story.id, lambda now: now.model_copy(update=brief))
    library.change_settings(story.id, lambda now: now.model_copy(update=settings))
    plotted(able_desk, story)
    # What happens is the sketch's nevertheless.
    assert len(asked(able_desk.server, "plot")) == 2
    able_desk.server.history.clear()
    task = WriteChapter(chapter=1, then=(2,), is_autopilot=True)
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), task).calls

    assert OUT not in written(able_desk, story)

    [sent] = asked(able_desk.server, "writer_novel")
    assert "Amos Vale climbed the span" in request_of(sent)
    assert expected >= len(asked(able_desk.server, "story_plan", "writer_novel", "review"))


def test_cast_that_is_changed_before_it_is_approved_leads_away_from_the_sketch(
    able_desk: Desk,
) -> None:
    able_desk.server.answer = answering()
    gates = {**ALONE["gates"], Gate.CONFIGURATION: GateMode.ASK}
    story = able_desk.story(premise=PREMISE, settings={**ALONE, "gates": gates})
    assert able_desk.do(story, Initialize()).state is RunState.WAITING

    def renamed(now: Snapshot) -> Snapshot:
        amos = next(iter(now.characters))
        marks = tuple(one for one in amos.invented if one != "name")
        other = altered(amos, name="Lemuel Vale", invented=marks)
        return now.model_copy(update={"entities": {**now.entities, amos.id: other}})

    able_desk.workbench.story.revise_configuration(able_desk.branch(story), renamed)
    able_desk.answer(story)
    able_desk.server.history.clear()

    plotted(able_desk, story, 1)

    assert asked(able_desk.server, "goals", "role")
    assert not any(one.is_sketched for one in candidates(able_desk, story))


def test_chapter_that_cannot_be_read_can_be_read_by_a_run_that_goes_on(able_desk: Desk) -> None:
    story = founded(able_desk, plot=lambda _: say("I would rather not."))

    run = able_desk.do(story, PlotChapters(is_autopilot=True))

    assert run.state is RunState.FAILED
    assert "Too few usable answers" in run.message
    able_desk.server.answer = answering(plot=able_answers())
    again = able_desk.settle(able_desk.workbench.runs.resume(able_desk.branch(story)))
    assert again.state is RunState.DONE
    assert [one.is_sketched for one in candidates(able_desk, story)] == [True]


def preferring(text: str) -> Any:
    """Return a reader who likes the story better in which some words stand."""

    def read(sent: Sent) -> Reply:
        first, _, _ = request_of(sent).partition("THE SECOND STORY")
        better = 8 if text in first else 6
        return say_json({"marks": {point: [better, 14 - better] for point in POINTS}})

    return read


def test_second_draft_that_readers_prefer_is_the_text(able_desk: Desk) -> None:
    story = founded(able_desk)
    plotted(able_desk, story)
    written(able_desk, story)
    able_desk.server.history.clear()
    able_desk.server.answer = answering(sketch_reader=preferring("All of it."))
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), ReadStory()).calls

    assert able_desk.do(story, ReadStory(is_autopilot=True)).state is RunState.DONE

    agents = [agent_of(sent) for sent in able_desk.server.history]
    assert agents == ["first_reader", "second_draft", *["sketch_reader"] * 2, "first_reader"]
    assert expected == len(agents)
    assert texts_of(able_desk, story) == [f"All of it. {OUT}", f"All at last. {BACK}"]
    [sent] = asked(able_desk.server, "second_draft")
    assert f"The story:\n\n## 1. Out\n\n{OUT}" in request_of(sent)
    assert '- unclear at "Amos Vale climbed the span": All of it?' in request_of(sent)


def test_story_stands_as_told_until_a_word_of_it_is_changed(able_desk: Desk) -> None:
    story = founded(able_desk)
    branch, about = able_desk.branch(story), able_desk.workbench.story
    assert not about.is_as_told(branch)
    plotted(able_desk, story)
    assert not about.is_as_told(branch)
    written(able_desk, story)
    assert about.is_as_told(branch)

    able_desk.server.answer = answering(sketch_reader=preferring("All of it."))
    able_desk.do(story, ReadStory(is_autopilot=True))

    assert not about.is_as_told(branch)


def test_second_draft_that_readers_do_not_prefer_is_kept_beside_the_text(able_desk: Desk) -> None:
    story = founded(able_desk)
    plotted(able_desk, story)
    written(able_desk, story)
    able_desk.server.answer = answering(sketch_reader=preferring(f"## 1. Out\n\n{OUT}"))

    run = able_desk.do(story, ReadStory(is_autopilot=True))

    assert texts_of(able_desk, story) == [OUT, BACK]
    assert any("Readers of both preferred the text as it was" in note for note in run.notes)
    assert len(asked(able_desk.server, "first_reader")) == 1
    versions = able_desk.workbench.manuscript.versions(able_desk.branch(story), 1)
    assert [one.text for one in versions[:2]] == [OUT, f"All of it. {OUT}"]
    assert versions[0].state is versions[2].state
    assert [one.remark for one in versions[0].remarks] == ["All of it?"]


def test_second_draft_that_nobody_could_compare_is_the_text(able_desk: Desk) -> None:
    story = founded(able_desk)
    plotted(able_desk, story)
    written(able_desk, story)
    able_desk.server.answer = answering(sketch_reader=lambda _: say("Both are fine."))

    able_desk.do(story, ReadStory(is_autopilot=True))

    assert texts_of(able_desk, story)[0] == f"All of it. {OUT}"
