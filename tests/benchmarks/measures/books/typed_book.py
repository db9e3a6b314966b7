"""A library with one book that somebody typed: every paragraph of it is another one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from store.formats.reading.keeping import keep_as_story
from store.formats.reading.parts import ReadBook, ReadChapter
from store.open import Store

CHAPTER_WORDS = 3_000
_PARAGRAPH_WORDS = 60
_SYLLABLES = "ba de fi go hu ka le mi no pu ra se ti vo wu ya".split()


def keep_book(library: Path, words: int) -> str:
    """Keep a book of about so many words in a new library; return its branch."""
    generator = random.Random(words)
    count = max(1, round(words / CHAPTER_WORDS))
    each = words // count
    chapters = tuple(
        ReadChapter(f"Night {number}", "\n\n".join(_paragraphs(generator, each)))
        for number in range(1, count + 1)
    )
    with closing(Store.open(library)) as store:
        story = keep_as_story(store, ReadBook("The Lamp Room", "Ada Moor", "en", chapters))
        return store.library.main_branch(story.id).id


def _paragraphs(generator: random.Random, words: int) -> Iterator[str]:
    while words > 0:
        length = min(words, _PARAGRAPH_WORDS)
        said = " ".join(_word(generator) for _ in range(length))
        yield f"{said.capitalize()}."
        words -= length


def _word(generator: random.Random) -> str:
    return "".join(generator.choices(_SYLLABLES, k=generator.randint(1, 4)))
