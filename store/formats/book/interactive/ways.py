"""Where the ways of a story part: its branches as lines of chapters, and the candidates not chosen.

No text and no plot is read here, so that it is quickly said what ways a long story has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, takewhile
from typing import NamedTuple, TypeAlias

from store.models.desk.contents import FIRST_OF_TEXT_ALONE
from store.models.story import Branch, Commit
from store.open import Store
from store.records.proposals import CandidateFacts
from store.text import name_key
from store.texts.contents import BookChapter


class PlacedChapter(NamedTuple):
    """A chapter of a line, and its place in the book of the line's branch, from 1."""

    place: int
    chapter: BookChapter

    @property
    def key(self) -> int:
        """The number by which it is kept: for a plotted chapter, the plot's."""
        return self.chapter.chapter


@dataclass(frozen=True, eq=False)
class Line:
    """The chapters of a branch, from where it parts from its parent to its end, in their order.

    `begins` is the first chapter of the plot that is its own. `told` are the commits of the branch's
    plotted chapters, from the first one on, `proposed` all its finished candidates by chapter.
    """

    branch: Branch
    parent: Line | None
    begins: int
    chapters: tuple[PlacedChapter, ...]
    told: tuple[Commit, ...]
    proposed: Mapping[int, Sequence[CandidateFacts]]

    def chosen_goal(self, chapter: int) -> str:
        """Return the goal of the candidate that is a chapter; empty if it came about another way."""
        if not 0 < chapter <= len(self.told):
            return ""
        # A chapter's origin ends with its candidate; a chapter made another way has none of these.
        made_of = self.told[chapter - 1].origin.rpartition("-")[2]
        return next((one.goal for one in self.proposed.get(chapter, ()) if one.id == made_of), "")

    def title_of(self, chapter: int) -> str:
        """Return what the plot calls a chapter; empty if it is not plotted."""
        return self.told[chapter - 1].title if 0 < chapter <= len(self.told) else ""

    def parting(self, chapter: int) -> Parting:
        """Return where something else could happen than a chapter of the plot."""
        index = self._index(chapter)
        if index == 0 and self.parent is not None:
            return self.parent.parting(self.begins)
        return Parting(self, index)

    def _index(self, chapter: int) -> int:
        """Return the index of a chapter, or of the next one in the plot that has a place in the book."""
        if chapter in self._indexes:
            return self._indexes[chapter]
        later = [key for key in self._indexes if chapter < key <= len(self.told)]
        return self._indexes[min(later)] if later else len(self.chapters)

    @cached_property
    def _indexes(self) -> Mapping[int, int]:
        return {one.key: index for index, one in enumerate(self.chapters)}


class Parting(NamedTuple):
    """A point of a line: before its chapter with this index, or behind its last."""

    line: Line
    at: int


Way: TypeAlias = Line | CandidateFacts
"""What can follow: a line of chapters, which may be the one that goes on, or a candidate not chosen."""


@dataclass(frozen=True)
class Ways:
    """All lines of a story, the branch that is asked for first, and what can follow at each parting.

    At a parting where only one thing can happen, there is nothing to choose: it is not listed.
    """

    lines: tuple[Line, ...]
    partings: Mapping[Parting, tuple[Way, ...]]

    @property
    def main(self) -> Line:
        """The line from the first chapter to the end."""
        return self.lines[0]

    @property
    def candidates(self) -> tuple[CandidateFacts, ...]:
        """The ways not taken that are no branch."""
        every = (way for ways in self.partings.values() for way in ways)
        return tuple(way for way in every if isinstance(way, CandidateFacts))


class WaysNotTaken(NamedTuple):
    """How many ways were not taken, and how many of these have text of their own."""

    number: int
    written: int


def count_ways(store: Store, branch: str) -> WaysNotTaken:
    """Return how many ways there are beside those that a branch has taken.

    Raises:
        NotFound: if there is no such branch.
    """
    ways = ways_of(store, branch)
    lines = ways.lines[1:]
    written = sum(_is_written(store, line) for line in lines)
    return WaysNotTaken(len(lines) + len(ways.candidates), written)


def ways_of(store: Store, branch: str) -> Ways:
    """Return the ways of a story, seen from a branch.

    Raises:
        NotFound: if there is no such branch.
    """
    main = store.library.branch(branch)
    others = [one for one in store.library.branches(main.story) if one.id != main.id]
    lines: list[Line] = []
    for one in (main, *others):
        line = _line(store, one, lines)
        if line.chapters or not lines:
            lines.append(line)
    return Ways(tuple(lines), _partings(lines))


