"""The part of the Role Graph that is to be seen, with what a chapter did to it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from pages.components.drawing import Mark
from pages.components.filters import Filters, Sieve
from pages.components.viewpoint import Viewpoint
from store.models.cast import Character, Life, Relationship
from store.models.prototype import AnyEntity


class RoleCut:
    """The people and ties that a Role Graph shows, also those that the chapter ended."""

    def __init__(self, viewpoint: Viewpoint, filters: Filters | None = None) -> None:
        sieve = Sieve(filters or Filters(), viewpoint.now)
        self._standing = viewpoint.now.snapshot.entities
        ended = viewpoint.ended()
        left = [one for one in ended if isinstance(one, Character)]
        self._names = {one.id: one for one in left} | viewpoint.now.people
        ties = [
            tie
            for tie in (
                *viewpoint.now.ties,
                *(one for one in ended if isinstance(one, Relationship)),
            )
            if sieve.has_tie(tie)
        ]
        shown = sieve.people(ties) | {one.id for one in left if not filters or not filters.count}
        self.people = [one for id_, one in self._names.items() if id_ in shown]
        self.ties = [tie for tie in ties if {tie.source, tie.target} <= shown]
        shown_ones: list[AnyEntity] = [*self.people, *self.ties]
        self.marks: Mapping[str, Mark] = {one.id: viewpoint.mark(one) for one in shown_ones}

    @cached_property
    def degrees(self) -> Counter[str]:
        """How many ties each person has that are shown."""
        return Counter(end for tie in self.ties for end in (tie.source, tie.target))

    @property
    def standing(self) -> tuple[int, int]:
        """How many people and ties stand, those that the chapter ended not counted."""
        entities = self._standing
        return (
            sum(person.id in entities for person in self.people),
            sum(tie.id in entities for tie in self.ties),
        )

    @property
    def has_changes(self) -> bool:
        """Whether anything stands out."""
        return any(mark is not Mark.AS_BEFORE for mark in self.marks.values())

    def lives(self) -> set[Life]:
        """Return which lives the people shown lead."""
        return {person.life for person in self.people}

    def name(self, person_id: str) -> str:
        """Return what somebody is called."""
        return self._names[person_id].name
