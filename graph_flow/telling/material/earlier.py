"""The chapters before one as their reader has them: as much of their text as a prompt has room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.scenes import tail
from store.models.manuscript import Draft

_CHAPTERS = 12
"""The most chapters whose texts are read: more do not fit into a prompt."""
_TAIL_WORDS = 700
"""Words, at most, of a chapter that is too long to be shown whole."""
_TOKENS_A_WORD = 2
"""As they are estimated."""


def texts_before(context: StoryContext, chapter: int, most: int | None = _CHAPTERS) -> list[str]:
    """Return the texts of the last `most` chapters before one in the book, with their titles."""
    return [_titled(draft) for draft in drafts_before(context, chapter, most)]


def drafts_before(context: StoryContext, chapter: int, most: int | None = _CHAPTERS) -> list[Draft]:
    """Return what is written of the last `most` chapters before one in the book; None: of all."""
    contents = context.store.contents
    before = contents.before(context.branch, chapter)
    wanted = before if most is None else before[len(before) - min(most, len(before)) :]
    return [one.draft for one in contents.texts(context.branch, wanted)]


def draft_before(context: StoryContext, chapter: int) -> Draft | None:
    """Return the text of the chapter before one in the book; None if there is none."""
    return next(iter(drafts_before(context, chapter, 1)), None)


def _titled(draft: Draft) -> str:
    return f"## {draft.title}\n\n{draft.text.strip()}"


class EarlierText(NamedTuple):
    """The chapters before one. Of the plotted ones those from `since` on are whole; None: none is."""

    text: str
    since: int | None


def text_before(context: StoryContext, chapter: int, tokens: int) -> EarlierText:
    """Return the text of the chapters before one, in about so many tokens; empty if none is written.

    What comes last is never left out: of a chapter that is too long, its end stays.
    """
    drafts = drafts_before(context, chapter)
    texts = [_titled(draft) for draft in drafts]
    if not texts:
        return EarlierText("", None)
    if estimate_tokens(texts[-1]) > tokens:
        words = min(_TAIL_WORDS, tokens // _TOKENS_A_WORD)
        return EarlierText(f"… {tail(texts[-1], words)}", None)
    text = fitting(texts, tokens)
    whole = {draft.chapter for draft in drafts if _titled(draft) in text}
    since = chapter
    while since - 1 in whole:
        since -= 1
    return EarlierText(text, since)


def fitting(texts: Sequence[str], tokens: int) -> str:
    """Return chapters as one text of so many tokens at most.

    The oldest are cut to their first and last paragraphs; if that is not enough, left out. The newest
    is whole if it fits by itself.
    """
    kept = list(texts)
    sizes = [estimate_tokens(text) for text in kept]
    older = texts[:-1] if sizes and sizes[-1] <= tokens else texts
    for place, text in enumerate(older):
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
