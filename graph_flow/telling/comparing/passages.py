"""Which passages of a text were changed, and where words stand in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.revising import places_of
from store.models.edits.comparison import ChangedPassage
from store.models.manuscript import PARAGRAPH_BREAK, Draft, TextParagraph
from store.records.paragraphs import changes

_LEAST_QUOTE = 4
"""Letters of a quote: fewer stand in any text."""
_LETTER = re.compile(r"[^\W_]")
_SENTENCE = re.compile(r"(?<=[.!?…。！？”\"’»)])\s+")
_MOST_BEFORE = 0.5
"""The share of the room for a passage that its former text may take."""


def changed_passages(
    before: str, now: Draft, told_before: Sequence[TextParagraph] = ()
) -> tuple[ChangedPassage, ...]:
    """Return the passages in which a text differs from the one before it, in order.

    A passage has the events of its paragraphs or, of one that was taken out, those that it told before;
    if that is not known, those of the paragraph that it stood behind.
    """
    old, new = before.split(PARAGRAPH_BREAK), now.text.split(PARAGRAPH_BREAK)
    known = now.paragraphs if len(now.paragraphs) == len(new) else ()
    former = told_before if len(told_before) == len(old) else ()
    return tuple(
        ChangedPassage(
            before=_joined(old[start:end]),
            now=_joined(new[first:last]),
            events=_events(
                known[first:last] or former[start:end] or known[max(0, first - 1) : first]
            ),
        )
        for kind, start, end, first, last in changes(old, new)
        if kind != "equal" and _joined(old[start:end]) != _joined(new[first:last])
    )


def in_parts(passages: Iterable[ChangedPassage], tokens: int) -> list[list[ChangedPassage]]:
    """Return passages in as few parts of at most about so many tokens as their order allows.

    One that is too long is taken apart between its paragraphs, or else its sentences; of what stood
    there before, each piece has as much as half of the room takes.
    """
    pieces = chain.from_iterable(_pieces(passage, tokens) for passage in passages)
    parts: list[list[ChangedPassage]] = []
    room = 0
    for piece in pieces:
        room -= _size(piece)
        if room < 0 or not parts:
            parts.append([])
            room = tokens - _size(piece)
        parts[-1].append(piece)
    return parts


def stands_in(quote: str, texts: Iterable[str]) -> bool:
    """Return whether a quote stands in one of some texts; one of hardly a word stands in none."""
    if len(_LETTER.findall(quote)) < _LEAST_QUOTE:
        return False
    return any(places_of(quote, text) for text in texts)


def first_sentence(text: str) -> str:
    """Return how a text begins: its first sentence."""
    return _SENTENCE.split(text.strip(), maxsplit=1)[0]


def _pieces(passage: ChangedPassage, tokens: int) -> list[ChangedPassage]:
    if _size(passage) <= tokens:
        return [passage]
    before = _start(passage.before, int(tokens * _MOST_BEFORE))
    room = max(1, tokens - estimate_tokens(before))
    texts = _texts(passage.now, room) if passage.now else [""]
    return [passage.model_copy(update={"before": before, "now": text}) for text in texts]


def _texts(text: str, tokens: int) -> list[str]:
    """Return a text in pieces of at most about so many tokens, each of it somewhere."""
    found = [""]
    for paragraph in text.split(PARAGRAPH_BREAK):
        is_long = estimate_tokens(paragraph) > tokens
        for piece in _SENTENCE.split(paragraph) if is_long else [paragraph]:
            joined = f"{found[-1]}{' ' if is_long else PARAGRAPH_BREAK}{piece}".strip()
            if found[-1] and estimate_tokens(joined) > tokens:
                found.append(piece)
            else:
                found[-1] = joined
    return found


def _start(text: str, tokens: int) -> str:
    return _texts(text, tokens)[0] if text else ""


def _size(passage: ChangedPassage) -> int:
    return estimate_tokens(passage.before) + estimate_tokens(passage.now)


def _events(paragraphs: Sequence[TextParagraph]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event for one in paragraphs for event in one.events))


def _joined(paragraphs: Sequence[str]) -> str:
    return PARAGRAPH_BREAK.join(one for one in paragraphs if one.strip())
