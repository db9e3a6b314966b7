"""An interactive fiction in Ink, inkle's language for such stories.

A passage is a knot. Ink takes the character after a backslash for itself, in text, choices and tags
alike, so that is how whatever it could read as its own is written. It knows no emphasis, and it shows
several spaces as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.formats.book.blocks import with_speeches
from store.formats.book.interactive.model import Choice, InteractiveFiction, Passage
from store.formats.book.plain_text import text_of

_OWN = re.compile(
    r"[\\{}|#~*+=<>/\[\]]"
    # Not a hyphen between letters; others begin a line, or an arrow.
    r"|(?<!\w)-|-(?!\w)"
    # At the beginning of a line, what would be a note or a declaration.
    r"|^(?=(?:TODO|VAR|CONST|LIST|INCLUDE|EXTERNAL)\b)"
)


def export_ink(fiction: InteractiveFiction) -> str:
    """Return an interactive fiction as the source of an Ink story."""
    tags = {"title": fiction.title, "author": fiction.author}
    head = [f"# {name}: {_escaped(text)}" for name, text in tags.items() if text]
    begin = "\n".join([*head, f"-> {fiction.start.id}"])
    return "\n\n\n".join([begin, *map(_knot, fiction.passages)]) + "\n"


def _knot(passage: Passage) -> str:
    return "\n\n".join([f"=== {passage.id} ===", *_texts(passage), _end(passage.choices)])


def _texts(passage: Passage) -> Iterator[str]:
    """Yield the paragraphs of a passage; each of their lines is one of Ink's."""
    yield from map(_lines, filter(None, [passage.heading]))
    for part in with_speeches(passage.blocks):
        yield _lines("\n".join(map(text_of, part)))
    yield from map(_lines, filter(None, [passage.closing]))


def _lines(text: str) -> str:
    lines = (_escaped(line) for line in text.split("\n") if line.strip())
    # Ink would ask whether a line that begins so was meant to be logic: nothing, said first, answers.
    return "\n".join(f'{{""}}{line}' if line.startswith("return") else line for line in lines)


def _end(choices: tuple[Choice, ...]) -> str:
    # Not "*": that choice would be gone for a reader who comes back to it.
    each = (f"+ [{_escaped(one.label)}] -> {one.target}" for one in choices)
    return "\n".join(each) or "-> END"


def _escaped(line: str) -> str:
    """Return a line as text that Ink takes for nothing else."""
    return _OWN.sub(r"\\\g<0>", line.strip())
