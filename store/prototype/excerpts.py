"""Parts of the Story Prototype: what an agent needs, at a cost that does not grow with the story.

An excerpt is a `Snapshot` that holds a bounded part of the whole: the newest and the most
relevant. It does not show what is true of the whole story, but what it holds is current.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations, zip_longest
from typing import NamedTuple, Self

from store.database.database import Database
from store.models.base import Record
from store.models.cast import Character, Relationship
from store.models.plot import Thread, ThreadState
from store.models.prototype import SINGLE, EntityKind, Snapshot
from store.prototype.lineage import newest_chapter
from store.prototype.lookups import PartRow, Pools
from store.prototype.states import read_part

Ids = dict[EntityKind, set[str]]

OPEN_THREADS = frozenset({ThreadState.PLANNED, ThreadState.PLANTED})

_POOL = 36
"""The past events that an agent chooses among: as many as a story has after some 12 chapters."""
_NEWEST, _MINE, _NEAR, _OPEN, _SPOKEN = 12, 12, 6, 6, 12
"""The pool's shares: the newest events, and those found by people, links, threads and words."""
_EVERY = 2_000
"""More words than the goals of a round contain."""

_EACH = 8
"""The newest mentions of each word, and the newest parts of each person."""
_LIVED, _LIVED_BY_ALL = 12, 4
"""Past events that are read for some people: this many for each, and a few more."""
_BEFORE = 16
"""Events before the story."""
_SHARED = 60
"""How many events back to look for ones that two people took part in."""
_TIES = 8
"""Relationships of one person, and as many towards them."""
_OF_A_PAIR = 16
"""The most versions of one person's relationships to another that are read."""
_TIED = 6
"""People of a chapter whose relationships to each other are read."""
_CIRCLE = 16
"""People at hand: those that the goals and the casting of a chapter consider."""
_FIRST = 12
"""Scenes from the beginning of the story."""
_RECENT_EVENTS = 24
_THREADS = 12
_PEOPLE_IN = 12
"""People read per event, on average."""
_CHAPTER_EVENTS = 60
_SAME_NAME = 8


class Query(Record):
    """What an agent wants to remember: what it is about, who is there, what is going on.

    `people` and `events` are ids; `events` are those that the past may have led to.
    """

    text: str = ""
    people: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


class Mentions(Record):
    """What an answer mentions by name, which may exist already in a story of any length."""

    place: str = ""
    thread: str = ""
    person: str = ""
    people: tuple[str, ...] = ()
    """Ids; the relationships between them are looked up."""


