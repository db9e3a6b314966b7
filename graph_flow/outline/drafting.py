"""The calls in which a small model drafts an outline, each fit for a small window (StoryWriter)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_flow.cognition.memory import BudgetedLines, cast_lines, retrieve, within
from graph_flow.outline.agents import LINKS, OUTLINE, STORYLINES
from graph_flow.outline.answers import (
    events_schema,
    links_schema,
    storylines_schema,
    widened_events,
)
from graph_flow.outline.entities import (
    AT_ONCE,
    MAIN_LINE,
    Storyline,
    completed,
    event_count,
    event_of,
    events_from,
    labelled,
    line_count,
    links_from,
    remarks_on,
    shares,
    short_line,
    storylines_from,
    storylines_of,
)
from graph_flow.outline.structure import link_problems
from graph_flow.prompting.agent import Agent
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.text import end_whole
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.outline import Outline, OutlineEvent, OutlineLink
from store.prototype.excerpts import Query

_SMALL_WINDOW, _AT_ONCE_IF_SMALL = 8_000, 2
"""A model with a small window repeats itself, so it is asked for fewer events at once."""
_MOST_LINKS = 14
_PEOPLE, _PAST, _PLANNED = 12, 12, 24
"""The most people, past events and planned events that a prompt holds."""
_PREMISE = 1_500
"""The length of the premise in a prompt, at most: the foundation repeats what it says."""


def step_of(state: StoryState, context: StoryContext, step: str) -> str:
    """Return the step of a call for an outline; two runs that draft one never share their calls."""
    return f"0/outline/{context.run}/{state['round']}/{state['draft']}/{step}"


@dataclass(frozen=True)
class LinePlan:
    """A storyline that gets `count` events. `old` are those it has in the previous draft."""

    number: int
    line: Storyline
    count: int
    old: tuple[OutlineEvent, ...] = ()
    is_touched: bool = True
    """Whether it is outlined again."""


@dataclass(frozen=True)
class Drafting:
    """One draft, based on the `previous` one. `shared` variables are in each of its prompts."""

    context: StoryContext
    state: StoryState
    cast: tuple[str, ...]
    shared: Variables
    previous: Outline | None

    @classmethod
    def begin(cls, context: StoryContext, state: StoryState, previous: Outline | None) -> Drafting:
        """Read what a draft is based on."""
        shared, names = _read_story(context, state, OUTLINE)
        return cls(context, state, names, shared, previous)

    def plans(self, chapters: int) -> list[LinePlan]:
        """Return the storylines for so many chapters, each with its number of events."""
        if self.previous is not None:
            return [self._plan_again(*one) for one in enumerate(storylines_of(self.previous))]
        count = event_count(chapters)
        lines = self._find_storylines(line_count(count))
        return [
            LinePlan(number, line, share)
            for number, (line, share) in enumerate(
                zip(lines, shares(count, len(lines)), strict=True)
            )
        ]

    def events_of(self, plan: LinePlan, others: Sequence[OutlineEvent]) -> list[OutlineEvent]:
        """Return the events of a storyline; `others` are those of the other storylines."""
        events: list[OutlineEvent] = []
        for start in range(0, plan.count, self._at_once):
            events += self._next_events(plan, start, [*others, *events])
        return completed(events, plan.old) or [event_of(plan.line)]

    def links_between(self, events: Sequence[OutlineEvent]) -> tuple[OutlineLink, ...]:
        """Return the links between events; none if no usable answer comes."""
        labels = labelled(events)
        most = min(len(events), _MOST_LINKS)
        job = self._job(
            LINKS,
            "links",
            "Linking the events",
            {
                "outline": [f"{label}. {short_line(event)}" for label, event in labels.items()],
                "remarks": self._remarks,
                "most": most,
            },
        )
        answer = self.context.ask_if_usable(job, links_schema(list(labels), most))
        return links_from(answer.links, labels) if answer else ()

    def _plan_again(self, number: int, line: Storyline) -> LinePlan:
        events = self.previous.events if self.previous else ()
        old = tuple(event for event in events if event.line == line.name)
        is_touched = self.state["draft"] == 1 or self._is_objected_to(old)
        return LinePlan(number, line, max(2, len(old)), old, is_touched)

    def _is_objected_to(self, events: Sequence[OutlineEvent]) -> bool:
        """Return whether a remark is about some events; remarks on links do not count."""
        if self.previous is None:
            return False
        of_links = {remark.text for remark in link_problems(self.previous)}
        meant = {one.event for one in self.previous.remarks if one.text not in of_links}
        return None in meant or any(event.id in meant for event in events)

    def _find_storylines(self, count: int) -> list[Storyline]:
        brief = self.context.brief
        asked: Variables = {
            "premise": end_whole(brief.premise[:_PREMISE], _PREMISE),
            "wishes": brief.wishes,
            "count": count,
        }
        shared, _ = _read_story(self.context, self.state, STORYLINES)
        job = self._job(STORYLINES, "lines", "Finding the storylines", {**shared, **asked})
        answer = self.context.ask_if_usable(job, storylines_schema(count, self.cast))
        if answer is None:
            return [Storyline(MAIN_LINE, str(shared["long_term_goal"]), *self.cast[:1])]
        return storylines_from(answer, self.cast)

    def _next_events(
        self, plan: LinePlan, start: int, planned: Sequence[OutlineEvent]
    ) -> list[OutlineEvent]:
        size = min(self._at_once, plan.count - start)
        known = self.shared["people"]
        newcomers = self._newcomers(plan, planned)
        lines = [short_line(event) for event in planned]
        asked: Variables = {
            "people": _with_newcomers(
                known if isinstance(known, BudgetedLines) else BudgetedLines([]), newcomers
            ),
            "line": plan.line.line,
            "outline": within(lines, self.context.memory_budget(OUTLINE, 0.2, _PLANNED)),
            "stretch": _stretch(start, size, plan.count),
            "last": [short_line(event) for event in plan.old[start : start + size]],
            "remarks": self._remarks,
            "count": size,
        }
        job = self._job(
            OUTLINE,
            f"{plan.number}/{start}",
            f"Outlining “{plan.line.name}”",
            {**self.shared, **asked},
        )
        answer = self.context.ask_if_usable(job, events_schema(size, [*self.cast, *newcomers]))
        return events_from(widened_events(answer, plan.line.name), planned) if answer else []

    def _newcomers(self, plan: LinePlan, planned: Sequence[OutlineEvent]) -> list[str]:
        """Return who is not in the cast: the storyline's newcomer, and anyone new in an event."""
        events = (*plan.old, *planned)
        names = [plan.line.newcomer or "", *(name for one in events for name in one.characters)]
        return [name for name in dict.fromkeys(names) if name and name not in self.cast]

    @property
    def _at_once(self) -> int:
        is_small = self.context.window(OUTLINE) < _SMALL_WINDOW
        return _AT_ONCE_IF_SMALL if is_small else AT_ONCE

    @property
    def _remarks(self) -> list[str]:
        """What the reviewer said of the previous draft."""
        return remarks_on(self.previous) if self.previous else []

    def _job(self, agent: Agent, step: str, words: str, variables: Variables) -> Job:
        turn = self.state["round"] + self.state["draft"]
        return Job(agent, step_of(self.state, self.context, step), words, variables, turn)


