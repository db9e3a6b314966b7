"""What the pictures of a story need beside its state: who stands where, and what differs."""

from __future__ import annotations

from graph_flow.doors.door import Door
from graph_flow.views import Comparison
from store.deltas.delta import describe, diff
from store.prototype.arrivals import Arrival, ToldChapter, read_arrivals, read_told


class PictureDoor(Door):
    """Places that stay, and two states of a story side by side."""

    def arrivals(self, branch_id: str) -> list[Arrival]:
        """Return everybody who ever came into the story of a branch, in the order they came in."""
        return read_arrivals(self._store.database, branch_id)

    def told(self, branch_id: str, first: int, last: int) -> list[ToldChapter]:
        """Return what the chapters `first` to `last` of a branch ever told, in order."""
        return read_told(self._store.database, branch_id, first, last)

    def compare(self, left: tuple[str, int], right: tuple[str, int]) -> Comparison:
        """Return what differs between two states of a story, each a branch and a chapter of it.

        The sentences say what leads from the left one to the right one.
        """
        # In the order of the chapters: the store makes a snapshot out of an earlier one quickly.
        sides = {
            side: self._store.prototype.snapshot(*side)
            for side in sorted({left, right}, key=_chapter)
        }
        before, after = sides[left], sides[right]
        return Comparison(
            left=before, right=after, sentences=tuple(describe(diff(before, after), before))
        )


def _chapter(side: tuple[str, int]) -> int:
    return side[1]
