"""The premise of a book that was begun without one: drafted from its own text, for the writer to edit."""

from __future__ import annotations

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.agent import NO_CALLS, Agent
from graph_flow.runtime.context import Job, StoryContext
from store.models.endpoint import ModelStrength
from store.models.manuscript import PARAGRAPH_BREAK
from store.open import Store

BOOK_PREMISE = Agent(
    name="book_premise",
    stage="founding",
    label="Premise of a book",
    calls=lambda _: NO_CALLS,
    labels={
        "opening": "The text",
        "newest": "The text",
        "words": "The task",
    },
)

_SHARE, _MOST_TOKENS = 0.4, 40_000
"""What of the text a model reads: at most a share of its window, and so many tokens."""
_SMALL_TOKENS = 500
_BREAK_TOKENS = estimate_tokens(PARAGRAPH_BREAK)
_OF_THE_NEWEST = 0.3
"""The share of what is read that the newest pages take, of a book that cannot be read whole."""
_WORDS, _SMALL_WORDS = 200, 60


def draft_premise(context: StoryContext, text: str, step: str) -> str:
    """Return a premise drafted from the text of a whole book, of which a long one is read in part.

    Raises:
        ModelError: if the endpoint fails, or no text comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    is_small = context.strength(BOOK_PREMISE) is ModelStrength.SMALL
    room = _SMALL_TOKENS if is_small else room_for_book(context, BOOK_PREMISE)
    # A small model takes two pieces for one story that jumps.
    opening, newest = ends_of(text, room, newest=0.0 if is_small else _OF_THE_NEWEST)
    job = Job(
        agent=BOOK_PREMISE,
        step=step,
        words="Reading your book",
        variables={
            "language": context.brief.language or "the language of the text",
            "opening": opening,
            "newest": newest,
            "words": _SMALL_WORDS if is_small else _WORDS,
        },
        enough=1,
    )
    return context.write_text(job).strip()


def book_text(store: Store, branch: str) -> str:
    """Return all that is written of a story, each chapter under its number and title; empty if nothing is."""
    texts = [one for one in store.contents.texts(branch) if one.draft.text.strip()]
    return PARAGRAPH_BREAK.join(
        f"{one.place}. {one.draft.title}{PARAGRAPH_BREAK}{one.draft.text}" for one in texts
    )


def ends_of(text: str, tokens: int, newest: float = _OF_THE_NEWEST) -> tuple[str, str]:
    """Return the opening and the newest pages of a text, in whole paragraphs if they are not too long.

    A text that fits is all of it opening; of another one, the newest pages take a share of the tokens.
    """
    if estimate_tokens(text) <= tokens:
        return text, ""
    paragraphs = text.split(PARAGRAPH_BREAK)
    room = int(tokens * newest)
    opening = _within(paragraphs, tokens - room)
    rest = paragraphs[len(opening) :] or paragraphs[-1:]
    last = _within([one[::-1] for one in reversed(rest)], room) if room else []
    return (
        PARAGRAPH_BREAK.join(opening),
        PARAGRAPH_BREAK.join(one[::-1] for one in reversed(last)),
    )


def _within(paragraphs: list[str], tokens: int) -> list[str]:
    """Return as many paragraphs as fit, and the beginning of the first one in any case."""
    found: list[str] = []
    for paragraph in paragraphs:
        tokens -= estimate_tokens(paragraph) + _BREAK_TOKENS
        if tokens < 0:
            break
        found.append(paragraph)
    if found or not paragraphs:
        return found
    first = paragraphs[0]
    room = tokens + estimate_tokens(first) + _BREAK_TOKENS
    while first and estimate_tokens(first) > room:
        first = first[: len(first) * 3 // 4]
    return [first] if first else []


def room_for_book(context: StoryContext, agent: Agent) -> int:
    """Return how many tokens of a book an agent's model reads at once."""
    return min(int(context.window(agent) * _SHARE), _MOST_TOKENS)
