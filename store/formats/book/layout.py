"""The text of a chapter as Markdown, laid out as its form requires.

Nothing in a text may turn into structure, and the caller says how to prevent that: `escape` gets
one line at a time and returns it as Markdown, which may hold blank lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from store.models.form import Layout

Escape = Callable[[str], str]

_BLANK_LINES = re.compile(r"\n\s*\n")


def lay_out(text: str, layout: Layout, escape: Escape) -> str:
    """Return a text as Markdown in a layout, without blank lines at its ends."""
    return _LAYOUTS[layout](text, escape)


def _prose(text: str, escape: Escape) -> str:
    return _paragraphs(text, escape, "\n")


def _lines(text: str, escape: Escape) -> str:
    # Two spaces at the end of a line keep the next one on a line of its own.
    return _paragraphs(text, escape, "  \n")


def _paragraphs(text: str, escape: Escape, line_break: str) -> str:
    escaped = "\n".join(map(escape, text.splitlines()))
    return "\n\n".join(
        line_break.join(line for line in paragraph.split("\n") if line)
        for paragraph in _BLANK_LINES.split(escaped)
        if paragraph.strip()
    )


_LAYOUTS: Mapping[Layout, Callable[[str, Escape], str]] = {
    Layout.PROSE: _prose,
    Layout.LINES: _lines,
}
