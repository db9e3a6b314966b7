"""A story as files: taken away, and taken in."""

from __future__ import annotations

from store.formats.bundle import export_bundle, import_bundle
from store.formats.data import DataForm, export_data
from store.formats.extract import extract_of
from store.formats.markdown import export_markdown
from store.models.story import Story
from store.open import Store


class FileService:
    """Exports and imports."""

    def __init__(self, store: Store) -> None:
        self._store = store

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
