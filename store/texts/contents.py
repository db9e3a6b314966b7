"""The contents of a book: its chapters of text in their order, apart from the plot.

A branch that has arranged nothing keeps nothing: its order is that of the plot, and then of what was
typed by hand. What a branch shares of its parent's contents is what they were when it began, up to the
chapter at whose end it began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.database.database import Database
from store.database.rows import column, from_row, now
from store.models.base import dump_json, new_id
from store.models.desk.contents import (
    FIRST_OF_TELLING,
    FIRST_OF_TEXT_ALONE,
    BookLength,
    Contents,
    ContentsEntry,
)
from store.models.manuscript import DraftState
from store.prototype.lineage import head_at
from store.records.manuscript import Manuscript
from store.records.sharing import IS_SHARED, SHARED, SharedRecords
from store.texts.tellings import BookText, Tellings

_NEWEST_KEPT = f"""
{SHARED}
SELECT t.*, line.last_chapter AS last_chapter FROM line CROSS JOIN contents AS t
    ON t.branch = line.branch_id AND t.newest_branch < line.before_branch
ORDER BY t.newest_branch DESC, t.id DESC LIMIT 1
"""
"""A branch is younger than all that its parent had kept before it began."""
_TYPED = f"""
{SHARED}, newest AS (
    SELECT t.branch, t.chapter, max(t.version) AS version
    FROM line CROSS JOIN drafts AS t ON t.branch = line.branch_id
       AND {IS_SHARED} AND t.newest_branch < line.before_branch
    WHERE t.chapter > :plotted AND t.chapter < {FIRST_OF_TELLING} AND (t.branch = :branch OR t.state <> '{DraftState.WRITING.value}')
    GROUP BY t.chapter
)
SELECT t.chapter, t.branch FROM newest JOIN drafts AS t USING (branch, chapter, version)
WHERE t.is_by_hand ORDER BY t.chapter
"""
_LAST_KEY = f"""
SELECT max(t.chapter) FROM branches JOIN drafts AS t
    ON t.branch = branches.id AND t.chapter < {FIRST_OF_TELLING}
