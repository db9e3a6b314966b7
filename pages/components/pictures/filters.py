"""What the writer wants to see of a story, and what a picture then shows. Pure."""

from __future__ import annotations

from graph_flow.views import View
from pages.components.pictures.story_index import StoryIndex
from store.models.cast import Relationship, RelationshipKind
from store.models.plot import EventLink, LinkKind, Part, Participation


class Filters(View):
    """What is asked for; an empty field asks for everything."""

    people: tuple[str, ...] = ()
    """Ids; these are shown with everybody and everything they are connected to."""
    relationships: tuple[RelationshipKind, ...] = ()
    links: tuple[LinkKind, ...] = ()
    parts: tuple[Part, ...] = ()
    thread: str = ""
    """An id."""

    @property
    def count(self) -> int:
        """How many of the filters are set."""
        return sum(1 for field in type(self).model_fields if getattr(self, field))

    def standing_in(self, index: StoryIndex) -> Filters:
        """Return the filters without people and threads that are not in the snapshot."""
        people = tuple(one for one in self.people if one in index.people)
        thread = self.thread if self.thread in index.threads else ""
        return self.model_copy(update={"people": people, "thread": thread})


class Sieve:
    """The filters applied to one snapshot."""

    def __init__(self, filters: Filters, index: StoryIndex) -> None:
        self._filters = filters.standing_in(index)
        self._index = index
        self._people = frozenset(self._filters.people)
        thread = self._filters.thread
        self._events = index.events_of_thread(thread) if thread else None

    def has_tie(self, relationship: Relationship) -> bool:
        """Return whether a relationship is asked for."""
        wanted = not self._filters.relationships or relationship.tie in self._filters.relationships
        return wanted and (
            not self._people
            or not self._people.isdisjoint((relationship.source, relationship.target))
        )

    def people(self, relationships: list[Relationship]) -> frozenset[str]:
        """Return the people to show if `relationships` are the relationships shown."""
        shown = set(self._index.people)
        if self._people or self._filters.relationships:
            shown = {
                end
                for relationship in relationships
                for end in (relationship.source, relationship.target)
            } | self._people
        if self._events is not None:
            shown &= {
                part.character for event in self._events for part in self._index.parts_in(event)
            } | self._people
        return frozenset(shown)

    def has_event(self, event_id: str) -> bool:
        """Return whether an event is asked for."""
        if self._events is not None and event_id not in self._events:
            return False
        parts = self._index.parts_in(event_id)
        if (self._people or self._filters.parts) and not any(self._is_wanted(one) for one in parts):
            return False
        links = self._index.links_of(event_id)
        return not self._filters.links or any(self.has_link(link) for link in links)

    def _is_wanted(self, part: Participation) -> bool:
        return self.has_part(part) and (not self._people or part.character in self._people)

    def has_part(self, part: Participation) -> bool:
        """Return whether a part in an event is asked for."""
        return not self._filters.parts or part.part in self._filters.parts

    def has_link(self, link: EventLink) -> bool:
        """Return whether a link between events is asked for."""
        return not self._filters.links or link.link in self._filters.links
