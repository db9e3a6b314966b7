"""The book as plain text, one paragraph a line, for programs that know nothing else."""

from __future__ import annotations

from store.formats.book.blocks import (
    Action,
    Block,
    Book,
    Chapter,
    Cue,
    Dialogue,
    Paragraph,
    Parenthetical,
    SceneBreak,
    SceneHeading,
    Transition,
    plain_text,
    with_speeches,
)

_SCENE_BREAK = "* * *"


def export_plain_text(book: Book) -> str:
    """Return the book as text, with a blank line between paragraphs and two before a chapter."""
    head = "\n".join(line for line in (book.title, book.author) if line)
    return "\n\n\n".join([head, *map(_chapter, book.chapters)]) + "\n"


def _chapter(chapter: Chapter) -> str:
    parts = ("\n".join(map(text_of, part)) for part in with_speeches(chapter.blocks))
    return "\n\n".join([chapter.heading, *parts])


def text_of(block: Block) -> str:
    """Return what is read of a block."""
    match block:
        case Paragraph() | Action() | Dialogue():
            return plain_text(block.runs)
        case SceneBreak():
            return _SCENE_BREAK
        case Cue():
            return block.name
        case Parenthetical():
            return f"({block.text})"
        case SceneHeading() | Transition():
            return block.text