class Excerpts:
    """Reads parts of a branch's story. A chapter of None is the newest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def foundation(self, branch: str, chapter: int | None = None) -> Snapshot:
        """Return the foundation alone."""
        return self._read(branch, self._last(branch, chapter), {})

    def of_chapter(self, branch: str, chapter: int) -> Snapshot:
        """Return what one chapter tells: its events, with their people, places and relationships."""
        pools = Pools(self._database, branch, chapter)
        events = pools.events_of(chapter, _CHAPTER_EVENTS)
        ids, parts = self._scenery(pools, events)
        people = dict.fromkeys(part.character for part in parts)
        ids["relationship"] = {
            relationship.id
            for relationship in pools.relationships_among(list(people)[:_TIED], _POOL)
        }
        return self._read(branch, chapter, ids)

    def of_telling(self, branch: str, chapter: int) -> Snapshot:
        """Return what whoever tells a chapter needs: what it tells, and what came before the story.

        With the people of both come those that the story introduces first, the ties of everybody in
        the chapter, also to those who are absent, and the threads that were touched last. People, ties
        and threads are what they are when the chapter begins: what becomes of them, its events tell.
        The spine and the tone are the newest ones: they hold for whatever is written from now on.
        """
        pools = Pools(self._database, branch, chapter)
        now = pools.events_of(chapter, _CHAPTER_EVENTS)
        past = pools.events_of(0, _CHAPTER_EVENTS)
        ids, parts = self._scenery(pools, [*past, *now])
        there = list(dict.fromkeys(part.character for part in parts if part.event in set(now)))
        ties = pools.ties_at(there, _TIES)
        ids["relationship"] = {tie.id for tie in ties}
        ids["character"] |= {end for tie in ties for end in (tie.source, tie.target)}
        ids["character"] |= set(pools.first_people(_CIRCLE))
        ids["thread"] = set(pools.newest_threads(_THREADS))
        told = self._read(branch, chapter, ids)
        changing: Ids = {
            "character": ids["character"],
            "relationship": ids["relationship"],
            "thread": ids["thread"],
        }
        began = _as_it_began(told, read_part(self._database, branch, chapter - 1, changing))
        newest = self._last(branch, None)
        if newest <= chapter:
            return began
        spine = self._spine(branch, newest).entities
        tone = {"tone": self.foundation(branch).foundation.tone}
        foundation = began.foundation.model_copy(update=tone)
        now_held = {**spine, foundation.id: foundation}
        return began.model_copy(update={"entities": {**began.entities, **now_held}})

    def met_before(self, branch: str, chapter: int, people: Sequence[str]) -> set[str]:
        """Return who of some people took part in what earlier chapters tell; chapter 0 is no telling."""
        pools = Pools(self._database, branch, chapter - 1)
        untold = set(pools.events_of(0, _CHAPTER_EVENTS))
        newest = pools.parts_of(people, 1)
        return {
            person
            for person, parts in newest.items()
            if any(part.event not in untold for part in parts)
        }

    def met_in(self, branch: str, people: Sequence[str], events: Collection[str]) -> set[str]:
        """Return who of some people takes part in any of some events."""
        pools = Pools(self._database, branch, self._last(branch, None))
        parts = pools.parts_in(events, len(events) * _PEOPLE_IN)
        return {part.character for part in parts} & set(people)

    def of_people(
        self,
        branch: str,
        chapter: int | None,
        people: Sequence[str],
        text: str = "",
        events: Collection[str] = (),
    ) -> Snapshot:
        """Return what some people can know, and more: the caller sorts out what each of them knows.

        Of their past it holds the newest, what they shared, what a text mentions, and some `events`.
        """
        last = self._last(branch, chapter)
        pools = Pools(self._database, branch, last)
        lived = dict.fromkeys([*_lived(pools, people, text), *events])
        ids, parts = self._scenery(pools, list(lived))
        relationships = pools.ties_at(people, _TIES)
        ids["relationship"] = {
            relationship.id
            for relationship in (*relationships, *pools.relationships_among(people, _POOL))
        }
        ends = {
            end
            for relationship in relationships
            for end in (relationship.source, relationship.target)
        }
        ids["character"] |= {*people, *ends, *(part.character for part in parts)}
        ids["scene"] |= set(pools.first_scenes(_FIRST))
        return self._read(branch, last, ids)

    def of_circle(self, branch: str, chapter: int | None, text: str) -> Snapshot:
        """Return the people at hand, what they did and are to each other, new events, open threads.

        At hand are the people that a text names, those in the newest events, and the story's first.
        """
        last = self._last(branch, chapter)
        pools = Pools(self._database, branch, last)
        recent = _Recent.of(pools)
        people = recent.at_hand(pools, text)
        ids: Ids = {
            **recent.doings_of(people, pools.parts_of(people, 2)),
            "thread": set(_open_threads(pools, text)),
            "relationship": {
                relationship.id for relationship in pools.relationships_among(people[:_TIED], _POOL)
            },
        }
        return self._read(branch, last, ids)

    def of_relays(self, branch: str, texts: Sequence[str]) -> list[Snapshot]:
        """Return for each text the people at hand and what they did last, to cast its relay from.

        They are those of `of_circle`; what all texts need is read once.
        """
        if not texts:
            return []
        last = self._last(branch, None)
        pools = Pools(self._database, branch, last)
        recent = _Recent.of(pools)
        circles = [recent.at_hand(pools, text) for text in texts]
        parts = pools.parts_of(dict.fromkeys(chain.from_iterable(circles)), 2)
        wanted = [recent.doings_of(people, parts) for people in circles]
        together = {kind: set().union(*(ids[kind] for ids in wanted)) for kind in wanted[0]}
        whole = self._read(branch, last, together)
        return [_only(whole, ids) for ids in wanted]

    def at_hand(self, branch: str, chapter: int | None, text: str) -> Snapshot:
        """Return the people and the open threads of `of_circle`, without what they did."""
        last = self._last(branch, chapter)
        pools = Pools(self._database, branch, last)
        ids: Ids = {
            "character": set(_Recent.of(pools).at_hand(pools, text)),
            "thread": set(_open_threads(pools, text)),
        }
        return self._read(branch, last, ids)

    def of_ids(self, branch: str, chapter: int | None, ids: Ids) -> Snapshot:
        """Return the entities with some ids, given by kind."""
        return self._read(branch, self._last(branch, chapter), ids)

    def of_words(self, branch: str, chapter: int | None, text: str) -> Snapshot:
        """Return the people a text names, and what it may quote: relationships, events, parts.

        Every word of the text is looked up, not only the longest: any may give away a secret.
        """
        last = self._last(branch, chapter)
        pools = Pools(self._database, branch, last)
        quoted: tuple[EntityKind, ...] = ("character", "relationship", "event", "participation")
        ids: Ids = {kind: set(pools.speaking_of(kind, text, _EACH, _EVERY)) for kind in quoted}
        ids["character"] |= set(pools.named_in("character", text, _EACH, _EVERY))
        return self._read(branch, last, ids)

    def of_past(self, branch: str, chapter: int | None, query: Query) -> Snapshot:
        """Return the events that may matter to a query, with their people, links and threads."""
        last = self._last(branch, chapter)
        pools = Pools(self._database, branch, last)
        threads = self._read(branch, last, {"thread": set(pools.newest_threads(_THREADS))})
        waiting = [thread for thread in threads.of(Thread) if thread.state in OPEN_THREADS]
        events = _past_events(pools, query, waiting)
        parts = pools.parts_in(events, len(events) * _PEOPLE_IN)
        links = pools.links_at({*events, *query.events}, _POOL)
        ids: Ids = {
            "event": set(events),
            "participation": {part.id for part in parts if part.character in query.people},
            "event_link": {link.id for link in links},
        }
        return joined(self._read(branch, last, ids), threads)

    def of_threads(self, branch: str, chapter: int, text: str) -> Snapshot:
        """Return the threads that were touched last, and those that share a word with a text."""
        pools = Pools(self._database, branch, chapter)
        return self._read(branch, chapter, {"thread": set(_open_threads(pools, text))})

    def newest(self, branch: str, chapter: int | None, most: int) -> Snapshot:
        """Return the events that were told last."""
        last = self._last(branch, chapter)
        events = Pools(self._database, branch, last).newest_events(most)
        return self._read(branch, last, {"event": set(events)})

    def after(self, branch: str, chapter: int, most: int) -> Snapshot:
        """Return the first events that are told after a chapter, as they are now."""
        last = self._last(branch, None)
        events = Pools(self._database, branch, last).events_after(chapter, most)
        return self._read(branch, last, {"event": set(events)})

    def mentioned(
        self, branch: str, chapter: int, mentions: Mentions, known: Collection[str] = ()
    ) -> Snapshot:
        """Return the places, threads, people and relationships that an answer may mean.

        Those with a `known` id are left out. An answer often mentions nothing else, and then hardly
        anything is read.
        """
        pools = Pools(self._database, branch, chapter)
        ids: Ids = {
            "scene": set(pools.called("scene", mentions.place, _SAME_NAME)),
            "thread": set(pools.speaking_of("thread", mentions.thread, 3)[:_THREADS]),
            "relationship": {
                relationship.id
                for relationship in pools.relationships_among(mentions.people, _POOL)
            },
            "character": {*mentions.people, *pools.named_in("character", mentions.person, _EACH)},
        }
        unknown: Ids = {kind: some.difference(known) for kind, some in ids.items()}
        return read_part(self._database, branch, chapter, unknown)

    def among(self, branch: str, chapter: int, groups: Sequence[Sequence[str]]) -> Snapshot:
        """Return the people of some groups, with the relationships between each two of a group."""
        people = {person for group in groups for person in group}
        if not people:
            return Snapshot(chapter=chapter)
        pools = Pools(self._database, branch, chapter)
        pairs = dict.fromkeys(chain.from_iterable(permutations(group, 2) for group in groups))
        relationships = {
            relationship.id for relationship in pools.relationships_between(pairs, _OF_A_PAIR)
        }
        return read_part(
            self._database, branch, chapter, {"character": people, "relationship": relationships}
        )

    def _last(self, branch: str, chapter: int | None) -> int:
        newest = newest_chapter(self._database, branch)
        return newest if chapter is None else min(chapter, newest)

    def _spine(self, branch: str, chapter: int) -> Snapshot:
        return read_part(self._database, branch, chapter, {"spine": {SINGLE["spine"]}})

    def _read(self, branch: str, chapter: int, ids: Ids) -> Snapshot:
        return read_part(
            self._database,
            branch,
            chapter,
            {**ids, **{kind: {id_} for kind, id_ in SINGLE.items()}},
        )

    def _scenery(self, pools: Pools, events: Collection[str]) -> tuple[Ids, list[PartRow]]:
        """Return the ids of some events with their people and places."""
        parts = pools.parts_in(events, len(events) * _PEOPLE_IN)
        places = pools.places_of(events, len(events) * 2)
        ids: Ids = {
            "event": set(events),
            "participation": {part.id for part in parts},
            "character": {part.character for part in parts},
            "occurrence": {place.id for place in places},
            "scene": {place.scene for place in places},
        }
        return ids, parts


def joined(snapshot: Snapshot, part: Snapshot) -> Snapshot:
    """Return a snapshot together with what another part of the same story holds."""
    return snapshot.model_copy(
        update={
            "entities": {**part.entities, **snapshot.entities},
            "first_chapter": {**part.first_chapter, **snapshot.first_chapter},
        }
    )


def _as_it_began(told: Snapshot, before: Snapshot) -> Snapshot:
    """Return a chapter's snapshot with people, ties and threads as they were before it.

    What the writer has changed in them since stays, and so does whoever is new in the chapter; ties
    that only form in it are left out.
    """
    entities = dict(told.entities)
    changing: list[Character | Relationship | Thread] = [
        *told.characters,
        *told.relationships,
        *told.threads,
    ]
    for one in changing:
        standing = before.entities.get(one.id)
        if standing is not None:
            changed = {field: getattr(standing, field) for field in one.invented}
            entities[one.id] = one.model_copy(update=changed)
        elif isinstance(one, Relationship) and one.invented:
            del entities[one.id]
    return told.model_copy(update={"entities": entities})


def _only(snapshot: Snapshot, ids: Ids) -> Snapshot:
    """Return some entities of a snapshot."""
    wanted = frozenset().union(*ids.values())
    return snapshot.model_copy(
        update={
            "entities": {id_: one for id_, one in snapshot.entities.items() if id_ in wanted},
            "first_chapter": {
                id_: at for id_, at in snapshot.first_chapter.items() if id_ in wanted
            },
        }
    )


class _Recent(NamedTuple):
    """The newest events, who was in them, and the story's first people."""

    events: list[str]
    parts: list[PartRow]
    first: list[str]

    @classmethod
    def of(cls, pools: Pools) -> Self:
        """Look them up."""
        events = pools.newest_events(_RECENT_EVENTS)
        parts = pools.parts_in(events, _RECENT_EVENTS * _PEOPLE_IN)
        return cls(events, parts, pools.first_people(_CIRCLE))

    def at_hand(self, pools: Pools, text: str) -> list[str]:
        """Return the people that a text names, those in the newest events, and the story's first."""
        named = pools.named_in("character", text, _EACH)[:_CIRCLE]
        often = [one for one, _ in Counter(part.character for part in self.parts).most_common()]
        return list(dict.fromkeys(chain(named, often, self.first)))[:_CIRCLE]

    def doings_of(self, people: Sequence[str], parts: Mapping[str, Sequence[PartRow]]) -> Ids:
        """Return the ids of some people with their parts in the newest events, and in these."""
        own = [part for person in people for part in parts[person]]
        took_part = (part for part in (*self.parts, *own) if part.character in people)
        return {
            "character": set(people),
            "event": {*self.events, *(part.event for part in own)},
            "participation": {part.id for part in took_part},
        }


