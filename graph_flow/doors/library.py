"""The library: stories begun, found, put away, and taken in and out as files."""

from __future__ import annotations

from graph_flow import reading
from graph_flow.doors.door import Door
from graph_flow.views import Desk
from store.formats.bundle import export_bundle, import_bundle
from store.formats.data import DataForm, export_data
from store.formats.extract import extract_of
from store.formats.markdown import export_markdown
from store.models.story import Branch, Brief, Story, StoryCard, StorySettings


class LibraryDoor(Door):
    """Stories as a whole."""

    def stories(self) -> list[StoryCard]:
        """Return the stories of the library, the last touched first."""
        return self._store.library.stories()

    def story(self, story_id: str) -> Story:
        """Return a story, a deleted one too.

        Raises:
            NotFound: if the library has none with this id.
        """
        return self._store.library.story(story_id)

    def create_story(self, brief: Brief | None = None) -> Story:
        """Begin a story with what the writer has typed so far, if anything."""
        return self._store.library.create_story(brief or Brief())

    def save_brief(self, story_id: str, brief: Brief) -> Story:
        """Keep the premise as typed."""
        return self._store.library.update_brief(story_id, brief)

    def rename_story(self, story_id: str, title: str) -> Story:
        """Give a story another title."""
        return self._store.library.rename(story_id, title)

    def save_story_settings(self, story_id: str, settings: StorySettings) -> Story:
        """Keep how the story is made; a run under way follows from its next step on."""
        return self._store.library.update_settings(story_id, settings)

    def delete_story(self, story_id: str) -> None:
        """Take a story out of the library; it can be restored."""
        self._store.library.delete(story_id)

    def restore_story(self, story_id: str) -> None:
        """Bring a deleted story back."""
        self._store.library.restore(story_id)

    def main_branch(self, story_id: str) -> Branch:
        """Return the branch that a story began with."""
        return self._store.library.main_branch(story_id)

    def desk(self, branch_id: str) -> Desk:
        """Return where a branch stands."""
        return reading.desk_of(self._store, branch_id)

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
