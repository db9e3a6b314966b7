"""Tellings of a story beside its book: made in an order, written where something is missing or stale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.telling.discourse.arranging import ShownEvent, parts_of, rearranged
from graph_flow.telling.discourse.coverage import TextOf, coverage
from graph_flow.telling.discourse.orders import (
    ToldStory,
    arranged,
    is_possible,
    left_out,
    told_story,
)
from graph_flow.telling.discourse.reader import (
    FirstKnown,
    KnowledgePoint,
    first_known,
    knowledge_curve,
)
from store.models.base import new_id
from store.models.desk.telling import Arrangement, Telling, ToldChapter, ToldPart
from store.models.edits.staleness import StaleMark
from store.models.form import Form
from store.models.prototype import Snapshot
from store.models.run import Caps, WriteChapter
from store.open import Store
from store.texts.tellings import BookText, NewChapter

_NOTHING = (
    "Nothing is plotted yet, so there is nothing to tell in another way. Plot a chapter first."
)


_NO_CHAPTER = (
    "This telling has no such chapter any more. Somebody may have changed it in another window."
)


class TellingChapter(NamedTuple):
    """A chapter of a telling, its place in it, from 1, what it is called, and the state of its text."""

    chapter: ToldChapter
    place: int
    title: str
    state: TextOf


class Column(NamedTuple):
    """A telling in the table of events; the book itself has no `telling`."""

    name: str
    form: Form
    telling: Telling | None
    states: dict[str, TextOf]


class EventRow(NamedTuple):
    """An event in the table, and the chapter of the story in which it happens; 0: before it."""

    event: str
    title: str
    chapter: int


class EventTable(NamedTuple):
    """What the text of each telling has of each event: the events in the order of the story."""

    rows: list[EventRow]
    columns: list[Column]

    def state(self, row: EventRow, column: Column) -> TextOf:
        """Return what a telling's text has of an event."""
        return column.states.get(row.event, TextOf.NOT_SHOWN)


