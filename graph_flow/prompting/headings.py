"""The headings of a story that is told in one piece, and its text divided into chapters by them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, islice, pairwise

from store.text import count_words

_HEADING = re.compile(r"^[ \t]*(?:#{1,4}[ \t]*\S.*|\*\*[^*\n]*\d[^*\n]*\*\*[ \t]*)$", re.MULTILINE)
_NUMBER = re.compile(r"\d+")
_NUMBERED = re.compile(r"^(?:chapter\s+)?\d+\s*[.:)–—-]*\s*", re.IGNORECASE)
_BEGINNING, _CHARACTERS = 60, 400
"""Words, and at most characters, of its beginning that stand for a story or a chapter."""


def heading(number: int, title: str) -> str:
    """Return the line that stands before a chapter, in the plan and in the text."""
    return f"## {number}. {title}"


def beginning(text: str) -> str:
    """Return how a text begins, on one line and without headings."""
    words = (
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
    return " ".join(islice(words, _BEGINNING))[:_CHARACTERS] + " …"


def told_chapters(text: str) -> list[tuple[str, str]]:
    """Return the title and the text of each chapter that has a heading of its own, in order."""
    marks = _marks(text)
    ends = [*(one.start() for one in marks[1:]), *([len(text)] if marks else [])]
    return [
        (_title(one.group()), text[one.end() : end].strip())
        for one, end in zip(marks, ends, strict=True)
    ]


def parted_from_road(text: str) -> tuple[str, str]:
    """Return what stands between a story's title and its first chapter, and the story without it.

    It has a heading without a number of its own, which belongs to neither.
    """
    first = next((one for one in _marks(text) if _NUMBER.search(one.group())), None)
    begins = next((one for one in _marks(text) if not _NUMBER.search(one.group())), None)
    if first is None or begins is None or begins.start() > first.start():
        return "", text
    road = text[begins.end() : first.start()].strip()
    return road, f"{text[: begins.start()].strip()}\n\n{text[first.start() :]}".strip()


def divided(text: str, words: Sequence[int]) -> list[str]:
    """Return a story's text as the text of each chapter, always one for each of the planned `words`.

    It is divided at its headings. Where these are not as they should be, it is divided where a paragraph
    ends that comes nearest to the planned length of a chapter.
    """
    parts = _by_headings(text)
    if len(parts) == len(words):
        return parts
    bare = _HEADING.sub("", text)
    return _by_length([one for one in bare.split("\n\n") if one.strip()], words)


def _by_headings(text: str) -> list[str]:
    """Return what stands under each heading of a chapter; what stands before the first goes with it."""
    marks = _marks(text)
    if not marks:
        return []
    ends = [*(one.start() for one in marks[1:]), len(text)]
    parts = [text[one.end() : end].strip() for one, end in zip(marks, ends, strict=True)]
    before = _HEADING.sub("", text[: marks[0].start()]).strip()
    parts[0] = f"{before}\n\n{parts[0]}".strip()
    return [one for one in parts if one]


def _marks(text: str) -> list[re.Match[str]]:
    return [one for one in _HEADING.finditer(text) if _is_of_chapter(one.group())]


def _title(line: str) -> str:
    """Return the title in a heading, without its number and its marks."""
    return _NUMBERED.sub("", line.strip().strip("#* \t")).strip("#* \t")


def _is_of_chapter(line: str) -> bool:
    return bool(_NUMBER.search(line)) or line.lstrip().startswith("##")


def _by_length(paragraphs: Sequence[str], words: Sequence[int]) -> list[str]:
    lengths = list(accumulate(count_words(one) for one in paragraphs))
    whole, planned = lengths[-1] if lengths else 0, sum(words)
    cuts = [0]
    for wanted in list(accumulate(words))[:-1]:
        aim = whole * wanted / planned
        nearest = min(range(len(lengths)), key=lambda at: abs(lengths[at] - aim), default=-1)
        cuts.append(max(nearest + 1, cuts[-1]))
    cuts.append(len(paragraphs))
    return ["\n\n".join(paragraphs[begin:end]).strip() for begin, end in pairwise(cuts)]
