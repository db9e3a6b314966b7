"""The goals of a chapter: what agents set and the writer edits, drops, pins and adds."""

from __future__ import annotations

from graph_flow import reading
from graph_flow.doors.door import Door
from store.models.proposals import Goal


class GoalDoor(Door):
    """Stage 2, before a chapter is woven."""

    def goals(self, branch_id: str, chapter: int) -> list[Goal]:
        """Return a chapter's goals, those of the newest round."""
        return reading.newest_goals(self._store, branch_id, chapter)

    def save_goal(self, goal: Goal) -> None:
        """Keep a goal as the writer edited it, dropped it, or added it."""
        self._store.proposals.save_goals([goal])
