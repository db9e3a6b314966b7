"""A story leaves the library and comes back with the same hashes, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.database.rows import now
from store.errors import BundleInvalid, NotFound
from store.formats import bounds
from store.formats.bundle import export_bundle, import_bundle
from store.models.base import new_id
from store.models.delta import Delta
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.proposals import Candidate, Configuration, Goal, Score, Verdict
from store.models.run import Call, Outcome, PlotChapters
from store.models.story import Branch, Brief, Story
from store.open import Store
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    MARA,
    THREAD,
    adding,
    altered,
    begin,
    changing,
    filed,
    go_on,
    histories,
    summed,
)

Document = dict[str, Any]
SECRET = "the-prompt-and-the-key"


@pytest.fixture
def told(store: Store, story: Story, branch: Branch) -> Story:
    """Return a story with everything in it: an edit, two branches, proposals and texts."""
    store.library.change_brief(
        story.id, lambda _: Brief(premise="守塔人 <b>", form=Form.SCREENPLAY)
    )
    store.proposals.save_configuration(
        Configuration(id="configuration", branch=branch.id, round=1, delta=adding(*CAST))
    )
    begin(store, branch.id)
    first = store.library.fork(branch.id, 0, "First")
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    store.prototype.commit(
        branch.id, changing(DISTRUST, strength=4), chapter=1, kind="edit", origin="edit"
    )
    go_on(store, branch.id, changing(MARA, status="away"), "Away")
    second = store.library.fork(branch.id, 1, "Second")
    go_on(store, second.id, changing(HALE, status="ill"))
    go_on(store, first.id, adding(THREAD))
    store.library.fork(first.id, 0, "Third")
    _propose(store, branch.id)
    _write(store, branch.id)
    return store.library.story(story.id)


def _propose(store: Store, branch: str) -> None:
    goal = Goal(id="g", branch=branch, chapter=1, round=1, position=0, title="Goal", text="Go.")
    store.proposals.save_goals([goal])
    candidate = Candidate(
        id="chapter-1",
        branch=branch,
        chapter=1,
        round=1,
        goal="g",
        title="The door",
        delta=adding(*CHAPTER_ONE),
        scores=(Score(rule="conflict", weight=0.5, value=4),),
    )
    store.proposals.save_candidate(candidate)
    store.proposals.mark_chosen(candidate.id)
    store.proposals.save_verdict(Verdict(branch=branch, chapter=1, is_reached=False))


def _write(store: Store, branch: str) -> None:
    plan = WritingPlan(id="plan", branch=branch, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "The door")
    store.manuscript.update_draft_text(draft.id, "The door was locked.")
    store.manuscript.finish_draft(draft.id)
    store.manuscript.save_text(branch, 1, "The door stood open.")
    store.runs.claim_new(branch, PlotChapters())
    store.calls.record_call(
        Call(
            id=new_id(),
            branch=branch,
            agent="goals",
            endpoint="e",
            model="m",
            prompt=SECRET,
            prompt_hash="h",
            answer=SECRET,
            outcome=Outcome.OK,
            created=now(),
        )
    )


def chain(store: Store, story: Story) -> list[list[str]]:
    return [
        [commit.hash for commit in store.prototype.commits(branch.id)]
        for branch in store.library.branches(story.id)
    ]


def test_a_story_comes_back_with_the_same_hashes(store: Store, told: Story) -> None:
    text = export_bundle(store, told.id)
    copy = import_bundle(store, text)
    assert copy.id != told.id
    assert (copy.title, copy.brief, copy.settings) == (told.title, told.brief, told.settings)
    assert chain(store, copy) == chain(store, told)
    pairs = zip(store.library.branches(told.id), store.library.branches(copy.id), strict=True)
    for old, new in pairs:
        assert (old.name, old.fork_chapter) == (new.name, new.fork_chapter)
        assert store.prototype.snapshot(new.id) == store.prototype.snapshot(old.id)
        store.prototype.verify(new.id)


def test_file_of_the_app_s_former_name_is_read(store: Store, told: Story) -> None:
    text = export_bundle(store, told.id)
    assert json.loads(text)["format"] == "tellwright-story"

    copy = import_bundle(store, summed(text.replace('"tellwright-story"', '"fabula-story"')))

    assert chain(store, copy) == chain(store, told)


def test_it_comes_into_another_library_and_out_again_the_same(
    store: Store, told: Story, tmp_path: Path
) -> None:
    text = export_bundle(store, told.id)
    other = Store.open(tmp_path / "other.db")
    copy = import_bundle(other, text)
    assert without_ids(export_bundle(other, copy.id)) == without_ids(text)
    other.close()


def without_ids(text: str) -> Document:
    """Return a bundle with every id of the library's numbered in order of appearance."""
    names: dict[str, str] = {}
    own = {"branch", "goal", "parent", "fork_commit", "origin"}

    def renamed(value: Any, key: str, *, is_entity: bool) -> Any:
        if isinstance(value, dict):
            inside = is_entity or "changes" in value
            return {k: renamed(v, k, is_entity=inside) for k, v in value.items()}
        if isinstance(value, list):
            return [renamed(item, key, is_entity=is_entity) for item in value]
        if value is not None and not is_entity and (key in own or key == "id"):
            return names.setdefault(str(value), f"#{len(names)}")
        return value

    document: Document = renamed(json.loads(text), "", is_entity=False)
    return {name: value for name, value in document.items() if name != "checksum"}


