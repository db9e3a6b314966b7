"""Outline agent: events on storylines, and the links between them (StoryWriter)."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.outline.current import span_of
from graph_flow.outline.drafting import Drafting, LinePlan
from graph_flow.outline.entities import interwoven
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.database.rows import now
from store.models.outline import Outline, OutlineEvent


def draft_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a draft of the outline, in place of the one that the reviewer rejected.

    A later draft is based on the one before it: only the storylines that the reviewer objected to
    are outlined again, or all of them if the writer asked for something else.
    """
    context, outlines = runtime.context, runtime.context.store.outlines
    round_, step = f"{context.run}/{state['round']}", f"draft/{state['draft']}"
    if outlines.is_drafted(context.branch, round_, step):
        return {}
    context.progress.begin_step(_words(state), 2)
    drafting = Drafting.begin(context, state, _previous(state, context))
    plans = drafting.plans(len(span_of(context.store, context.branch).chapters))
    context.progress.expect(2 + sum(plan.is_touched for plan in plans))
    events = interwoven(_outlined(drafting, plans))
    outline = Outline(
        id=context.run,
        branch=context.branch,
        events=events,
        links=drafting.links_between(events),
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


def _outlined(drafting: Drafting, plans: list[LinePlan]) -> list[list[OutlineEvent]]:
    events = {plan.line.name: list(plan.old) for plan in plans}
    for plan in plans:
        if plan.is_touched:
            others = [one for name in events if name != plan.line.name for one in events[name]]
            events[plan.line.name] = drafting.events_of(plan, others)
    return list(events.values())
