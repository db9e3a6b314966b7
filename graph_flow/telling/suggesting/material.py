"""What an agent needs to know who writes in the middle of a chapter: the writer's briefing, and the text."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.cognition.knowledge import named_in
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.material.chapter import briefing, told_from
from graph_flow.telling.material.earlier import draft_before
from graph_flow.telling.material.facts import facts_of
from graph_flow.telling.material.lines import SceneMaterial, people_told, scene_block
from graph_flow.telling.passages import events_by_paragraph
from graph_flow.telling.scenes import tail
from graph_flow.telling.suggesting.agents import PASSAGE
from graph_flow.telling.suggesting.passage import Passage
from store.models.cast import Character
from store.models.manuscript import PARAGRAPH_BREAK, Draft, WritingPlan
from store.models.prototype import Snapshot

_BEFORE, _AFTER = 1_800, 600
"""Tokens of the chapter before a passage and after it, if the model's window has room for ten times as much."""
_BEFORE_ALL = 900
"""Tokens of the chapter before, for a passage near the beginning of its chapter."""
_PEOPLE = 8
"""People that are described where no plan says who is there."""
_SMALL_TAIL, _SMALL_PEOPLE, _SMALL_LINE = 60, 4, 110


def whole_material(context: StoryContext, draft: Draft, passage: Passage) -> Variables:
    """Return what an able model is told: all that the chapter's writer knows, and the text around."""
    plan = context.store.manuscript.plan(context.branch, draft.chapter)
    text = f"{passage.before}{passage.text}{passage.after}"
    if plan is None:
        as_of = max(1, context.store.contents.as_of(context.branch, draft.chapter))
        plan = WritingPlan(
            id=draft.id, branch=draft.branch, chapter=as_of, attempt=1, form=draft.form
        )
        snapshot = _around(context, draft.chapter, text)
        people = _at_hand(snapshot, text)
    else:
        snapshot = told_from(context, plan)
        people = people_told(plan, snapshot)
    return {
        **briefing(context, plan, snapshot, people),
        "scenes": _scenes(plan, draft, passage, snapshot),
        "before": _before(context, draft.chapter, passage.before),
        "after": _after(context, passage.after),
    }


def small_material(context: StoryContext, chapter: int, passage: Passage) -> Variables:
    """Return what a small model is told: who is named nearby, and the last words before the passage."""
    near = f"{tail(passage.before, 3 * _SMALL_TAIL)} {passage.text}"
    people = _at_hand(_around(context, chapter, near), near)[:_SMALL_PEOPLE]
    return {
        "people": [cut(_brief(one), _SMALL_LINE) for one in people],
        "before": tail(passage.before, _SMALL_TAIL),
    }


def _brief(person: Character) -> str:
    work = f" ({person.occupation})" if person.occupation else ""
    return f"{person.name}{work}" + (f": {person.personality}" if person.personality else "")


def _around(context: StoryContext, chapter: int, text: str) -> Snapshot:
    """Return what the story holds about those whom a text of a chapter names; nothing, if it has not begun."""
    if context.store.prototype.head(context.branch) is None:
        return Snapshot()
    as_of = context.store.contents.as_of(context.branch, chapter)
    return context.store.excerpts.of_circle(context.branch, as_of, text)


def _at_hand(snapshot: Snapshot, text: str) -> list[Character]:
    """Return who is named in a text, and then who else is at hand."""
    named = named_in(text, snapshot.characters)
    return sorted(snapshot.characters, key=lambda one: one.id not in named)[:_PEOPLE]


def _scenes(plan: WritingPlan, draft: Draft, passage: Passage, snapshot: Snapshot) -> Sequence[str]:
    """Return what a plan says of the scenes that a passage is part of; at the cursor, of all from there."""
    told = [one.events for one in draft.paragraphs]
    if not any(told):
        told = events_by_paragraph(draft.text, plan, snapshot) if plan.scenes else []
    first = passage.before.count(PARAGRAPH_BREAK)
    last = first + passage.text.count(PARAGRAPH_BREAK)
    here = {event for events in told[first : last + 1] for event in events}
    at = [place for place, scene in enumerate(plan.scenes) if here & set(scene.events)]
    if not passage.text:
        at = list(range(at[0] if at else 0, len(plan.scenes)))
    facts = facts_of(snapshot)
    return [scene_block(plan, place, SceneMaterial(snapshot, facts)) for place in at]


def _before(context: StoryContext, chapter: int, text: str) -> str:
    """Return the end of the text before a passage; near the chapter's beginning, of the one before too."""
    most = _room(context, _BEFORE)
    near = _last_paragraphs(text, most)
    earlier = draft_before(context, chapter)
    if earlier is None or not earlier.text or near != text.strip():
        return near
    left = min(_room(context, _BEFORE_ALL), most - estimate_tokens(near))
    end = _last_paragraphs(earlier.text, left) if left > 0 else ""
    return "\n\n".join(filter(None, (f"[…] {end}" if end else "", "* * *" if end else "", near)))


def _after(context: StoryContext, text: str) -> str:
    return _joined_up_to(text.strip().split(PARAGRAPH_BREAK), _room(context, _AFTER))


def _last_paragraphs(text: str, tokens: int) -> str:
    paragraphs = text.strip().split(PARAGRAPH_BREAK)
    return _joined_up_to(paragraphs[::-1], tokens, is_backwards=True)


def _joined_up_to(paragraphs: Sequence[str], tokens: int, *, is_backwards: bool = False) -> str:
    """Return paragraphs, the nearest first, up to so many tokens; of the first at least what fits."""
    kept: list[str] = []
    for paragraph in paragraphs:
        if estimate_tokens(paragraph) > tokens:
            break
        tokens -= estimate_tokens(paragraph)
        kept.append(paragraph)
    if not kept and paragraphs:
        words = paragraphs[0].split()
        count = len(words) * tokens // max(1, estimate_tokens(paragraphs[0]))
        kept = [" ".join(words[len(words) - count :] if is_backwards else words[:count])]
    return PARAGRAPH_BREAK.join(kept[::-1] if is_backwards else kept)


def _room(context: StoryContext, tokens: int) -> int:
    return min(tokens, context.window(PASSAGE) // 10)
