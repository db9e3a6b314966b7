"""The written chapters as one Markdown document with YAML front matter.

Titles and texts come from models and files, so nothing in them may become structure: a heading is
a heading because it stands here, not because a text says so.
"""

from __future__ import annotations

import re

import frontmatter

from store.formats.layout import lay_out
from store.models.telling import Draft
from store.open import Store

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_BREAK = re.compile(r"^\s*([-*_])(\s*\1){2,}\s*$")
_BLOCK = re.compile(r"^(#{1,6}(?=\s|$)|=+$|-+$|[-+*](?=\s|$)|```|~~~|>|\[)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def export_markdown(store: Store, branch_id: str) -> str:
    """Return a branch's written chapters, in order, each in its newest version.

    Raises:
        NotFound: if there is no such branch.
    """
    story = store.library.story_of(branch_id)
    newest = (store.manuscript.draft(branch_id, n) for n in _chapters(store, branch_id))
    drafts = [draft for draft in newest if draft is not None]
    title = _one_line(story.title) or "Untitled story"
    body = "\n\n".join([f"# {_escaped(title)}", *map(_chapter, drafts)])
    post = frontmatter.Post(body)
    language = _one_line(story.brief.language)
    post.metadata = {
        "title": title,
        "form": story.brief.form.value,
        **({"language": language} if language else {}),
        "chapters": len(drafts),
        "words": sum(draft.words for draft in drafts),
    }
    return frontmatter.dumps(post) + "\n"


def _chapters(store: Store, branch_id: str) -> list[int]:
    head = store.prototype.head(branch_id)
    plotted = head.chapter if head else 0
    return sorted(
        chapter for chapter in store.manuscript.written_chapters(branch_id) if chapter <= plotted
    )


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
