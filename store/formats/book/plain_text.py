"""The book as plain text, one paragraph a line, for programs that know nothing else."""

from __future__ import annotations

from collections.abc import Iterator

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
)

_SCENE_BREAK = "* * *"


def export_plain_text(book: Book) -> str:
    """Return the book as text, with a blank line between paragraphs and two before a chapter."""
    head = "\n".join(line for line in (book.title, book.author) if line)
    return "\n\n\n".join([head, *map(_chapter, book.chapters)]) + "\n"


def _chapter(chapter: Chapter) -> str:
    return "\n\n".join([chapter.heading, *_parts(chapter.blocks)])


def _parts(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield what stands between blank lines: a speech keeps to the name above it."""
    speech: list[str] = []
    for block in blocks:
        if isinstance(block, Parenthetical | Dialogue) and speech:
            speech.append(_text(block))
            continue
        if speech:
            yield "\n".join(speech)
            speech = []
        if isinstance(block, Cue):
            speech = [block.name]
        else:
            yield _text(block)
    if speech:
        yield "\n".join(speech)


def _text(block: Block) -> str:
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
