"""Outline agent: events on storylines, and the links between them (StoryWriter)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from langgraph.runtime import Runtime

from graph_flow.outline.agents import OUTLINE
from graph_flow.outline.answers import MENDED_OUTLINE, WHOLE_OUTLINE
from graph_flow.outline.current import span_of
from graph_flow.outline.drafting import Drafting, LinePlan, step_of
from graph_flow.outline.entities import (
    interwoven,
    most_whole_events,
    outline_from,
    remarks_on,
    whole_event_count,
)
from graph_flow.outline.mending import mended
from graph_flow.outline.whole_story import chapters_words, link_lines, whole_lines, whole_story
from graph_flow.prompting.length import words_together
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.database.rows import now
from store.models.endpoint import ModelStrength
from store.models.outline import Outline, OutlineEvent, OutlineLink


class _Drafted(NamedTuple):
    events: Sequence[OutlineEvent]
    links: Sequence[OutlineLink]


def draft_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a draft of the outline, in place of the one that the reviewer rejected.

    An able model drafts it whole, and then says what changes. A small one drafts it storyline by storyline: a later draft is based on
    the one before it, and only the storylines that the reviewer objected to are outlined again, or all
    of them if the writer asked for something else.
    """
    context, outlines = runtime.context, runtime.context.store.outlines
    round_, step = f"{context.run}/{state['round']}", f"draft/{state['draft']}"
    if outlines.is_drafted(context.branch, round_, step):
        return {}
    chapters = span_of(context.store, context.branch).chapters
    previous = _previous(state, context)
    drafted = _whole(state, context, previous, chapters)
    if drafted is None:
        drafted = _in_parts(state, context, previous, len(chapters))
    outline = Outline(
        id=context.run,
        branch=context.branch,
        events=tuple(drafted.events),
        links=tuple(drafted.links),
        created=now(),
    )
    outlines.save_draft(outline, round_, step)
    return {}


def _words(state: StoryState) -> str:
    return "Outlining the story" if state["draft"] == 1 else "Improving the outline"


def _previous(state: StoryState, context: StoryContext) -> Outline | None:
    """Return the draft that this one improves on; None if it starts afresh."""
    newest = context.store.outlines.newest(context.branch)
    is_ours = newest is not None and newest.id == context.run
    return newest if is_ours and (state["draft"] > 1 or context.note(state)) else None


def _whole(
    state: StoryState, context: StoryContext, previous: Outline | None, chapters: range
) -> _Drafted | None:
    """Return the outline of an able model; None if there is none."""
    step = step_of(state, context, "outline")
    if context.strength(OUTLINE, step) is ModelStrength.SMALL:
        return None
    context.progress.begin_step(_words(state), 1)
    words = words_together(chapters, context.settings)
    events = whole_event_count(len(chapters), words)
    job = Job(
        agent=OUTLINE,
        step=step,
        words=_words(state),
        variables={
            **whole_story(context, state, OUTLINE),
            "outline": whole_lines(previous) if previous else [],
            "links": link_lines(previous) if previous else [],
            "remarks": remarks_on(previous) if previous else [],
            "chapters": chapters_words(chapters),
            "count": events,
            "most": most_whole_events(events, words),
            "is_serial": context.settings.planned is None,
        },
        turn=state["round"] + state["draft"],
    )
    if previous is not None:
        changes = context.ask_whole(job, MENDED_OUTLINE)
        return None if changes is None else _Drafted(*mended(previous, changes))
    answer = context.ask_whole(job, WHOLE_OUTLINE)
    return None if answer is None else _Drafted(*outline_from(answer))


def _in_parts(
    state: StoryState, context: StoryContext, previous: Outline | None, chapters: int
) -> _Drafted:
    context.progress.begin_step(_words(state), 2)
    drafting = Drafting.begin(context, state, previous)
    plans = drafting.plans(chapters)
    context.progress.expect(2 + sum(plan.is_touched for plan in plans))
    events = interwoven(_outlined(drafting, plans))
    return _Drafted(events, drafting.links_between(events))


def _outlined(drafting: Drafting, plans: list[LinePlan]) -> list[list[OutlineEvent]]:
    events = {plan.line.name: list(plan.old) for plan in plans}
    for plan in plans:
        if plan.is_touched:
            others = [one for name in events if name != plan.line.name for one in events[name]]
            events[plan.line.name] = drafting.events_of(plan, others)
    return list(events.values())
