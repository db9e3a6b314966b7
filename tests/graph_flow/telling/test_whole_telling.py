"""A chapter told by an able model: planned as a whole, and written at once."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.material.facts import Fact, facts_untold
from graph_flow.telling.planning import Offered
from store.models.base import PARAGRAPH_LIMIT
from store.models.cast import Character
from store.models.delta import Change
from store.models.form import Form
from store.models.manuscript import SceneMode, ThreadMove
from store.models.prototype import SPINE_ID
from store.models.run import PlotChapters, RunState, WriteChapter
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
    events_of,
    plan_of,
    plotted,
    request,
    telling,
    text_of,
    write,
)
from tests.store.builders import CAST, adding, altered, begin, go_on


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


def test_planner_is_told_who_knows_and_says_who_learns(able: Desk, story_store: Store) -> None:
    reveals = [{"fact": "F1", "to": ["Ruth", "a passer-by"]}, "F2", {"to": ["Opal"]}]
    told = {**PLAN, "scenes": [{**PLAN["scenes"][0], "reveals": reveals}]}
    story = plotted(able, story_store)
    able.server.answer = telling(plan=say_json(told))

    write(able, story)

    assert "falls at shift change. (known to Opal Dray)" in request(able, "plan")
    [scene] = plan_of(able, story).scenes
    assert scene.reveals == tuple(FACTS[:2])
    assert [(one.fact, one.person) for one in scene.learners] == [(FACTS[0], "ruth")]
    asked_for = request(able, "writer_novel")
    assert "The reader learns, with Ruth Vale: Amos Vale hides" in asked_for
    assert asked_for.count("The reader learns") == 2


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


@pytest.mark.parametrize(
    ("secret", "is_offered"),
    [
        ("He has told the council himself, and lets Ruth think that they found out.", True),
        ("He tore the page out of the log, years ago.", False),
    ],
)
def test_next_secret_of_somebody_is_offered_though_their_first_was_told(
    able: Desk, story_store: Store, secret: str, is_offered: bool
) -> None:
    story = plotted(able, story_store)
    write(able, story)
    assert "secret:amos" in text_of(able.workbench, able.branch(story)).told
    amos = story_store.prototype.snapshot(able.branch(story)).get(Character, "amos")
    changed = Change(before=amos, after=altered(amos, secrets=secret))
    more = adding(*events_of(2))
    delta = more.model_copy(update={"changes": (*more.changes, changed)})
    go_on(story_store, able.branch(story), delta, "Part 2")
    go_on(story_store, able.branch(story), adding(*events_of(3)), "Part 3")

    untold = {fact.key for fact in facts_untold(story_store, able.branch(story), 3)}
    assert ("secret:amos" in untold) == is_offered


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


@pytest.mark.parametrize(("chapters", "is_before"), [(24, True), (12, False)])
def test_planner_of_a_long_story_reads_first_what_its_events_touch(
    able: Desk, story_store: Store, chapters: int, is_before: bool
) -> None:
    """The story has more facts than there is room for: the log lies on the table, the crack is far off."""
    write(able, plotted(able, story_store, chapter_cap=chapters))

    told = request(able, "plan")
    assert (told.index("Amos Vale’s past") < told.index("Ruth Vale hides")) is is_before


@pytest.mark.parametrize(("chapters", "is_short"), [(3, True), (12, False), (24, False)])
def test_writer_of_a_longer_story_is_told_what_happens_and_less_of_how(
    able: Desk, story_store: Store, chapters: int, is_short: bool
) -> None:
    more = " He turns the page a quarter round and looks at it." * 7
    write(able, plotted(able, story_store, more=more, chapter_cap=chapters))

    told = request(able, "writer_novel")
    seen = re.findall(r"^- \([^)]*\) (.*?) \| ", told.partition("The plan:")[2], re.MULTILINE)
    assert seen
    assert all(one.count("a quarter round") == 7 for one in seen) is is_short
    assert "I know this pin." in told
    [sent] = asked(able.server, "plan")
    assert ("none of the gestures" in sent.prompt) is not is_short


def test_planner_is_held_to_what_must_hold_until_its_time(able: Desk, story_store: Store) -> None:
    write(able, plotted(able, story_store))

    told = "What must hold until its time: Nobody reads the page before the end."
    assert told in request(able, "plan")


@pytest.mark.parametrize("line", ["Die Flut ging zurück.", "潮水退了。", "Η παλίρροια έφυγε."])
def test_style_sample_may_be_in_another_language(able: Desk, story_store: Store, line: str) -> None:
    write(able, plotted(able, story_store, style_sample=line))

    [sent] = asked(able.server, "writer_novel")
    assert line in request_of(sent)
    assert "Write in the language of the premise" in sent.prompt


def test_screenplay_has_a_writer_of_its_own(able: Desk, story_store: Store) -> None:
    able.server.answer = telling(writer_screenplay=say(TEXT))
    story = plotted(able, story_store)

    able.do(story, WriteChapter(chapter=1, form=Form.SCREENPLAY))

    assert "I know this pin." in request(able, "writer_screenplay")


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
        f"{at}. In chapter {at} Ruth finds one more stub. " * 50 for at in (1, 2, 3, 4)
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
