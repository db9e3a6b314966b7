"""A short story that was read as a whole gets a second draft, unless its writer has changed it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

import pytest

from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import Draft, DraftState
from store.models.proposals import Configuration, Sketch
from store.models.prototype import FOUNDATION_ID
from store.models.run import ReadStory, RunState, WriteChapter
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.founding.sketching import marks
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import PLAN, plotted, telling
from tests.store.builders import altered

FIRST = ("Amos stopped at the pin.", "Ruth laid the log open.", "He read the page aloud.")
SECOND = ("Amos went up.", "Ruth opened the log.", "He read it out loud.")
READING: dict[str, Any] = {
    "understood": "An old man has hidden something.",
    "best": ["He read the page aloud."],
    "remarks": [{"kind": "unclear", "quote": "Ruth laid the log open.", "remark": "What log?"}],
}
REVISION = {
    "passages": [{"old": "Ruth laid the log open.", "new": "Ruth laid the bridge’s log open."}]
}


def headed(texts: tuple[str, ...]) -> str:
    return "\n\n".join(f"## {at}. Part {at}\n\n{one}" for at, one in enumerate(texts, start=1))


def _prefer_second(sent: Sent) -> Reply:
    first, _, _ = request_of(sent).partition("THE SECOND STORY")
    return say_json({"marks": marks(8, 6) if SECOND[0] in first else marks(6, 8)})


def model(**others: Any) -> Callable[[Sent], Any]:
    """Return what an able model says that writes a story, reads it and writes it again."""
    plan = {**PLAN, "scenes": PLAN["scenes"][:1]}
    said = {
        "story_plan": say_json({"chapters": [plan] * 3}),
        "writer_novel": say(headed(FIRST)),
        "review": say_json({"told": [], "echoes": [], "remarks": []}),
        "first_reader": say_json(READING),
        "second_draft": say(headed(SECOND)),
        "sketch_reader": _prefer_second,
        "last_revision": say_json(REVISION),
    }
    return telling(**{**said, **others})


@pytest.fixture
def written(able: Desk, story_store: Store) -> Story:
    """Return a short story of three chapters, all of them written."""
    able.server.answer = model()
    story = plotted(able, story_store, chapters=3)
    able.do(story, WriteChapter(chapter=1, then=(2, 3), is_autopilot=True))
    return story


def read(able: Desk, story: Story) -> list[Draft]:
    able.server.history.clear()
    assert able.do(story, ReadStory(is_autopilot=True)).state is RunState.DONE
    found = [able.workbench.manuscript.draft(able.branch(story), at) for at in (1, 2, 3)]
    return [one for one in found if one is not None]


def test_all_of_it_is_written_anew_and_the_first_draft_kept(able: Desk, written: Story) -> None:
    expected = able.workbench.runs.estimate(able.branch(written), ReadStory()).calls

    drafts = read(able, written)

    asked_in_turn = [agent_of(one) for one in able.server.history]
    readers = ["sketch_reader"] * 2
    assert asked_in_turn == ["first_reader", "second_draft", *readers, "first_reader"]
    assert expected == 5
    # Both drafts are read beside each other, in both orders.
    for sent, in_order in zip(
        asked(able.server, "sketch_reader"), ((SECOND, FIRST), (FIRST, SECOND)), strict=True
    ):
        one, _, other = request_of(sent).partition("THE SECOND STORY")
        assert all(text in one for text in in_order[0])
        assert all(text in other for text in in_order[1])
    assert [one.text for one in drafts] == list(SECOND)
    newest, before, *_ = able.workbench.manuscript.versions(able.branch(written), 2)
    assert (before.text, newest.revises) == (FIRST[1], before.version)
    assert newest.state is DraftState.APPROVED


def test_it_is_told_from_what_its_reader_remembers_and_not_from_the_first_draft(
    able: Desk, written: Story
) -> None:
    flat = {"kind": "flat", "quote": "Amos stopped at the pin.", "remark": "Too short."}
    reading = {**READING, "remarks": [*READING["remarks"], flat]}
    able.server.answer = model(first_reader=say_json(reading))

    read(able, written)

    [sent] = asked(able.server, "second_draft")
    for part in (
        "An inspector is asked to sign off one last bridge.",
        "An old man has hidden something.",
        "He read the page aloud.",
        "What log?",
        "## 1. Part 1\n(about 1200 words)",
    ):
        assert part in request_of(sent)
    for part in (*FIRST[:2], "Too short."):
        assert part not in request_of(sent)


def test_text_of_a_story_that_was_chosen_is_improved_by_all_that_its_reader_says(
    able: Desk, story_store: Store, written: Story
) -> None:
    branch = able.branch(written)
    sketches = (Sketch(idea=1, text="The river sulked."), Sketch(idea=2, text="Snow lay on it."))
    told = Configuration(id=new_id(), branch=branch, round=9, idea=2, sketches=sketches)
    story_store.proposals.save_configuration(told)
    flat = {"kind": "flat", "quote": "Amos stopped at the pin.", "remark": "Too short."}
    reading = {**READING, "remarks": [*READING["remarks"], flat]}
    able.server.answer = model(first_reader=say_json(reading))

    read(able, written)

    [sent] = asked(able.server, "second_draft")
    assert f"The story:\n\n{headed(FIRST)}" in request_of(sent)
    assert '- unclear at "Ruth laid the log open.": What log?' in request_of(sent)
    assert '- flat at "Amos stopped at the pin.": Too short.' in request_of(sent)
    assert "Now put the manuscript away" not in sent.prompt
    # It keeps its length, and what was to be cut for that.
    assert "It has 15 words" in request_of(sent)
    assert "(about 1200 words)" not in request_of(sent)
    assert not any(one.text in sent.prompt for one in sketches)


def test_story_in_another_form_than_its_sketch_is_told_from_memory(
    able: Desk, story_store: Store, written: Story
) -> None:
    branch = able.branch(written)
    sketches = (Sketch(idea=1, text="Snow lay on it."),)
    told = Configuration(id=new_id(), branch=branch, round=9, idea=1, sketches=sketches)
    story_store.proposals.save_configuration(told)
    brief = written.brief.model_copy(update={"form": Form.SCREENPLAY})
    story_store.library.change_brief(written.id, lambda _: brief)

    read(able, written)

    [sent] = asked(able.server, "second_draft")
    assert "Now put the manuscript away" in sent.prompt
    assert not any(text in request_of(sent) for text in FIRST[:2])


@pytest.mark.parametrize("in_short", ["", "Ruth tells how she made him read the page."])
def test_story_in_short_takes_the_place_of_what_drives_its_people_and_of_how_it_comes_out(
    able: Desk, written: Story, in_short: str
) -> None:
    now = able.workbench.prototype.snapshot(able.branch(written))
    amos = next(one for one in now.characters if one.name.startswith("Amos"))
    driven = (amos.history, now.spine.ending)
    assert all(driven)
    short = {FOUNDATION_ID: altered(now.foundation, idea=in_short)}
    edited = now.model_copy(update={"entities": {**now.entities, **short}})
    able.workbench.story.edit(able.branch(written), edited)

    read(able, written)

    [sent] = asked(able.server, "second_draft")
    assert all(part in request_of(sent) for part in (in_short, amos.name, amos.voice))
    assert [part in request_of(sent) for part in driven] == [not in_short] * len(driven)


def test_only_the_gravest_doubts_are_told_in_the_order_in_which_they_were_said(
    able: Desk, written: Story
) -> None:
    doubts = [
        {"kind": "missing", "quote": quote, "remark": f"Doubt {at} of the reader."}
        for at, quote in enumerate((*reversed(FIRST), *FIRST), start=1)
    ]
    able.server.answer = model(first_reader=say_json({**READING, "remarks": doubts}))

    read(able, written)

    [sent] = asked(able.server, "second_draft")
    told = [one for one in range(1, 7) if f"- Doubt {one} of" in request_of(sent)]
    assert told == [1, 2, 3, 4]
    places = [request_of(sent).index(f"- Doubt {one} of") for one in told]
    assert places == sorted(places)


def test_second_draft_has_a_reader_of_its_own_whose_remarks_are_for_the_writer(
    able: Desk, written: Story
) -> None:
    again = {"kind": "unclear", "quote": "Ruth opened the log.", "remark": "Where is she?"}
    readings = iter([READING, {**READING, "remarks": [again]}])
    able.server.answer = model(first_reader=lambda _: say_json(next(readings)))

    drafts = read(able, written)

    assert [one.text for one in drafts] == list(SECOND)
    assert [[one.remark for one in draft.remarks] for draft in drafts] == [
        [],
        ["Where is she?"],
        [],
    ]
    first, second = map(request_of, asked(able.server, "first_reader"))
    assert FIRST[0] in first
    assert FIRST[0] not in second
    assert all(text in second for text in SECOND)
    assert not asked(able.server, "last_revision")


def test_second_draft_that_nothing_is_said_of_stays(able: Desk, written: Story) -> None:
    readings = iter([READING, {**READING, "remarks": []}])
    able.server.answer = model(first_reader=lambda _: say_json(next(readings)))

    assert [one.text for one in read(able, written)] == list(SECOND)
    assert not asked(able.server, "last_revision")


def test_second_draft_that_could_not_be_read_stays_and_that_is_said(
    able: Desk, written: Story
) -> None:
    readings = chain([say_json(READING)], repeat(say("No.")))
    able.server.answer = model(first_reader=lambda _: next(readings))

    assert [one.text for one in read(able, written)] == list(SECOND)
    progress = able.workbench.runs.progress(able.branch(written))
    assert progress is not None
    assert "The second draft was not read" in " ".join(progress.run.notes)


def test_words_of_the_writer_are_never_written_anew(able: Desk, written: Story) -> None:
    able.workbench.manuscript.save_text(able.branch(written), 1, "My own beginning.")

    drafts = read(able, written)

    assert not asked(able.server, "second_draft")
    assert [one.text for one in drafts] == [
        "My own beginning.",
        "Ruth laid the bridge’s log open.",
        FIRST[2],
    ]


def test_reader_without_remarks_leads_to_no_second_draft(able: Desk, written: Story) -> None:
    able.server.answer = model(first_reader=say_json({**READING, "remarks": []}))

    assert [one.text for one in read(able, written)] == list(FIRST)
    assert not asked(able.server, "second_draft")


@pytest.mark.parametrize("answer", ["## 1. Part 1\n\nAmos.", "Yes."])
def test_after_a_second_draft_that_came_to_little_passages_of_the_first_are_revised(
    able: Desk, written: Story, answer: str
) -> None:
    able.server.answer = model(second_draft=say(answer))

    revised = ["Ruth laid the bridge’s log open." if one == FIRST[1] else one for one in FIRST]
    assert [one.text for one in read(able, written)] == revised
    assert len(asked(able.server, "first_reader")) == 1
    progress = able.workbench.runs.progress(able.branch(written))
    assert progress is not None
    assert "second draft was too short" in " ".join(progress.run.notes)
