"""What is wrong after a kill: nothing, that is; and how that is found out."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from graph_flow.machine.owner import is_alive, this_process
from store.errors import StoreError
from store.models.manuscript import DraftState
from store.models.proposals import CandidateState
from store.models.run import Call, Outcome
from store.models.story import Story
from store.open import Store
from store.records.runs import Owners

EVERY_CALL = 1_000_000


@dataclass
class Findings:
    """What was found wrong, a sentence each."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    paid_twice: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    """Files that have their name and are not whole."""
    stuck: list[str] = field(default_factory=list)
    """What could not go on."""

    def add(self, other: Findings) -> None:
        """Add what was found elsewhere."""
        self.lost += other.lost
        self.doubled += other.doubled
        self.paid_twice += other.paid_twice
        self.half += other.half
        self.stuck += other.stuck

    @property
    def all(self) -> list[str]:
        """All sentences."""
        return [*self.lost, *self.doubled, *self.paid_twice, *self.half, *self.stuck]


@dataclass(frozen=True)
class Kept:
    """What a library holds that must never be lost, and which prompts have been paid."""

    things: frozenset[str]
    paid: frozenset[str]


def opened(library: Path) -> closing[Store]:
    """Open a library as the app does: what dead processes left is swept up."""
    return closing(Store.open(library, Owners(this_process(), is_alive)))


def kept_in(library: Path) -> Kept:
    """Return what a library holds."""
    if not library.exists():
        return Kept(frozenset(), frozenset())
    things: set[str] = set()
    paid: set[str] = set()
    with opened(library) as store:
        for card in store.library.stories():
            things.add(f"story {card.story.id}")
            for branch in store.library.branches(card.story.id):
                things |= set(_things(store, branch.id))
                paid |= {call.prompt for call in _finished(store, branch.id)}
    return Kept(frozenset(things), frozenset(paid))


def _things(store: Store, branch: str) -> Iterator[str]:
    for commit in store.prototype.commits(branch):
        yield f"chapter {commit.chapter} with the hash {commit.hash}"
    for plan in store.manuscript.plans(branch):
        yield f"plan {plan.id} of chapter {plan.chapter}"
    for draft in store.manuscript.versions(branch):
        if draft.state is not DraftState.WRITING:
            yield f"version {draft.version} of chapter {draft.chapter}: {hash(draft.text)}"
    for goal in store.proposals.all_goals(branch):
        yield f"goal {goal.id}"
    for call in _finished(store, branch):
        yield f"call {call.id}"


def _finished(store: Store, branch: str) -> list[Call]:
    return [one for one in store.calls.newest(branch, EVERY_CALL) if one.outcome is Outcome.OK]


def wrong_since(before: Kept, after: Kept) -> Findings:
    """Return what has gone missing between two looks."""
    return Findings(lost=[f"gone: {one}" for one in sorted(before.things - after.things)])


def paid_again(paid: Collection[str], asked: Collection[str]) -> Findings:
    """Return the prompts that were asked again though their answers had been kept."""
    again = [one for one, times in Counter(asked).items() if one in paid and times]
    return Findings(paid_twice=[f"asked again: {one[:80]!r}" for one in again])


def wrong_with_story(store: Store, story: Story, chapters: int, *, is_written: bool) -> Findings:
    """Return what is wrong with a story that has come to its end."""
    found, branch = Findings(), store.library.main_branch(story.id).id
    told = [commit.chapter for commit in store.prototype.chapters(branch)]
    every = Counter((one.chapter, one.kind, one.title) for one in store.prototype.commits(branch))
    found.doubled += [f"committed {n} times: {what}" for what, n in every.items() if n > 1]
    for chapter in range(chapters + 1):
        if told.count(chapter) != 1:
            (found.doubled if told.count(chapter) else found.lost).append(
                f"chapter {chapter} was committed {told.count(chapter)} times"
            )
    for chapter in range(1, chapters + 1):
        found.doubled += _doubled_in(store, branch, chapter)
        if is_written and store.manuscript.draft(branch, chapter) is None:
            found.lost.append(f"chapter {chapter} has no text")
    calls = Counter((one.step, one.prompt_hash) for one in _finished(store, branch))
    found.paid_twice += [f"{step} was paid {n} times" for (step, _), n in calls.items() if n > 1]
    try:
        store.prototype.verify(branch)
    except StoreError as damage:
        found.lost.append(str(damage))
    return found


def _doubled_in(store: Store, branch: str, chapter: int) -> Iterator[str]:
    settings = store.library.story(store.library.branch(branch).story).settings
    goals = store.proposals.goals(branch, chapter)
    if len(goals) > settings.goals:
        yield f"chapter {chapter} has {len(goals)} goals"
    candidates = store.proposals.candidates(branch, chapter)
    if len(candidates) != len(goals):
        yield f"chapter {chapter} has {len(candidates)} candidates for {len(goals)} goals"
    chosen = [one for one in candidates if one.state is CandidateState.CHOSEN]
    if len(chosen) != 1:
        yield f"{len(chosen)} candidates of chapter {chapter} are chosen"
    if len(store.manuscript.plans(branch, chapter)) > 1:
        yield f"chapter {chapter} was planned {len(store.manuscript.plans(branch, chapter))} times"
    versions = [one.version for one in store.manuscript.versions(branch, chapter)]
    if len(versions) != len(set(versions)):
        yield f"chapter {chapter} has the versions {versions}"
    texts = Counter(one.text for one in store.manuscript.versions(branch, chapter))
    if any(times > 1 for times in texts.values()):
        yield f"chapter {chapter} has the same text twice"


def is_sound(database: Path) -> bool:
    """Return whether a file is a database of which every page is sound."""
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as reading:
            return bool(reading.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)])
    except sqlite3.Error:
        return False


def titles_in(library: Path) -> list[str]:
    """Return the titles of the stories that a library lists."""
    with opened(library) as store:
        return sorted(card.story.title for card in store.library.stories())
