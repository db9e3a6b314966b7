"""Answers of stage 2: whether the story is over."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from graph_flow.answers.names import list_of, narrowed, one_of
from graph_flow.answers.text import Sentence


class ExitAnswer(BaseModel):
    """Whether the long-term goal is reached, with the events that show it."""

    reason: Sentence
    events: list[str]
    is_reached: bool


def exit_schema(events: Sequence[str]) -> type[ExitAnswer]:
    """Return the answer in which only the events labelled can be named as evidence."""
    return narrowed(ExitAnswer, events=list_of(one_of(events), 0, min(3, len(events))))