def _is_written(store: Store, line: Line) -> bool:
    texts = store.contents.texts(line.branch.id, [line.chapters[0].key])
    return any(text.draft.text.strip() for text in texts)


def _line(store: Store, branch: Branch, others: Sequence[Line]) -> Line:
    """Return the line of a branch, as far as it is none of the others."""
    told = _told(store, branch.id)
    parent, shared = None, 0
    for other in others:
        common = _common(told, other.told)
        if parent is None or common > shared:
            parent, shared = other, common
    book = [
        PlacedChapter(place, one)
        for place, one in enumerate(store.contents.chapters(branch.id), start=1)
    ]
    return Line(
        branch=branch,
        parent=parent,
        begins=shared + 1,
        chapters=tuple(book if parent is None else _own(store, book, parent.branch, shared)),
        told=told,
        proposed=_by_chapter(store.proposals.finished_candidates(branch.id)),
    )


def _told(store: Store, branch: str) -> tuple[Commit, ...]:
    """Return the commit of each plotted chapter: of one taken back and restored, the first."""
    standing: dict[int, Commit] = {}
    undone: dict[int, list[Commit]] = defaultdict(list)
    for commit in store.prototype.commits(branch):
        chapter = commit.chapter
        if commit.kind == "chapter":
            standing[chapter] = commit
        elif commit.kind == "untell" and chapter in standing:
            undone[chapter].append(standing.pop(chapter))
        elif commit.kind == "retell":
            standing[chapter] = undone[chapter].pop() if undone[chapter] else commit
    return tuple(standing[chapter] for chapter in takewhile(standing.__contains__, count(1)))


def _common(told: Sequence[Commit], others: Sequence[Commit]) -> int:
    """Return how many chapters two branches have in common."""
    pairs = zip(told, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].id == pair[1].id, pairs))


def _own(
    store: Store, book: Iterable[PlacedChapter], parent: Branch, shared: int
) -> Iterable[PlacedChapter]:
    """Yield the chapters of a book that another branch, with the first chapters in common, has not."""
    there = {one.chapter for one in store.contents.chapters(parent.id) if one.as_of <= shared}
    for one in book:
        is_common = one.key <= shared or (one.key >= FIRST_OF_TEXT_ALONE and one.key in there)
        if not is_common and one.chapter.as_of >= shared:
            yield one


def _by_chapter(proposed: Iterable[CandidateFacts]) -> Mapping[int, Sequence[CandidateFacts]]:
    found: dict[int, list[CandidateFacts]] = defaultdict(list)
    for one in proposed:
        found[one.chapter].append(one)
    return found


@dataclass
class _Gathered:
    """What was found at one parting."""

    proposed: list[CandidateFacts] = field(default_factory=list)
    chosen: set[str] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)


def _partings(lines: Iterable[Line]) -> Mapping[Parting, tuple[Way, ...]]:
    gathered: dict[Parting, _Gathered] = defaultdict(_Gathered)
    for line in lines:
        for chapter in range(line.begins, len(line.told) + 1):
            here = gathered[line.parting(chapter)]
            here.proposed += line.proposed.get(chapter, ())
            here.chosen.add(name_key(line.chosen_goal(chapter)))
        if line.parent is not None:
            gathered[line.parent.parting(line.begins)].lines.append(line)
    found = {parting: _ways(parting, here) for parting, here in gathered.items()}
    return {
        parting: ways
        for parting, ways in found.items()
        if any(way is not parting.line for way in ways)
    }


def _ways(parting: Parting, here: _Gathered) -> tuple[Way, ...]:
    """Return what can follow, in the order of the goals, so that what was chosen is anywhere.

    Of several candidates with one goal, the last is the one that the writer left. None is offered
    for a goal that was chosen: it would be an earlier draft of the same.
    """
    line, at = parting
    ways: dict[str, Way] = {name_key(one.goal): one for one in here.proposed}
    goes_on = [line] if at < len(line.chapters) else []
    for one in (*goes_on, *here.lines):
        chapter = line.chapters[at].key if one is line else one.begins
        goal = name_key(one.chosen_goal(chapter))
        is_free = bool(goal) and not isinstance(ways.get(goal), Line)
        ways[goal if is_free else f"\n{one.branch.id}"] = one
    return tuple(
        way for goal, way in ways.items() if isinstance(way, Line) or goal not in here.chosen
    )
