"""How well a text hangs together: by how much each paragraph is likelier after those before than by itself.

How likely a text is says more of its words than of how they follow from each other: other punctuation moves it
further than another order does. What is gained by knowing what stands before is moved little by either words or
marks. It still compares versions of one text, and never two texts: one that repeats itself gains most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graph_flow.llm.request import Message, Request
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.agents import CHAPTER_ANALYSIS
from store.formats.reading.parts import SCENE_BREAK
from store.models.manuscript import PARAGRAPH_BREAK
from store.text import first_characters

BEFORE, LEAST_BEFORE = 1_000, 500
"""Tokens of what stands before a paragraph: when it is more than the first, it begins anew with the second.

What is read again and again is remembered by the server as long as it begins alike.
"""
LONGEST = 500
"""Tokens of a paragraph that are weighed at once."""
SHARE = 0.25
"""The share of a small window that is used in place of either."""


class Stretch(NamedTuple):
    """A paragraph or a part of a long one, with what stands before it."""

    before: str
    text: str


class Likelihood(NamedTuple):
    """The log-probabilities of a text's tokens, added up, and how many these are."""

    total: float
    tokens: int


class Weighed(NamedTuple):
    """A paragraph or a part of a long one: how likely it is where it stands, and by itself."""

    text: str
    there: Likelihood
    alone: Likelihood


class Coherence(NamedTuple):
    """What is known of a text: how likely it is, and how much that gains by what stands before each paragraph.

    Both are means of a token, as natural logarithms.
    """

    likelihood: float
    gain: float
    tokens: int


def stretches(text: str, window: int) -> Iterator[Stretch]:
    """Yield the paragraphs of a text in their order; each has something before it, if only a blank line."""
    longest = min(LONGEST, int(window * SHARE))
    most, least = (min(one, int(window * SHARE)) for one in (BEFORE, LEAST_BEFORE))
    before: list[str] = []
    for paragraph in _paragraphs(text, longest):
        if sum(map(estimate_tokens, before)) > most:
            before = _newest(before, least)
        yield Stretch(PARAGRAPH_BREAK.join([*before, ""]) or PARAGRAPH_BREAK, paragraph)
        before.append(paragraph)


def _paragraphs(text: str, longest: int) -> Iterator[str]:
    for paragraph in text.split(PARAGRAPH_BREAK):
        rest = paragraph.strip()
        while rest and rest != SCENE_BREAK:
            counted = estimate_tokens(rest)
            size = len(rest) if counted <= longest else max(1, len(rest) * longest // counted)
            piece = first_characters(rest, size) or rest[:size]
            yield piece
            rest = rest[len(piece) :].lstrip()


def _newest(paragraphs: Sequence[str], most: int) -> list[str]:
    """Return the last paragraphs that have so many tokens together; one at least."""
    kept: list[str] = []
    for one in reversed(paragraphs):
        if kept and sum(map(estimate_tokens, kept)) + estimate_tokens(one) > most:
            break
        kept.append(one)
    return kept[::-1]


def weigh(context: StoryContext, text: str, words: str) -> list[Weighed]:
    """Return how likely the judges' model finds each paragraph of a text; each costs two calls, which are kept.

    `words` say what is read, for whoever waits.

    Raises:
        LikelihoodUntold: if its endpoint does not say it.
        ModelError: if the endpoint fails.
        RunStopped: if the work was asked to stop.
    """
    found = []
    every = list(stretches(text, context.window(CHAPTER_ANALYSIS)))
    for number, one in enumerate(every, start=1):
        said = f"{words}: paragraph {number:,} of {len(every):,}"
        alone = Stretch(PARAGRAPH_BREAK, one.text)
        with context.progress.at_work(f"0/likelihood/{number}", CHAPTER_ANALYSIS.name, said):
            found.append(Weighed(one.text, _ask(context, one), _ask(context, alone)))
    return found


def whole(weighed: Sequence[Weighed]) -> Coherence:
    """Return what is known of a text whose paragraphs were weighed."""
    tokens = sum(one.there.tokens for one in weighed)
    there, alone = (
        sum(one) for one in zip(*((it.there.total, it.alone.total) for it in weighed), strict=True)
    )
    return Coherence(there / tokens, (there - alone) / tokens, tokens)


def _ask(context: StoryContext, stretch: Stretch) -> Likelihood:
    told = context.gateway.likelihood(_request(context, stretch))
    return Likelihood(sum(told), len(told))


def _request(context: StoryContext, stretch: Stretch) -> Request:
    name = hashlib.sha256(f"{stretch.before}\0{stretch.text}".encode()).hexdigest()[:24]
    return Request(
        agent=CHAPTER_ANALYSIS.name,
        messages=(Message("user", stretch.before), Message("assistant", stretch.text)),
        scope=context.scope(f"0/likelihood/{name}"),
        max_tokens=estimate_tokens(stretch.text),
        words="How likely a paragraph is after those before it",
    )
