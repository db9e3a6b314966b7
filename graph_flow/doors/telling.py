"""The telling: plans, drafts and their versions."""

from __future__ import annotations

from graph_flow.doors.door import Door
from store.models.telling import Draft, WritingPlan


class TellingDoor(Door):
    """Stage 3."""

    def plan(self, branch_id: str, chapter: int) -> WritingPlan | None:
        """Return the newest writing plan of a chapter."""
        return self._store.manuscript.plan(branch_id, chapter)

    def save_plan(self, plan: WritingPlan) -> WritingPlan:
        """Keep a plan as the writer edited it."""
        self._store.manuscript.save_plan(plan)
        return plan

    def draft(self, branch_id: str, chapter: int) -> Draft | None:
        """Return the newest version of a chapter's text."""
        return self._store.manuscript.draft(branch_id, chapter)

    def versions(self, branch_id: str, chapter: int) -> list[Draft]:
        """Return all versions of a chapter's text, the newest first."""
        return self._store.manuscript.versions(branch_id, chapter)

    def save_text(self, branch_id: str, chapter: int, text: str) -> Draft:
        """Keep the writer's text as a new version."""
        return self._store.manuscript.save_text(branch_id, chapter, text)
