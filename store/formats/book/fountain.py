"""The book in Fountain 1.1, the plain-text markup of screenwriters.

Whatever a line could be taken for besides what it is, it is forced to be that by the mark that Fountain
has for it, and marks within a text are escaped.
"""

from __future__ import annotations

import re

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
    plain_text,
    with_speeches,
)

_MARKS = re.compile(r"[*_]")
_PAIRS = re.compile(r"(\[)(?=\[)|(\])(?=\])|(/)(?=\*)|(\*)(?=/)")
_HEADING = re.compile(r"(?:INT|EXT|EST|I/E)[ .]|INT\.?/EXT\.?[ .]")
_PLAIN_CUE = re.compile(r"[A-Z][A-Z .'-]*(?: \([A-Z.' ]+\))?")
_SCENE_NUMBER = re.compile(r"#(?=[\w\-.]+#\s*$)")
_ZERO_WIDTH = "\u200b"
"""Between two marks that would begin a note or a comment together; nobody sees it."""


def export_fountain(book: Book) -> str:
    """Return the book as Fountain; chapters are its sections."""
    head = [f"Title: {_line(book.title)}"]
    if book.author:
        head.append(f"Author: {_line(book.author)}")
    return "\n\n".join(["\n".join(head), *map(_chapter, book.chapters)]) + "\n"


def _chapter(chapter: Chapter) -> str:
    return "\n\n".join([f"# {_line(chapter.heading)}", *map(_part, with_speeches(chapter.blocks))])


def _part(blocks: tuple[Block, ...]) -> str:
    return "\n".join(map(_in_speech, blocks)) if isinstance(blocks[0], Cue) else _alone(blocks[0])


def _in_speech(block: Block) -> str:
    match block:
        case Cue():
            return _cue(block.name)
        case Parenthetical() | Dialogue():
            return _spoken(block)
    return _alone(block)


def _cue(name: str) -> str:
    text = _line(name)
    return text if _PLAIN_CUE.fullmatch(name) else f"@{text}"


def _spoken(block: Parenthetical | Dialogue) -> str:
    if isinstance(block, Parenthetical):
        return f"({_line(block.text)})"
    # Two spaces keep an empty line within the speech.
    return "\n".join(line.strip() or "  " for line in _styled(block.runs).split("\n"))


def _alone(block: Block) -> str:
    match block:
        case Paragraph() | Action():
            return _action(_styled(block.runs))
        case SceneBreak():
            return r"> \* \* \* <"
        case SceneHeading():
            text = _SCENE_NUMBER.sub(rf"#{_ZERO_WIDTH}", _line(block.text))
            return text if _HEADING.match(text) else f".{text}"
        case Transition():
            return f"> {_line(block.text).rstrip('<')}"
        case Dialogue():
            return _action(_styled(block.runs))
        case Parenthetical():
            return _action(f"({_line(block.text)})")
        case Cue():
            return _action(_line(block.name))


def _action(text: str) -> str:
    """Return lines that are an action whatever they look like."""
    lines = [line.strip() or "  " for line in text.split("\n")]
    is_plain = text[:1].isalnum() and not any(map(_is_special, lines))
    return "\n".join(lines) if is_plain else "\n".join(f"!{line}" for line in lines)


def _is_special(line: str) -> bool:
    return line == line.upper() or bool(_HEADING.match(line.upper())) or line[0] in "!@.#=~>(\\"


def _line(text: str) -> str:
    return _escaped(" ".join(text.split()))


def _styled(runs: tuple[Run, ...]) -> str:
    """Return runs with their emphasis, which ends and begins anew at each line break."""
    if not any(run.is_emphasized or run.is_strong for run in runs):
        return _escaped(plain_text(runs))
    return "".join(map(_marked, runs))


def _marked(run: Run) -> str:
    marks = "*" * (run.is_emphasized + 2 * run.is_strong)
    lines = [_escaped(line) for line in run.text.split("\n")]
    return "\n".join(f"{marks}{line}{marks}" if line.strip() else line for line in lines)


def _escaped(text: str) -> str:
    apart = _PAIRS.sub(lambda found: f"{found[0]}{_ZERO_WIDTH}", text)
    return _MARKS.sub(r"\\\g<0>", apart)
