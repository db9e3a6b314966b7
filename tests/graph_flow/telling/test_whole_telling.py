"""A chapter told by an able model: planned as a whole, written at once, reviewed and revised."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.material.facts import Fact, facts_untold
from graph_flow.telling.planning import Offered
from graph_flow.workbench.workbench import Workbench
from store.models.base import PARAGRAPH_LIMIT
from store.models.form import Form
from store.models.manuscript import Draft, DraftState, SceneMode, ThreadMove, WritingPlan
from store.models.prototype import FOUNDATION_ID, SPINE_ID
from store.models.run import PlotChapters, RunState, WriteChapter
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import (
    FACTS,
    PLAN,
    REVIEW,
    REVISED,
    TEXT,
    plotted,
    telling,
)
from tests.store.builders import CAST, adding, altered, begin


def write(desk: Desk, story: Story, chapter: int = 1) -> None:
    assert desk.do(story, WriteChapter(chapter=chapter)).state is RunState.DONE


def text_of(workbench: Workbench, branch: str, chapter: int = 1) -> Draft:
    found = workbench.manuscript.draft(branch, chapter)
    assert found is not None
    return found


def plan_of(desk: Desk, story: Story) -> WritingPlan:
    found = desk.workbench.manuscript.plan(desk.branch(story), 1)
    assert found is not None
    return found


def request(desk: Desk, agent: str) -> str:
    [sent] = asked(desk.server, agent)
    return request_of(sent)


def test_chapter_takes_four_calls_one_after_the_other(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store)
    task = WriteChapter(chapter=1)
    expected = able.workbench.runs.estimate(able.branch(story), task).calls

    write(able, story)

    assert expected == 4
    assert [agent_of(sent) for sent in able.server.history] == [
        "plan",
        "writer_novel",
        "review",
        "revise",
    ]


def test_plan_joins_events_and_forgets_none(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store)

    write(able, story)

    first, second = plan_of(able, story).scenes
    assert first.events == ("c1e0", "c1e1")
    assert second.events == ("c1e2",)
    assert (first.point_of_view, second.point_of_view) == ("amos", "ruth")
    assert (first.scene, second.scene) == ("span", "office")
    assert second.mode is SceneMode.SUMMARY
    assert (first.words, second.words) == (840, 360)
    assert [(cue.thread, cue.move) for cue in first.threads] == [("page", ThreadMove.PLANT)]
    assert second.threads == ()
    assert first.reveals == ("secret:amos",)


def test_planner_sees_all_that_the_chapter_is_made_of(able: Desk, story_store: Store) -> None:
    write(able, plotted(able, story_store))

    asked_for = request(able, "plan")
    for said in (
        "I know this pin.",
        "Come down.",
        "nothing is settled",
        "he tore the page out",
        "Her son drove over",
        "The bridge falls",
        "Amos reads the page aloud",
        "the missing page",
        "chapter 1 of 3",
        "about 1200 words",
    ):
        assert said in asked_for


def test_writer_has_people_with_their_ties_to_the_absent_and_one_mind_a_scene(
    able: Desk, story_store: Store
) -> None:
    write(able, plotted(able, story_store))

    asked_for = request(able, "writer_novel")
    for said in (
        "It holds.",
        "her son is dead",
        "tin box",
        "An inspector is asked",
        "guilt",
        "The reader learns: Amos Vale hides",
        "I know this pin.",
        "There is a stub.",
        "what Ruth has found",
    ):
        assert said in asked_for
    assert "He is hiding it." not in asked_for, "Ruth thinks so where Amos sees"
    assert "whom his silence served" not in asked_for, "an arc is not for the text to state"
    assert asked_for.count("the missing page") == 1


def test_reviewer_sees_what_the_plan_promised(able: Desk, story_store: Store) -> None:
    write(able, plotted(able, story_store))

    asked_for = request(able, "review")
    assert "F1. Amos Vale hides: he tore the page out of the log" in asked_for
    assert "the plan promises: F1" in asked_for
    assert TEXT.partition("\n")[0] in asked_for


def test_reviewer_knows_who_people_are_and_what_the_writer_has_settled(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store)
    now = able.workbench.prototype.snapshot(able.branch(story))
    ruth = next(one for one in now.characters if one.name == "Ruth Vale")
    settled = altered(ruth, age="41", locked=("age",))
    whole = {**now.entities, ruth.id: settled}
    able.workbench.story.edit(able.branch(story), now.model_copy(update={"entities": whole}))

    write(able, story)

    _, _, asked_for = request(able, "review").partition("The people in it, and what the reader")
    people, _, rest = asked_for.partition("Between them:")
    assert "Ruth Vale (41" in people
    assert "he tore the page out" not in people, "the reader does not know it: it is a fact"
    ties, _, kept = rest.partition("The writer has settled this")
    assert "Ruth Vale" in ties
    assert "Ruth Vale: Age: 41" in kept.partition("Facts that")[0]


def test_revision_changes_what_it_quotes_and_keeps_the_text_before(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store, gates={Gate.PLAN: GateMode.GO_ON})

    able.do(story, WriteChapter(chapter=1))

    newest, before = able.workbench.manuscript.versions(able.branch(story), 1)
    assert newest.text == REVISED
    assert (newest.state, newest.revises) == (DraftState.REVISED, before.version)
    assert before.text == TEXT.replace("***", "* * *")
    assert "words that nobody wrote" not in request(able, "revise")


def test_refused_revision_restores_the_text(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store)
    write(able, story)
    manuscript = able.workbench.manuscript
    branch = able.branch(story)
    newest, before = manuscript.versions(branch, 1)

    manuscript.refuse_revision(branch, newest)

    assert text_of(able.workbench, branch).text == before.text
    assert text_of(able.workbench, branch).revises is None
    assert newest.id in {one.id for one in manuscript.versions(branch, 1)}


def test_revision_of_what_is_not_there_changes_nothing(able: Desk, story_store: Store) -> None:
    nowhere = {"passages": [{"old": "No such words.", "new": "Other words."}]}
    able.server.answer = telling(revise=say_json(nowhere))
    story = plotted(able, story_store)

    write(able, story)

    assert len(able.workbench.manuscript.versions(able.branch(story), 1)) == 1


@pytest.mark.parametrize(
    ("reviews", "calls"), [(0, []), (1, ["review", "revise"]), (2, ["review", "revise", "review"])]
)
def test_writer_says_how_often_a_text_is_reviewed(
    able: Desk, story_store: Store, reviews: int, calls: list[str]
) -> None:
    write(able, plotted(able, story_store, reviews=reviews))

    assert [agent_of(one) for one in asked(able.server, "review", "revise")] == calls


def test_text_without_remarks_is_not_revised(able: Desk, story_store: Store) -> None:
    able.server.answer = telling(review=say_json({"told": ["F1"], "remarks": []}))
    story = plotted(able, story_store)

    write(able, story)

    assert asked(able.server, "revise") == []


def test_reader_knows_what_the_text_has_told(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store, chapters=2)
    branch = able.branch(story)

    assert {fact.key for fact in facts_untold(story_store, branch, 1)} == set(FACTS)
    write(able, story)

    assert {fact.key for fact in facts_untold(story_store, branch, 2)} == set(FACTS) - {
        "secret:amos"
    }
    assert {fact.key for fact in facts_untold(story_store, branch, 1)} == set(FACTS)


def test_fact_that_the_text_does_not_tell_is_offered_again(able: Desk, story_store: Store) -> None:
    able.server.answer = telling(review=say_json({**REVIEW, "told": []}))
    story = plotted(able, story_store, chapters=2)

    write(able, story)

    untold = facts_untold(story_store, able.branch(story), 2)
    assert "secret:amos" in {fact.key for fact in untold}
    assert "F1. Amos Vale hides" in request(able, "revise")


def test_every_fact_reaches_the_writer_or_is_asked_for_in_the_last_chapter(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store, chapters=3)

    for chapter in (1, 2, 3):
        write(able, story, chapter)

    plans = [request_of(sent) for sent in asked(able.server, "plan")]
    assert "This is the last chapter" in plans[2]
    assert not any("This is the last chapter" in one for one in plans[:2])
    texts = {fact.key: fact.text for fact in facts_untold(story_store, able.branch(story), 1)}
    written = "".join(request_of(sent) for sent in asked(able.server, "writer_novel")[:2])
    told = able.workbench.manuscript.told_in(able.branch(story), [1, 2])
    assert told
    for key in told:
        assert texts[key].partition(":")[2].strip()[:30] in written
    left = facts_untold(story_store, able.branch(story), 3)
    assert told | {fact.key for fact in left} == set(FACTS)
    for fact in left:
        assert fact.text.partition(":")[2].strip()[:30] in plans[2]
    for agent in ("writer_novel", "review"):
        assert "This is the last chapter" in request_of(asked(able.server, agent)[2])


def test_chapter_goes_on_from_the_text_of_the_one_before(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store, chapters=2)

    write(able, story)
    write(able, story, 2)

    first, second = map(request_of, asked(able.server, "writer_novel"))
    assert "Not on the page before: Amos Vale, Ruth Vale" in first
    assert "Not on the page before" not in second
    assert "she closed the log again" in second
    assert "Amos climbs the ladder" in second
    assert "Chapter 0" not in second, "the reader has not read what came before the story"
    review = request_of(asked(able.server, "review")[1])
    assert "she closed the log again" in review


def test_chapter_too_long_for_one_answer_is_written_scene_by_scene(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store, words=5_000)

    write(able, story)

    first, second = asked(able.server, "writer_novel")
    assert "Write only scene 1 of 2" in request_of(first)
    assert "Write only scene 2 of 2" in request_of(second)
    assert "she closed the log again" in request_of(second)


@pytest.mark.parametrize(("words", "requests"), [(1_200, 1), (5_000, 2)])
def test_event_of_two_scenes_is_told_whole_once_in_each_request(
    able: Desk, story_store: Store, words: int, requests: int
) -> None:
    first, second = PLAN["scenes"]
    scenes = [{**first, "events": ["C1", "C2"]}, {**second, "events": ["C2", "C3"]}]
    able.server.answer = telling(plan=say_json({**PLAN, "scenes": scenes}))

    write(able, plotted(able, story_store, words=words))

    sent = [request_of(one) for one in asked(able.server, "writer_novel")]
    assert [one.count("Come down.") for one in sent] == [1] * requests
    assert ("it goes on, see above" in sent[-1]) is (requests == 1)


def test_over_long_and_odd_answers_cost_no_second_call(able: Desk, story_store: Store) -> None:
    scene = {**PLAN["scenes"][0], "beat": "On and on. " * 900, "mode": "montage", "weight": 99}
    odd: dict[str, Any] = {
        "structure": "spiral",
        "scenes": [{**scene, "events": "C1", "point_of_view": "the river", "recalls": None}, 7],
        "withheld": None,
    }
    remark = {"kind": "clumsy", "quote": "Amos stopped at the pin.", "remark": "x" * 900}
    able.server.answer = telling(
        plan=say_json(odd), review=say_json({"told": "F1", "remarks": [remark], "mark": 3})
    )
    story = plotted(able, story_store)

    write(able, story)

    assert len(able.server.history) == 4
    [scene_planned] = plan_of(able, story).scenes
    assert scene_planned.events == ("c1e0", "c1e1", "c1e2")
    assert scene_planned.point_of_view == "amos"


def test_model_without_a_usable_plan_is_asked_for_less(able: Desk, story_store: Store) -> None:
    able.server.answer = telling(
        plan=lambda sent: None if "point_of_view" in str(sent.schema) else say("I cannot.")
    )
    story = plotted(able, story_store)

    write(able, story)

    assert sorted(one for scene in plan_of(able, story).scenes for one in scene.events) == [
        "c1e0",
        "c1e1",
        "c1e2",
    ]


def test_style_goes_to_planner_and_writer(able: Desk, story_store: Store) -> None:
    notes = "short sentences, no similes"
    sample = "\n\n".join(["The tide went out.", *["It rained."] * 900, "Nobody said so."])
    write(able, plotted(able, story_store, style_notes=notes, style_sample=sample))

    assert notes in request(able, "plan")
    assert notes in request(able, "writer_novel")
    for line in ("The tide went out.", "Nobody said so."):
        assert line in request(able, "writer_novel")
    assert notes in request(able, "revise")


def test_screenplay_has_a_writer_of_its_own(able: Desk, story_store: Store) -> None:
    able.server.answer = telling(writer_screenplay=say(TEXT))
    story = plotted(able, story_store)

    able.do(story, WriteChapter(chapter=1, form=Form.SCREENPLAY))

    assert "I know this pin." in request(able, "writer_screenplay")


def test_small_model_is_not_asked_for_a_review(desk: Desk, store: Store) -> None:
    story = plotted(desk, store)

    write(desk, story)

    agents = {agent_of(sent) for sent in desk.server.history}
    assert agents == {"recall", "thread", "plan", "writer_novel"}


@pytest.mark.parametrize(
    ("agent", "most"),
    [("plan", 4_800), ("writer_novel", 9_500), ("review", 7_000), ("revise", 3_000)],
)
def test_prompts_stay_within_bounds(able: Desk, story_store: Store, agent: str, most: int) -> None:
    filler = " ".join(f"The river went by for the {number}th time." for number in range(150))
    able.server.answer = telling(writer_novel=say(f"{TEXT}\n\n{filler}"))
    more = " The river goes on under it, brown and slow, as it did on the day before." * 3
    story = plotted(able, story_store, chapters=20, more=more, chapter_cap=20)

    for chapter in (19, 20):
        write(able, story, chapter)

    assert estimate_tokens(asked(able.server, agent)[-1].prompt) < most


def test_chapter_that_was_interrupted_is_neither_written_nor_reviewed_again(
    able: Desk, story_store: Store
) -> None:
    able.server.answer = telling(revise=refuse(401, "no key"))
    story = plotted(able, story_store)
    run = able.do(story, WriteChapter(chapter=1))
    assert run.state is not RunState.DONE
    able.server.answer = telling()

    run = able.settle(able.workbench.runs.resume(able.branch(story)))

    assert run.state is RunState.DONE
    assert text_of(able.workbench, able.branch(story)).text == REVISED
    for agent in ("plan", "writer_novel", "review"):
        assert len(asked(able.server, agent)) == 1


def test_crowded_chapter_leaves_nobody_out(able: Desk, story_store: Store) -> None:
    more = " The river goes on under it, brown and slow, as it did on the day before." * 5
    write(able, plotted(able, story_store, more=more))

    asked_for = request(able, "writer_novel")
    for name in ("Amos Vale (retired inspector)", "Ruth Vale (engineer)"):
        assert name in asked_for


def test_next_chapter_is_written_with_the_text_before_it_and_what_can_come_back(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store, chapters=2)
    write(able, story)
    able.server.history.clear()

    write(able, story, 2)

    for agent in ("plan", "writer_novel"):
        assert "- chalk on a thumb" in request(able, agent)
    for agent in ("writer_novel", "review"):
        asked_for = request(able, agent)
        assert REVISED in asked_for
        assert "Chapter 1: Amos climbs" not in asked_for, "what is read whole needs no summary"


def test_long_chapters_before_are_summed_up_and_the_last_is_shown_to_its_end(
    able: Desk, story_store: Store
) -> None:
    filler = " ".join(f"The river went by for the {number}th time." for number in range(600))
    able.server.answer = telling(writer_novel=say(f"{TEXT}\n\n{filler}"))
    story = plotted(able, story_store, chapters=2)
    write(able, story)
    able.server.history.clear()

    write(able, story, 2)

    asked_for = request(able, "writer_novel")
    assert "for the 599th time." in asked_for
    assert "for the 100th time." not in asked_for
    assert "Chapter 1: Amos climbs" in asked_for


def test_who_is_spoken_of_is_described_though_they_are_not_there(
    able: Desk, story_store: Store
) -> None:
    beat = PLAN["scenes"][0] | {"beat": "He thinks of Opal (F5), and stays up there (C1)."}
    able.server.answer = telling(
        plan=say_json(PLAN | {"scenes": [beat, *PLAN["scenes"][1:]], "withheld": "Her son (F3)."})
    )

    write(able, plotted(able, story_store))

    asked_for = request(able, "writer_novel")
    assert "Not there, but spoken or thought of: Opal Dray" in asked_for
    assert "He thinks of Opal, and stays up there." in asked_for
    assert "must not know yet: Her son." in asked_for


def test_reviewer_is_told_how_long_the_chapter_was_to_be(able: Desk, story_store: Store) -> None:
    write(able, plotted(able, story_store, words=400))

    assert "about 400 words, and has 4" in request(able, "review")


@pytest.mark.parametrize(("chapters", "has_recalls"), [(40, True), (3, False)])
def test_plan_is_asked_only_for_what_there_is_to_name(
    able: Desk, story_store: Store, chapters: int, has_recalls: bool
) -> None:
    """What a short story has told stands before its planner as it was told, and needs no label."""
    story = plotted(able, story_store, chapters=2, chapter_cap=chapters)

    for chapter in (1, 2):
        write(able, story, chapter)

    first, second = (
        sent.schema["properties"]["scenes"]["items"]["properties"]
        for sent in asked(able.server, "plan")
        if sent.schema
    )
    assert "recalls" not in first
    assert "threads" in second
    assert ("recalls" in second) is has_recalls
    first_plan, second_plan = (request_of(sent) for sent in asked(able.server, "plan"))
    assert "recalls" not in first_plan
    assert ("Earlier events:" in second_plan) is has_recalls


def test_last_chapter_is_not_asked_for_what_could_come_back(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store, chapters=2, chapter_cap=2)

    for chapter in (1, 2):
        write(able, story, chapter)

    first, last = (sent.prompt for sent in asked(able.server, "review"))
    assert "echoes" in first
    assert "echoes" not in last


def test_whoever_revises_knows_what_lies_behind_and_how_long_the_text_was_to_be(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store)
    branch = able.branch(story)
    now = able.workbench.prototype.snapshot(branch)
    truth = {FOUNDATION_ID: altered(now.foundation, truth="The pin was cracked all along.")}
    edited = now.model_copy(update={"entities": {**now.entities, **truth}})
    able.workbench.story.edit(branch, edited)

    write(able, story)

    asked_for = request(able, "revise")
    assert "The pin was cracked all along." in asked_for
    assert "about 1200 words" in asked_for


def test_story_that_a_small_model_began_goes_on_with_an_able_one(
    able: Desk, story_store: Store
) -> None:
    """Nobody in it has a past or a voice, and nothing is known of where it goes."""
    able.server.answer = going_on
    story = able.story(premise="Two people.")
    begin(story_store, able.branch(story), adding(*CAST))

    plotted_run = able.do(story, PlotChapters(is_autopilot=True))
    written_run = able.do(story, WriteChapter(chapter=1, is_autopilot=True))

    assert (plotted_run.state, written_run.state) == (RunState.DONE, RunState.DONE)
    assert plotted_run.notes == written_run.notes == ()
    assert text_of(able.workbench, able.branch(story)).text
    assert "spine_update" not in {agent_of(sent) for sent in able.server.history}


def test_plan_knows_what_later_chapters_tell(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store, chapters=2)

    write(able, story)
    write(able, story, 2)

    first, last = (request_of(sent) for sent in asked(able.server, "plan"))
    assert "Chapter 2: Amos climbs the ladder" in first
    assert "What later chapters tell" not in last


def test_plan_knows_what_is_said_later_however_much_is_done(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store, chapters=2, chapter_cap=2)
    branch = able.branch(story)
    now = able.workbench.prototype.snapshot(branch)
    call = next(one for one in now.events if one.id == "c2e1")
    longer = altered(call, summary=f"{call.summary} {'The ladder creaks under him. ' * 20}")
    edited = now.model_copy(update={"entities": {**now.entities, call.id: longer}})
    able.workbench.story.edit(branch, edited)

    write(able, story)

    (plan,) = (request_of(sent) for sent in asked(able.server, "plan"))
    later = plan[plan.index("What later chapters tell") :]
    assert "The ladder creaks under him." in later
    assert "Come down." in later


@pytest.mark.parametrize(("chapters", "is_short"), [(3, True), (40, False)])
def test_plan_of_a_short_story_knows_all_that_its_reader_has_read(
    able: Desk, story_store: Store, chapters: int, is_short: bool
) -> None:
    filler = " ".join(f"The river went by for the {number}th time." for number in range(40))
    able.server.answer = telling(writer_novel=say(f"{TEXT}\n\n{filler}"))
    turns = "\n".join(
        f"{at}. In chapter {at} Ruth finds one more stub. " * 16 for at in (1, 2, 3, 4)
    )
    story = plotted(able, story_store, chapters=2, chapter_cap=chapters)
    branch = able.branch(story)
    now = able.workbench.prototype.snapshot(branch)
    spine = {SPINE_ID: altered(now.spine, turns=turns)}
    edited = now.model_copy(update={"entities": {**now.entities, **spine}})
    able.workbench.story.edit(branch, edited)

    write(able, story)
    write(able, story, 2)

    _, second = (request_of(sent) for sent in asked(able.server, "plan"))
    assert ("Amos stopped at the pin." in second) is is_short
    assert ("In chapter 4 Ruth finds" in second) is is_short
    assert "for the 39th time." in second


def test_writer_knows_how_the_story_is_to_end_and_in_the_last_chapter_tells_it(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store, chapters=2, chapter_cap=2)

    write(able, story)
    write(able, story, 2)

    first, last = (request_of(sent) for sent in asked(able.server, "writer_novel"))
    assert "in a later chapter; nothing of it happens here" in first
    assert "How the story was to end" in last
    for sent in (first, last):
        assert "- Amos reads the page aloud." in sent


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("What broke it (F1); what Greta knows (F1 and F2).", "What broke it; what Greta knows."),
        ("Of F1 only the flood.", "Of “Amos hides: he burnt the page.” only the flood."),
        ("He waits (until noon); F9 stays hid.", "He waits (until noon); stays hid."),
    ],
)
def test_labels_of_one_request_stand_in_words_in_the_next(said: str, meant: str) -> None:
    facts = [
        Fact("secret:amos", "Amos hides: he burnt the page."),
        Fact("secret:greta", "Greta hides: she saw it."),
    ]
    assert Offered(events=(), facts=facts).in_words(said, 400) == meant


def test_plan_that_words_make_too_long_is_cut_to_what_can_be_kept(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store)
    answer = telling()

    def withholding(sent: Sent) -> Reply | None:
        reply = answer(sent)
        if agent_of(sent) != "plan" or reply is None:
            return reply
        return say_json({**json.loads(reply.text), "withheld": "Not F1, F2, F3. " * 60})

    able.server.answer = withholding
    write(able, story)

    kept = story_store.manuscript.plan(able.branch(story), 1)
    assert kept is not None
    assert 400 < len(kept.withheld) <= PARAGRAPH_LIMIT
    assert "F1" not in kept.withheld


def test_editor_of_the_last_chapter_reads_those_before_it_whole(
    able: Desk, story_store: Store
) -> None:
    filler = "\n\n".join(f"The river went by for the {at}th time that night." for at in range(150))
    able.server.answer = telling(writer_novel=say(f"{TEXT}\n\n{filler}"))
    story = plotted(able, story_store, chapters=3)

    for chapter in (1, 2, 3):
        write(able, story, chapter)

    *_, last = (request_of(sent) for sent in asked(able.server, "review"))
    assert last.count("for the 75th time") == 3