def _lived(pools: Pools, people: Sequence[str], text: str) -> list[str]:
    """Return the events that some people may remember: the relevant, the shared, the newest.

    What happened before the story is never forgotten, however long the story is.
    """
    far = _events_of(pools, people, _SHARED)
    counted = Counter(event for events in far.values() for event in dict.fromkeys(events))
    shared = [event for event, count in counted.items() if count > 1]
    spoken = pools.speaking_of("event", text, _EACH)[:_RECENT_EVENTS]
    with_them = {part.event for part in pools.parts_in(spoken, _POOL * 4) if part.character in far}
    relevant = [event for event in spoken if event in with_them]
    newest = _in_turn(list(far.values()))
    events = dict.fromkeys([*relevant[:_EACH], *shared[:_EACH], *newest])
    recent = list(events)[: _LIVED * len(people) + _LIVED_BY_ALL]
    return list(dict.fromkeys([*recent, *pools.events_of(0, _BEFORE)]))


def _past_events(pools: Pools, query: Query, threads: Iterable[Thread]) -> list[str]:
    """Return the pool for a query: a bounded share for each way of being relevant."""
    newest = pools.newest_events(_POOL)
    planted = {thread.planted_in for thread in threads if thread.planted_in is not None}
    ways = (
        newest[:_NEWEST],
        pools.speaking_of("event", query.text, _EACH)[:_SPOKEN],
        list(_in_turn(list(_events_of(pools, query.people[:_CIRCLE], _EACH).values())))[:_MINE],
        _neighbours(pools, query.events or newest[:3])[:_NEAR],
        list(_in_turn([pools.events_of(at, 3) for at in sorted(planted)[-_OPEN:]]))[:_OPEN],
        newest[_NEWEST:],
    )
    return list(dict.fromkeys(chain.from_iterable(ways)))[:_POOL]


def _events_of(pools: Pools, people: Sequence[str], most: int) -> dict[str, list[str]]:
    """Return the events that each of some people took part in, the newest first."""
    found = pools.parts_of(people, most)
    return {person: [part.event for part in parts] for person, parts in found.items()}


def _in_turn(lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the first of each list, then the second of each, and so on; each id once."""
    rounds = chain.from_iterable(zip_longest(*lists))
    yield from dict.fromkeys(id_ for id_ in rounds if id_ is not None)


def _neighbours(pools: Pools, events: Collection[str]) -> list[str]:
    """Return the events one link away from some, then those two away."""
    found: dict[str, None] = {}
    frontier = set(events)
    for _ in range(2):
        links = pools.links_at(frontier, _NEAR * 3)
        frontier = {end for link in links for end in (link.source, link.target)} - found.keys()
        found |= dict.fromkeys(sorted(frontier - set(events)))
    return list(found)


def _open_threads(pools: Pools, text: str) -> list[str]:
    spoken = pools.speaking_of("thread", text, 3)[:_THREADS]
    return list(dict.fromkeys([*spoken, *pools.newest_threads(_THREADS * 2)]))
