"""Blocks as HTML, for the web page and the e-book; all text is escaped, whatever it looks like."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

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

STYLE = """
body { line-height: 1.5; }
h1, h2 { line-height: 1.2; text-align: center; font-weight: normal; }
h2 { margin: 4em 0 2em; }
p { margin: 0; text-indent: 1.5em; }
h2 + p, hr + p, .scene + p, .action, .cue, .dialogue, .aside, .transition, .author { text-indent: 0; }
hr { border: 0; margin: 1.5em 0; text-align: center; }
hr::after { content: "* * *"; }
.author { text-align: center; }
.scene { margin: 2em 0 1em; text-indent: 0; font-weight: bold; }
.action { margin: 1em 0; }
.cue { margin: 1em 0 0 35%; break-after: avoid; page-break-after: avoid; }
.aside { margin: 0 25% 0 25%; }
.dialogue { margin: 0 15% 0 15%; }
.transition { margin: 1em 0; text-align: right; }
:lang(zh) p, :lang(ja) p { text-indent: 2em; }
"""
"""The style sheet of a book, for a page or an e-book."""

_PAGE_STYLE = "body { max-width: 36em; margin: 3em auto; padding: 0 1em; font-family: serif; }"


def export_html(book: Book) -> str:
    """Return the book as one page that needs no other file and runs nothing."""
    author = f'<p class="author">{escape(book.author)}</p>\n' if book.author else ""
    named = f'<meta name="author" content="{escape(book.author)}">\n' if book.author else ""
    chapters = "\n".join(
        f'<section id="{chapter_id(one)}">\n{chapter_html(one)}\n</section>'
        for one in book.chapters
    )
    contents = "\n".join(
        f'<li><a href="#{chapter_id(one)}">{escape(one.heading)}</a></li>' for one in book.chapters
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{book.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Not even a text that slipped through could run or fetch anything.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"{named}<title>{escape(book.title)}</title>\n<style>{STYLE}{_PAGE_STYLE}\n"
        "nav ol { list-style: none; padding: 0; text-align: center; }\n</style>\n</head>\n<body>\n"
        f"<h1>{escape(book.title)}</h1>\n{author}<nav>\n<ol>\n{contents}\n</ol>\n</nav>\n"
        f"{chapters}\n</body>\n</html>\n"
    )


def chapter_id(chapter: Chapter) -> str:
    """Return the name of a chapter within its file."""
    return f"chapter-{chapter.place}"


def chapter_html(chapter: Chapter) -> str:
    """Return the heading and the blocks of a chapter, as both HTML and XHTML."""
    return "\n".join([f"<h2>{escape(chapter.heading)}</h2>", *map(_block, chapter.blocks)])


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return f"<p>{_inline(block.runs)}</p>"
        case SceneBreak():
            return "<hr/>"
        case Action():
            return f'<p class="action">{_inline(block.runs)}</p>'
        case Dialogue():
            return f'<p class="dialogue">{_inline(block.runs)}</p>'
        case SceneHeading():
            return f'<p class="scene">{escape(block.text)}</p>'
    return _spoken(block)


def _spoken(block: Cue | Parenthetical | Transition) -> str:
    match block:
        case Cue():
            return f'<p class="cue">{escape(block.name)}</p>'
        case Parenthetical():
            return f'<p class="aside">({escape(block.text)})</p>'
        case Transition():
            return f'<p class="transition">{escape(block.text)}</p>'


def _inline(runs: tuple[Run, ...]) -> str:
    return "".join(_styled(runs))


def _styled(runs: tuple[Run, ...]) -> Iterator[str]:
    for run in runs:
        text = escape(run.text).replace("\n", "<br/>\n")
        text = f"<em>{text}</em>" if run.is_emphasized else text
        yield f"<strong>{text}</strong>" if run.is_strong else text
