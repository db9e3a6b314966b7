"""What the Premise page edits: the proposed cast and foundation, or after approval the story itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pages.components import notices
from pages.components.fields.editing import with_entity, with_fields, without_entity
from pages.components.premise import strings
from pages.serving.services import workbench
from store.deltas.delta import describe, diff
from store.models.proposals import Configuration
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot
from store.models.story import Story

_LISTED = 3


@dataclass(frozen=True)
class PremiseDraft:
    """A title and a snapshot that are saved as they are edited.

    Before approval (`configuration` is given) an edit changes the proposal; afterwards, every edit
    is committed and announced. An edit always starts from what is stored now, so two windows do not
    undo each other's work. `chapter` is the chapter in which edits are committed; None: the newest.
    """

    story: Story
    branch: str
    configuration: Configuration | None
    chapter: int | None = None

    @property
    def key(self) -> str:
        """The prefix of widget keys, different for each draft."""
        edition = self.configuration.id if self.configuration else "head"
        return f"{self.branch}-{edition}"

    @property
    def is_lasting(self) -> bool:
        """Edits are saved as they are made."""
        return True

    @property
    def title(self) -> str:
        """The current title."""
        return self.configuration.title if self.configuration else self.story.title

    def snapshot(self) -> Snapshot:
        """Return the story as it is stored now, as of the chapter that is edited."""
        if self.configuration:
            return workbench().story.proposed_snapshot(self.branch)
        return workbench().prototype.snapshot(self.branch, self.chapter)

    def save_title(self, title: str) -> None:
        """Save the title."""
        if self.configuration:
            workbench().story.rename_configuration(self.branch, title)
        else:
            workbench().library.rename(self.story.id, title)

    def change(self, entity_id: str, /, **values: object) -> None:
        """Save fields of one entity; a field that changes loses its mark *invented*."""
        self.save(
            lambda before: with_entity(before, with_fields(_found(before, entity_id), **values))
        )

    def add(self, entity: AnyEntity) -> None:
        """Save a new entity."""
        self.save(lambda before: with_entity(before, entity))

    def remove(self, entity_id: str) -> None:
        """Remove an entity and whatever refers to it."""
        self.save(lambda before: without_entity(before, entity_id))

    def save(self, edit: Callable[[Snapshot], Snapshot]) -> None:
        """Save what an edit makes of the story as it is stored now."""
        if self.configuration:
            workbench().story.revise_configuration(self.branch, edit)
            return
        lines: list[str] = []

        def described(before: Snapshot) -> Snapshot:
            after = edit(before)
            lines.extend(
                f"{line.mark} {line.text}" for line in describe(diff(before, after), before)
            )
            return after

        if workbench().story.revise(self.branch, described, self.chapter) is not None:
            notices.keep("done", strings.saved(lines[:_LISTED], len(lines) - _LISTED))
            if self._is_under_way:
                notices.keep("done", strings.HOLDS_FROM_NOW_ON)

    @property
    def _is_under_way(self) -> bool:
        """Whether chapters are plotted already, and the edit is one of what holds from now on."""
        status = workbench().branches.status(self.branch)
        return self.chapter is None and status.plotted > 0


def _found(snapshot: Snapshot, entity_id: str) -> AnyEntity:
    """Return an entity; of what a story has one, an empty one while there is none."""
    empty = snapshot.spine if entity_id == SPINE_ID else snapshot.foundation
    return snapshot.entities.get(entity_id, empty)
