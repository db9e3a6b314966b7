"""The ledger: what the calls to models took, and for what."""

from __future__ import annotations

from graph_flow.doors.door import Door
from store.models.run import LineSpending, Spending


class LedgerDoor(Door):
    """What a story costs."""

    def spending(self, branch_id: str) -> LineSpending:
        """Return what led to a branch as it stands took, by agent and by chapter."""
        return self._store.ledger.of_line(branch_id)

    def story_spending(self, story_id: str) -> Spending:
        """Return what a story took on all of its branches."""
        return self._store.ledger.of_story(story_id)
