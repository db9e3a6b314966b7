"""A passage of a text with what stands around it, and what an answer says in its place. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from graph_flow.telling.revising import find_once, places_of
from store.models.desk.suggestion import SuggestionKind

UNCHANGED = (
    "The model gave the passage back as it is. Ask again, and say what you want to be different."
)
NOTHING = "The model answered without any words of the story. Ask again, or ask another model."
LONGER = "This is much longer than the passage: see whether it tells what comes later in your text."
OTHER_LANGUAGE = "This seems to be in another language than your text."

_ANCHOR = 10
"""Words by which the text before or after a passage is known again in an answer."""
_LEAST_ANCHOR = 4
_OVERLAP = 3
"""Words at the seam that an answer may repeat by chance."""
_MUCH, _SLACK = 3, 600
"""How many times as long as its passage an answer may be, and characters more."""
_MUCH_MORE = 8
"""The same where the writer wants more of it."""
_COMMON, _SAMPLE, _JUDGED, _LEAST_SHARED = 40, 150, 20, 0.1
"""The most common words of a text of at least so many, an answer of at least so many words, and the
least share of them that are among those."""
_REMARK_LENGTH = 200

_REMARK = re.compile(
    r"\b(?:here(?:'s| is| are)|sure|certainly|of course|rewritten|revised|revision|version|passage|"
    r"shortened|expanded|rewrite|below)\b",
    re.IGNORECASE,
)
_NOTES = re.compile(
    r"^\W*(?:notes?|changes(?: made)?|explanation|what (?:i|has) changed|comments?|commentary)\b\W*(?::|\n|$)",
    re.IGNORECASE,
)
_AFTERWORD = re.compile(
    r"^\W*(?:I(?:['’]ve| have)|this (?:version|revision|rewrite)|let me know|would you like)\b",
    re.IGNORECASE,
)
_RULE = re.compile(r"^\s*(?:-{3,}|={3,}|_{3,})\s*$")
_FENCE = re.compile(r"^```\w*\n(.*)\n```$", re.DOTALL)
_TAG = re.compile(r"</?(?:passage|text|rewrite|answer)>", re.IGNORECASE)
_BREAKS = re.compile(r"\n{3,}")
_WORD = re.compile(r"[^\W\d_]+")
_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}


class Passage(NamedTuple):
    """Some words of a text, which may be none, and what stands before and after them."""

    before: str
    text: str
    after: str


class Read(NamedTuple):
    """What an answer says in the place of a passage, and what may be wrong with it, or why it is empty."""

    text: str
    doubt: str = ""


def read_answer(answer: str, passage: Passage, kind: SuggestionKind) -> Read:
    """Return the words of an answer without remarks, and without the text around the passage."""
    text = _within(_without_remarks(_bare(answer), passage.text), passage)
    text = _BREAKS.sub("\n\n", text).strip()
    if not _WORD.search(text):
        return Read("", NOTHING)
    if _plain(text) == _plain(passage.text):
        return Read("", UNCHANGED)
    return Read(text, _doubt(text, passage, kind))


def _bare(answer: str) -> str:
    text = _TAG.sub("", answer.replace("\r\n", "\n")).strip()
    fenced = _FENCE.match(text)
    return fenced.group(1).strip() if fenced else text


def _without_remarks(text: str, passage: str) -> str:
    """Return an answer without what a model says about it, which no text of its writer would."""
    blocks = text.split("\n\n")
    if len(blocks) > 1 and _is_remark(blocks[0]) and not _is_remark(passage.split("\n\n")[0]):
        blocks = blocks[1:]
    end = next((at for at in range(1, len(blocks)) if _ends_at(blocks, at, passage)), len(blocks))
    text = "\n\n".join(blocks[:end]).strip()
    close = _QUOTES.get(text[:1])
    is_quoted = close is not None and text.endswith(close) and len(text) > 1
    if is_quoted and not passage.startswith(text[0]) and not set(text[1:-1]) & {text[0], close}:
        return text[1:-1].strip()
    return text


def _is_remark(block: str) -> bool:
    is_short = len(block) <= _REMARK_LENGTH
    return is_short and block.rstrip().endswith((":", "：")) and bool(_REMARK.search(block))


def _ends_at(blocks: Sequence[str], at: int, passage: str) -> bool:
    """Return whether an answer's own remarks begin with a block."""
    first, _, more = blocks[at].partition("\n")
    following = more or (blocks[at + 1] if at + 1 < len(blocks) else "")
    if _RULE.match(first) and not any(_RULE.match(line) for line in passage.split("\n")):
        return bool(_NOTES.match(following) or _AFTERWORD.match(following))
    return bool(_NOTES.match(blocks[at])) and not _NOTES.search(passage)


def _within(text: str, passage: Passage) -> str:
    """Return what of an answer stands between the text before the passage and the text after it."""
    end = _edge(passage.before.split()[-_ANCHOR:])
    if end and (found := places_of(end, text)):
        text = text[found[-1][1] :]
    start = _edge(passage.after.split()[:_ANCHOR])
    if start and (after := find_once(start, text)):
        text = text[: after[0]]
    return text.strip()


def _edge(words: Sequence[str]) -> str:
    return " ".join(words) if len(words) >= _LEAST_ANCHOR else ""


def _doubt(text: str, passage: Passage, kind: SuggestionKind) -> str:
    if _is_in_another_language(text, f"{passage.before}\n{passage.text}\n{passage.after}"):
        return OTHER_LANGUAGE
    is_more = kind in {SuggestionKind.EXPAND, SuggestionKind.AS_ASKED, SuggestionKind.DIALOGUE}
    most = (_MUCH_MORE if is_more else _MUCH) * len(passage.text) + _SLACK
    return LONGER if passage.text and len(text) > most else ""


def _is_in_another_language(text: str, around: str) -> bool:
    """Return whether a text is in another script than the one around it, or shares none of its small words."""
    if _script(around) != _script(text):
        return bool(_script(around)) and bool(_script(text))
    known = [word.casefold() for word in _WORD.findall(around)]
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(known) < _SAMPLE or len(words) < _JUDGED:
        return False
    common = {word for word, _ in Counter(known).most_common(_COMMON)}
    return sum(word in common for word in words) < _LEAST_SHARED * len(words)


def _script(text: str) -> str:
    """Return the script that most letters of a text belong to; Chinese and Japanese count as one."""
    counts = Counter(_script_of(one) for one in text[:4_000] if one.isalpha())
    return counts.most_common(1)[0][0] if counts else ""


def _script_of(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if name in {"HIRAGANA", "KATAKANA", "CJK"} else name


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
