"""The chapters before one as their reader has them: as much of their text as a prompt has room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.scenes import tail

_CHAPTERS = 12
"""The most chapters whose texts are read: more do not fit into a prompt."""
_TAIL_WORDS = 450
"""Words of a chapter that is too long to be shown whole."""


def texts_before(context: StoryContext, chapter: int, most: int | None = _CHAPTERS) -> list[str]:
    """Return the texts of the chapters before one, the newest `most` of them, with their titles."""
    manuscript = context.store.manuscript
    first = 1 if most is None else max(1, chapter - most)
    drafts = [manuscript.draft(context.branch, number) for number in range(first, chapter)]
    return [f"## {draft.title}\n\n{draft.text.strip()}" for draft in drafts if draft]


class EarlierText(NamedTuple):
    """The chapters before one. Those from chapter `since` on are whole; None: none is."""

    text: str
    since: int | None


def text_before(context: StoryContext, chapter: int, tokens: int) -> EarlierText:
    """Return the text of the chapters before one, in about so many tokens; empty if none is written.

    What comes last is never left out: of a chapter that is too long, its end stays.
    """
    texts = texts_before(context, chapter)
    if not texts:
        return EarlierText("", None)
    if estimate_tokens(texts[-1]) > tokens:
        return EarlierText(f"… {tail(texts[-1], _TAIL_WORDS)}", None)
    text = fitting(texts, tokens)
    whole = 0
    while whole < len(texts) and texts[-1 - whole] in text:
        whole += 1
    return EarlierText(text, chapter - whole)


def fitting(texts: Sequence[str], tokens: int) -> str:
    """Return chapters as one text of so many tokens at most.

    The oldest are cut to their first and last paragraphs; if that is not enough, left out.
    """
    kept = list(texts)
    sizes = [estimate_tokens(text) for text in kept]
    for place, text in enumerate(texts):
        if sum(sizes) <= tokens:
            break
        kept[place] = _ends(text)
        sizes[place] = estimate_tokens(kept[place])
    first = 0
    while sum(sizes[first:]) > tokens:
        first += 1
    return "\n\n".join(kept[first:])


def _ends(text: str) -> str:
    """Return the heading, the first and the last paragraph of a chapter."""
    heading, *paragraphs = (one for one in text.split("\n\n") if one.strip())
    if len(paragraphs) < 3:
        return text
    return "\n\n".join([heading, paragraphs[0], "[…]", paragraphs[-1]])
