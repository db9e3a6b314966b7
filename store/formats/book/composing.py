"""The written chapters of a branch as a book of typed blocks.

Prose is read as paragraphs with emphasis and scene breaks, a script line by line. Nothing else in a
text is markup: whatever looks like a heading, a link or HTML stays the text that it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from store.formats.book.blocks import (
    Action,
    Block,
    Book,
    Chapter,
    Cue,
    Dialogue,
    Paragraph,
    Parenthetical,
    Run,
    SceneBreak,
    SceneHeading,
    Transition,
)
from store.formats.book.languages import language_tag
from store.formats.extract import Manuscript, writable
from store.models.form import Layout
from store.texts.tellings import BookText

UNTITLED = "Untitled story"
"""The title of a book whose story has none yet."""

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_BREAK = re.compile(r"\s*(?:([-*_#])(?:\s*\1){2,}|#|⁂|[*＊](?:\s*[*＊]){0,4})\s*")
_HEADING = re.compile(
    r"(?:INT|EXT|EST|I/E)(?:\.?\s*/\s*(?:INT|EXT))?[.\s].*|(?:内景|外景|內景|室内|室外)\W.*"
    r"|SCENE\s+(?:\d+|[IVX]+)\b.*|第\s*[0-9一二三四五六七八九十百]+\s*[场場].*",
    re.IGNORECASE,
)
_TRANSITION = re.compile(r"(?:FADE|CUT|DISSOLVE|SMASH CUT|MATCH CUT)\b[^a-z]*[.:]|[^a-z]+ TO:")
_LONGEST_CUE = 60
_LONGEST_UNCASED_CUE = 12
_ENDS_A_SENTENCE = re.compile(r"[.!?…。！？，,;；:：]$")
_ASIDE = re.compile(r"[(（](.*)[)）]", re.DOTALL)


def compose(manuscript: Manuscript) -> Book:
    """Return the written chapters of a branch as a book."""
    texts = manuscript.texts
    return Book(
        identifier=manuscript.story,
        title=one_line(manuscript.title) or UNTITLED,
        author=one_line(manuscript.brief.author),
        language=language_tag(manuscript.brief.language, _beginning(texts)),
        form=manuscript.brief.form,
        words=sum(draft.words for draft in manuscript.drafts),
        chapters=tuple(map(_chapter, texts)),
    )


def blocks_of(text: str, layout: Layout) -> tuple[Block, ...]:
    """Return the blocks of a chapter's text."""
    clean = writable(text).strip()
    return tuple(_READERS[layout](clean)) if clean else ()


def runs_of(text: str) -> tuple[Run, ...]:
    """Return a stretch of text as runs: one or two asterisks or underlines around it are emphasis."""
    [inline] = _inline().parseInline(text)
    return tuple(_runs(inline.children or []))


def one_line(text: str) -> str:
    """Return a text on one line, as any file takes it."""
    return " ".join(writable(text).split())


def _beginning(texts: tuple[BookText, ...]) -> str:
    return next((one.draft.text[:2_000] for one in texts if one.draft.text.strip()), "")


def _chapter(text: BookText) -> Chapter:
    draft = text.draft
    blocks = blocks_of(draft.text, draft.form.spec.layout)
    return Chapter(text.place, one_line(draft.title), blocks)


def _prose(text: str) -> Iterator[Block]:
    for part in _BLANK_LINES.split(text):
        held: list[str] = []
        for line in part.split("\n"):
            if not _BREAK.fullmatch(line):
                held.append(line.strip())
                continue
            yield from _paragraph(held)
            yield SceneBreak()
            held = []
        yield from _paragraph(held)


def _paragraph(lines: list[str]) -> Iterator[Block]:
    if any(lines):
        yield Paragraph(runs_of("\n".join(line for line in lines if line)))


def _script(text: str) -> Iterator[Block]:
    for part in _BLANK_LINES.split(text):
        lines = [line.strip() for line in part.split("\n") if line.strip()]
        if lines and _HEADING.fullmatch(lines[0]):
            yield SceneHeading(lines.pop(0))
        if not lines:
            continue
        if len(lines) == 1 and _TRANSITION.fullmatch(lines[0]):
            yield Transition(lines[0])
        elif len(lines) > 1 and _is_cue(lines[0]):
            yield Cue(_without_markers(lines[0]))
            yield from _speech(lines[1:])
        elif len(lines) == 1 and _BREAK.fullmatch(lines[0]):
            yield SceneBreak()
        else:
            yield Action(runs_of("\n".join(lines)))


def _is_cue(line: str) -> bool:
    """Whether a line is a name: in capitals, or short in a script that has none."""
    name = _ASIDE.sub("", line).strip()
    if not name or _ENDS_A_SENTENCE.search(name) or not any(map(str.isalpha, name)):
        return False
    if name.lower() != name.upper():
        return name == name.upper() and len(line) <= _LONGEST_CUE
    return len(name) <= _LONGEST_UNCASED_CUE


def _without_markers(line: str) -> str:
    """Return a name without the marks of emphasis that models put around it."""
    return line.strip("*_ ") or line


def _speech(lines: list[str]) -> Iterator[Block]:
    said: list[str] = []
    for line in lines:
        aside = _ASIDE.fullmatch(line)
        if aside is None:
            said.append(line)
            continue
        if said:
            yield Dialogue(runs_of("\n".join(said)))
            said = []
        yield Parenthetical(aside[1].strip())
    if said:
        yield Dialogue(runs_of("\n".join(said)))


_READERS: Mapping[Layout, Callable[[str], Iterator[Block]]] = {
    Layout.PROSE: _prose,
    Layout.LINES: _script,
}


@cache
def _inline() -> MarkdownIt:
    # Nothing but emphasis: no links, no HTML, no escapes, no entities.
    return MarkdownIt("zero").enable(["emphasis", "balance_pairs", "fragments_join"])


def _runs(tokens: list[Token]) -> Iterator[Run]:
    emphasized = strong = 0
    for token in tokens:
        if token.type.startswith("em_"):
            emphasized += token.nesting
        elif token.type.startswith("strong_"):
            strong += token.nesting
        elif token.content:
            yield Run(token.content, emphasized > 0, strong > 0)
