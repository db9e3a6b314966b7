"""A story as files: exports, imports, and a library to take over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from store.errors import StoreError
from store.formats.book.interactive.ways import WaysNotTaken, count_ways
from store.formats.bundle import OnProgress, export_bundle, import_bundle
from store.formats.exports import ExportFormat, Source
from store.formats.extract import fingerprint_of, manuscript_of
from store.formats.reading.files import NamedFile, read_files
from store.formats.reading.keeping import keep_as_story
from store.models.story import Story
from store.open import Store


@dataclass(frozen=True)
class FormerLibrary:
    """The library from when the app had its former name, and the function that takes it over."""

    path: Path
    take_over: Callable[[], None]


class FileService:
    """Exports, imports, and a library that can be taken over."""

    def __init__(self, store: Store, former: FormerLibrary | None = None) -> None:
        self._store = store
        self._former = former

    def former_library(self) -> Path | None:
        """Return the former library if it can be taken over: if this one has never had a story."""
        if self._former is None or not self._store.library.is_untouched:
            return None
        return self._former.path if self._former.path.is_file() else None

    def take_over_library(self) -> None:
        """Copy everything in the former library into this one; the former one stays as it is.

        Raises:
            StoreError: if it cannot be read, or there is none; nothing is changed in that case.
        """
        if self._former is None or self.former_library() is None:
            raise StoreError("There is no library to take over, or this one already has stories.")
        self._former.take_over()

    def export(
        self,
        branch_id: str,
        form: ExportFormat,
        chapter: int | None = None,
        telling_id: str | None = None,
    ) -> bytes:
        """Return a branch as a file; data is as of a chapter, or as it is now if that is None.

        What is for reading is the book, or another telling of its story.
        """
        return form.export(Source(self._store, branch_id, chapter, telling_id))

    def fingerprint(self, branch_id: str, telling_id: str | None = None) -> str:
        """Return what is the same for as long as a branch's book, or a telling, stays as it is."""
        return fingerprint_of(manuscript_of(self._store, branch_id, telling_id))

    def ways_not_taken(self, branch_id: str) -> WaysNotTaken:
        """Return how many ways there are for an interactive fiction beside the one that was taken."""
        return count_ways(self._store, branch_id)

    def import_bundle(
        self, content: str | bytes, on_progress: OnProgress = lambda _part, _whole: None
    ) -> Story:
        """Import a bundle as a new story, which is listed once all of it is there.

        `on_progress` is told how much is done: a part, and the whole.

        Raises:
            BundleInvalid: if it is damaged or hostile; the library is unchanged in that case.
            LibraryUnavailable: if the library stays busy, or the disk is full; likewise.
            StoreError: if there can be no more stories.
        """
        self._store.library.check_room()
        return import_bundle(self._store, content, on_progress)

    def import_book(self, files: Sequence[NamedFile]) -> Story:
        """Import a book that was written elsewhere as a new story, its chapters word for word.

        Raises:
            BookUnreadable: if it cannot be read; the library is unchanged in that case.
            LibraryUnavailable: if the library stays busy, or the disk is full; likewise.
            StoreError: if there can be no more stories.
        """
        self._store.library.check_room()
        return keep_as_story(self._store, read_files(files))

    def duplicate(
        self,
        story_id: str,
        title: str,
        on_progress: OnProgress = lambda _part, _whole: None,
    ) -> Story:
        """Copy a story with all its branches into a new one of another title; return the copy.

        It has what a bundle has: no runs and no prompts. `on_progress` is as in `import_bundle`.

        Raises:
            NotFound: if there is no such story.
            LibraryUnavailable: if the library stays busy, or the disk is full; nothing is copied then.
            StoreError: if there can be no more stories.
        """
        self._store.library.check_room()
        return import_bundle(self._store, export_bundle(self._store, story_id, title), on_progress)
