"""What must be known of a story to judge a Delta: the part of it that the Delta touches.

The cost follows the Delta, not the length of the story.
"""

from __future__ import annotations

from store.database import Database
from store.lines import UNBOUNDED
from store.models.cast import Character
from store.models.delta import Delta
from store.models.plot import EventLink
from store.models.prototype import Snapshot
from store.naming import name_key, references
from store.states import links_touching, namesakes, read_part, read_standing, referrers
from store.validation import ORDERING_LINKS, ordering_links


def neighbourhood(
    database: Database, branch: str, delta: Delta, chapter: int = UNBOUNDED
) -> Snapshot:
    """Return the part of a branch's snapshot that decides whether a Delta fits at a chapter's end.

    It does not tell when anything came to be.
    """
    ids = _named_in(delta)
    ids |= _referrers_of_removed(database, branch, delta)
    ids |= namesakes(database, branch, _names_given(delta))
    ids |= _links_on_circles(database, branch, delta)
    return read_standing(database, branch, chapter, ids)


def _named_in(delta: Delta) -> set[str]:
    ids = {change.id for change in delta.changes}
    for change in delta.changes:
        if change.after is not None:
            ids.update(references(change.after).values())
    return ids


def _referrers_of_removed(database: Database, branch: str, delta: Delta) -> set[str]:
    removed = {change.id for change in delta.changes if change.operation == "remove"}
    return referrers(database, branch, removed)


def _names_given(delta: Delta) -> set[str]:
    return {
        name_key(change.after.name)
        for change in delta.changes
        if isinstance(change.after, Character) and "name" in change.fields
    }


def _links_on_circles(database: Database, branch: str, delta: Delta) -> set[str]:
    """Return the ids of the links that could close a circle with the new ones.

    The search goes onward from the new links' targets and backward from their sources, a step of
    each in turn, and ends when either has nothing left: a circle would lie in both. New links
    mostly lead to new events, which lead nowhere yet, so that one of them ends at once.
    """
    new = ordering_links(delta)
    onward = _Walk(database, branch, ("source", "target"))
    backward = _Walk(database, branch, ("target", "source"))
    for link in new:
        onward.follow(link.target)
        backward.follow(link.source)
    while onward.is_open and backward.is_open:
        onward.step()
        backward.step()
    return onward.links | backward.links


class _Walk:
    """A walk over ordering links, from their `fields[0]` end to their `fields[1]` end."""

    def __init__(self, database: Database, branch: str, fields: tuple[str, str]) -> None:
        self._database = database
        self._branch = branch
        self._near, self._far = fields
        self._seen: set[str] = set()
        self._frontier: set[str] = set()
        self.links: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether there is anywhere left to go."""
        return bool(self._frontier)

    def follow(self, event: str) -> None:
        """Go on from an event, once."""
        if event not in self._seen:
            self._seen.add(event)
            self._frontier.add(event)

    def step(self) -> None:
        """Follow every link from the frontier."""
        ids = links_touching(self._database, self._branch, self._near, self._frontier) - self.links
        self._frontier = set()
        found = read_part(self._database, self._branch, UNBOUNDED, {"event_link": ids})
        for link in found.of(EventLink):
            if link.link in ORDERING_LINKS:
                self.links.add(link.id)
                self.follow(getattr(link, self._far))
