"""Noticing that a model repeats the worked example of its prompt. Pure."""

from __future__ import annotations

import re

from graph_flow.llm.request import Request


def leaked_phrase(answer: str, request: Request) -> str | None:
    """Return the first forbidden phrase that an answer holds, whole words only.

    A phrase that the last message holds too is the story's own, and no leak.
    """
    own = request.messages[-1].content.casefold() if request.messages else ""
    said = answer.casefold()
    for phrase in request.forbidden:
        sought = phrase.casefold().strip()
        if sought and _holds(said, sought) and not _holds(own, sought):
            return phrase
    return None


def _holds(text: str, phrase: str) -> bool:
    # Hardly any phrase is there at all, and to look for one as it is takes no pattern.
    return phrase in text and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None
