"""Going on with a text that stopped in the middle. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_flow.llm.request import Message

LONGEST_WORD = 40
LONGEST_OVERLAP = 400
SHORTEST_OVERLAP = 12

_SENTENCE_END = re.compile(r"[.!?…؟][\"'”’»)\]*_]*(?=\s)|[。！？][”’」』）]*")

_GO_ON = (
    "Your text stopped in the middle. Go on exactly where it stops, with the very next word. "
    "Repeat nothing and add no remark."
)
_FINISH = (
    "Your text stopped in the middle. Go on exactly where it stops, with the very next word, "
    "and bring it to its end in two or three sentences. Repeat nothing and add no remark."
)


def at_last_word(text: str) -> str:
    """Return a text that was cut off, up to the last word that is surely whole.

    A script without spaces has no words to cut, and is left as it is.
    """
    tail = text[-LONGEST_WORD:]
    spaces = [place for place, character in enumerate(tail) if character.isspace()]
    return text[: len(text) - len(tail) + spaces[-1] + 1] if spaces else text


def at_last_sentence(text: str) -> str:
    """Return a text that was cut off, up to the end of its last whole sentence; empty if it has none."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]] if ends else ""


def continuation(messages: Sequence[Message], so_far: str, *, is_last: bool) -> tuple[Message, ...]:
    """Return the messages that ask a model to go on; the last time, to come to an end."""
    return (
        *messages,
        Message("assistant", so_far.rstrip()),
        Message("user", _FINISH if is_last else _GO_ON),
    )


def joined(so_far: str, more: str) -> str:
    """Return a text with its continuation, without the words that the model said again."""
    if not so_far:
        return more
    addition = more.lstrip(" \t")
    if so_far[-1:].isspace():
        addition = addition.lstrip("\n") if so_far.endswith("\n") else addition
    overlap = _overlap(so_far.rstrip(), addition)
    rest = addition[overlap:]
    return so_far + (rest.lstrip(" \t") if overlap else rest)


def _overlap(so_far: str, addition: str) -> int:
    """Return how many characters at the start of `addition` stand at the end of `so_far`."""
    longest = min(len(so_far), len(addition), LONGEST_OVERLAP)
    for length in range(longest, SHORTEST_OVERLAP - 1, -1):
        if so_far.endswith(addition[:length]):
            return length
    return 0
