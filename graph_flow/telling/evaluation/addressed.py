"""Passages of a text that speak to whoever judges it. Pure.

They change nothing: they are left out of what a judge reads, where a sign stands in their place, and
shown to whoever reads the scores. Only what can hardly be meant otherwise is taken for one, so that a
story in which somebody is judged stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from store.models.desk.evaluation import QUOTE_LIMIT

LEFT_OUT = "[A passage that spoke to the judge is left out here.]"

_SCORE = r"(?:a |an |the )?(?:10|ten|9|nine|100|full marks|perfect|maximum|highest|top|high)\b"
_SAID = (
    rf"\b(?:give|award|assign|rate|score|grade|mark)\b[^.!?\n]{{0,60}}\b(?:this|it|the|my|every|each|all)\b[^.!?\n]{{0,60}}\b(?:{_SCORE})",
    r"\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|all|your)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|rules|rubric|criteria)\b",
    r"\b(?:note|message|instructions?|attention|dear)\b[^.!?\n]{0,20}\b(?:judge|grader|evaluator|rater|reviewer|language model|llm|ai|assistant)\b\s*[:,]",
    r"\bas an? (?:ai|language model|llm|evaluator|automatic judge)\b[^.!?\n]{0,80}\b(?:scores?|rates?|ratings?|grades?|points?)\b",
    r"\b(?:relevance|coherence|creativity|empathy|surprise|complexity|immersion)\b\s*[:=]\s*(?:10|9)(?:\.\d+)?\b",
    r"<\|?(?:system|im_start|assistant)\|?>|^\s*(?:system|assistant)\s*:",
    r"(?:给|給|打)[^。！？\n]{0,20}(?:10|十|满|滿|最高)\s*分",
    r"(?:忽略|无视|無視)[^。！？\n]{0,16}(?:指令|指示|提示|规则|規則|要求)",
    r"\b(?:gib|vergib|bewerte)\b[^.!?\n]{0,60}\b(?:10|zehn|höchste[rn]?|volle)\b[^.!?\n]{0,20}\b(?:punkten?|punkte?|note|punktzahl)\b",
    r"\b(?:donne[zr]?|attribue[zr]?|notez)\b[^.!?\n]{0,60}\b(?:10|dix|maximale?)\b",
    r"\b(?:da(?:le|me)?|otorga|califica)\b[^.!?\n]{0,60}\b(?:10|diez|máxim[ao])\b[^.!?\n]{0,20}\b(?:puntos?|nota|puntuación)\b",
)
_ADDRESSED = re.compile("|".join(_SAID), re.IGNORECASE | re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?。！？\n]*+(?:[.!?。！？]++[\"'”’»)\]]*+[ \t]*+|\n|$)")


class Cleaned(NamedTuple):
    """A text as a judge reads it, and what was left out of it."""

    text: str
    addressed: tuple[str, ...]


def without_addressed(text: str) -> Cleaned:
    """Return a text without the sentences that speak to its judge, and these."""
    if _ADDRESSED.search(text) is None:
        return Cleaned(text, ())
    spans = _merged(list(_sentences_with(text)))
    found = tuple(" ".join(text[first:last].split())[:QUOTE_LIMIT] for first, last in spans)
    pieces, at = [], 0
    for first, last in spans:
        pieces += [text[at:first], LEFT_OUT]
        at = last
    return Cleaned("".join([*pieces, text[at:]]), found)


def _sentences_with(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences begin and end in which a passage stands that speaks to the judge.

    A text is read through once, whatever there is of such passages in it.
    """
    start = end = 0
    for passage in _ADDRESSED.finditer(text):
        first, last = passage.span()
        if end <= first:
            start = end = max(end, text.rfind("\n", end, first) + 1)
        while end < last or end <= first:
            if end <= first:
                start = end
            after = _SENTENCE.match(text, end)
            if after is None or after.end() == end:
                break
            end = after.end()
        shown = max(last, end)
        while shown > last and text[shown - 1].isspace():
            shown -= 1
        yield start, shown


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
