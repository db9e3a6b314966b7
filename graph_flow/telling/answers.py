"""Answers of stage 3: what to recall, which threads to touch, and how to tell a chapter."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from graph_flow.prompting.schema import list_of, narrowed, one_of
from graph_flow.prompting.text import Phrase, Sentence
from store.models.telling import Structure, ThreadMove


class RecollectionAnswer(BaseModel):
    """A past event that matters now."""

    event: str
    why: Phrase


class RecallAnswer(BaseModel):
    """The past events that matter to the people of a chapter."""

    recall: list[RecollectionAnswer]


class CueAnswer(BaseModel):
    """A thread to touch, and how."""

    thread: str
    move: ThreadMove
    how: Phrase


class ThreadsAnswer(BaseModel):
    """The threads that a chapter should touch."""

    threads: list[CueAnswer]


class PlannedSceneAnswer(BaseModel):
    """One scene of a writing plan."""

    scene: str
    point_of_view: str
    beat: Sentence


class PlanAnswer(BaseModel):
    """How a chapter is told: the scenes in the order of the telling."""

    structure: Structure
    scenes: list[PlannedSceneAnswer]
    reveal: Phrase


def recall_schema(events: Sequence[str]) -> type[RecallAnswer]:
    """Return the answer that can recall only the labelled events."""
    item = narrowed(RecollectionAnswer, event=one_of(events))
    return narrowed(RecallAnswer, recall=list_of(item, 0, min(3, len(events))))


def threads_schema(threads: Sequence[str]) -> type[ThreadsAnswer]:
    """Return the answer that can touch only the labelled threads."""
    item = narrowed(CueAnswer, thread=one_of(threads))
    return narrowed(ThreadsAnswer, threads=list_of(item, 0, min(3, len(threads))))


def plan_schema(scenes: Sequence[str], people: Sequence[str]) -> type[PlanAnswer]:
    """Return the answer that tells the labelled scenes from these people's points of view."""
    item = narrowed(PlannedSceneAnswer, scene=one_of(scenes), point_of_view=one_of(people))
    return narrowed(PlanAnswer, scenes=list_of(item, len(scenes), len(scenes)))
