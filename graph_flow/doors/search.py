"""Looking into a story: what is found in it, and what the agents were told of it."""

from __future__ import annotations

from graph_flow.doors.door import Door
from graph_flow.told import told_views
from graph_flow.views import SearchHitView, Stage, ToldView


class SearchDoor(Door):
    """Questions that a writer asks of the story."""

    def search(
        self, branch_id: str, chapter: int | None, text: str, limit: int = 20
    ) -> list[SearchHitView]:
        """Return what has all words of a text in it at the end of a chapter, the best first.

        None is the newest chapter. Any text is a question; an empty one finds nothing.
        """
        hits = self._store.search.find(branch_id, chapter, text, limit=limit)
        return [SearchHitView(**dict(hit)) for hit in hits]

    def prompts(self, branch_id: str, chapter: int, stage: Stage) -> list[ToldView]:
        """Return what the agents were told that plotted or wrote a chapter, in order.

        Those that outlined the story are of no chapter: of these it is what they were told lately.

        Of many calls, those of several tries perhaps, it is the newest 60.
        """
        return told_views(self._store, branch_id, chapter, stage)
