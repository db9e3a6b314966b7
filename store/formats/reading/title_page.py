"""The title page of a book: what stands before the first heading, if it says no more than who wrote what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MOST_LINES = 6
_LONGEST_TITLE, _LONGEST_NAME = 100, 40
_MOST_NAMES = 5
"""The most words of an author's name."""
_ENDS_A_SENTENCE = re.compile(r"[.,;!?…。，；！？”\"]$")
_LENGTH = re.compile(r"(?:about|approx\.|circa|ca\.)\s+[\d,. ]+\s+words", re.IGNORECASE)
"""How long a manuscript is, as its title page says."""
_BY = re.compile(r"(?:by|von|par|por|di)\s+|(?:作者|文)\s*[:：／/]\s*", re.IGNORECASE)
_IS_NO_NAME = re.compile(
    r"(?:for|to|in|the|a|an)\s|(?:contents|dedication|preface)$", re.IGNORECASE
)
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class TitlePage:
    """A title and an author; either is empty if neither the file nor the page tells it."""

    title: str
    author: str


def title_page(passages: Sequence[str], title: str, author: str) -> TitlePage | None:
    """Return what a title page says, beside what a file says of itself; None if it is no title page.

    It is none as soon as one line of it is something else: a dedication is not lost.
    """
    lines = list(_lines(passages))
    if len(lines) > _MOST_LINES:
        return None
    for line in lines:
        name = _BY.sub("", line, count=1)
        if _LENGTH.fullmatch(line) or _same(line, title) or _same(name, author):
            continue
        if not title and len(line) <= _LONGEST_TITLE and not _ENDS_A_SENTENCE.search(line):
            title = line
        elif not author and _is_name(name):
            author = name
        else:
            return None
    return TitlePage(title, author)


def _lines(passages: Sequence[str]) -> Iterator[str]:
    for passage in passages:
        for line in passage.split("\n"):
            if shown := line.strip("*_ "):
                yield shown


def _same(line: str, other: str) -> bool:
    words = _WORDS.findall(line.casefold())
    return bool(words) and words == _WORDS.findall(other.casefold())


def _is_name(text: str) -> bool:
    words = text.split()
    return (
        len(words) <= _MOST_NAMES
        and len(text) <= _LONGEST_NAME
        and not _ENDS_A_SENTENCE.search(text)
        and not _IS_NO_NAME.match(text)
        and words[0][:1].isalpha()
        and not words[0][:1].islower()
    )
