"""The written chapters as one Markdown document with YAML front matter.

Titles and texts come from models and files, so nothing in them may become structure: a heading is
one because this module wrote it, not because a text says so.
"""

from __future__ import annotations

import re

import frontmatter

from store.formats.book.layout import lay_out
from store.formats.extract import Manuscript
from store.texts.tellings import BookText

_ADDRESS = re.compile(
    r"""(?:
        [a-z][a-z0-9+.-]{0,30}://
        | (?<![^\W_])(?:mailto|xmpp|data|javascript|vbscript|file|tel):(?=\S)
        | (?<![^\W_])www\.
        | [\w.+-]{1,64}@(?=[\w.-]*\.)
    )[^\s`]*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What programs make into a link without being told to."""
_AFTER_ADDRESS = ".,:;!?'\"”’»…)]*_~"
"""What ends a sentence around an address, rather than the address."""
_ACTIVE = re.compile(
    r"[\\`\[\]{}<|~$^@]"
    r"|&(?=\#?\w+;)"
    r"|/(?=/)|(?<=/)/"
    r"|(?<=[^\W\d]):(?=\S)"
    r"|(?<=[^\s.])\.(?=[^\W\d_]{2})"
)
"""What may begin or end something other than text; a dot within a word may be that of an address."""
_EMPHASIS = re.compile(r"[*_]|#+$")
_BREAK = re.compile(r"^\s*([-*_])(\s*\1){2,}\s*$")
_BLOCK = re.compile(r"^(#{1,6}(?=[\s.]|$)|=+$|:?-+:?$|[-*](?=\s|$)|\+(?=[-=\s]|$)|:|>)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def export_markdown(manuscript: Manuscript) -> str:
    """Return the written chapters of a branch as a document."""
    title = _one_line(manuscript.title) or "Untitled story"
    body = "\n\n".join([f"# {_escaped(title)}", *map(_chapter, manuscript.texts)])
    post = frontmatter.Post(body)
    post.metadata = {
        **_unmarked("title", title),
        "form": manuscript.brief.form.value,
        **_unmarked("language", _one_line(manuscript.brief.language)),
        "chapters": len(manuscript.drafts),
        "words": sum(draft.words for draft in manuscript.drafts),
    }
    return frontmatter.dumps(post) + "\n"


def _chapter(text: BookText) -> str:
    draft = text.draft
    heading = f"## {text.place}. {_escaped(_one_line(draft.title))}"
    return f"{heading}\n\n{lay_out(draft.text, draft.form.spec.layout, _line)}"


def _unmarked(name: str, text: str) -> dict[str, str]:
    """Return an entry of the front matter; none for a text that would be more than text.

    Pandoc reads the values there as Markdown; other programs show escapes as they are.
    """
    return {name: text} if text and _escaped(text) == text else {}


def _line(line: str) -> str:
    """Return a line of prose that starts no block; emphasis and scene breaks stay."""
    line = line.strip()
    if _BREAK.match(line):
        return "\n* * *\n"
    return _NUMBERED.sub(r"\1\\\2", _BLOCK.sub(r"\\\1", _inactive(line)))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    """Return Markdown that shows a title as typed."""
    return _inactive(text, _EMPHASIS)


def _inactive(text: str, emphasis: re.Pattern[str] | None = None) -> str:
    """Return Markdown in which nothing is a link, an image or HTML.

    An address is a code span: there it is shown as typed, and no program makes it into a link, as
    several do in spite of an escape.
    """
    parts: list[str] = []
    end = 0
    for address in _ADDRESS.finditer(text):
        shown = address[0].rstrip(_AFTER_ADDRESS)
        parts += [_backslashed(text[end : address.start()], emphasis), f"`{shown}`"]
        end = address.start() + len(shown)
    return "".join([*parts, _backslashed(text[end:], emphasis)])


def _backslashed(text: str, emphasis: re.Pattern[str] | None) -> str:
    escaped = _ACTIVE.sub(r"\\\g<0>", text)
    return emphasis.sub(r"\\\g<0>", escaped) if emphasis else escaped