def _read_story(
    context: StoryContext, state: StoryState, agent: Agent
) -> tuple[Variables, tuple[str, ...]]:
    """Return what an agent's prompt says of the story, within budget, and who is in the cast."""
    store, note = context.store, context.note(state)
    foundation = store.excerpts.foundation(context.branch).foundation
    about = f"{foundation.long_term_goal} {note}"
    circle = store.excerpts.of_circle(context.branch, None, about)
    query = Query(text=about, people=tuple(person.id for person in circle.characters))
    past = retrieve(store, context.branch, None, query, context.memory_budget(agent, 0.1, _PAST))
    shared: Variables = {
        "background": foundation.background,
        "long_term_goal": foundation.long_term_goal,
        "people": cast_lines(circle, about, context.memory_budget(agent, 0.15, _PEOPLE)),
        "history": past.lines,
        "note": note,
    }
    return shared, tuple(dict.fromkeys(person.name for person in circle.characters))


def _with_newcomers(people: BudgetedLines, newcomers: Sequence[str]) -> BudgetedLines:
    new = [f"{name}: new in the story" for name in newcomers]
    return BudgetedLines([*people, *new], people.left_out)


def _stretch(start: int, size: int, count: int) -> str:
    if size == count:
        return "the whole"
    if start == 0:
        return "the beginning"
    return "the end" if start + size >= count else "the middle"
