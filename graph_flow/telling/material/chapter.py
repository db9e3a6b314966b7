"""What the agents of a chapter's text need of its story, read from the store."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.cognition.continuity.check import ContinuityChecker
from graph_flow.cognition.memory import PromptBudget, Retrieved, retrieve
from graph_flow.prompting.length import is_last, is_short, place_words, scaled
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.agents import WRITERS
from graph_flow.telling.material.earlier import draft_before, drafts_before, text_before
from graph_flow.telling.material.lines import (
    PREMISE,
    WORLD,
    absent_lines,
    cut,
    people_lines,
    people_told,
    tie_lines,
    told_lines,
    without_told,
)
from graph_flow.telling.material.sample import sample_read
from graph_flow.telling.material.style import style_for
from graph_flow.telling.scenes import people_in, tail
from store.models.cast import Character
from store.models.manuscript import WritingPlan
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query, joined

LONG_TAIL_WORDS = 450
"""Words of the scene before, for an able model, which goes on in the tone of what it reads."""
_TEXT_BEFORE, _SHORT_STORY_BEFORE = 4_300, 5_600
"""Tokens of the chapters before one that its writer reads: about 2,200 words, and 2,900 of a short story."""
_HISTORY = PromptBudget(tokens=420, lines=9)
_PEOPLE = 4_200
"""Characters in which the people of a chapter are described to its writer."""
_FINDINGS, _FINDING = 6, 240
_ECHOES, _CHAPTERS_ECHOED = 8, 6
_TRUTH, _ENDING, _ENDING_NOW = 900, 900, 2_400
"""Characters of what lies behind the story, of how it ends, and the same in the last chapter."""


def past_of(
    context: StoryContext,
    chapter: int,
    events: Sequence[Event],
    snapshot: Snapshot,
    budget: PromptBudget,
) -> Retrieved:
    """Return the events before a chapter that may matter to some events in it."""
    query = Query(
        text=" ".join(event.summary for event in events),
        people=tuple(person.id for person in people_in(snapshot, events)),
        events=tuple(event.id for event in events),
    )
    return retrieve(context.store, context.branch, chapter - 1, query, budget)


def told_from(context: StoryContext, plan: WritingPlan) -> Snapshot:
    """Return what a chapter is told from, with the earlier events and the threads of its plan."""
    excerpts = context.store.excerpts
    told = excerpts.of_telling(context.branch, plan.chapter)
    events = {item.event for scene in plan.scenes for item in scene.recall}
    threads = {cue.thread for scene in plan.scenes for cue in scene.threads}
    touched = excerpts.of_ids(context.branch, plan.chapter, {"event": events, "thread": threads})
    return joined(told, touched)


def story_so_far(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot, since: int | None = None
) -> Sequence[str]:
    """Return what chapters before `since` told that matters to this one, a line for each event."""
    events = snapshot.events_of(plan.chapter)
    past = past_of(context, plan.chapter, events, snapshot, _HISTORY)
    return told_lines(past, since or plan.chapter)


def last_words(context: StoryContext, chapter: int, words: int) -> str:
    """Return the last words of the chapter before; nothing if it is not written."""
    before = draft_before(context, chapter)
    return tail(before.text, words) if before else ""


def echoes_of(context: StoryContext, chapter: int) -> list[str]:
    """Return the small things of the chapters before to which a chapter can return, the last first."""
    drafts = drafts_before(context, chapter, _CHAPTERS_ECHOED)
    return [echo for draft in reversed(drafts) for echo in draft.echoes][:_ECHOES]


def writer_s_material(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> dict[str, str | bool | Sequence[str]]:
    """Return what the writer of a chapter is told besides its scenes."""
    settings = context.settings
    wanted = _SHORT_STORY_BEFORE if is_short(settings) else _TEXT_BEFORE
    most = min(scaled(wanted, plan.words), context.window(WRITERS[plan.form]) // 5)
    before = text_before(context, plan.chapter, most)
    return {
        **briefing(context, plan, snapshot, people_told(plan, snapshot)),
        "history": story_so_far(context, plan, snapshot, before.since),
        "before": before.text,
        "lead": "",
        "echoes": echoes_of(context, plan.chapter),
    }


def briefing(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot, people: Sequence[Character]
) -> dict[str, str | bool | Sequence[str]]:
    """Return what whoever writes in a chapter is told of its story and of some people in it."""
    foundation, settings = snapshot.foundation, context.settings
    ids = [person.id for person in people]
    met = context.store.excerpts.met_before(context.branch, plan.chapter, ids)
    is_end = is_last(plan.chapter, settings)
    seeing = {scene.point_of_view for scene in plan.scenes if scene.point_of_view}
    return {
        "premise": cut(context.brief.premise, PREMISE),
        "themes": foundation.themes,
        "tone": foundation.tone,
        "background": cut(foundation.background, WORLD),
        "place": place_words(plan.chapter, settings),
        "people": people_lines(without_told(people, plan), seeing, _PEOPLE),
        "absent": list(absent_lines(snapshot, plan, ids)),
        "newcomers": [person.name for person in people if person.id not in met],
        "ties": tie_lines(snapshot, set(ids)),
        "style": style_for(settings, plan.form),
        "sample": sample_read(settings.style_sample),
        "withheld": plan.withheld,
        "truth": cut(foundation.truth, _TRUTH),
        "ending": _ending(snapshot, _ENDING_NOW if is_end else _ENDING),
        "is_last": is_end,
    }


def _ending(snapshot: Snapshot, most: int) -> list[str]:
    """Return how the story was decided to end: whoever writes a chapter knows where it leads."""
    spine = snapshot.spine
    return [cut(text, most) for text in (spine.ending, spine.last_image) if text]


def findings_of(context: StoryContext, chapter: int) -> list[str]:
    """Return what the continuity check finds in a chapter."""
    checker = context.once(ContinuityChecker, lambda: ContinuityChecker(context.store))
    found = [one for one in checker.findings(context.branch) if chapter in one.chapters]
    return [cut(one.sentence, _FINDING) for one in found[:_FINDINGS]]
