"""A story as files: taken away, and taken in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from store.errors import StoreError
from store.formats.bundle import export_bundle, import_bundle
from store.formats.data import DataForm, export_data
from store.formats.extract import extract_of
from store.formats.markdown import export_markdown
from store.models.story import Story
from store.open import Store


@dataclass(frozen=True)
class FormerLibrary:
    """A library of before the app had its present name, and what takes all of it over."""

    path: Path
    take_over: Callable[[], None]


class FileService:
    """Exports, imports, and a library that can be taken over."""

    def __init__(self, store: Store, former: FormerLibrary | None = None) -> None:
        self._store = store
        self._former = former

    def former_library(self) -> Path | None:
        """Return the library that can be taken over: one of before, while this one never had a story."""
        if self._former is None or not self._store.library.is_untouched:
            return None
        return self._former.path if self._former.path.is_file() else None

    def take_over_library(self) -> None:
        """Copy all that the library of before holds into this one; it stays as it is.

        Raises:
            StoreError: if it cannot be read, or there is none; nothing is changed then.
        """
        if self._former is None or self.former_library() is None:
            raise StoreError("There is no library to take over, or this one holds stories already.")
        self._former.take_over()

    def export_markdown(self, branch_id: str) -> str:
        """Return the written chapters as Markdown with front matter."""
        return export_markdown(self._store, branch_id)

    def export_bundle(self, story_id: str) -> str:
        """Return the whole story as a JSON bundle."""
        return export_bundle(self._store, story_id)

    def export_data(self, branch_id: str, form: DataForm, chapter: int | None = None) -> bytes:
        """Return a branch as of a chapter (None: as it is now) as data for other programs."""
        return export_data(extract_of(self._store, branch_id, chapter), form)

    def import_bundle(self, text: str) -> Story:
        """Take a bundle in as a new story.

        Raises:
            BundleInvalid: if it is damaged or hostile; the library is unchanged then.
        """
        return import_bundle(self._store, text)
