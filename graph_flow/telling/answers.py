"""Answers of stage 3: what to recall, which threads to touch, and how to tell a chapter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.text import Phrase, Sentence
from store.models.telling import Structure, ThreadMove

_MOST_RECALLED = 3
_MOST_TOUCHED = 3


class RecollectionAnswer(BaseModel):
    """A past event that matters now."""

    event: Annotated[str, OneOf("events")]
    why: Phrase


class RecallAnswer(BaseModel):
    """The past events that matter to the people of a chapter."""

    recall: Annotated[list[RecollectionAnswer], Sized("recall")]


class CueAnswer(BaseModel):
    """A thread to touch, and how."""

    thread: Annotated[str, OneOf("threads")]
    move: ThreadMove
    how: Phrase


class ThreadsAnswer(BaseModel):
    """The threads that a chapter should touch."""

    threads: Annotated[list[CueAnswer], Sized("threads")]


class PlannedSceneAnswer(BaseModel):
    """One scene of a writing plan."""

    scene: Annotated[str, OneOf("scenes")]
    point_of_view: Annotated[str, OneOf("people")]
    beat: Sentence


class PlanAnswer(BaseModel):
    """How a chapter is told: the scenes in the order of the telling."""

    structure: Structure
    scenes: Annotated[list[PlannedSceneAnswer], Sized("scenes")]
    reveal: Phrase


def recall_schema(events: Sequence[str]) -> AnswerSchema[RecallAnswer]:
    """Return the answer that can recall only the labelled events."""
    most = min(_MOST_RECALLED, len(events))
    return AnswerSchema(RecallAnswer, choices={"events": events}, sizes={"recall": Size(0, most)})


def threads_schema(threads: Sequence[str]) -> AnswerSchema[ThreadsAnswer]:
    """Return the answer that can touch only the labelled threads."""
    most = min(_MOST_TOUCHED, len(threads))
    return AnswerSchema(
        ThreadsAnswer, choices={"threads": threads}, sizes={"threads": Size(0, most)}
    )


def plan_schema(scenes: Sequence[str], people: Sequence[str]) -> AnswerSchema[PlanAnswer]:
    """Return the answer that tells the labelled scenes from these people's points of view."""
    return AnswerSchema(
        PlanAnswer,
        choices={"scenes": scenes, "people": people},
        sizes={"scenes": Size(len(scenes), len(scenes))},
    )
