"""The continuity check through the workbench, on what the library holds."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from graph_flow.cognition.continuity.finding import Rule
from graph_flow.workbench.workbench import Workbench
from store.formats.exports import WHOLE_STORY
from store.models.base import new_id
from store.models.cast import Life
from store.models.plot import Thread, ThreadState
from store.models.proposals import Candidate, Goal, Verdict
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Branch, Brief, Story
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.cognition.continuity.stories import CAST, HALE, TOWER, Told, delta_to, event
from tests.store.builders import altered
from tests.wording import says

DEAD_HALE = altered(HALE, life=Life.DEAD)
KEY = "dead:feast+hale:2"


@pytest.fixture
def story(store: Store) -> Story:
    return store.library.create_story(Brief(premise="A keeper finds a door."), "The Lamp Room")


@pytest.fixture
def branch(store: Store, story: Story) -> Branch:
    """A story in which Hale dies in chapter 1, and acts in chapter 2."""
    main = store.library.main_branch(story.id)
    tell(store, main, [*CAST, TOWER])
    tell(store, main, [DEAD_HALE])
    tell(store, main, event("feast", "hale"))
    return main


def tell(store: Store, branch: Branch, told: Told) -> None:
    head = store.prototype.head(branch.id)
    store.prototype.commit(
        branch.id,
        delta_to(store.prototype.snapshot(branch.id), told),
        chapter=head.chapter + 1 if head else 0,
        kind="chapter" if head else "configuration",
        origin=new_id(),
    )


def edit(store: Store, branch: Branch, chapter: int, entity: AnyEntity) -> None:
    delta = delta_to(store.prototype.snapshot(branch.id, chapter), [entity])
    store.prototype.commit(branch.id, delta, chapter=chapter, kind="edit", origin=new_id())


def keys(workbench: Workbench, branch: Branch, chapter: int | None = None) -> list[str]:
    return [view.finding.key for view in workbench.continuity.findings(branch.id, chapter)]


def candidate(store: Store, branch: Branch, chapter: int, told: Told) -> Candidate:
    """Propose what a chapter could tell."""
    goal = Goal(
        id=new_id(),
        branch=branch.id,
        chapter=chapter,
        round=1,
        position=0,
        title="A goal",
        text="Something happens.",
    )
    store.proposals.save_goals([goal])
    return store.proposals.save_candidate(
        Candidate(
            id=new_id(),
            branch=branch.id,
            chapter=chapter,
            round=1,
            goal=goal.id,
            title="The wake",
            delta=delta_to(store.prototype.snapshot(branch.id), told),
        )
    )


def test_a_story_as_the_machine_weaves_it_has_no_contradictions(desk: Desk) -> None:
    story = desk.plotted(3)
    found = desk.workbench.continuity.findings(desk.branch(story))
    assert [
        view.finding.sentence for view in found if view.finding.severity == "contradiction"
    ] == []


def test_findings_are_those_of_a_chapter_or_of_all(desk: Desk, branch: Branch) -> None:
    assert keys(desk.workbench, branch) == [KEY]
    assert keys(desk.workbench, branch, 1) == keys(desk.workbench, branch, 2) == [KEY]
    assert keys(desk.workbench, branch, 3) == []


def test_an_edit_heals_what_it_mends(desk: Desk, store: Store, branch: Branch) -> None:
    assert keys(desk.workbench, branch) == [KEY]
    edit(store, branch, 1, HALE)
    assert keys(desk.workbench, branch) == []
    desk.workbench.branches.undo(branch.id)
    assert keys(desk.workbench, branch) == [KEY]


def test_a_branch_is_checked_along_its_own_line(desk: Desk, store: Store, branch: Branch) -> None:
    other = store.library.fork(branch.id, 1, "What if")
    assert keys(desk.workbench, other) == []
    tell(store, other, event("wake", "hale"))
    assert keys(desk.workbench, other) == ["dead:hale+wake:2"]
    assert keys(desk.workbench, branch) == [KEY]


def test_what_is_intended_says_why_until_it_is_taken_back(
    desk: Desk, story: Story, branch: Branch
) -> None:
    desk.workbench.continuity.mark_intended(story.id, KEY, "He is a ghost.")
    [view] = desk.workbench.continuity.findings(branch.id)
    assert view.intended == "He is a ghost."
    desk.workbench.continuity.take_back_intended(story.id, KEY)
    assert desk.workbench.continuity.findings(branch.id)[0].intended is None
    with pytest.raises(ValidationError):
        desk.workbench.continuity.mark_intended(story.id, KEY, " ")


def test_keys_are_the_same_in_another_library(
    desk: Desk, story: Story, branch: Branch, store: Store
) -> None:
    store.intended.mark(story.id, KEY, "He is a ghost.")
    imported = desk.workbench.files.import_bundle(
        desk.workbench.files.export(desk.branch(story), WHOLE_STORY).decode()
    )
    found = desk.workbench.continuity.findings(desk.workbench.library.main_branch(imported.id).id)
    assert [view.finding for view in found] == [
        view.finding for view in desk.workbench.continuity.findings(branch.id)
    ]
    assert [view.intended for view in found] == ["He is a ghost."]


def test_a_thread_is_open_only_at_the_end(
    desk: Desk, store: Store, story: Story, branch: Branch
) -> None:
    thread = Thread(id="key", title="the key", state=ThreadState.PLANTED, planted_in=3)
    tell(store, branch, [thread])
    assert desk.workbench.continuity.open_threads(branch.id) == [thread]
    assert keys(desk.workbench, branch) == [KEY]

    store.proposals.save_verdict(Verdict(branch=branch.id, chapter=3, is_reached=True))
    assert keys(desk.workbench, branch) == [KEY, "open:key:"]

    tell(store, branch, [])
    assert keys(desk.workbench, branch) == [KEY], "the story goes on"
    settings = story.settings.model_copy(update={"chapter_cap": 4})
    desk.workbench.library.change_settings(story.id, lambda _: settings)
    assert keys(desk.workbench, branch) == [KEY, "open:key:"]


def test_a_candidate_tells_only_what_it_would_add(desk: Desk, store: Store, branch: Branch) -> None:
    candidate(store, branch, 3, event("wake", "hale"))
    [view] = desk.workbench.plot.candidates(branch.id, 3)
    assert [one.finding.key for one in view.findings] == ["dead:hale+wake:3"]
    assert [one.intended for one in view.findings] == [None]


def test_what_a_candidate_needs_and_the_writer_took_out_is_told(
    desk: Desk, store: Store, branch: Branch
) -> None:
    candidate(store, branch, 3, event("wake", "mara", at=TOWER))
    head = store.prototype.snapshot(branch.id)
    without = {id_: one for id_, one in head.entities.items() if id_ != "tower"}
    desk.workbench.story.edit(branch.id, head.model_copy(update={"entities": without}))
    [view] = desk.workbench.plot.candidates(branch.id, 3)
    assert [one.finding.rule for one in view.findings] == [Rule.REMOVED]


def test_a_candidate_and_its_chapter_have_the_same_findings(
    desk: Desk, store: Store, story: Story, branch: Branch
) -> None:
    proposed = candidate(store, branch, 3, event("wake", "hale"))
    [view] = desk.workbench.plot.candidates(branch.id, 3)
    desk.workbench.continuity.mark_intended(
        story.id, view.findings[0].finding.key, "A wake of the dead."
    )
    store.prototype.commit(branch.id, proposed.delta, chapter=3, kind="chapter", origin=proposed.id)
    intended = {
        one.finding.key: one.intended for one in desk.workbench.continuity.findings(branch.id)
    }
    assert intended == {KEY: None, "dead:hale+wake:3": "A wake of the dead."}
    [view] = desk.workbench.plot.candidates(branch.id, 3)
    assert view.findings == (), "they are the story's now"


def test_a_candidate_keeps_what_was_locked_since(desk: Desk, store: Store, branch: Branch) -> None:
    candidate(store, branch, 3, [altered(DEAD_HALE, status="walks"), *event("wake", "mara")])
    edit(store, branch, 2, altered(DEAD_HALE, locked=("status",)))
    [view] = desk.workbench.plot.candidates(branch.id, 3)
    [warning] = view.warnings
    assert says(warning, "Hale", "situation", "locked", "walks")
    assert view.people == ()


def test_a_story_that_has_not_begun_has_no_findings(desk: Desk, store: Store) -> None:
    empty = store.library.main_branch(store.library.create_story(Brief()).id)
    assert desk.workbench.continuity.findings(empty.id) == []
    assert desk.workbench.continuity.open_threads(empty.id) == []
    assert desk.workbench.prototype.snapshot(empty.id) == Snapshot()
