"""The story itself: its configuration, its state at any chapter, and what is proposed for the next."""

from __future__ import annotations

from graph_flow import reading
from graph_flow.doors.door import Door
from graph_flow.errors import WorkbenchError
from graph_flow.staleness import mark_stale
from graph_flow.views import ChangeLine, ChapterCard, Moment
from store.deltas.delta import apply, diff
from store.models.base import new_id
from store.models.delta import Delta
from store.models.proposals import Configuration, Verdict
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Commit


class PrototypeDoor(Door):
    """Stages 1 and 2: read, edit, compare; goals and candidates."""

    def configuration(self, branch_id: str) -> Configuration | None:
        """Return the proposed chapter 0, as far as it is drafted."""
        return self._store.proposals.configuration(branch_id)

    def proposed_snapshot(self, branch_id: str) -> Snapshot:
        """Return the prototype as the configuration would make it; empty where there is none."""
        configuration = self.configuration(branch_id)
        return apply(Snapshot(), configuration.delta, 0) if configuration else Snapshot()

    def save_configuration(self, branch_id: str, title: str, snapshot: Snapshot) -> Configuration:
        """Keep the writer's edit of the configuration before it is approved.

        Raises:
            DeltaInvalid: if the edit does not hold together; nothing is changed then.
            WorkbenchError: if there is no configuration to edit.
        """
        configuration = self.configuration(branch_id)
        if configuration is None:
            raise WorkbenchError("There is nothing to edit yet: draft the cast first.")
        delta = diff(Snapshot(), snapshot)
        apply(Snapshot(), delta, 0)
        edited = configuration.model_copy(update={"title": title.strip()[:400], "delta": delta})
        self._store.proposals.save_configuration(edited)
        return edited

    def snapshot(self, branch_id: str, chapter: int | None = None) -> Snapshot:
        """Return the prototype at the end of a chapter, or as it is now."""
        return self._store.prototype.snapshot(branch_id, chapter)

    def chapters(self, branch_id: str) -> list[ChapterCard]:
        """Return the plotted chapters, in order."""
        return reading.chapter_cards(self._store, branch_id)

    def edit(self, branch_id: str, edited: Snapshot, chapter: int | None = None) -> Commit | None:
        """Commit what the writer changed in the story as of a chapter; None if nothing differs.

        None is the newest chapter. `edited` is taken against the story as it stands now: it must
        have just been read.

        Raises:
            DeltaInvalid: if the edit does not hold together; nothing is changed then.
            StoryMoved: if the story changed since it was read.
        """
        standing = self.snapshot(branch_id, chapter)
        return self.commit_edit(branch_id, diff(standing, edited), standing.chapter)

    def commit_edit(self, branch_id: str, delta: Delta, chapter: int) -> Commit | None:
        """Commit a change that the writer made to the story as of a chapter; None if it is empty.

        What it changes in an earlier chapter holds in the later ones too, but for what they changed.
        What was plotted, planned or written on it is marked as stale.

        Raises:
            DeltaInvalid: if the change does not hold together, or a later chapter needs what it
                takes away; nothing is changed then.
            StoryMoved: if what it changes is no longer as it was.
        """
        if delta.is_empty:
            return None
        with self._store.database.write():
            commit = self._store.prototype.commit(
                branch_id, delta, chapter=chapter, kind="edit", origin=new_id()
            )
            mark_stale(self._store, commit, delta)
        return commit

    def changes_in(self, branch_id: str, chapter: int) -> list[ChangeLine]:
        """Return what a chapter changed, in a writer's words."""
        before = self.snapshot(branch_id, chapter - 1) if chapter else Snapshot()
        delta = diff(before, self.snapshot(branch_id, chapter))
        return list(reading.change_lines(delta, before))

    def history(self, branch_id: str, chapter: int, entity: AnyEntity) -> list[Moment]:
        """Return what each chapter up to one changed in something, after it came to be."""
        return reading.moments_of(self._store, branch_id, chapter, entity)

    def new_entity_id(self) -> str:
        """Return an id for something that the writer adds."""
        return new_id()

    def verdict(self, branch_id: str, chapter: int) -> Verdict | None:
        """Return the exit agent's verdict after a chapter."""
        return self._store.proposals.verdict(branch_id, chapter)

    def evidence(self, branch_id: str, chapter: int) -> list[str]:
        """Return the titles of the events that the verdict after a chapter stands on, as far as they are told."""
        verdict = self.verdict(branch_id, chapter)
        if verdict is None:
            return []
        told = {event.id: event.title for event in self.snapshot(branch_id).events}
        return [told[event] for event in verdict.events if event in told]
