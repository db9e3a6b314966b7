"""Stage 3: the plan becomes text, scene by scene, as it streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import BudgetedLines, retrieve
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import WRITERS
from graph_flow.telling.scenes import joined_scenes, people_in, scene_facts, tail
from store.models.cast import Character
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.models.telling import PlannedScene, WritingPlan
from store.prototype.excerpts import Query

_TAIL_WORDS = 90
_EVENTS = 16
"""The most past events in a scene's prompt."""
_TOKENS_PER_WORD = 1.8
"""Bounds an answer: a scene may come out a third longer than planned."""


def write_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Write the chapter's scenes into one draft; finished scenes are not written again."""
    context, chapter = runtime.context, state["chapter"]
    manuscript = context.store.manuscript
    plan = context.plan(chapter)
    context.progress.go_on(f"Writing chapter {chapter}", len(plan.scenes))
    told = context.store.excerpts.of_chapter(context.branch, chapter)
    draft = manuscript.start_draft(plan, context.store.prototype.title_of(context.branch, chapter))
    note, texts = context.note(state), list[str]()
    words = plan.words // max(1, len(plan.scenes))
    for position, scene in enumerate(plan.scenes):
        job = Job(
            agent=WRITERS[plan.form],
            step=f"{chapter}/text/{plan.attempt}/scene/{position}",
            words=f"Writing scene {position + 1} of {len(plan.scenes)} of chapter {chapter}",
            variables=_variables(context, plan, scene, _Before(told, texts, note)),
            turn=chapter + position,
            tokens=int(words * _TOKENS_PER_WORD),
            enough=words,
        )
        texts.append(context.write_text(job))
        manuscript.update_draft_text(draft.id, joined_scenes(texts, plan.form))
    manuscript.finish_draft(draft.id)
    return {}


@dataclass(frozen=True)
class _Before:
    """What a scene continues from: the chapter's events, the scenes so far, the writer's note."""

    snapshot: Snapshot
    texts: Sequence[str]
    note: str


def _variables(
    context: StoryContext, plan: WritingPlan, scene: PlannedScene, before: _Before
) -> Variables:
    snapshot = before.snapshot
    events = [snapshot.get(Event, one) for one in scene.events if one in snapshot.entities]
    return {
        "tone": snapshot.foundation.tone,
        "background": snapshot.foundation.background,
        "history": _history(context, plan, events, snapshot),
        "facts": scene_facts(plan, scene, snapshot),
        "beat": scene.beat,
        "happens": [event.summary for event in events],
        "eyes": _name_of(scene.point_of_view, snapshot),
        "before": tail(before.texts[-1], _TAIL_WORDS) if before.texts else "",
        "words": plan.words // max(1, len(plan.scenes)),
        "note": before.note,
    }


def _history(
    context: StoryContext, plan: WritingPlan, events: Sequence[Event], snapshot: Snapshot
) -> BudgetedLines:
    """Return what happened before the chapter that matters to one of its scenes."""
    query = Query(
        text=" ".join(event.summary for event in events),
        people=tuple(person.id for person in people_in(snapshot, events)),
        events=tuple(event.id for event in events),
    )
    budget = context.memory_budget(WRITERS[plan.form], 0.15, _EVENTS)
    return retrieve(context.store, context.branch, plan.chapter - 1, query, budget).lines


def _name_of(person: str | None, snapshot: Snapshot) -> str:
    entity = snapshot.entities.get(person or "")
    return entity.name if isinstance(entity, Character) else ""
