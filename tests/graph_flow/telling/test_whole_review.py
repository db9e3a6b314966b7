"""A chapter by an able model: what its reviewer knows and finds, and what is revised for that."""

from __future__ import annotations

import pytest

from store.models.manuscript import DraftState
from store.models.prototype import FOUNDATION_ID
from store.models.run import WriteChapter
from store.models.story import Gate, GateMode
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import say, say_json
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import (
    REVISED,
    TEXT,
    plotted,
    request,
    telling,
    text_of,
    write,
)
from tests.store.builders import altered


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


def test_small_model_is_not_asked_for_a_review(desk: Desk, store: Store) -> None:
    story = plotted(desk, store)

    write(desk, story)

    agents = {agent_of(sent) for sent in desk.server.history}
    assert agents == {"recall", "thread", "plan", "writer_novel"}


def test_reviewer_is_told_how_long_the_chapter_was_to_be(able: Desk, story_store: Store) -> None:
    write(able, plotted(able, story_store, words=400))

    assert "about 400 words, and has 4" in request(able, "review")


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
