"""Whether a story that was made in the browser holds together, as its library file has it."""

from __future__ import annotations

import json

from store.models.manuscript import PlannedScene
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.models.story import Branch
from store.open import Store
from tests.graph_flow.structure import expect_whole_prototype

_NO_STORY = ("Traceback", "Exception", "Error code", "<html", "response_format", "in Settings")
"""What only a message about a fault says."""


def main_branch(store: Store, story: str) -> Branch:
    """Return the line that a story began with."""
    return store.library.main_branch(story)


def expect_whole_plot(store: Store, story: str, chapters: int) -> None:
    """Fail unless the story has so many chapters, each with events that have a place and people."""
    branch = main_branch(store, story).id
    told = [(commit.kind, commit.chapter) for commit in store.prototype.chapters(branch)]
    assert told == [("configuration", 0), *(("chapter", one) for one in range(1, chapters + 1))]
    store.prototype.verify(branch)
    snapshot = store.prototype.snapshot(branch)
    expect_whole_prototype(snapshot)
    for chapter in range(1, chapters + 1):
        events = snapshot.events_of(chapter)
        assert events, f"nothing happens in chapter {chapter}"
        for event in events:
            expect_story_text(event.summary)


def expect_written(store: Store, story: str, chapter: int) -> str:
    """Fail unless a chapter has a plan that holds and a text that is one; return the text."""
    branch = main_branch(store, story).id
    plan, draft = store.manuscript.plan(branch, chapter), store.manuscript.draft(branch, chapter)
    assert plan is not None
    assert draft is not None
    snapshot = store.prototype.snapshot(branch, chapter)
    assert plan.scenes
    for scene in plan.scenes:
        _expect_known(scene, snapshot)
    expect_story_text(draft.text)
    problems = {call.problem for call in store.calls.newest(branch, limit=10_000) if call.problem}
    assert not [problem for problem in problems if problem in draft.text]
    return draft.text


def expect_story_text(text: str) -> None:
    """Fail if a text is empty, is JSON, or is a message about a fault."""
    assert text.strip(), "there is no text"
    assert not _is_json(text), f"this is JSON: {text[:80]}"
    assert not [sign for sign in _NO_STORY if sign in text]


def _expect_known(scene: PlannedScene, snapshot: Snapshot) -> None:
    people = {person.id for person in snapshot.characters}
    assert scene.point_of_view is None or scene.point_of_view in people
    assert scene.events
    assert all(isinstance(snapshot.entities[event], Event) for event in scene.events)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return '{"' in text
