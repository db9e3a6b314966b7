"""What an agent is reminded of: read from the store by index, then chosen by relevance.

The time that this takes does not grow with the story: see `store.excerpts` for the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph_flow.memory import Chosen, Room, remember
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import Query


@dataclass(frozen=True)
class Retrieved:
    """The events that matter most to a query, in the order of the telling, each with its line."""

    snapshot: Snapshot
    events: tuple[Event, ...]
    lines: Chosen


def retrieve(store: Store, branch: str, chapter: int | None, query: Query, room: Room) -> Retrieved:
    """Return what matters most to a query of all that was told up to a chapter; None is the newest."""
    snapshot = store.excerpts.of_past(branch, chapter, query)
    chosen = remember(snapshot, query, room)
    return Retrieved(snapshot, chosen.items, chosen.lines)
