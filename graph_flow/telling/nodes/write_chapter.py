"""Stage 3: the plan becomes text as it streams: from an able model in one go, or scene by scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import BudgetedLines
from graph_flow.prompting.length import is_short
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.style import style_for
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import WRITERS
from graph_flow.telling.discourse.in_one_piece import told_before
from graph_flow.telling.discourse.standing import shown_before, standing
from graph_flow.telling.material.chapter import (
    LONG_TAIL_WORDS,
    at_their_time,
    of_scenes,
    past_of,
    told_from,
    whole_chapter,
    writer_s_material,
)
from graph_flow.telling.material.facts import facts_of
from graph_flow.telling.material.lines import (
    Detail,
    SceneMaterial,
    scene_block,
    scene_blocks,
    told_lines,
)
from graph_flow.telling.passages import events_by_paragraph
from graph_flow.telling.scenes import (
    TOKENS_PER_WORD,
    joined_scenes,
    scene_facts,
    tail,
    with_breaks,
)
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.manuscript import DraftState, PlannedScene, WritingPlan
from store.models.plot import Event
from store.models.prototype import Snapshot

_TAIL_WORDS = 90
_EVENTS = 16
"""The most past events in a scene's prompt."""
_LONGEST_ANSWER = 8_000
"""Tokens that an able model writes in one go, if they are at most a third of its window."""


def write_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Write the chapter into one draft; what is finished, or has been told already, is not written again."""
    context, chapter = runtime.context, state["chapter"]
    manuscript = context.store.manuscript
    plan = context.plan(chapter)
    at = standing(context, chapter)
    context.progress.go_on(f"Writing {at.words}", len(plan.scenes))
    draft = manuscript.start_draft(plan, at.title or f"Chapter {at.number}")
    if draft.state is not DraftState.WRITING:
        return {}  # It was finished before the run was interrupted.
    texts, note = list[str](), context.note(state)
    for text in _told(context, plan, note) or _written(context, plan, note, texts):
        texts.append(text)
        manuscript.update_draft_text(draft.id, joined_scenes(texts, plan.form))
    text = joined_scenes(texts, plan.form)
    events = events_by_paragraph(text, plan, whole_chapter(context, plan))
    manuscript.finish_draft(draft.id, plan.reveals, events)
    return {}


def _told(context: StoryContext, plan: WritingPlan, note: str) -> list[str]:
    """Return the chapter as it was told already; nothing for whoever asks for another text than they have."""
    versions = context.store.manuscript.versions(context.branch, plan.chapter)
    is_written = any(one.state is not DraftState.WRITING for one in versions)
    told = "" if note or is_written else told_before(context, plan)
    return [told] if told else []


def _written(
    context: StoryContext, plan: WritingPlan, note: str, texts: Sequence[str]
) -> Iterator[str]:
    """Yield the parts of a chapter, as an able model or a small one writes it."""
    is_able = context.strength(WRITERS[plan.form]) is ModelStrength.ABLE
    return (_written_whole if is_able else _written_by_scene)(context, plan, note, texts)


def _written_whole(
    context: StoryContext, plan: WritingPlan, note: str, texts: Sequence[str]
) -> Iterator[str]:
    """Yield the chapter in one piece or, if that is too long for the model, each scene of it."""
    snapshot = told_from(context, plan)
    about = {**writer_s_material(context, plan, snapshot), "note": note, "is_whole": False}
    material = SceneMaterial(
        snapshot,
        facts_of(snapshot),
        at_their_time(context, plan, snapshot),
        Detail.WHOLE if is_short(context.settings) else Detail.MAIN,
    )
    room = min(_LONGEST_ANSWER, context.window(WRITERS[plan.form]) // 3)
    if plan.words * TOKENS_PER_WORD <= room or len(plan.scenes) < 2:
        blocks = scene_blocks(plan, material)
        job = _job(context, plan, {**about, "scenes": blocks, "part": ""}, "chapter")
        yield from [with_breaks(context.write_text(job), plan.form)]
        return
    for position in range(len(plan.scenes)):
        lead = tail(texts[-1], LONG_TAIL_WORDS) if texts else ""
        part = f"Write only scene {position + 1} of {len(plan.scenes)}, all of it."
        block = scene_block(plan, position, material)
        variables = {**about, "scenes": [block], "part": part, "lead": lead}
        job = _job(context, plan, variables, f"scene/{position}")
        yield context.write_text(job)


def _job(context: StoryContext, plan: WritingPlan, variables: Variables, part: str) -> Job:
    number = part.partition("/")[2]
    piece = f"scene {int(number) + 1} of {len(plan.scenes)} of " if number else ""
    words = plan.words_of(plan.scenes[int(number)]) if number else plan.words
    return Job(
        agent=WRITERS[plan.form],
        step=f"{plan.chapter}/text/{plan.attempt}/{part}",
        words=f"Writing {piece}{standing(context, plan.chapter).words}",
        variables={**variables, "words": words},
        turn=plan.chapter,
        tokens=int(words * TOKENS_PER_WORD),
        enough=words,
    )


def _written_by_scene(
    context: StoryContext, plan: WritingPlan, note: str, texts: Sequence[str]
) -> Iterator[str]:
    """Yield the chapter's scenes, each written by itself by a small model."""
    told, chapter = of_scenes(context, plan), standing(context, plan.chapter).words
    for position, scene in enumerate(plan.scenes):
        words = plan.words_of(scene)
        job = Job(
            agent=WRITERS[plan.form],
            step=f"{plan.chapter}/text/{plan.attempt}/scene/{position}",
            words=f"Writing scene {position + 1} of {len(plan.scenes)} of {chapter}",
            variables=_variables(context, plan, scene, _Before(told[position], texts, note)),
            turn=plan.chapter + position,
            tokens=int(words * TOKENS_PER_WORD),
            enough=words,
        )
        yield context.write_text(job)


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
        "tone": context.store.excerpts.foundation(context.branch).foundation.tone,
        "background": snapshot.foundation.background,
        "history": _history(context, plan, events, snapshot),
        "facts": scene_facts(plan, scene, snapshot),
        "beat": scene.beat,
        "happens": [event.summary for event in events],
        "eyes": _name_of(scene.point_of_view, snapshot),
        "before": tail(before.texts[-1], _TAIL_WORDS) if before.texts else "",
        "words": plan.words_of(scene),
        "style": style_for(context.settings, plan.form, ModelStrength.SMALL),
        "note": before.note,
    }


def _history(
    context: StoryContext, plan: WritingPlan, events: Sequence[Event], snapshot: Snapshot
) -> BudgetedLines:
    """Return what happened before the chapter that matters to one of its scenes."""
    budget = context.memory_budget(WRITERS[plan.form], 0.15, _EVENTS)
    at = standing(context, plan.chapter)
    past = past_of(context, None if at.told else plan.chapter, events, snapshot, budget)
    if at.told is None:
        return past.lines
    shown = shown_before(at.told)
    return told_lines(past, lambda event, _: event in shown)


def _name_of(person: str | None, snapshot: Snapshot) -> str:
    entity = snapshot.entities.get(person or "")
    return entity.name if isinstance(entity, Character) else ""
