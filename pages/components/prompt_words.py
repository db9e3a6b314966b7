"""A call to an agent in words to read: what it was told of the story, and what it said. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from graph_flow.prompting.sources import EXAMPLE
from pages.components.text import plain
from store.models.run import PromptSource

_SPEAKER = re.compile(r"^\[(system|user|assistant)\]$\n?", re.MULTILINE)
_LABEL = re.compile(r"(?P<label>[^\s:.!?][^:.!?]{1,38}):(?P<rest>\s.*|)$")
_DEEPEST = 3


def asked(prompt: str, sources: Sequence[PromptSource]) -> str:
    """Return what of a prompt is about the story: all but the instructions and worked examples."""
    speakers_and_words = _SPEAKER.split(prompt)[1:]
    turns = list(zip(speakers_and_words[::2], speakers_and_words[1::2], strict=True))
    told = [words.strip() for speaker, words in turns if speaker != "system"]
    examples = 2 * sum(source.lines for source in sources if source.name == EXAMPLE)
    return "\n".join(told[examples:] if len(told) > examples else told) or prompt.strip()


def as_paragraphs(text: str) -> str:
    """Return Markdown with a paragraph a line; what a line begins with stands out."""
    found: list[str] = []
    was_listed = False
    for line in filter(None, map(str.strip, text.splitlines())):
        is_listed = line.startswith("- ")
        if found and not (is_listed and was_listed):
            found.append("")
        found.append(f"{'- ' if is_listed else ''}{_with_label(line.removeprefix('- '))}")
        was_listed = is_listed
    return "\n".join(found)


def as_said(answer: str) -> str:
    """Return an answer as Markdown: one that fills in a form line by line, any other as it is."""
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict) and said:
        return "\n".join(_lines(said, 0))
    return as_paragraphs(answer)


def _with_label(line: str) -> str:
    found = _LABEL.match(line)
    if found is None:
        return plain(line)
    return f"**{plain(found['label'])}:** {plain(found['rest'])}".strip()


def _lines(said: Mapping[str, object], depth: int) -> list[str]:
    """Return a list in Markdown; what has parts with parts of their own has them beneath it."""
    found = []
    for name, value in said.items():
        head = f"{'  ' * depth}- **{_label(name)}:**"
        beneath: list[str] = []
        if isinstance(value, dict) and depth < _DEEPEST and _is_nested(value.values()):
            beneath = _lines(value, depth + 1)
        elif isinstance(value, list) and _is_nested([value]):
            beneath = [f"{'  ' * (depth + 1)}- {_inline(one, depth)}" for one in value]
        found += [head, *beneath] if beneath else [f"{head} {_inline(value, depth)}"]
    return found


def _is_nested(values: Iterable[object]) -> bool:
    """Return whether one of these values has more in it than words and numbers, or a list of them."""
    lists = (value if isinstance(value, list) else [value] for value in values)
    return any(isinstance(one, dict | list) for several in lists for one in several)


def _inline(value: object, depth: int) -> str:
    if depth > _DEEPEST and isinstance(value, dict | list):
        return "…"
    if isinstance(value, dict):
        parts = {name: _inline(one, depth + 1) for name, one in value.items() if one != []}
        return " · ".join(f"{_label(name)}: {words}" for name, words in parts.items()) or "–"
    if isinstance(value, list):
        return ", ".join(_inline(one, depth + 1) for one in value) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(str(value)) or "–"


def _label(name: str) -> str:
    words = name.replace("_", " ").strip()
    return plain(words[:1].upper() + words[1:]) or "–"
