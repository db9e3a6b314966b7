"""Tellings of a story beside its book: made in an order, written where something is missing or stale."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.telling.discourse.coverage import TextOf, coverage, written
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

    def table(self, branch_id: str) -> EventTable:
        """Return what the text of the book and of each telling has of each event."""
        snapshot = self._snapshot(branch_id)
        marks = self._store.staleness.open_marks(branch_id)
        there = snapshot.entities.keys()
        form = self._store.library.story_of(branch_id).brief.form
        book = self._states(branch_id, self._book(branch_id, snapshot), marks, there)
        columns = [Column("", form, None, book)]
        for one in self.of(branch_id):
            states = self._states(branch_id, one.chapters, marks, there)
            columns.append(Column(one.name, one.form, one, states))
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
        marks = self._store.staleness.open_marks(telling.branch)
        there = self._snapshot(telling.branch).entities.keys()
        return [
            one.key
            for one in telling.chapters
            if any(
                state is not TextOf.CURRENT
                for state in self._states(telling.branch, [one], marks, there).values()
            )
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

    def still_fits(self, telling_id: str) -> None:
        """Say that all of a telling's texts fit the story as it is now.

        Raises:
            NotFound: if there is no such telling.
        """
        telling = self._store.tellings.get(telling_id)
        keys = {str(key) for key in telling.keys}
        with self._store.database.write():
            for mark in self._store.staleness.open_marks(telling.branch):
                if mark.target in keys:
                    self._store.staleness.settle(mark.id)

    def knowledge(self, branch_id: str, telling: Telling | None) -> list[KnowledgePoint]:
        """Return what the reader of a telling (None: of the book) knows at the end of each chapter."""
        snapshot = self._snapshot(branch_id)
        return knowledge_curve(self._chapters(branch_id, telling, snapshot), snapshot)

    def first_known(self, branch_id: str, telling: Telling | None) -> list[FirstKnown]:
        """Return who comes to know of each event when: the reader of a telling, and its people."""
        snapshot = self._snapshot(branch_id)
        return first_known(self._chapters(branch_id, telling, snapshot), snapshot)

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

    def _states(
        self,
        branch_id: str,
        chapters: Sequence[ToldChapter],
        marks: Sequence[StaleMark],
        there: Collection[str],
    ) -> dict[str, TextOf]:
        manuscript = self._store.manuscript
        texts = {one.key: written(manuscript.draft(branch_id, one.key)) for one in chapters}
        found = coverage(chapters, texts, marks)
        return {event: state for event, state in found.items() if event in there}

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


_IN_ORDER = {
    Arrangement.LINEAR: "in its own order",
    Arrangement.IN_MEDIAS_RES: "from the middle of things",
    Arrangement.FLASHBACKS: "with flashbacks",
    Arrangement.FLASH_FORWARD: "with a flash-forward",
    Arrangement.FRAME: "in a frame",
    Arrangement.PARALLEL: "in parallel lines",
}
"""Each order as it is said of a telling."""