def test_proposals_and_texts_come_along(store: Store, told: Story) -> None:
    copy = import_bundle(store, export_bundle(store, told.id))
    branch = store.library.main_branch(copy.id).id
    (candidate,) = store.proposals.candidates(branch, 1)
    assert candidate.state.value == "chosen"
    assert candidate.scores[0].value == 4
    assert store.proposals.goal(candidate.goal).title == "Goal"
    commits = store.prototype.commits(branch)
    assert candidate.id in {commit.origin for commit in commits}
    assert store.proposals.configuration(branch) is not None
    assert store.proposals.verdict(branch, 1) is not None
    assert store.manuscript.plan(branch, 1) is not None
    texts = [draft.text for draft in store.manuscript.versions(branch, 1)]
    assert texts == ["The door stood open.", "The door was locked."]


def test_no_prompt_and_no_run_leaves_the_library(store: Store, told: Story) -> None:
    text = export_bundle(store, told.id)
    assert SECRET not in text
    assert "runs" not in json.loads(text)
    assert store.runs.latest(store.library.main_branch(told.id).id) is not None
    copy = import_bundle(store, text)
    assert store.runs.latest(store.library.main_branch(copy.id).id) is None


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories(longest=4), st.data())
def test_any_story_comes_back(store: Store, deltas: list[Delta], data: st.DataObject) -> None:
    story = store.library.create_story(Brief())
    branch = store.library.main_branch(story.id).id
    forks = data.draw(st.lists(st.integers(0, len(deltas) - 1), max_size=3))
    for chapter, delta in enumerate(deltas):
        (go_on if chapter else begin)(store, branch, delta)
        for number in range(forks.count(chapter)):
            store.library.fork(branch, chapter, f"From {chapter}, {number}")
    copy = import_bundle(store, export_bundle(store, story.id))
    assert chain(store, copy) == chain(store, story)


def test_a_story_that_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound):
        export_bundle(store, "none")


def _alter(path: list[str | int], value: object) -> Callable[[Document], None]:
    def alter(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return alter


MAIN: list[str | int] = ["branches", 0]
FIRST_CHAPTER: list[str | int] = [*MAIN, "commits", 1]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_alter([*FIRST_CHAPTER, "title"], "Another"), "chapter 1 does not follow"),
        (_alter([*FIRST_CHAPTER, "hash"], "0" * 64), "chapter 1 does not follow"),
        (_alter([*FIRST_CHAPTER, "chapter"], 5), "chapter 5 does not follow"),
        (_alter([*FIRST_CHAPTER, "delta", "changes"], []), "chapter 1 does not follow"),
        (
            _alter([*MAIN, "commits", 0, "delta", "changes", 1, "after", "name"], "Hale"),
            "chapter 0 does not follow",
        ),
        (_alter([*FIRST_CHAPTER, "id"], 10**30), "branches cannot be read"),
        (_alter([*FIRST_CHAPTER, "id"], 0), "chapter 1 does not follow"),
        (_alter([*FIRST_CHAPTER, "origin"], "beginning"), "chapter 1 does not follow"),
        (_alter([*FIRST_CHAPTER, "kind"], "'; DROP TABLE commits"), "cannot be read"),
        (_alter([*MAIN, "goals"], []), "has no goal"),
        (_alter([*MAIN, "goals", 0, "chapter"], 10**30), "contradicts itself"),
        (_alter([*MAIN, "drafts", 0, "id"], "../../etc"), "cannot be read"),
        (_alter([*MAIN, "parent"], "nowhere"), "do not fit together"),
        (_alter(["branches", 1, "parent"], None), "do not fit together"),
        (_alter(["branches", 1, "parent"], "nowhere"), "starts from nothing"),
        (_alter(["branches", 1, "fork_commit"], 999), "starts from nothing"),
        (_alter(["branches", 1, "fork_chapter"], 7), "starts from nothing"),
        (_alter(["branches", 2, "fork_commit"], 1), "starts"),
        (_alter(["branches"], []), "branches cannot be read"),
        (_alter(["brief", "premise"], 7), "brief cannot be read"),
        (_alter(["surprise"], 1), "surprise cannot be read"),
        (_alter(["version"], 3), "newer version"),
        (_alter(["version"], "one"), "version cannot be read"),
        (_alter(["format"], "other"), "not a Tellwright story"),
    ],
)
def test_a_damaged_or_hostile_story_file_changes_nothing(
    store: Store, told: Story, damage: Callable[[Document], None], words: str
) -> None:
    document = json.loads(export_bundle(store, told.id))
    before = contents(store)
    damage(document)
    with pytest.raises(BundleInvalid, match=words):
        import_bundle(store, filed(document))
    assert contents(store) == before


