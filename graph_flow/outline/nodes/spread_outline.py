"""Planning agent: split events into parts, and spread these over the chapters (StoryWriter)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import within
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.outline.agents import PLANNER
from graph_flow.outline.answers import MOST_PARTS, WHOLE_PARTS, parts_schema, widened_parts
from graph_flow.outline.current import own_draft, span_of
from graph_flow.outline.drafting import step_of
from graph_flow.outline.entities import (
    MOST_WHOLE_PARTS,
    SPLIT_AT_ONCE,
    WHOLE_PARTS_AT_ONCE,
    labelled,
    part_count,
    part_line,
    parts_from,
    remarks_on,
    short_line,
    whole_line,
    whole_part,
    whole_part_count,
)
from graph_flow.outline.structure import placed_as_proposed, spread
from graph_flow.outline.whole_story import chapters_words, link_lines, whole_story
from graph_flow.prompting.length import words_together
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.endpoint import ModelStrength
from store.models.outline import Outline, OutlineEvent, SubEvent

_MOST_CHAPTERS = 8
"""The most chapters that a small model chooses from."""
_PLACED, _WHOLE_PLACED = 12, 60
"""The most placed parts that a prompt shows, of a small model and of an able one."""


def spread_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save the parts of the draft, each in a chapter.

    The agent proposes; what it leaves out, repeats or puts out of order is corrected afterwards: of what
    an able one proposes, only that. Events that already have parts keep them.
    """
    context = runtime.context
    outlines, round_ = context.store.outlines, f"{context.run}/{state['round']}"
    if outlines.is_drafted(context.branch, round_, "spread"):
        return {}
    outline = own_draft(context.store, context.branch, context.run)
    chapters = span_of(context.store, context.branch).chapters
    planner = _Planner.begin(context, state, outline, chapters)
    split = {part.event for part in outline.sub_events}
    bare = {label: one for label, one in labelled(outline.events).items() if one.id not in split}
    groups = _groups(list(bare), planner.at_once)
    context.progress.begin_step("Spreading the outline over the chapters", len(groups))
    parts, begun = list(outline.sub_events), 0
    for group in groups:
        near = _near(range(begun, begun + len(group)), len(bare), chapters)
        begun += len(group)
        parts += planner.split({label: bare[label] for label in group}, near, parts)
    whole = outline.model_copy(update={"sub_events": tuple(parts)})
    arranged = placed_as_proposed if planner.is_whole else spread
    outlines.save_draft(arranged(whole, chapters), round_, "spread")
    return {}


def _groups(labels: Sequence[str], at_once: int) -> list[Sequence[str]]:
    """Return labels in as few groups as there must be, all of about the same size."""
    count = -(-len(labels) // at_once)
    ends = [len(labels) * at // count for at in range(count + 1)] if count else [0]
    return [labels[start:end] for start, end in pairwise(ends)]


def _near(events: range, count: int, chapters: range) -> range:
    """Return the chapters in which an even spread would place some of `count` events, and those beside."""
    first = events[0] * len(chapters) // count
    last = max(first + 1, (events[-1] + 1) * len(chapters) // count)
    return chapters[max(0, first - 1) : last + 1]


@dataclass(frozen=True)
class _Planner:
    """Splits each event of an outline into about `each` parts; `known` is what it knows of the story."""

    context: StoryContext
    state: StoryState
    outline: Outline
    is_whole: bool
    each: int
    known: Variables

    @classmethod
    def begin(
        cls, context: StoryContext, state: StoryState, outline: Outline, chapters: range
    ) -> _Planner:
        """Read what it is told of the story."""
        is_whole = context.strength(PLANNER) is ModelStrength.ABLE
        events = len(outline.events)
        words = words_together(chapters, context.settings)
        each = whole_part_count(events, words) if is_whole else part_count(events, len(chapters))
        known: Variables = {"note": context.note(state)}
        if is_whole:
            known = {
                **whole_story(context, state, PLANNER),
                "links": link_lines(outline),
                "remarks": remarks_on(outline),
            }
        return cls(context, state, outline, is_whole, each, known)

    @property
    def at_once(self) -> int:
        """How many events are split in one call."""
        return max(1, WHOLE_PARTS_AT_ONCE // self.each) if self.is_whole else SPLIT_AT_ONCE

    def split(
        self,
        events: Mapping[str, OutlineEvent],
        chapters: range,
        placed: Sequence[SubEvent],
    ) -> list[SubEvent]:
        """Return the parts of some events; an event that is not split becomes one part."""
        schema = parts_schema(list(events), _some_of(chapters), self.each * len(events))
        forms = AnswerForms(WHOLE_PARTS, schema, widened_parts)
        most = MOST_WHOLE_PARTS if self.is_whole else MOST_PARTS
        try:
            answer = self.context.ask_in_form(self._job(events, chapters, placed), forms)
            parts = parts_from(answer, events, placed, most)
        except UnusableAnswer:
            parts = []
        split = {part.event for part in parts}
        return [*parts, *(whole_part(one) for one in events.values() if one.id not in split)]

    def _others(self, events: Mapping[str, OutlineEvent]) -> list[str]:
        """Return the events that are not split in this call, in a few words each, for an able model."""
        if not self.is_whole:
            return []
        whole = labelled(self.outline.events)
        return [f"{label}. {one.title}" for label, one in whole.items() if label not in events]

    def _job(
        self,
        events: Mapping[str, OutlineEvent],
        chapters: range,
        placed: Sequence[SubEvent],
    ) -> Job:
        context, first = self.context, next(iter(events))
        tell = whole_line if self.is_whole else _short_line
        most = _WHOLE_PLACED if self.is_whole else _PLACED
        return Job(
            agent=PLANNER,
            step=step_of(self.state, context, f"parts/{first}"),
            words=f"Splitting “{events[first].title}” and what follows",
            variables={
                **self.known,
                "outline": [tell(label, event) for label, event in events.items()],
                "others": self._others(events),
                "placed": within(
                    map(part_line, reversed(placed)), context.memory_budget(PLANNER, 0.1, most)
                ),
                "chapters": chapters_words(chapters),
                "first": chapters[0],
                "last": chapters[-1],
                "count": self.each * len(events),
            },
            turn=self.state["draft"] + int(first[1:]),
        )


def _some_of(chapters: range) -> list[int]:
    """Return the chapters that a small model chooses from, evenly spread."""
    count = min(len(chapters), _MOST_CHAPTERS)
    return [chapters[at * len(chapters) // count] for at in range(count)]


def _short_line(label: str, event: OutlineEvent) -> str:
    return f"{label}. {short_line(event)}"
