"""What can be said of texts without a model: counted in them, against their writer's pages and their story."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from graph_flow.telling.evaluation.counts.counted import Counted, CountedChapter
from graph_flow.telling.evaluation.counts.naming import Involved
from graph_flow.telling.evaluation.counts.own_pages import OwnPhrases, overused
from graph_flow.telling.evaluation.counts.threads import OpenThreads, open_threads
from graph_flow.telling.evaluation.measures import RepeatedPhrase, measure_book, repeated_phrases
from store.database.word_index import names_of
from store.errors import NotFound
from store.formats.reading.parts import ReadBook
from store.models.desk.evaluation import Evaluation
from store.open import Store
from store.records.desk.evaluations import JudgedText, book_fingerprint
from store.text import count_words, own_names

_COUNTED = 8
"""Texts of which is remembered what was counted in them."""
_EARLIER = 200
"""Chapters before one in which is looked for what it repeats: the nearest."""


@dataclass(frozen=True)
class CountedBook:
    """A text that is counted: its chapters, and where it is told which story and branch they belong to.

    `keys` are the numbers by which its chapters are kept; there are none of a text that is in no story.
    `target` is how many words a chapter was to have.
    """

    chapters: Sequence[JudgedText]
    story: str | None = None
    branch: str | None = None
    keys: Sequence[int] = ()
    target: int | None = None


class CountingService:
    """Counts texts, each once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counting = threading.Lock()
        self._counted: LRUCache[str, Counted] = LRUCache(_COUNTED)

    def of_branch(self, branch_id: str) -> CountedBook:
        """Return a branch's text as it is now; chapters without text are left out.

        Raises:
            NotFound: if there is no such branch.
        """
        story = self._store.library.story_of(branch_id)
        texts = [
            one.draft
            for one in self._store.contents.texts(branch_id)
            if count_words(one.draft.text)
        ]
        return CountedBook(
            chapters=[JudgedText(one.title, one.text) for one in texts],
            story=story.id,
            branch=branch_id,
            keys=[one.chapter for one in texts],
            target=story.settings.words,
        )

    def of_book(self, book: ReadBook) -> CountedBook:
        """Return a book that is in no story; chapters without text are left out."""
        chapters = [JudgedText(one.title, one.text) for one in book.chapters]
        return CountedBook([one for one in chapters if count_words(one.text)])

    def of_evaluation(self, evaluation: Evaluation) -> CountedBook:
        """Return a text as it was judged; it belongs to its story as long as that is still so told."""
        kept = self._store.evaluations
        chapters = [kept.text(evaluation.id, at) for at in range(1, evaluation.chapters + 1)]
        try:
            now = self.of_branch(evaluation.branch)
        except NotFound:
            return CountedBook(chapters)
        if book_fingerprint(now.chapters) == evaluation.text:
            return now
        return CountedBook(chapters, story=now.story, target=now.target)

    def count(self, book: CountedBook) -> Counted:
        """Return all that can be counted in a text: of a long book, in seconds."""
        with self._counting:
            key = self._key(book)
            found = self._counted.get(key)
            if found is None:
                found = self._counted[key] = self._count(book)
        return found

    def repeated(self, book: CountedBook, place: int) -> list[RepeatedPhrase]:
        """Return what the chapter at a place repeats, from itself and from those not far before it."""
        first = max(0, place - 1 - _EARLIER)
        earlier = [one.text for one in book.chapters[first : place - 1]]
        found = repeated_phrases(book.chapters[place - 1].text, earlier)
        return [
            one.model_copy(update={"earlier": one.earlier + first}) if one.earlier else one
            for one in found
        ]

    def _key(self, book: CountedBook) -> str:
        head = self._store.prototype.head(book.branch) if book.branch else None
        asked = (book_fingerprint(book.chapters), book.story, book.keys, book.target, head)
        whole = f"{asked} {self._store.own_pages.stamp()}"
        return hashlib.sha256(whole.encode()).hexdigest()

    def _count(self, book: CountedBook) -> Counted:
        texts = [one.text for one in book.chapters]
        measures = list(measure_book(texts, book.target))
        chapters = [
            CountedChapter(title=one.title, measures=measured)
            for one, measured in zip(book.chapters, measures, strict=True)
        ]
        if book.branch is not None:
            chapters = list(self._in_story(book, book.branch, chapters))
        return Counted(
            chapters=tuple(chapters), own=self._own(book), has_story=book.branch is not None
        )

    def _in_story(
        self, book: CountedBook, branch: str, chapters: Sequence[CountedChapter]
    ) -> Iterator[CountedChapter]:
        """Yield the chapters with what their story says of them, where they are plotted."""
        story = self._store.prototype.snapshot(branch)
        involved = Involved(story)
        plotted = sorted({key for key in book.keys if key <= story.chapter})
        timelines = self._store.timelines.of(branch, None, ["thread"])
        threads: dict[int, OpenThreads] = dict(
            zip(plotted, open_threads(timelines, plotted), strict=True)
        )
        for key, text, counted in zip(book.keys, book.chapters, chapters, strict=True):
            naming = involved.naming(key, text.text) if key in threads else None
            yield counted.model_copy(update={"naming": naming, "threads": threads.get(key)})

    def _own(self, book: CountedBook) -> OwnPhrases:
        """Compare what is not by the writer with what is, or a book of theirs with their other ones."""
        prints = [one.fingerprint for one in book.chapters]
        own = self._store.own_pages
        of_story = own.newest_first(book.story) if book.story else ()
        theirs = {JudgedText("", page.text).fingerprint for page in of_story}
        is_theirs = [one in theirs for one in prints]
        is_all_theirs = all(is_theirs)
        texts = [
            "" if by_hand and not is_all_theirs else one.text
            for one, by_hand in zip(book.chapters, is_theirs, strict=True)
        ]
        counted = {one for one, text in zip(prints, texts, strict=True) if text}
        pages = (
            page.text
            for page in own.newest_first()
            if not (is_all_theirs and page.story == book.story)
            and JudgedText("", page.text).fingerprint not in counted
        )
        return overused(texts, pages, self._names(book))

    def _names(self, book: CountedBook) -> list[str]:
        if book.branch is None:
            return []
        people = self._store.prototype.cast(book.branch)
        names = [name for person in people for name in names_of(person)]
        return [word for name in names for word in own_names(name)]
