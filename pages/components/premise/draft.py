"""What the Premise page edits: the proposed cast and foundation, or after approval the story itself."""

from __future__ import annotations

from dataclasses import dataclass

from pages.components import notices
from pages.components.fields.editing import with_entity, with_fields, without_entity
from pages.components.premise import strings
from pages.components.services import workbench
from store.deltas.delta import describe, diff
from store.models.proposals import Configuration
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Story

_LISTED = 3


@dataclass(frozen=True)
class PremiseDraft:
    """A title and a snapshot that are saved as they are edited.

    Before approval (`configuration` is given) an edit changes the proposal; afterwards, every edit
    is committed and announced. An edit always starts from what is stored now, so two windows do not
    undo each other's work.
    """

    story: Story
    branch: str
    configuration: Configuration | None

    @property
    def key(self) -> str:
        """The prefix of widget keys, different for each draft."""
        edition = self.configuration.id if self.configuration else "head"
        return f"{self.branch}-{edition}"

    @property
    def title(self) -> str:
        """The current title."""
        return self.configuration.title if self.configuration else self.story.title

    def snapshot(self) -> Snapshot:
        """Return the foundation, cast and relationships as they are stored now."""
        if self.configuration:
            return workbench().story.proposed_snapshot(self.branch)
        return workbench().prototype.snapshot(self.branch)

    def save_title(self, title: str) -> None:
        """Save the title."""
        if self.configuration:
            workbench().story.save_configuration(self.branch, title, self.snapshot())
        else:
            workbench().library.rename(self.story.id, title)

    def change(self, entity_id: str, /, **values: object) -> None:
        """Save fields of one entity; a field that changes loses its mark *invented*."""
        before = self.snapshot()
        entity = before.entities.get(entity_id, before.foundation)
        self._save(before, with_entity(before, with_fields(entity, **values)))

    def add(self, entity: AnyEntity) -> None:
        """Save a new entity."""
        before = self.snapshot()
        self._save(before, with_entity(before, entity))

    def remove(self, entity_id: str) -> None:
        """Remove an entity and whatever refers to it."""
        before = self.snapshot()
        self._save(before, without_entity(before, entity_id))

    def _save(self, before: Snapshot, after: Snapshot) -> None:
        if self.configuration:
            title = (workbench().proposals.configuration(self.branch) or self.configuration).title
            workbench().story.save_configuration(self.branch, title, after)
            return
        if workbench().story.edit(self.branch, after) is None:
            return
        lines = [f"{line.mark} {line.text}" for line in describe(diff(before, after), before)]
        notices.keep("done", strings.saved(lines[:_LISTED], len(lines) - _LISTED))
