"""Find words in all texts of a branch, and replace them where the writer wishes.

What is looked for is text, and letters are compared one by one, so that a place in what is compared is
the same place in the text: as `assets/editor/find.js` has it for one chapter.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, NamedTuple

from pydantic import Field

from store.database.database import Database
from store.errors import TextTooLong
from store.models.base import Record, dump_json
from store.models.manuscript import TEXT_LIMIT, DraftState
from store.records.manuscript import Manuscript
from store.records.sharing import IS_SHARED, SHARED
from store.text import is_unspaced
from store.texts.contents import BookContents

SHOWN = 200
"""Places that are shown at most."""
_AROUND = 48
"""Characters of the text around a place, on each side."""

_WRITING = f"'{DraftState.WRITING.value}'"
_NEWEST_TEXTS = f"""
{SHARED}, newest AS (
    SELECT t.branch, t.chapter, t.state, max(t.version) AS version
    FROM line CROSS JOIN drafts AS t ON t.branch = line.branch_id
       AND {IS_SHARED} AND t.newest_branch < line.before_branch
    WHERE t.branch = :branch OR t.state <> {_WRITING} GROUP BY t.chapter
)
SELECT wanted.key, t.title, t.fingerprint, t.text
FROM json_each(:order) AS wanted JOIN newest ON newest.chapter = wanted.value
  JOIN drafts AS t USING (branch, chapter, version)
WHERE newest.state <> {_WRITING} ORDER BY wanted.key
"""


class Search(Record):
    """What to look for: on one line, as it stands in the text."""

    words: Annotated[str, Field(min_length=1, max_length=400)]
    is_case_matched: bool = False
    is_whole_words: bool = False


class Place(NamedTuple):
    """Where words were found: from `start` on, in characters of the text with this fingerprint.

    `number` is the chapter's place in the book, from 1.
    """

    chapter: int
    number: int
    title: str
    fingerprint: str
    start: int
    before: str
    words: str
    after: str


class Found(NamedTuple):
    """The first places where words were found, and how many there are."""

    places: list[Place]
    total: int
    chapters: int


class Replaced(NamedTuple):
    """How many places were replaced, in which chapters, and which others had changed meanwhile."""

    places: int
    chapters: list[int]
    changed: list[int]


class Finding:
    """Looks through the newest texts of the book; one that is being written is left out."""

    def __init__(self, database: Database, manuscript: Manuscript, contents: BookContents) -> None:
        self._database = database
        self._manuscript = manuscript
        self._contents = contents

    def find(self, branch: str, search: Search, most: int | None = SHOWN) -> Found:
        """Return the places where words stand, in the order of the book; None: all of them."""
        shown: list[Place] = []
        count = chapters = 0
        book = self._contents.chapters(branch)
        order = dump_json([one.chapter for one in book])
        rows = self._database.tuples(_NEWEST_TEXTS, {"branch": branch, "order": order})
        for at, named, fingerprint, text in rows:
            title = book[at].title or named
            starts = list(places(text, search))
            count += len(starts)
            chapters += bool(starts)
            room = None if most is None else most - len(shown)
            for start in islice(starts, room):
                around = _around(text, start, start + len(search.words))
                shown.append(Place(book[at].chapter, at + 1, title, fingerprint, start, *around))
        return Found(shown, count, chapters)

    def replace(self, branch: str, chosen: Iterable[Place], put: str) -> Replaced:
        """Put other words in the place of those found, in a new version of each chapter, or in none.

        A text that has changed since they were found is left as it is.

        Raises:
            TextTooLong: if a text would have more characters than a chapter can have.
        """
        wanted: dict[int, list[Place]] = defaultdict(list)
        for place in chosen:
            wanted[place.chapter].append(place)
        done: list[int] = []
        with self._database.write():
            for chapter, there in sorted(wanted.items()):
                draft = self._manuscript.draft(branch, chapter)
                if draft is None or {draft.fingerprint} != {one.fingerprint for one in there}:
                    continue
                text = replaced(draft.text, there, put)
                if len(text) > TEXT_LIMIT:
                    raise TextTooLong(TEXT_LIMIT)
                self._manuscript.save_text(branch, chapter, text)
                done.append(chapter)
        changed = [chapter for chapter in sorted(wanted) if chapter not in done]
        return Replaced(sum(len(wanted[chapter]) for chapter in done), done, changed)


def places(text: str, search: Search) -> Iterator[int]:
    """Yield where words stand in a text, in order; no place reaches into the next."""
    as_it_is = search.is_case_matched
    compared, words = (text, search.words) if as_it_is else (folded(text), folded(search.words))
    at = compared.find(words)
    while at >= 0:
        end = at + len(words)
        is_taken = not search.is_whole_words or (_is_edge(text, at) and _is_edge(text, end))
        if is_taken:
            yield at
        at = compared.find(words, end if is_taken else at + 1)


def folded(text: str) -> str:
    """Return a text of the same length without differences of case. Width and ligatures stay."""
    return text.replace("İ", "i").lower().replace("ς", "σ")


def replaced(text: str, there: Sequence[Place], put: str) -> str:
    """Return a text with other words in some places."""
    parts: list[str] = []
    done = 0
    for place in sorted(there, key=lambda one: one.start):
        parts += [text[done : place.start], put]
        done = place.start + len(place.words)
    return "".join([*parts, text[done:]])


def _is_edge(text: str, at: int) -> bool:
    """Return whether no word goes on across a place; where no spaces part words, it never does."""
    return not (0 < at < len(text) and _is_of_word(text[at - 1]) and _is_of_word(text[at]))


def _is_of_word(character: str) -> bool:
    is_letter = character == "_" or unicodedata.category(character)[0] in "LNM"
    return is_letter and not is_unspaced(character)


def _around(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return what stands before a place, what stands there, and what stands behind it."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    if start > _AROUND:
        before = f"…{before.partition(' ')[2] or before}"
    if end + _AROUND < len(text):
        after = f"{after.rpartition(' ')[0] or after}…"
    return before, text[start:end], after
