"""Headings and paragraphs as the chapters of a book; every word of them is kept, in its order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from store.formats.reading import bounds
from store.formats.reading.parts import (
    SCENE_BREAK,
    TITLE_LEVEL,
    Heading,
    Part,
    Passage,
    ReadChapter,
)
from store.formats.reading.title_page import title_page
from store.text import clip, first_characters

FRONT = "Before the first chapter"
"""The title of what stands before the first heading."""

_NUMBER = (
    r"(?:\d{1,4}|[ivxlcdm]{1,8}|(?:twenty|thirty|forty|fifty|sixty)?[- ]?(?:one|two|three|four|five|six|"
    r"seven|eight|nine)|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|the (?:first|second|third|last))"
)
_AFTER = r"(?:\s*[.:–—-]\s*\S.*|\s*[.:]?)"
_CHAPTER = re.compile(
    rf"(?:(?:chapter|kapitel|chapitre|capítulo|capitolo|глава)\s+{_NUMBER}\b{_AFTER}"
    r"|(?:prologue|epilogue|prolog|epilog|prólogo|epílogo|interlude|afterword|foreword)\b.{0,60}"
    r"|第\s*[0-9０-９零〇一二三四五六七八九十百千两]{1,8}\s*[章回节節幕].{0,60}"
    r"|(?:序章|楔子|引子|尾声|尾聲|终章|終章|后记)(?:\s.{0,60})?)",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"(?:(?:part|book|volume|teil|buch|partie|parte|часть)\s+{_NUMBER}\b{_AFTER}"
    r"|第\s*[0-9０-９零〇一二三四五六七八九十百千两]{1,8}\s*[部卷编篇].{0,60})",
    re.IGNORECASE,
)
_ONLY_NUMBER = re.compile(r"(\d{1,4})\.?|([IVXLC]{1,7})\.?")
_NUMBERED = re.compile(r"(\d{1,4})\.\s+(?=\S)")
_GAP = re.compile(r"\s*(?:([-*_#~])(?:\s*\1){2,}|[#⁂]|[*＊](?:\s*[*＊]){0,4})\s*")
_LONGEST_LINE = 100
_ENDS_A_SENTENCE = re.compile(r"[.,;…。，；”\"]$")


@dataclass
class _Open:
    """A chapter to which paragraphs are added."""

    title: str
    passages: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Chapters:
    """The chapters of a book, and its title and author; what nothing tells is empty."""

    title: str
    author: str
    chapters: tuple[ReadChapter, ...]


def chapters_of(parts: Sequence[Part], title: str, author: str) -> Chapters:
    """Return the chapters of a book whose files say of themselves what title and author it has.

    Without a heading anywhere, all of it is one chapter without a title.
    """
    if not any(isinstance(part, Heading) for part in parts):
        parts = _with_headings(parts)
    level = _level_of([part for part in parts if isinstance(part, Heading)])
    opened, above = _opened(parts, level)
    first, *later = opened
    told = title_page(first.passages, title or above, author) if later else None
    if told is not None:
        opened, title, author = later, title or told.title, told.author
    else:
        title = title or above
        if later:
            first.title = FRONT
    kept = _without_numbers(opened)
    return Chapters(title, author, tuple(one for chapter in kept for one in _divided(chapter)))


def _with_headings(parts: Sequence[Part]) -> list[Part]:
    """Return parts of which those that read like the heading of a chapter are one."""
    found: list[Part] = [_as_heading(part) for part in parts]
    if any(isinstance(part, Heading) for part in found):
        return found
    numbered = [at for at, part in enumerate(parts) if _ONLY_NUMBER.fullmatch(_shown(part))]
    if len(numbered) <= 1:
        numbered = _in_order(parts)
    chosen = set(numbered) if len(numbered) > 1 else set()
    return [Heading(2, _shown(part)) if at in chosen else part for at, part in enumerate(parts)]


def _in_order(parts: Sequence[Part]) -> list[int]:
    """Return where lines stand that are numbered 1, 2, 3 … and are no sentences."""
    found: list[int] = []
    for at, part in enumerate(parts):
        text = _shown(part)
        number = _NUMBERED.match(text)
        is_next = number is not None and int(number[1]) == len(found) + 1
        if is_next and len(text) <= _LONGEST_LINE and not _ENDS_A_SENTENCE.search(text):
            found.append(at)
    return found


def _as_heading(part: Part) -> Part:
    text = _shown(part)
    if len(text) <= _LONGEST_LINE:
        if _PART.fullmatch(text):
            return Heading(1, text)
        if _CHAPTER.fullmatch(text):
            return Heading(2, text)
    return part


def _shown(part: Part) -> str:
    return part.text.strip("*_ ")


def _level_of(headings: Sequence[Heading]) -> int:
    """Return the level of the headings that begin chapters.

    It is the highest of which there are several, unless these are the parts of a book.
    """
    counts = Counter(one.level for one in headings if one.level != TITLE_LEVEL)
    several = sorted(level for level, count in counts.items() if count > 1)
    if not several:
        return max(counts, default=1)
    highest, *lower = several
    are_parts = all(_PART.fullmatch(one.text) for one in headings if one.level == highest)
    return lower[0] if lower and are_parts else highest


def _opened(parts: Iterable[Part], level: int) -> tuple[list[_Open], str]:
    """Return the chapters, the first being what stands before any, and the title of the book."""
    opened, title, above = [_Open("")], "", ""
    for part in parts:
        if isinstance(part, Passage):
            opened[-1].passages.append(SCENE_BREAK if _GAP.fullmatch(part.text) else part.text)
        elif part.level > level:
            opened[-1].passages.append(f"**{part.text}**")
        elif part.level == level:
            opened.append(_Open(f"{above}: {part.text}" if above else part.text))
            above = ""
        elif not title and len(opened) == 1:
            title = part.text
        else:
            above = f"{above}: {part.text}" if above else part.text
    if title and _PART.fullmatch(title) and len(opened) > 1:
        opened[1].title, title = f"{title}: {opened[1].title}", ""
    if above:
        opened.append(_Open(above))
    return opened, title


def _without_numbers(chapters: list[_Open]) -> list[_Open]:
    """Take the numbers from titles that are numbered in order, as the app does that by itself."""
    found = [_NUMBERED.match(one.title) for one in chapters if one.title != FRONT]
    if all(one and int(one[1]) == place for place, one in enumerate(found, start=1)):
        for chapter in chapters:
            chapter.title = _NUMBERED.sub("", chapter.title, count=1)
    return chapters


def _divided(chapter: _Open) -> Iterator[ReadChapter]:
    """Yield a chapter, or the parts of one that is longer than the app can keep in one."""
    title = clip(chapter.title, bounds.TITLE_CHARACTERS)
    passages = (
        chapter.passages if title == chapter.title else [f"**{chapter.title}**", *chapter.passages]
    )
    texts = list(_texts(passages))
    for number, text in enumerate(texts, start=1):
        if len(texts) == 1:
            yield ReadChapter(title, text)
        else:
            named = (
                f"{clip(title, bounds.TITLE_CHARACTERS - 12)}, {number}"
                if title
                else f"Part {number}"
            )
            yield ReadChapter(named, text)


def _texts(passages: Sequence[str]) -> Iterator[str]:
    held: list[str] = []
    length = 0
    for passage in (piece for one in passages for piece in _cut(one)):
        if held and length + len(passage) > bounds.CHAPTER_CHARACTERS:
            yield "\n\n".join(held)
            held, length = [], 0
        held.append(passage)
        length += len(passage) + 2
    yield "\n\n".join(held)


def _cut(passage: str) -> Iterator[str]:
    while len(passage) > bounds.CHAPTER_CHARACTERS:
        piece = first_characters(passage, bounds.CHAPTER_CHARACTERS)
        yield piece
        passage = passage[len(piece) :].lstrip()
    yield passage
