"""Planning agent: split events into parts, and spread these over the chapters (StoryWriter)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import within
from graph_flow.outline.agents import PLANNER
from graph_flow.outline.answers import parts_schema
from graph_flow.outline.current import own_draft, span_of
from graph_flow.outline.drafting import step_of
from graph_flow.outline.entities import (
    SPLIT_AT_ONCE,
    labelled,
    part_count,
    part_line,
    parts_from,
    short_line,
    whole_part,
)
from graph_flow.outline.structure import spread
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.outline import OutlineEvent, SubEvent

_MOST_CHAPTERS = 8
"""The most chapters that an answer chooses from."""
_PLACED = 12
"""The most placed parts that a prompt shows."""


def spread_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save the parts of the draft, each in a chapter.

    The agent proposes; what it leaves out, repeats or puts out of order is corrected afterwards.
    Events that already have parts keep them.
    """
    context = runtime.context
    outlines, round_ = context.store.outlines, f"{context.run}/{state['round']}"
    if outlines.is_drafted(context.branch, round_, "spread"):
        return {}
    outline = own_draft(context.store, context.branch, context.run)
    chapters = span_of(context.store, context.branch).chapters
    parts = list(outline.sub_events)
    split = {part.event for part in parts}
    bare = {label: one for label, one in labelled(outline.events).items() if one.id not in split}
    groups = [list(bare)[at : at + SPLIT_AT_ONCE] for at in range(0, len(bare), SPLIT_AT_ONCE)]
    context.progress.begin_step("Spreading the outline over the chapters", len(groups))
    planner = _Planner(context, state, part_count(len(outline.events), len(chapters)))
    for number, group in enumerate(groups):
        near = _near(number, len(groups), chapters)
        parts += planner.split({label: bare[label] for label in group}, near, parts)
    whole = outline.model_copy(update={"sub_events": tuple(parts)})
    outlines.save_draft(spread(whole, chapters), round_, "spread")
    return {}


def _near(number: int, groups: int, chapters: range) -> list[int]:
    """Return some of the chapters in which an even spread would place a group of events."""
    first = number * len(chapters) // groups
    last = max(first + 1, (number + 1) * len(chapters) // groups)
    near = chapters[max(0, first - 1) : last + 1]
    count = min(len(near), _MOST_CHAPTERS)
    return [near[at * len(near) // count] for at in range(count)]


@dataclass(frozen=True)
class _Planner:
    """Splits each event into about `each` parts."""

    context: StoryContext
    state: StoryState
    each: int

    def split(
        self,
        events: Mapping[str, OutlineEvent],
        chapters: Sequence[int],
        placed: Sequence[SubEvent],
    ) -> list[SubEvent]:
        """Return the parts of some events; an event that is not split becomes one part."""
        schema = parts_schema(list(events), chapters, self.each * len(events))
        answer = self.context.ask_if_usable(self._job(events, chapters, placed), schema)
        parts = parts_from(answer, events, placed) if answer else []
        split = {part.event for part in parts}
        return [*parts, *(whole_part(one) for one in events.values() if one.id not in split)]

    def _job(
        self,
        events: Mapping[str, OutlineEvent],
        chapters: Sequence[int],
        placed: Sequence[SubEvent],
    ) -> Job:
        context, first = self.context, next(iter(events))
        return Job(
            agent=PLANNER,
            step=step_of(self.state, context, f"parts/{first}"),
            words=f"Splitting “{events[first].title}” and what follows",
            variables={
                "outline": [f"{label}. {short_line(event)}" for label, event in events.items()],
                "placed": within(
                    map(part_line, reversed(placed)), context.memory_budget(PLANNER, 0.1, _PLACED)
                ),
                "first": chapters[0],
                "last": chapters[-1],
                "count": self.each * len(events),
                "note": context.note(self.state),
            },
            turn=self.state["draft"] + int(first[1:]),
        )
