"""A book that was read from files becomes a story of chapters that stand as they were typed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from store.database.rows import now
from store.formats.book.languages import UNDETERMINED, language_tag
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import Draft, DraftState
from store.models.story import LEAST_WORDS, MOST_CHAPTERS, MOST_WORDS, Brief, Story
from store.open import Store
from store.records.paragraphs import begun
from store.text import count_words

_READ = 5_000
"""Characters of a text that tell its language by their script."""
_TELLING, _ROUNDED = 3, 50
"""The fewest chapters that tell how long one is, and to what that is rounded."""


def keep_as_story(store: Store, book: ReadBook) -> Story:
    """Keep a book as a new story: its text word for word, with no plot yet. All of it, or nothing.

    It is taken for half of what it will be, until the writer says how many chapters there are to be,
    and its next chapters for as long as those that there are.

    Raises:
        LibraryUnavailable: if the library stays busy, or the disk is full.
        StoreError: if there can be no more stories.
    """
    with store.database.write():
        story = store.library.create_story(
            Brief(author=book.author, language=_language(book)), book.title
        )
        planned = min(MOST_CHAPTERS, max(story.settings.chapter_cap, 2 * len(book.chapters)))
        store.library.change_settings(
            story.id,
            lambda now: now.model_copy(
                update={"chapter_cap": planned, "words": _usual_length(book.chapters)}
            ),
        )
        branch = store.library.main_branch(story.id).id
        for number, chapter in enumerate(book.chapters, start=1):
            store.manuscript.add_version(
                Draft(
                    id=new_id(),
                    branch=branch,
                    chapter=number,
                    version=1,
                    form=Form.NOVEL,
                    title=chapter.title or f"Chapter {number}",
                    text=chapter.text,
                    state=DraftState.EDITED,
                    created=now(),
                    paragraphs=begun(chapter.text),
                    is_by_hand=True,
                )
            )
        return store.library.story(story.id)


def _usual_length(chapters: Sequence[ReadChapter]) -> int | None:
    """Return how long a chapter of a book is that has several, rounded; None if it says little."""
    if len(chapters) < _TELLING:
        return None
    rounded = round(median(count_words(one.text) for one in chapters) / _ROUNDED) * _ROUNDED
    return max(LEAST_WORDS, min(MOST_WORDS, rounded))


def _language(book: ReadBook) -> str:
    """Return the language of a book: as its files say or, if its script tells it, as its text does."""
    if book.language:
        return book.language
    tag = language_tag("", book.chapters[0].text[:_READ])
    return "" if tag in {UNDETERMINED, "en"} else tag
