"""One long story, kept as it was at some chapters, so that the lengths can be measured in turns."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from store.models.delta import Delta
from store.models.story import Brief, Commit
from store.open import Store
from tests.benchmarks.epic import PERIOD, Epic

CAST = 200

PREMISE = """A harbour town lives by its great lamp. One night in October it went out for an hour, a ship was
lost on the reef with eleven people, and nobody has ever said who had the watch. Twenty years later the
insurers send an inspector, the keeper's daughter finds a ledger in her father's handwriting, and everybody
in the town remembers that hour in a way that suits them."""

WARM_UP = 1
"""Chapters to come that make a connection ready, before those that count."""


@dataclass(frozen=True)
class Milestone:
    """A story shortly before `chapter`: its library file, and the chapters up to it, yet to come."""

    chapter: int
    library: Path
    branch: str
    coming: tuple[tuple[str, Delta], ...]
    leads: tuple[str, ...]
    """Ids of those who are there most often."""

    @property
    def first(self) -> int:
        """The first of the chapters to come."""
        return self.chapter - len(self.coming) + 1

    def tell(self, store: Store, at: int) -> Commit:
        """Commit one of the chapters to come, 0 being the first."""
        title, delta = self.coming[at]
        return tell(store, self.branch, self.first + at, (title, delta))

    def copy_to(self, library: Path) -> None:
        """Copy the story's library; nobody may have it open."""
        shutil.copy(self.library, library)


def tell(store: Store, branch: str, chapter: int, told: tuple[str, Delta]) -> Commit:
    """Commit a chapter."""
    title, delta = told
    return store.prototype.commit(
        branch, delta, chapter=chapter, kind="chapter", title=title, origin=f"chapter-{chapter}"
    )


def begin(store: Store, epic: Epic, title: str) -> tuple[str, str]:
    """Begin a story with a cast; return the ids of the story and of its branch."""
    story = store.library.create_story(Brief(premise=PREMISE), title)
    branch = store.library.main_branch(story.id).id
    store.prototype.commit(
        branch, epic.beginning(), chapter=0, kind="configuration", origin="beginning"
    )
    return story.id, branch


@contextmanager
def opened(library: Path) -> Iterator[Store]:
    """Open a library and close it again, after which its file holds everything."""
    store = Store.open(library)
    try:
        yield store
    finally:
        store.close()


def build(folder: Path, chapters: Sequence[int], notice: Callable[[str], None]) -> list[Milestone]:
    """Tell a story as long as the last of some chapters, keeping a copy shortly before each."""
    library = folder / "story.db"
    epic = Epic(CAST)
    with opened(library) as store:
        _, branch = begin(store, epic, "A long story")
    leads = tuple(person.id for person in epic.leads)
    milestones: list[Milestone] = []
    told = 0
    for chapter in chapters:
        notice(f"building a story up to chapter {chapter}")
        window = min(WARM_UP + PERIOD, chapter - told)
        with opened(library) as store:
            for number in range(told + 1, chapter - window + 1):
                tell(store, branch, number, epic.next_chapter())
        kept = folder / f"before-{chapter}.db"
        shutil.copy(library, kept)
        coming = tuple(epic.next_chapter() for _ in range(window))
        milestones.append(Milestone(chapter, kept, branch, coming, leads))
        _go_on(library, milestones[-1])
        told = chapter
    return milestones


def _go_on(library: Path, milestone: Milestone) -> None:
    with opened(library) as store:
        for at in range(len(milestone.coming)):
            milestone.tell(store, at)
