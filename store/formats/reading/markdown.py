"""Markdown, with or without front matter in YAML. HTML in it is text."""

from __future__ import annotations

import frontmatter
import yaml
from markdown_it import MarkdownIt

from store.formats.reading.hypertext import read_html
from store.formats.reading.parts import Document
from store.formats.reading.plain_text import decoded


def read_markdown(content: bytes) -> Document:
    """Return the document that a Markdown file is."""
    text = decoded(content)
    told: dict[str, object] = {}
    try:
        told, text = frontmatter.parse(text)
    except (yaml.YAMLError, ValueError, AttributeError, RecursionError):
        # What looks like front matter and is none belongs to the text.
        told = {}
    # Verse is often indented, and code stands in no novel.
    parser = MarkdownIt("commonmark", {"html": False}).disable(["code", "fence", "reference"])
    document = read_html(f"<html><body>{parser.render(text)}</body></html>".encode())
    return Document(
        document.parts,
        title=_told(told, "title"),
        author=_told(told, "author"),
        language=_told(told, "language") or _told(told, "lang"),
    )


def _told(told: dict[str, object], name: str) -> str:
    value = told.get(name) if isinstance(told, dict) else None
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""
