"""The written chapters as one Markdown document with YAML front matter.

Titles and texts come from models and files, so nothing in them may become structure: a heading is
one because this module wrote it, not because a text says so.
"""

from __future__ import annotations

import re

import frontmatter

from store.formats.extract import Manuscript
from store.formats.layout import lay_out
from store.models.telling import Draft

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_BREAK = re.compile(r"^\s*([-*_])(\s*\1){2,}\s*$")
_BLOCK = re.compile(r"^(#{1,6}(?=\s|$)|=+$|-+$|[-+*](?=\s|$)|```|~~~|>|\[)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def export_markdown(manuscript: Manuscript) -> str:
    """Return the written chapters of a branch as a document."""
    title = _one_line(manuscript.title) or "Untitled story"
    body = "\n\n".join([f"# {_escaped(title)}", *map(_chapter, manuscript.drafts)])
    post = frontmatter.Post(body)
    language = _one_line(manuscript.brief.language)
    post.metadata = {
        "title": title,
        "form": manuscript.brief.form.value,
        **({"language": language} if language else {}),
        "chapters": len(manuscript.drafts),
        "words": sum(draft.words for draft in manuscript.drafts),
    }
    return frontmatter.dumps(post) + "\n"


def _chapter(draft: Draft) -> str:
    heading = f"## {draft.chapter}. {_escaped(_one_line(draft.title))}"
    return f"{heading}\n\n{lay_out(draft.text, draft.form.spec.layout, _line)}"


def _line(line: str) -> str:
    """Return a line of prose that starts no block; emphasis and scene breaks stay."""
    line = _HTML.sub(r"\\<", line.strip())
    if _BREAK.match(line):
        return "\n* * *\n"
    return _NUMBERED.sub(r"\1\\\2", _BLOCK.sub(r"\\\1", line))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