class TellingService:
    """The tellings of a branch, and what the reader of each knows."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, branch_id: str) -> list[Telling]:
        """Return the tellings beside the book, in the order in which they were made."""
        return self._store.tellings.of(branch_id)

    def away(self, branch_id: str) -> list[Telling]:
        """Return the tellings that were put away."""
        return [one for one in self._store.tellings.own(branch_id) if one.is_removed]

    def possible(self, branch_id: str) -> list[Arrangement]:
        """Return the orders that there is enough of the story for; none if nothing is plotted."""
        story = told_story(self._snapshot(branch_id))
        return [one for one in Arrangement if story.chapters and is_possible(story, one)]

    def make(self, branch_id: str, name: str, form: Form, arrangement: Arrangement) -> Telling:
        """Keep a new telling of all that is plotted; nothing of it is written yet.

        Raises:
            WorkbenchError: if nothing is plotted, too little for this order, or the name is taken.
            ValidationError: if the name is empty or too long.
        """
        with self._store.database.write():
            story = self._story(branch_id)
            if not is_possible(story, arrangement):
                raise WorkbenchError(
                    f"There is not enough of the story yet to tell it {_IN_ORDER[arrangement]}."
                )
            self._check_name(branch_id, name)
            chapters = arranged(story, arrangement)
            return self._store.tellings.make(branch_id, name, form, arrangement, chapters)

    def rename(self, telling_id: str, name: str) -> Telling:
        """Give a telling another name.

        Raises:
            WorkbenchError: if another telling has it.
            ValidationError: if it is empty or too long.
            NotFound: if there is no such telling.
        """
        telling = self._store.tellings.get(telling_id)
        with self._store.database.write():
            self._check_name(telling.branch, name, but=telling_id)
            return self._store.tellings.change(
                telling_id, lambda it: it.model_copy(update={"name": name.strip()})
            )

    def put_away(self, telling_id: str) -> Telling:
        """Take a telling from the list; its texts are kept.

        Raises:
            NotFound: if there is no such telling.
        """
        return self._put(telling_id, is_removed=True)

    def bring_back(self, telling_id: str) -> Telling:
        """Put a telling into the list again.

        Raises:
            NotFound: if there is no such telling.
        """
        return self._put(telling_id, is_removed=False)

    def not_shown(self, telling_id: str) -> int:
        """Return how many chapters a telling would go on with, for what was plotted since."""
        return len(self._left_out(self._store.tellings.get(telling_id)))

    def go_on(self, telling_id: str) -> Telling:
        """Let a telling go on with what was plotted since it was made, in the order of the story.

        Raises:
            NotFound: if there is no such telling.
        """
        with self._store.database.write():
            telling = self._store.tellings.get(telling_id)
            return self._store.tellings.add_chapters(telling_id, self._left_out(telling))

    def chapters(self, telling_id: str) -> list[TellingChapter]:
        """Return the chapters of a telling in order, each with the state of its text.

        Raises:
            NotFound: if there is no such telling.
        """
        telling = self._store.tellings.get(telling_id)
        states_of = self._reading(telling.branch)
        title_of = self._store.prototype.title_of
        return [
            TellingChapter(
                one,
                place,
                one.title or title_of(telling.branch, one.as_of),
                _worst(states_of([one]).values()),
            )
            for place, one in enumerate(telling.chapters, start=1)
        ]

    def rename_chapter(self, telling_id: str, key: int, title: str) -> Telling:
        """Call a chapter of a telling something else; nothing gives it back the title of the plot's.

        Raises:
            WorkbenchError: if the telling has no such chapter any more.
            ValidationError: if the title is too long.
            NotFound: if there is no such telling.
        """
        named = " ".join(title.split()) or None
        return self._change_chapter(
            telling_id, key, lambda it: it.model_copy(update={"title": named})
        )

    def show_in(self, telling_id: str, key: int, shown: Sequence[ShownEvent]) -> Telling:
        """Say what a chapter shows; a text that shows it otherwise is marked as out of date.

        Raises:
            WorkbenchError: if the telling has no such chapter any more.
            NotFound: if there is no such telling.
        """
        with self._store.database.write():
            telling = self._store.tellings.get(telling_id)
            parts = parts_of(shown, self._snapshot(telling.branch))
            before = _chapter_in(telling, key)
            after = before.model_copy(update={"parts": parts})
            self._mark_rearranged(telling.branch, before, after)
            return self._change_chapter(telling_id, key, lambda _: after)

    def move_chapter(self, telling_id: str, key: int, by: int) -> Telling:
        """Move a chapter by so many places, back if negative, at most to the beginning or end.

        Raises:
            WorkbenchError: if the telling has no such chapter any more.
            NotFound: if there is no such telling.
        """

        def moved(telling: Telling) -> Telling:
            one = _chapter_in(telling, key)
            rest = [other for other in telling.chapters if other.key != key]
            to = max(0, min(telling.chapters.index(one) + by, len(rest)))
            return telling.model_copy(update={"chapters": (*rest[:to], one, *rest[to:])})

        return self._store.tellings.change(telling_id, moved)

    def add_chapter(self, telling_id: str, after: int) -> ToldChapter:
        """Add a chapter that shows nothing yet behind another one, given by its key; return it.

        Raises:
            WorkbenchError: if the telling has no such chapter any more.
            NotFound: if there is no such telling.
        """
        with self._store.database.write():
            telling = self._store.tellings.get(telling_id)
            at = telling.chapters.index(_chapter_in(telling, after)) + 1
            longer = self._store.tellings.add_chapters(telling_id, [NewChapter(())], at)
            return longer.chapters[at]

    def take_out(self, telling_id: str, key: int) -> Telling:
        """Take a chapter out of a telling; its text is kept.

        Raises:
            WorkbenchError: if the telling has no such chapter any more, or no other one.
            NotFound: if there is no such telling.
        """

        def without(telling: Telling) -> Telling:
            one = _chapter_in(telling, key)
            rest = tuple(other for other in telling.chapters if other.key != key)
            if not rest:
                raise WorkbenchError("A telling has at least one chapter.")
            taken = {"chapters": rest, "taken_out": (*telling.taken_out, one)}
            return telling.model_copy(update=taken)

        return self._store.tellings.change(telling_id, without)

    def put_in(self, telling_id: str, key: int) -> Telling:
        """Put a chapter that was taken out back into a telling, as its last one.

        Raises:
            WorkbenchError: if no such chapter was taken out of it.
            NotFound: if there is no such telling.
        """

        def whole(telling: Telling) -> Telling:
            found = [one for one in telling.taken_out if one.key == key]
            if not found:
                raise WorkbenchError(_NO_CHAPTER)
            rest = tuple(one for one in telling.taken_out if one.key != key)
            put = {"chapters": (*telling.chapters, *found), "taken_out": rest}
            return telling.model_copy(update=put)

        return self._store.tellings.change(telling_id, whole)

    def table(self, branch_id: str) -> EventTable:
        """Return what the text of the book and of each telling has of each event."""
        snapshot = self._snapshot(branch_id)
        states_of = self._reading(branch_id)
        form = self._store.library.story_of(branch_id).brief.form
        columns = [Column("", form, None, states_of(self._book(branch_id, snapshot)))]
        columns += [
            Column(one.name, one.form, one, states_of(one.chapters)) for one in self.of(branch_id)
        ]
        rows = [
            EventRow(event.id, event.title, snapshot.first_chapter_of(event.id))
            for event in snapshot.events
        ]
        return EventTable(rows, columns)

    def texts(self, telling_id: str) -> list[BookText]:
        """Return what is written of a telling, in its order.

        Raises:
            NotFound: if there is no such telling.
        """
        return list(self._store.tellings.texts(self._store.tellings.get(telling_id)))

    def to_write(self, telling_id: str) -> list[int]:
        """Return the keys of the chapters whose text is missing, or lacks or has changed something.

        Raises:
            NotFound: if there is no such telling.
        """
        telling = self._store.tellings.get(telling_id)
        states_of = self._reading(telling.branch)
        return [
            one.key
            for one in telling.chapters
            if any(state is not TextOf.CURRENT for state in states_of([one]).values())
        ]

    def writing(
        self, telling_id: str, *, is_autopilot: bool = False, caps: Caps | None = None
    ) -> WriteChapter:
        """Return the task of writing what is missing or stale in a telling.

        Raises:
            WorkbenchError: if all of it is written, as the story is now.
            NotFound: if there is no such telling.
        """
        keys = self.to_write(telling_id)
        if not keys:
            raise WorkbenchError("All of this telling is written, as the story is now.")
        return WriteChapter(
            chapter=keys[0],
            then=tuple(keys[1:]),
            form=self._store.tellings.get(telling_id).form,
            is_autopilot=is_autopilot,
            caps=caps or Caps(),
        )

    def is_stale(self, telling_id: str) -> bool:
        """Return whether something has changed since a text of a telling was written.

        Raises:
            NotFound: if there is no such telling.
        """
        return bool(self._marks(telling_id))

    def still_fits(self, telling_id: str) -> None:
        """Say that all of a telling's texts fit the story as it is now.

        Raises:
            NotFound: if there is no such telling.
        """
        with self._store.database.write():
            for mark in self._marks(telling_id):
                self._store.staleness.settle(mark.id)

    def _marks(self, telling_id: str) -> list[StaleMark]:
        telling = self._store.tellings.get(telling_id)
        keys = {str(key) for key in telling.keys}
        return [
            one for one in self._store.staleness.open_marks(telling.branch) if one.target in keys
        ]

    def knowledge(self, branch_id: str, telling: Telling | None) -> list[KnowledgePoint]:
        """Return what the reader of a telling (None: of the book) knows at the end of each chapter."""
        snapshot = self._snapshot(branch_id)
        return knowledge_curve(self._chapters(branch_id, telling, snapshot), snapshot)

    def first_known(self, branch_id: str, telling: Telling | None) -> list[FirstKnown]:
        """Return who comes to know of each event when: the reader of a telling, and its people."""
        snapshot = self._snapshot(branch_id)
        return first_known(self._chapters(branch_id, telling, snapshot), snapshot)

    def _change_chapter(
        self, telling_id: str, key: int, change: Callable[[ToldChapter], ToldChapter]
    ) -> Telling:
        def changed(telling: Telling) -> Telling:
            _chapter_in(telling, key)
            chapters = tuple(change(one) if one.key == key else one for one in telling.chapters)
            return telling.model_copy(update={"chapters": chapters})

        return self._store.tellings.change(telling_id, changed)

    def _mark_rearranged(self, branch_id: str, before: ToldChapter, after: ToldChapter) -> None:
        """Mark a text whose events have another place, time or view now."""
        events = rearranged(before, after)
        head = self._store.prototype.head(branch_id)
        is_written = after.key in self._store.manuscript.told_events(branch_id)
        if not events or head is None or not is_written:
            return
        mark = StaleMark(
            id=new_id(),
            branch=branch_id,
            commit_id=head.commit.id,
            target_kind="draft",
            target=str(after.key),
            chapter=after.key,
            reason=_REARRANGED,
            events=tuple(events),
        )
        self._store.staleness.add(branch_id, [mark])

    def _chapters(
        self, branch_id: str, telling: Telling | None, snapshot: Snapshot
    ) -> Sequence[ToldChapter]:
        return telling.chapters if telling else self._book(branch_id, snapshot)

    def _book(self, branch_id: str, snapshot: Snapshot) -> list[ToldChapter]:
        """Return the plotted chapters of the book, in its order, as those of a telling."""
        events = {one.number: one.events for one in told_story(snapshot).chapters}
        return [
            ToldChapter(key=one, parts=(ToldPart(chapter=one, events=events[one]),))
            for one in self._store.contents.order(branch_id)
            if one in events
        ]

    def _reading(self, branch_id: str) -> Callable[[Sequence[ToldChapter]], dict[str, TextOf]]:
        """Return what says the state of each event of some chapters, as all is now."""
        texts = self._store.manuscript.told_events(branch_id)
        marks = self._store.staleness.open_marks(branch_id)
        there = self._snapshot(branch_id).entities.keys()

        def states_of(chapters: Sequence[ToldChapter]) -> dict[str, TextOf]:
            found = coverage(chapters, texts, marks)
            return {event: state for event, state in found.items() if event in there}

        return states_of

    def _left_out(self, telling: Telling) -> list[NewChapter]:
        return left_out(told_story(self._snapshot(telling.branch)), telling.shown)

    def _story(self, branch_id: str) -> ToldStory:
        story = told_story(self._snapshot(branch_id))
        if not story.chapters:
            raise WorkbenchError(_NOTHING)
        return story

    def _snapshot(self, branch_id: str) -> Snapshot:
        return self._store.prototype.snapshot(branch_id)

    def _check_name(self, branch_id: str, name: str, but: str = "") -> None:
        names = {one.name.casefold() for one in self.of(branch_id) if one.id != but}
        if name.strip().casefold() in names:
            raise WorkbenchError("Another telling has this name.")

    def _put(self, telling_id: str, *, is_removed: bool) -> Telling:
        return self._store.tellings.change(
            telling_id, lambda it: it.model_copy(update={"is_removed": is_removed})
        )


_REARRANGED = "What this chapter shows was arranged otherwise after it was written."


def _chapter_in(telling: Telling, key: int) -> ToldChapter:
    for one in telling.chapters:
        if one.key == key:
            return one
    raise WorkbenchError(_NO_CHAPTER)


def _worst(states: Iterable[TextOf]) -> TextOf:
    """Return the state of a chapter's text by those of its events; it may have none to show."""
    found = set(states)
    for one in (TextOf.MISSING, TextOf.STALE, TextOf.CURRENT):
        if one in found:
            return one
    return TextOf.NOT_SHOWN


_IN_ORDER = {
    Arrangement.LINEAR: "in its own order",
    Arrangement.IN_MEDIAS_RES: "from the middle of things",
    Arrangement.FLASHBACKS: "with flashbacks",
    Arrangement.FLASH_FORWARD: "with a flash-forward",
    Arrangement.FRAME: "in a frame",
    Arrangement.PARALLEL: "in parallel lines",
}
"""Each order as it is said of a telling."""
