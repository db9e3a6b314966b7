"""Whether a story, or the whole library, still is what was once written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress

from store.database.rows import now
from store.errors import LibraryDamaged, LibraryUnavailable, StoreError
from store.models.desk.contents import chapter_words
from store.models.health import LIBRARY, Health
from store.models.story import Branch
from store.open import Store

NEWEST = 5
"""How many of a branch's newest commits, and chapters, are checked when a story opens."""

OnStory = Callable[[int, int], None]
"""Is told how many stories are checked, of how many."""

_MOST_FAULTS = 10
_FAULTS = f"PRAGMA integrity_check({_MOST_FAULTS})"
_UNREADABLE = "A part of this story cannot be read any more; the library is damaged."


def check_newest(store: Store, branch_id: str) -> tuple[str, ...]:
    """Check the newest chapters of a branch and their texts, at a cost that does not grow.

    Return what is damaged, in sentences. Damage is recorded; that these few are sound is not.
    """
    branch = store.library.branch(branch_id)
    problems = tuple(dict.fromkeys(_problems_of(store, branch, NEWEST)))
    if problems:
        _record(store, branch.story, problems)
    return problems


def check_story(store: Store, story_id: str) -> Health:
    """Check all branches of a story: its chain, every version of everything, and every text.

    Raises:
        NotFound: if there is no such story.
    """
    problems: list[str] = []
    try:
        for branch in store.library.all_branches(store.library.story(story_id).id):
            problems += _problems_of(store, branch, None)
    except LibraryDamaged:
        problems.append(_UNREADABLE)
    return _record(store, story_id, tuple(dict.fromkeys(problems)))


def check_library(store: Store, on_story: OnStory = lambda _part, _whole: None) -> list[Health]:
    """Check the whole file, then every story in it; return what was found, the file first."""
    found = [_record(store, LIBRARY, tuple(file_faults(store)))]
    try:
        stories = store.library.story_ids()
    except LibraryDamaged:  # the file's faults, which were found, say so
        stories = []
    for count, story in enumerate(stories):
        on_story(count, len(stories))
        found.append(check_story(store, story))
    on_story(len(stories), len(stories))
    return found


def file_faults(store: Store) -> Iterator[str]:
    """Yield what SQLite finds wrong with the file: its pages, its indexes, and its references."""
    try:
        for [fault] in store.database.tuples(_FAULTS):
            if fault != "ok":
                yield f"The file of the library is damaged ({fault})."
        if store.database.tuples("PRAGMA foreign_key_check"):
            yield "Parts of the library refer to others that no longer exist."
    except (LibraryDamaged, LibraryUnavailable, sqlite3.Error) as error:
        yield f"The file of the library cannot be read as a whole ({error})."


def _problems_of(store: Store, branch: Branch, newest: int | None) -> Iterator[str]:
    """Yield what is damaged on a branch, of its newest chapters or of all."""
    on_branch = f" (branch “{branch.name}”)" if branch.parent else ""
    try:
        head = store.prototype.head(branch.id)
        since = max(0, head.chapter - NEWEST + 1) if head and newest else 0
        store.prototype.verify_commits(branch.id, newest)
        if newest is None:
            store.prototype.verify(branch.id)
    except StoreError as error:
        yield _said(error, on_branch)
        since = 0
    try:
        for chapter, version in store.manuscript.damaged(branch.id, since):
            yield (
                f"The text of {chapter_words(chapter)}, version {version}{on_branch}, is not as it was "
                "written."
            )
        if newest is None:
            _read_everything(store, branch.id)
    except StoreError as error:
        yield _said(error, on_branch)


def _said(error: StoreError, on_branch: str) -> str:
    chapter = error.chapter if isinstance(error, LibraryDamaged) else None
    if chapter is None:
        return f"{_UNREADABLE.removesuffix('.')}{on_branch}."
    return f"Chapter {chapter}{on_branch} is not as it was saved."


def _read_everything(store: Store, branch: str) -> None:
    """Read what no hash covers: it must at least be readable.

    Raises:
        LibraryDamaged: if it is not.
    """
    chapters = {goal.chapter for goal in store.proposals.all_goals(branch)}
    for chapter in sorted(chapters):
        store.proposals.candidates(branch, chapter)
    store.proposals.configurations(branch)
    store.proposals.verdicts(branch)
    store.outlines.versions(branch)
    store.manuscript.plans(branch)


def _record(store: Store, subject: str, problems: tuple[str, ...]) -> Health:
    """Keep what was found; a library that is too damaged for that is reported all the same."""
    found = Health(
        subject=subject, checked=now(), found_sound=None if problems else now(), problems=problems
    )
    with suppress(StoreError):
        found = store.health.save(subject, problems)
    return found
