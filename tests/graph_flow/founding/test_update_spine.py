"""After each chapter, where the story goes is looked at again."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from graph_flow.agents import AGENTS
from graph_flow.telling.material.facts import facts_untold
from store.models.base import WHOLE
from store.models.endpoint import ModelStrength
from store.models.plot import Spine
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot
from store.models.run import Initialize, PlotChapters
from store.models.story import Story
from store.open import Store
from tests.desk import Desk, Settings
from tests.graph_flow.founding.able import SPINE, able_answers
from tests.graph_flow.scripting import asked, request_of
from tests.store.builders import altered

ONE: Settings = {"goals": 1, "roles": 1, "chapter_cap": 4}
CHANGED: dict[str, Any] = {
    "ending": "Ruth reads the page aloud.",
    "cost": "Her contract.",
    "people": [
        {
            "person": "Ruth",
            "arc": "She learns to doubt.",
            "want": "His name.",
            "hides": "",
            "misbelief": "That he did it for her.",
            "fear": "That he signs.",
        }
    ],
}


def founded(desk: Desk, update: dict[str, Any], settings: Settings | None = None) -> Story:
    desk.server.answer = able_answers(spine_update=update)
    story = desk.story(premise="A bridge is to be signed off.", settings=settings or ONE)
    desk.do(story, Initialize(is_autopilot=True))
    return story


def now(desk: Desk, story: Story) -> Snapshot:
    return desk.workbench.prototype.snapshot(desk.branch(story))


def edit(desk: Desk, story: Story, entity: AnyEntity) -> None:
    whole = {**now(desk, story).entities, entity.id: entity}
    desk.workbench.story.edit(desk.branch(story), Snapshot(entities=whole))


def plot(desk: Desk, story: Story, chapters: int = 1) -> tuple[str, ...]:
    """Plot chapters; return what the run noted of the plan."""
    run = desk.do(story, PlotChapters(chapters=chapters, is_autopilot=True))
    return tuple(note for note in run.notes if "brought up to date" in note)


def edits(desk: Desk, story: Story) -> int:
    store = Store.open(desk.library)
    commits = store.prototype.commits(desk.branch(story))
    store.close()
    return sum(commit.kind == "edit" for commit in commits)


def test_spine_and_arcs_follow_what_was_chosen(able_desk: Desk) -> None:
    story = founded(able_desk, CHANGED)

    [note] = plot(able_desk, story)

    after = now(able_desk, story)
    assert (after.spine.ending, after.spine.cost) == (CHANGED["ending"], CHANGED["cost"])
    assert after.spine.crisis == SPINE["crisis"]
    assert "ending" in after.spine.invented
    arcs = {person.name: person.arc for person in after.characters}
    assert arcs["Ruth Vale"] == "She learns to doubt."
    [ruth] = [person for person in after.characters if person.name == "Ruth Vale"]
    assert (ruth.motivation, ruth.misbelief) == ("His name.", "That he did it for her.")
    assert ruth.fear == "That he signs."
    assert ruth.secrets
    assert arcs["Amos Vale"] == SPINE["arcs"][0]["arc"]
    assert "ending" in note
    assert edits(able_desk, story) == 1


def test_what_is_out_in_the_open_is_hidden_no_longer(able_desk: Desk) -> None:
    over = {"person": "Ruth", "fear": "That he signs.", "over": ["hides", "fear", "want", "arc"]}
    story = founded(able_desk, {"people": [over]})
    [before] = [one for one in now(able_desk, story).characters if one.name == "Ruth Vale"]
    assert before.secrets
    assert "secrets" in before.invented

    plot(able_desk, story)

    [ruth] = [one for one in now(able_desk, story).characters if one.name == "Ruth Vale"]
    assert ruth.secrets == ""
    # Whoever tells the chapter knows what was hidden when it began.
    with closing(Store.open(able_desk.library)) as store:
        untold = facts_untold(store, able_desk.branch(story), 1)
    assert f"Ruth Vale hides: {before.secrets}" in [fact.text for fact in untold]
    # What has something in its place is not over, and everybody wants something.
    assert ruth.fear == "That he signs."
    assert (ruth.motivation, ruth.arc) == (before.motivation, before.arc)


def test_update_can_be_taken_back(able_desk: Desk) -> None:
    story = founded(able_desk, CHANGED)
    plot(able_desk, story)

    able_desk.workbench.branches.undo(able_desk.branch(story))

    after = now(able_desk, story)
    assert (after.chapter, after.spine.ending) == (1, SPINE["ending"])


def test_nothing_is_committed_if_nothing_changes(able_desk: Desk) -> None:
    story = founded(able_desk, {})

    assert plot(able_desk, story, 2) == ()

    assert edits(able_desk, story) == 0
    assert len(asked(able_desk.server, "spine_update")) == 2


def test_answer_may_leave_out_what_stays_as_it_is(able_desk: Desk) -> None:
    plot(able_desk, founded(able_desk, {}))

    [sent] = asked(able_desk.server, "spine_update")

    assert sent.schema is not None
    assert "required" not in sent.schema
    assert "person" in sent.schema["properties"]["people"]["items"]["required"]


def test_empty_text_changes_nothing_either(able_desk: Desk) -> None:
    """An endpoint that accepts only schemas with every field required gets one from the model."""
    story = founded(able_desk, {"ending": "", "cost": "", "people": []})

    assert plot(able_desk, story) == ()

    assert now(able_desk, story).spine.ending == SPINE["ending"]
    assert edits(able_desk, story) == 0


def test_what_the_writer_typed_or_locked_stays(able_desk: Desk) -> None:
    people = [
        {**CHANGED["people"][0], "over": ["hides"]},
        {"person": "Amos", "over": ["hides"]},
    ]
    story = founded(able_desk, {**CHANGED, "people": people, "crisis": "She has to choose."})
    spine = now(able_desk, story).spine
    own = altered(spine, ending="He signs.", invented=tuple(set(spine.invented) - {"ending"}))
    edit(able_desk, story, altered(own, locked=("cost",)))
    ruth = next(one for one in now(able_desk, story).characters if one.name == "Ruth Vale")
    edit(able_desk, story, altered(ruth, locked=(WHOLE,)))
    amos = next(one for one in now(able_desk, story).characters if one.name == "Amos Vale")
    marks = tuple(set(amos.invented) - {"secrets"})
    edit(able_desk, story, altered(amos, secrets="He cannot swim.", invented=marks))

    plot(able_desk, story)

    after = now(able_desk, story)
    assert (after.spine.ending, after.spine.cost) == ("He signs.", SPINE["cost"])
    assert after.spine.crisis == "She has to choose."
    assert after.get(type(ruth), ruth.id).arc == ruth.arc
    assert after.get(type(ruth), ruth.id).secrets == ruth.secrets
    assert after.get(type(amos), amos.id).secrets == "He cannot swim."


def test_after_the_last_chapter_the_end_is_the_one_that_was_chosen(able_desk: Desk) -> None:
    story = founded(able_desk, CHANGED, {**ONE, "chapter_cap": 2})

    plot(able_desk, story, 2)

    first, last = (request_of(sent) for sent in asked(able_desk.server, "spine_update"))
    assert "what was chosen in it is the end" not in first
    assert "what was chosen in it is the end" in last
    after = now(able_desk, story)
    assert (after.chapter, after.spine.ending) == (2, CHANGED["ending"])


def test_only_the_chapter_just_plotted_is_shown(able_desk: Desk) -> None:
    story = founded(able_desk, {})
    plot(able_desk, story, 3)

    requests = [request_of(sent) for sent in asked(able_desk.server, "spine_update")]

    assert len(requests) == 3
    assert all("Amos reads the page aloud" in request for request in requests)
    assert "- Chapter 2:" not in requests[2]
    assert "- Chapter 3:" in requests[2]
    assert max(map(len, requests)) < 6_000


def test_story_without_a_spine_is_not_asked_about(able_desk: Desk) -> None:
    story = founded(able_desk, CHANGED)
    whole = {id_: one for id_, one in now(able_desk, story).entities.items() if id_ != SPINE_ID}
    able_desk.workbench.story.edit(able_desk.branch(story), Snapshot(entities=whole))

    plot(able_desk, story)

    assert asked(able_desk.server, "spine_update") == []
    assert now(able_desk, story).spine == Spine(id=SPINE_ID)


@pytest.mark.parametrize(
    ("settings", "is_whole"), [(ONE, True), ({**ONE, "chapter_cap": 60}, False)]
)
def test_of_a_short_story_people_are_shown_whole(
    able_desk: Desk, settings: Settings, *, is_whole: bool
) -> None:
    story = founded(able_desk, {}, settings)
    arc = "He learns to say it, and to whom, and that it costs him the bridge. " * 12
    for one in now(able_desk, story).characters:
        edit(able_desk, story, altered(one, arc=arc, motivation=arc))

    plot(able_desk, story)

    [sent] = asked(able_desk.server, "spine_update")
    assert (request_of(sent).count(arc.strip()) == 6) is is_whole


@pytest.mark.parametrize(("chapters", "share"), [(4, 1), (24, 2)])
def test_turns_of_a_novel_have_room_to_be_written_out_anew(
    able_desk: Desk, chapters: int, share: int
) -> None:
    settings = {**ONE, "chapter_cap": chapters, "is_sketched": False}
    story = founded(able_desk, CHANGED, settings)

    plot(able_desk, story)

    [sent] = asked(able_desk.server, "spine_update")
    usual = AGENTS["spine_update"].prompt(ModelStrength.ABLE).max_tokens
    assert sent.body["max_tokens"] == share * usual


def test_turn_that_changes_leaves_the_others_as_they_were(able_desk: Desk) -> None:
    first, second = SPINE["turns"]
    story = founded(able_desk, {"turns": "Chapter 2: Opal asks twice."})

    plot(able_desk, story)

    assert now(able_desk, story).spine.turns == f"{first}\n\nChapter 2: Opal asks twice."
    assert second.startswith("Chapter 2: ")


def test_of_a_long_story_those_are_looked_at_again_who_were_there_and_the_turns_to_come(
    able_desk: Desk,
) -> None:
    story = founded(able_desk, {}, {**ONE, "chapter_cap": 24, "words": 800})

    plot(able_desk, story, chapters=2)

    first, second = map(request_of, asked(able_desk.server, "spine_update"))
    for chapter, sent in ((1, first), (2, second)):
        after = now(able_desk, story)
        there = {
            part.character
            for event in after.events_of(chapter)
            for part in after.participations_in(event.id)
        }
        assert {one.id for one in after.characters if f"- {one.name}: " in sent} == there
        assert len(there) < len(after.characters)
    first_turn, second_turn = SPINE["turns"]
    assert first_turn in first
    assert first_turn not in second
    assert second_turn in second