WHERE branches.story = (SELECT story FROM branches WHERE id = :branch)
"""


class BookChapter(NamedTuple):
    """A chapter in the order of the book. `title` is the writer's own, if they have renamed it.

    `as_of` is the plotted chapter at whose end it is told: itself, or the one plotted before it.
    """

    chapter: int
    title: str | None
    is_plotted: bool
    as_of: int


class _Known(NamedTuple):
    """What there is on a branch: up to where it is plotted, and what was typed by hand behind that.

    Of what was typed, the branch is known whose text it is.
    """

    plotted: int
    typed: dict[int, str]


class BookContents:
    """Says in which order the chapters of a branch are read."""

    def __init__(self, database: Database, manuscript: Manuscript, tellings: Tellings) -> None:
        self._database = database
        self._manuscript = manuscript
        self._tellings = tellings
        self._kept = SharedRecords(database, Contents, "contents", "There are no such contents.")

    def entries(self, branch: str) -> list[ContentsEntry]:
        """Return all chapters of a branch in order, those that have lost their place among them."""
        return self._entries(branch, self._known(branch))

    def chapters(self, branch: str) -> list[BookChapter]:
        """Return the chapters of the book, in order."""
        known = self._known(branch)
        found: list[BookChapter] = []
        as_of = 0
        for entry in self._entries(branch, known):
            if _has_place(entry, known):
                is_plotted = entry.chapter <= known.plotted
                as_of = entry.chapter if is_plotted else as_of
                found.append(BookChapter(entry.chapter, entry.title, is_plotted, as_of))
        return found

    def order(self, branch: str) -> list[int]:
        """Return the chapters of the book by their keys, in order."""
        return [one.chapter for one in self.chapters(branch)]

    def before(self, branch: str, chapter: int) -> list[int]:
        """Return the chapters before one; all of them if it has no place in the book yet.

        Before a chapter of another telling come those of that telling.
        """
        told = self._tellings.of_chapter(branch, chapter)
        if told is not None:
            return list(told.telling.keys[: told.place - 1])
        order = self.order(branch)
        return order[: order.index(chapter)] if chapter in order else order

    def as_of(self, branch: str, chapter: int) -> int:
        """Return the plotted chapter at whose end a chapter is told; 0 if none is plotted before it."""
        told = self._tellings.of_chapter(branch, chapter)
        if told is not None:
            return told.chapter.as_of
        plotted = self._known(branch).plotted
        if chapter <= plotted:
            return chapter
        found = {one.chapter: one.as_of for one in self.chapters(branch)}
        return found.get(chapter, plotted)

    def texts(self, branch: str, chapters: Sequence[int] | None = None) -> Iterator[BookText]:
        """Yield the texts of the book in order, or those of some chapters, by the book's titles.

        The chapters can be those of another telling.
        """
        told = self._tellings.of_chapter(branch, chapters[0]) if chapters else None
        if told is not None:
            yield from self._tellings.texts(told.telling, chapters)
            return
        wanted = None if chapters is None else set(chapters)
        for place, one in enumerate(self.chapters(branch), start=1):
            if wanted is not None and one.chapter not in wanted:
                continue
            draft = self._manuscript.draft(branch, one.chapter)
            if draft is not None:
                named = draft.model_copy(update={"title": one.title}) if one.title else draft
                yield BookText(place, named)

    def length(self, branch: str) -> BookLength:
        """Return how long the book is, by the newest texts of its chapters."""
        written = self._manuscript.written_chapters(branch)
        order = self.order(branch)
        return BookLength(len(order), sum(written[one][1] for one in order if one in written))

    def new_key(self, branch: str) -> int:
        """Return a key for a chapter of text alone, that no other one of the story has."""
        [[last]] = self._database.tuples(_LAST_KEY, {"branch": branch})
        return max((last or 0) + 1, FIRST_OF_TEXT_ALONE)

    def next_typed(self, branch: str) -> int:
        """Return the key of the chapter that is typed next, behind all others."""
        known = self._known(branch)
        of_plot = [one for one in known.typed if one < FIRST_OF_TEXT_ALONE]
        return max([known.plotted, *of_plot]) + 1

    def keep(self, branch: str, entries: Sequence[ContentsEntry]) -> Contents:
        """Keep the order of a branch's chapters; branches that share the former one keep that."""
        with self._database.write():
            made = Contents(id=new_id(), branch=branch, entries=tuple(entries), created=now())
            stamp = self._kept.stamp(branch)
            values = {"branch": branch, "stamp": stamp}
            own = self._kept.first("branch = :branch AND newest_branch = :stamp", values)
            if own is None:
                return self._kept.add(made)
            listed = dump_json([one.model_dump(mode="json") for one in made.entries])
            return self._kept.update(own.id, entries=listed, created=column(made.created))

    def own(self, branch: str) -> list[Contents]:
        """Return what is kept for a branch itself, in the order in which it was."""
        return self._kept.all("branch = :branch ORDER BY newest_branch, id", {"branch": branch})

    def import_contents(self, contents: Contents) -> Contents:
        """Keep the contents of a branch of an imported story."""
        return self._kept.add(contents)

    def _known(self, branch: str) -> _Known:
        head = head_at(self._database, branch)
        plotted = head.chapter if head else 0
        rows = self._database.tuples(_TYPED, {"branch": branch, "plotted": plotted})
        return _Known(plotted, dict(rows))

    def _entries(self, branch: str, known: _Known) -> list[ContentsEntry]:
        listed = self._listed(branch)
        names = {one.chapter for one in listed}
        # What another branch typed belongs to this one only where its contents say so.
        typed = [
            one
            for one, whose in known.typed.items()
            if one < FIRST_OF_TEXT_ALONE or whose == branch
        ]
        rest = [one for one in [*range(1, known.plotted + 1), *typed] if one not in names]
        return [*listed, *(ContentsEntry(chapter=one) for one in rest)]

    def _listed(self, branch: str) -> list[ContentsEntry]:
        row = self._database.row(_NEWEST_KEPT, {"branch": branch})
        if row is None:
            return []
        entries = from_row(Contents, row).entries
        is_own = row["branch"] == branch
        return list(entries) if is_own else _shared(entries, row["last_chapter"])


def _has_place(entry: ContentsEntry, known: _Known) -> bool:
    is_plotted = entry.chapter <= known.plotted
    if entry.is_out and not (is_plotted and not entry.is_plotted):
        return False
    return is_plotted or entry.chapter in known.typed


def _shared(entries: Sequence[ContentsEntry], last: int) -> list[ContentsEntry]:
    """Return what a branch that began at the end of a chapter has of the contents of another.

    A chapter of text alone belongs to the numbered chapter that it stands behind.
    """
    found: list[ContentsEntry] = []
    behind = 0
    for entry in entries:
        is_numbered = entry.chapter < FIRST_OF_TEXT_ALONE
        behind = entry.chapter if is_numbered and not entry.is_out else behind
        if (entry.chapter if is_numbered else behind) <= last:
            found.append(entry)
    there = {one.chapter for one in found}
    return [
        one.put_in() if one.merged_into is not None and one.merged_into not in there else one
        for one in found
    ]