def contents(store: Store) -> dict[str, list[dict[str, Any]]]:
    # What a virtual table holds stands in tables of its own, which are read here.
    tables = store.database.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    names = [row["name"] for row in tables if not row["name"].startswith("sqlite_")]
    return {name: store.database.rows(f"SELECT * FROM {name}") for name in names}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "Once upon a time",
        '{"format": "tellwright-story"}',
        '{"format": "tellwright-story", "version": NaN}',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"format": "tellwright-story", "version": 1, "title": "\\ud800"}',
    ],
)
def test_what_is_no_story_file_is_refused(store: Store, text: str) -> None:
    with pytest.raises(BundleInvalid):
        import_bundle(store, text)
    assert store.library.stories() == []


def test_a_file_that_is_too_large_is_not_even_read(store: Store) -> None:
    with pytest.raises(BundleInvalid, match="too large"):
        import_bundle(store, " " * (bounds.FILE_BYTES + 1))


def test_two_goals_in_one_place_do_not_lose_one(store: Store, told: Story) -> None:
    document = json.loads(export_bundle(store, told.id))
    goals = document["branches"][0]["goals"]
    goals.append({**goals[0], "id": "second", "title": "Mine", "is_by_writer": True})
    copy = import_bundle(store, filed(document))
    branch = store.library.main_branch(copy.id).id
    assert [goal.title for goal in store.proposals.goals(branch, 1)] == ["Goal", "Mine"]


def test_names_that_are_markup_stay_names(store: Store, story: Story, branch: Branch) -> None:
    name = "<script>alert('x')</script> \"; --"
    begin(store, branch.id, adding(altered(MARA, name=name)))
    copy = import_bundle(store, export_bundle(store, story.id))
    snapshot = store.prototype.snapshot(store.library.main_branch(copy.id).id)
    assert snapshot.characters[0].name == name


def test_what_a_candidate_was_put_together_from_is_the_copy_s_own(
    store: Store, told: Story
) -> None:
    branch = store.library.main_branch(told.id).id
    (chosen,) = store.proposals.candidates(branch, 1)
    mine = {"id": "mine", "is_by_writer": True, "parts_of": (chosen.id,), "scores": ()}
    store.proposals.save_candidate(chosen.model_copy(update=mine))

    copy = import_bundle(store, export_bundle(store, told.id))

    candidates = store.proposals.candidates(store.library.main_branch(copy.id).id, 1)
    (by_agents,) = [one for one in candidates if not one.is_by_writer]
    (by_writer,) = [one for one in candidates if one.is_by_writer]
    assert by_writer.parts_of == (by_agents.id,)
    assert by_agents.id != chosen.id


def test_branches_of_one_name_get_names_of_their_own(
    store: Store, story: Story, branch: Branch
) -> None:
    """A library from before names were checked as they are kept may have them."""
    begin(store, branch.id)
    for name in ("First", "Second", "Third"):
        store.library.fork(branch.id, 0, name)
    with store.database.write() as database:
        database.execute("UPDATE branches SET name = 'What if' WHERE parent IS NOT NULL")

    copied = import_bundle(store, export_bundle(store, story.id))

    names = [one.name for one in store.library.branches(copied.id)]
    assert names == [branch.name, "What if", "What if (2)", "What if (3)"]
