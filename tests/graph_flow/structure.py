"""Whether a story holds together: what must be true of any, whatever a model said."""

from __future__ import annotations

from collections import Counter

from graph_flow.workbench.workbench import Workbench
from store.deltas.names import references
from store.models.manuscript import DraftState
from store.models.plot import Event, Scene
from store.models.proposals import CandidateState
from store.models.prototype import REFERENCES, Snapshot
from store.open import Store


def expect_whole_prototype(snapshot: Snapshot) -> None:
    """Fail unless every reference leads somewhere and every event has a place and people."""
    for entity in snapshot.entities.values():
        for field, id_ in references(entity).items():
            assert snapshot.entities[id_].kind == REFERENCES[entity.kind][field]
    for event in snapshot.of(Event):
        assert isinstance(snapshot.scene_of(event.id), Scene), f"{event.title} is nowhere"
        assert snapshot.participations_in(event.id), f"nobody is in {event.title}"
        assert event.summary.strip()
    names = [person.name for person in snapshot.characters]
    assert names
    assert len(names) == len({name.casefold() for name in names})


def expect_whole_chapter(workbench: Workbench, store: Store, branch: str, chapter: int) -> None:
    """Fail unless a plotted chapter has its events, and all of its candidates are kept.

    Of those that were given up nobody judges what they would be worth.
    """
    settings = workbench.branches.status(branch).story.settings
    told = workbench.prototype.snapshot(branch, chapter).events_of(chapter)
    assert told
    assert [event.position for event in told] == list(range(len(told)))
    rounds = Counter(one.round for one in store.proposals.candidates(branch, chapter))
    assert set(rounds.values()) == {settings.goals}
    candidates = store.proposals.candidates(branch, chapter)
    assert all(len(one.turns) == settings.roles * settings.rounds for one in candidates)
    whole = [one for one in candidates if one.state is not CandidateState.GIVEN_UP]
    assert all(one.scores for one in whole)
    states = Counter(one.state for one in whole)
    assert states[CandidateState.CHOSEN] == 1
    assert states[CandidateState.PASSED_OVER] == len(whole) - 1


def expect_whole_story(workbench: Workbench, store: Store, branch: str, chapters: int) -> None:
    """Fail unless a story of so many chapters holds together, its hash chain included."""
    assert workbench.branches.status(branch).plotted == chapters
    kinds = [commit.kind for commit in store.prototype.chapters(branch)]
    assert kinds == ["configuration", *["chapter"] * chapters]
    expect_whole_prototype(workbench.prototype.snapshot(branch))
    for chapter in range(1, chapters + 1):
        expect_whole_chapter(workbench, store, branch, chapter)
    store.prototype.verify(branch)


def expect_written(workbench: Workbench, branch: str, chapter: int) -> None:
    """Fail unless a chapter has an approved text that tells every event of it once."""
    plan, draft = (
        workbench.manuscript.plan(branch, chapter),
        workbench.manuscript.draft(branch, chapter),
    )
    assert plan is not None
    assert draft is not None
    assert draft.state is DraftState.APPROVED
    assert draft.text.strip()
    told = [event for scene in plan.scenes for event in scene.events]
    events = workbench.prototype.snapshot(branch, chapter).events_of(chapter)
    assert sorted(told) == sorted(event.id for event in events)
