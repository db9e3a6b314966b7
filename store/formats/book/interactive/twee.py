"""An interactive fiction in Twee 3, the text form of Twine's stories (IFTF, Twee 3 specification).

The story declares SugarCube, one of the formats that come with Twine: it reads HTML's character
references wherever it reads text, so whatever could be its markup is written as one. It takes what a
link says for an expression, however; so there each label is a string literal. (Chapbook resolves the
references in a link and then runs what stands in braces; Harlowe runs macros in it.)
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping

from store.formats.book.blocks import (
    Action,
    Block,
    Dialogue,
    Paragraph,
    Run,
    SceneHeading,
    with_speeches,
)
from store.formats.book.interactive.layout import positions
from store.formats.book.interactive.model import (
    Choice,
    InteractiveFiction,
    Passage,
    PassageKind,
)
from store.formats.book.plain_text import text_of

_FORMAT, _FORMAT_VERSION = "SugarCube", "2.37.3"
_STORIES = uuid.UUID("3b0a4a2e-6d0f-5c1b-9a53-7f0c2f6d1e84")
"""The namespace of the IFIDs: any, as long as it never changes."""

_MARKUP = re.compile(
    r"[#$%&*+/<=>@\[\\\]^_`{|}~]"
    # Twice the same, or at the beginning of a line: quotes, a dash, a header of Twee.
    r"|(['\"\-:])(?=\1)|^[!:\-]"
    # A template's name, and a macro of Harlowe's.
    r"|\?(?=\w)|\((?=[\w-]+:)",
    re.MULTILINE,
)
_UNSAFE_IN_LABEL = re.compile(r"[\x00-\x1f\x7f\"#$%&<>\[\\\]^_`{|}~\u2028\u2029]|-(?![^\W_])")
_UNSAFE_IN_NAME = re.compile(r"[^\w\s.,!?'\x80-\U0010ffff-]|[_\ufeff]")
_COLOURS: Mapping[PassageKind, str] = {
    PassageKind.CHAPTER: "blue",
    PassageKind.WAY: "orange",
    PassageKind.CROSSROADS: "gray",
}
_WIDE, _HIGH = 150, 125
"""How far apart passages stand in Twine's map, in its pixels; a passage is 100 wide and high."""


def export_twee(fiction: InteractiveFiction) -> str:
    """Return an interactive fiction as the source of a Twine story."""
    names = {one.id: _name(one) for one in fiction.passages}
    parts = [
        f":: StoryTitle\n{_first_line(fiction.title)}",
        f":: StoryData\n{_data(fiction, names)}",
    ]
    if fiction.author:
        parts.append(f":: StoryAuthor\n{_escaped(fiction.author)}")
    places = positions(fiction)
    for one in fiction.passages:
        column, row = places[one.id]
        where = {"position": f"{100 + column * _WIDE},{100 + row * _HIGH}", "size": "100,100"}
        header = f":: {names[one.id]} [{one.kind}] {json.dumps(where, separators=(',', ':'))}"
        parts.append("\n".join([header, _body(one, names)]))
    return "\n\n\n".join(parts) + "\n"


def ifid(story: str) -> str:
    """Return the IFID of a story: the same for as long as it has its id."""
    return str(uuid.uuid5(_STORIES, story)).upper()


def _data(fiction: InteractiveFiction, names: Mapping[str, str]) -> str:
    values = {
        "ifid": ifid(fiction.identifier),
        "format": _FORMAT,
        "format-version": _FORMAT_VERSION,
        "start": names[fiction.start.id],
        "tag-colors": {kind.value: colour for kind, colour in _COLOURS.items()},
        "zoom": 1,
    }
    return json.dumps(values, ensure_ascii=False, indent=2)


def _name(passage: Passage) -> str:
    """Return the name of a passage, by which links find it: its number tells it from all others.

    A link's target can hold no markup at all, and tools differ in what they escape in a header: so
    what could be markup is left out of it.
    """
    is_numbered = passage.kind not in {PassageKind.TITLE, PassageKind.ENDING}
    title = passage.heading.partition(". ")[2] if is_numbered else passage.heading
    words = " ".join(_UNSAFE_IN_NAME.sub(" ", title).split())
    is_again = passage.kind is PassageKind.CROSSROADS
    return f"{passage.number}{'+' if is_again else ''}. {words}".strip()


def _first_line(title: str) -> str:
    # At the beginning of a line, colons would begin a passage.
    return f" {title}" if title.startswith("::") else title


def _body(passage: Passage, names: Mapping[str, str]) -> str:
    heading = "!" if passage.kind is PassageKind.TITLE else "!!"
    top = [f"{heading}{_escaped(passage.heading)}"] if passage.heading else []
    closing = [f"<em>{_escaped(passage.closing)}</em>"] if passage.closing else []
    links = "\n".join(_link(one, names) for one in passage.choices)
    text = "\n\n".join([*_texts(passage), *closing, *filter(None, [links])])
    return "\n".join([*top, text])


def _texts(passage: Passage) -> Iterator[str]:
    for part in with_speeches(passage.blocks):
        yield "\n".join(map(_block, part))


def _block(block: Block) -> str:
    match block:
        case Paragraph() | Action() | Dialogue():
            return "".join(map(_styled, block.runs))
        case SceneHeading():
            return f"<strong>{_escaped(block.text)}</strong>"
    return _escaped(text_of(block))


def _styled(run: Run) -> str:
    text = _escaped(run.text)
    text = f"<em>{text}</em>" if run.is_emphasized else text
    return f"<strong>{text}</strong>" if run.is_strong else text


def _escaped(text: str) -> str:
    """Return a text that is text in a passage, whatever it looks like."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", text)


def _link(choice: Choice, names: Mapping[str, str]) -> str:
    label = _UNSAFE_IN_LABEL.sub(lambda found: f"\\u{ord(found[0]):04x}", choice.label)
    return f'* [["{label}"->{names[choice.target]}]]'
