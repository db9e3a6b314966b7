"""The direct way of making a story: one prompt a chapter, with the text so far; no cast, no graphs.

It is the baseline that the method is compared with: the same premise, wishes, form and length.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.agent import NO_CALLS, ONE_CALL, Agent, Calls, Work
from graph_flow.prompting.length import is_last, words_wanted
from graph_flow.prompting.text import end_whole, tidy
from graph_flow.prompting.whole import NAME
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.material.earlier import fitting, texts_before
from store.models.endpoint import ModelStrength
from store.models.run import PlotChapters, WriteChapter
from store.models.story import StorySettings

SMALL_WORDS = 300
"""Words of a chapter that a small model writes unless the writer says otherwise."""

_TOKENS_PER_WORD = {ModelStrength.ABLE: 3.0, ModelStrength.SMALL: 1.8}
"""Bounds an answer. An able model ends a chapter by itself, so it is given plenty."""
_LARGEST_ANSWER = 1 / 3
"""The largest share of a model's window that its answer is given."""
_INSTRUCTIONS = 300
"""Tokens of a prompt besides the premise, the wishes and the text so far."""

_MARKS = '#* _"“”„«»'
"""What may stand around a title."""
_FIRST_RANK = re.compile(r"#\s*[^#\s]")
_OF_A_CHAPTER = re.compile(r"\W*(?:chapter|\w+ (?:1|one|i))\b", re.IGNORECASE)
"""A heading that belongs to a chapter: "Chapter One", "Kapitel 1: Nebel"."""
_LABEL = re.compile(r"^(?:story )?title\W+", re.IGNORECASE)


def _calls(work: Work) -> Calls:
    if isinstance(work.task, PlotChapters):
        return Calls(work.task.chapters, work.task.chapters)
    if isinstance(work.task, WriteChapter):
        return ONE_CALL.times(len(work.task.chapters))
    return NO_CALLS


DIRECT = Agent(
    name="direct",
    stage="telling",
    label="Direct writer",
    calls=_calls,
    labels={
        "asks_title": "The task",
        "before": "The text so far",
        "chapter": "The task",
        "length": "The task",
        "words": "The task",
    },
)
"""The only agent of a story that is made directly."""


class Length(NamedTuple):
    """How long a chapter is to be, and how many tokens its text may take at most."""

    words: int
    tokens: int


def length_of(context: StoryContext, chapter: int) -> Length:
    """Return how long a chapter is to be: as the writer says, if the model's window holds it."""
    strength = context.strength(DIRECT)
    settings = context.settings
    is_able = strength is ModelStrength.ABLE
    wanted = (
        words_wanted(chapter, settings, context.unit) if is_able else settings.words or SMALL_WORDS
    )
    each, most = _TOKENS_PER_WORD[strength], int(context.window(DIRECT) * _LARGEST_ANSWER)
    words = min(wanted, int(most / each))
    return Length(words, int(words * each))


def read_before(context: StoryContext, chapter: int) -> str:
    """Return the text of the chapters before one, as far as the model's window holds it."""
    asked = estimate_tokens(f"{context.brief.premise}{context.brief.wishes}") + _INSTRUCTIONS
    room = context.window(DIRECT) - asked - length_of(context, chapter).tokens
    return fitting(texts_before(context, chapter, most=None), room)


def place_of(chapter: int, settings: StorySettings) -> str:
    """Return which chapter is to be written, and of how many."""
    if settings.planned is None:
        return str(chapter)
    ending = ", the last: the story ends in it" if is_last(chapter, settings) else ""
    return f"{chapter} of {max(chapter, settings.planned)}{ending}"


def without_story_title(answer: str) -> tuple[str, str]:
    """Return the title of the story that an answer begins with, and the rest of the answer.

    It is a line above the heading of the chapter, however it is marked, or a heading of the first
    rank alone. Without one, the title is empty and the answer whole.
    """
    first, _, rest = answer.strip().partition("\n")
    is_above = rest.lstrip().startswith("#")
    is_alone = _FIRST_RANK.match(first) and not _OF_A_CHAPTER.match(first)
    title = _LABEL.sub("", tidy(first).strip(_MARKS)).strip(_MARKS)
    if not title or len(title) > NAME or not rest.strip() or not (is_above or is_alone):
        return "", answer
    return title, rest.strip()


def titled(answer: str, chapter: int) -> tuple[str, str]:
    """Return the title that an answer begins with, or else the chapter's number, and its text."""
    first, _, rest = answer.strip().partition("\n")
    title = end_whole(tidy(first.strip("#* "))[:NAME], NAME)
    if not first.lstrip().startswith("#") or not title or not rest.strip():
        return f"Chapter {chapter}", answer.strip()
    return title, rest.strip()
