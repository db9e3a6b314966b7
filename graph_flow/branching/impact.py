"""What an edit of an earlier chapter affects: found along the causal links, and marked as stale."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from store.deltas.delta import describe
from store.models.base import new_id
from store.models.cast import Character, Relationship
from store.models.delta import Change, Delta
from store.models.desk.telling import ToldChapter
from store.models.edits.staleness import StaleMark, TargetKind
from store.models.plot import Event, EventLink, LinkKind, Occurrence, Part, Participation, Scene
from store.models.prototype import Snapshot
from store.models.story import Commit
from store.open import Store

_MARKS = frozenset({"invented", "locked"})
"""Fields that say nothing about the story."""


def mark_stale(
    store: Store, commit: Commit, delta: Delta, since: datetime | None = None
) -> list[StaleMark]:
    """Mark the later events, and the plans and texts, that depend on what a commit changed.

    With `since`, mark only texts written after that moment: older ones never used what an undo
    takes back.
    """
    delta = Delta(changes=tuple(one for one in delta.changes if set(one.fields) - _MARKS))
    if delta.is_empty:
        return []
    edit = Edit(commit.chapter, delta, _reach(store, commit, delta))
    snapshot = store.prototype.snapshot(commit.branch)
    first_chapter_of = snapshot.first_chapter_of
    found = dependents(snapshot, edit)
    marks = []
    if since is None:
        marks = [
            _mark(commit, ("event", event, first_chapter_of(event)), reason)
            for event, reason in found.events.items()
        ]
    for mark in _texts(store, commit, found.chapters, since):
        known = {**found.touched, **found.events}
        there = tuple(event for event in known if first_chapter_of(event) == mark.chapter)
        marks.append(mark.model_copy(update={"events": there}))
    marks += _other_tellings(store, commit, found, since)
    store.staleness.add(commit.branch, marks)
    return marks


def mark_taken_back(store: Store, commit: Commit) -> None:
    """Mark the plan and the text of a chapter whose plot was taken back."""
    reason = _undone(commit)
    marks = _texts(store, commit, {commit.chapter: reason}, None)
    marks += _other_tellings(store, commit, Dependents({}, {commit.chapter: reason}, {}), None)
    store.staleness.add(commit.branch, marks)


def settle_brought_back(store: Store, commit: Commit) -> None:
    """Remove the marks from the plan and the text of a chapter whose plot is back as it was."""
    for mark in store.staleness.open_marks(commit.branch):
        if mark.reason == _undone(commit):
            store.staleness.settle(mark.id)


def _undone(commit: Commit) -> str:
    return f"The plot of chapter {commit.chapter} was undone after this was written."


def _texts(
    store: Store, commit: Commit, reasons: Mapping[int, str], since: datetime | None
) -> list[StaleMark]:
    """Return the marks of the plans and texts of some chapters, each with its reason."""
    planned = store.manuscript.planned_chapters(commit.branch) if since is None else set()
    written = store.manuscript.chapters_written_after(commit.branch, since)
    places: list[tuple[TargetKind, set[int]]] = [("plan", planned), ("draft", written)]
    return [
        _mark(commit, (kind, str(chapter), chapter), reason)
        for chapter, reason in reasons.items()
        for kind, chapters in places
        if chapter in chapters
    ]


def _other_tellings(
    store: Store, commit: Commit, found: Dependents, since: datetime | None
) -> list[StaleMark]:
    """Return the marks of the texts that tell the story otherwise, each with what changed in it."""
    told = store.tellings.of(commit.branch)
    written = store.manuscript.chapters_written_after(commit.branch, since) if told else set()
    return [
        mark.model_copy(update={"events": tuple(events)})
        for telling in told
        for chapter in telling.chapters
        if chapter.key in written
        for events, reason in [_changed_in(chapter, found)]
        if reason
        for mark in [_mark(commit, ("draft", str(chapter.key), chapter.key), reason)]
    ]


def _changed_in(chapter: ToldChapter, found: Dependents) -> tuple[list[str], str]:
    """Return which events that a chapter of a telling shows are affected, and the first reason.

    Where it is only known that a chapter of the story is affected, all that happens in it is.
    """
    reasons = {
        event: reason
        for part in chapter.parts
        for event in part.events
        if (reason := found.reason_for(event, part.chapter))
    }
    return list(reasons), next(iter(reasons.values()), "")


def _mark(commit: Commit, target: tuple[TargetKind, str, int], reason: str) -> StaleMark:
    kind, target_id, chapter = target
    return StaleMark(
        id=new_id(),
        branch=commit.branch,
        commit_id=commit.id,
        target_kind=kind,
        target=target_id,
        chapter=chapter,
        reason=reason,
    )


def _reach(store: Store, commit: Commit, delta: Delta) -> dict[str, int]:
    """Return the chapter from which later changes have replaced those of an edit, by entity."""
    reach = {}
    for change in delta.changes:
        end = _end(store, commit, change)
        if end is not None:
            reach[change.id] = end
    return reach


def _end(store: Store, commit: Commit, change: Change) -> int | None:
    if change.operation != "change":
        return None
    open_fields = set(change.fields) - _MARKS
    versions = store.prototype.versions(commit.branch, None, change.kind, change.id)
    for earlier, later in pairwise(one for one in versions if one.chapter >= commit.chapter):
        if later.chapter == commit.chapter or earlier.entity is None or later.entity is None:
            continue
        open_fields -= {
            field
            for field in open_fields
            if getattr(earlier.entity, field) != getattr(later.entity, field)
        }
        if not open_fields:
            return later.chapter
    return None


_ONWARD = frozenset({LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.FORESHADOWS})
"""Links whose target depends on their source; with `PAYS_OFF` the source depends on the target."""

_LIVED = frozenset({Part.ACTS, Part.IS_AFFECTED})


@dataclass(frozen=True)
class Edit:
    """A Delta at a chapter, and how far each of its changes reaches.

    `reach` gives, by entity, the later chapter that changes the same thing again: from there on the
    edit has no effect. An entity without one is affected to the end.
    """

    chapter: int
    delta: Delta
    reach: Mapping[str, int]


@dataclass(frozen=True)
class Dependents:
    """What depends on an edit: later events by id, and chapters, each with its reason.

    `touched` are the events that the edit itself changes, or whose people, ties or places it does.
    """

    events: dict[str, str]
    chapters: dict[int, str]
    touched: dict[str, str]

    def reason_for(self, event: str, chapter: int) -> str:
        """Return why an event of a chapter of the story is affected; nothing if it is not."""
        known = self.events.get(event) or self.touched.get(event, "")
        is_known_which = bool(self.events or self.touched)
        return known if is_known_which else self.chapters.get(chapter, "")


def dependents(snapshot: Snapshot, edit: Edit) -> Dependents:
    """Return what depends on an edit, in the story as it is now, the edit included.

    These depend directly: later events, as far as the change reaches, in which a changed person
    acts or is affected, in which both people of a changed relationship take part, or that occur in
    a changed scene; and what a changed event leads to. From there, the search follows the links by
    which one event leads to another. A chapter depends if one of its events does or is changed.
    """
    index = _Index(snapshot)
    events: dict[str, str] = {}
    chapters: dict[int, str] = {}
    changed: dict[str, str] = {}
    for change in edit.delta.changes:
        reason = _reason(edit, change, snapshot)
        touched = index.touched_by(change, edit)
        for event in index.led_to_by(touched):
            if index.first_chapter_of(event) > edit.chapter:
                events.setdefault(event, reason)
        for event in touched:
            changed.setdefault(event, reason)
            chapters.setdefault(index.first_chapter_of(event), reason)
    for event, reason in events.items():
        chapters.setdefault(index.first_chapter_of(event), reason)
    return Dependents(events, dict(sorted(chapters.items())), changed)


def _reason(edit: Edit, change: Change, snapshot: Snapshot) -> str:
    sentences = describe(Delta(changes=(change,)), snapshot)
    text = sentences[0].text if sentences else "something in it"
    return f"Chapter {edit.chapter} was changed: {text}"[:400]


class _Index:
    """The events of a snapshot by who is in them, where they occur, and what leads to them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lived: dict[str, set[str]] = defaultdict(set)
        self._present: dict[str, set[str]] = defaultdict(set)
        self._there: dict[str, set[str]] = defaultdict(set)
        self._next: dict[str, set[str]] = defaultdict(set)
        for part in snapshot.of(Participation):
            self._present[part.character].add(part.event)
            if part.part in _LIVED:
                self._lived[part.character].add(part.event)
        for occurrence in snapshot.of(Occurrence):
            self._there[occurrence.scene].add(occurrence.event)
        for link in snapshot.of(EventLink):
            if link.link in _ONWARD:
                self._next[link.source].add(link.target)
            elif link.link is LinkKind.PAYS_OFF:
                self._next[link.target].add(link.source)

    def first_chapter_of(self, event: str) -> int:
        """The chapter that tells an event."""
        return self._snapshot.first_chapter_of(event)

    def touched_by(self, change: Change, edit: Edit) -> list[str]:
        """Return the events a change concerns, from the edited chapter as far as it reaches."""
        end = edit.reach.get(change.id)
        return sorted(
            (
                event
                for event in self._around(change)
                if edit.chapter <= self.first_chapter_of(event)
                and (end is None or self.first_chapter_of(event) < end)
            ),
            key=lambda event: (self.first_chapter_of(event), event),
        )

    def _around(self, change: Change) -> set[str]:
        entity = change.entity
        match entity:
            case Character():
                return self._lived[entity.id]
            case Relationship():
                return self._present[entity.source] & self._present[entity.target]
            case Scene():
                return self._there[entity.id]
            case Event():
                return {entity.id}
            case Participation() | Occurrence():
                return {entity.event}
            case EventLink():
                return {entity.source, entity.target}
        return set()

    def led_to_by(self, events: Iterable[str]) -> list[str]:
        """Return some events and all that they lead to, each once."""
        reached: dict[str, None] = {}
        waiting = deque(events)
        while waiting:
            event = waiting.popleft()
            if event not in reached:
                reached[event] = None
                waiting.extend(sorted(self._next[event]))
        return list(reached)
