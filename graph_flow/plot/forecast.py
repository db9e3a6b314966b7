"""What goals are set from: the story as its author knows it, as much as the prompt has room for."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graph_flow.cognition.knowledge import named_in
from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    Retrieved,
    cast_lines,
    event_line,
    retrieve,
)
from graph_flow.cognition.omniscient import aim_lines, known_by, past_events, past_words
from graph_flow.founding.following import read_so_far, sketch_of
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.plot.agents import GOALS
from graph_flow.plot.casting import has_room_for_another, living
from graph_flow.plot.goals import GoalTargets, parts_for, targets_in
from graph_flow.prompting.headings import divided, told_chapters
from graph_flow.prompting.length import (
    StoryLength,
    is_last,
    is_long,
    is_near_end,
    length_of,
    may_open,
    place_words,
    premise_due,
    relay_turns,
    words_wanted,
)
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.spine import spine_words
from graph_flow.prompting.text import cut, cut_inside, shortened
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.manuscript import FactKey
from store.models.outline import SubEvent
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query
from store.text import without_middle

Variable = str | int | Sequence[str]

_EVENTS, _PEOPLE = 18, 12
"""The most past events and people in a prompt."""
_WHOLE_PEOPLE, _PAST, _LAST, _PLACES = 8, 10, 2, 10
"""The most people, events before the story, closing events and places in an able model's prompt."""
_PREMISE, _WORLD, _WORLD_OF_LONG, _OF_PEOPLE = 900, 900, 600, 740
"""Characters of the premise and of the world, also of a long story, and tokens of the people."""
_SPINE_TOKENS, _TIES_TOKENS, _PAST_TOKENS, _LAST_TOKENS, _TAKEN_TOKENS = 900, 350, 450, 300, 250
_ACTING = 8
"""The most people with whom a chapter is read that has been told."""
_OF_WHO_KNOWS = 120
"""Characters of who knows of an event before the story."""
_READ_TOKENS = 6_000
"""Tokens of the chapters before: they are read whole, as far as a beginning goes, or not at all."""
_REQUEST, _LEAST_HISTORY = 2_750, 260
"""Tokens of the whole request of an able model, and the least of them for what happened so far."""
_MORE = {StoryLength.SHORT: 3.0, StoryLength.MIDDLE: 1.6, StoryLength.LONG: 1.0}
"""How many times as much of each is shown: a short story hangs on every word of it."""


@dataclass(frozen=True)
class Forecast:
    """What goals are set from: the variables of the prompt, what can be moved, and who is at hand.

    `events` are the ids of the past events that an able model is shown, by label.
    """

    variables: Variables
    targets: GoalTargets
    circle: Snapshot
    events: Mapping[str, str]
    is_whole: bool

    def taken(self, goals: Sequence[str]) -> list[str]:
        """Return goals that have been proposed, as they are shown."""
        return shortened(goals, _TAKEN_TOKENS) if self.is_whole else list(goals)


@dataclass(frozen=True)
class _Basis:
    """The chapter that goals are set for, what it is about, and the people at hand."""

    context: StoryContext
    chapter: int
    about: str
    circle: Snapshot

    def past(self, budget: PromptBudget) -> Retrieved:
        """Return what happened so far, as far as it matters now."""
        people = tuple(person.id for person in self.circle.characters)
        query, store = Query(text=self.about, people=people), self.context.store
        return retrieve(store, self.context.branch, None, query, budget)


_WHAT_IF = re.compile(r"^\s*what if\b[\s.…]*", re.IGNORECASE)


def goals_step(state: StoryState, attempt: int) -> str:
    """Return the name of the step in which the goals of a round are asked for."""
    return f"{state['chapter']}/{state['round']}/goals/{attempt}"


def read_forecast(
    context: StoryContext, state: StoryState, plan: Sequence[str], *, is_whole: bool
) -> Forecast:
    """Read what the goals of a chapter are set from, for an able model all of it.

    `plan` is what the outline has for the chapter.
    """
    note, excerpts = _note(context, state), context.store.excerpts
    foundation = excerpts.foundation(context.branch).foundation
    about = " ".join([foundation.long_term_goal, note, *plan])
    circle = excerpts.of_circle(context.branch, None, about)
    basis = _Basis(context, state["chapter"], about, circle)
    targets = targets_in(circle, is_whole=is_whole)
    shared: dict[str, Variable] = {
        "background": foundation.background,
        "long_term_goal": foundation.long_term_goal,
        "chapter": basis.chapter,
        "threads": BudgetedLines(targets.threads, targets.threads_left_out),
        "ties": targets.relationships,
        "secrets": targets.secrets,
        "plan": list(plan),
        "note": note,
    }
    read = _whole(basis, shared, targets.relationships) if is_whole else _part(basis)
    return Forecast({**shared, **read.variables}, targets, circle, read.events, is_whole)


def parts_due(context: StoryContext, chapter: int) -> list[SubEvent]:
    """Return what the outline has for a chapter, if the story has one."""
    outline = context.outline
    if outline is None:
        return []
    told = {one.part for one in context.store.outlines.told(context.branch)}
    return parts_for(outline, told, chapter)


def people_as_told(context: StoryContext, text: str) -> tuple[str, ...]:
    """Return the ids of those who take part in a chapter that has been told: whom it names comes first.

    Others follow, since whoever tells a story is often not named in it.
    """
    circle = context.store.excerpts.of_circle(context.branch, None, text)
    named = named_in(text, circle.characters)
    people = sorted(living(circle.characters), key=lambda person: person.id not in named)
    return tuple(one.id for one in people[:_ACTING])


def _note(context: StoryContext, state: StoryState) -> str:
    """Return what the writer says: what is to come true on a new branch, and a note for this round."""
    branch, note = context.store.library.branch(context.branch), context.note(state)
    is_first = branch.fork_chapter is not None and state["chapter"] == branch.fork_chapter + 1
    if not (is_first and branch.what_if):
        return note
    wish = _WHAT_IF.sub("", branch.what_if).strip(" ?.…")
    return f"What if {wish}? It comes true in this chapter, on every path. {note}".strip()


class _Read(NamedTuple):
    """Variables, and the ids of the events in them that have a label."""

    variables: Mapping[str, Variable]
    events: Mapping[str, str]


def _part(basis: _Basis) -> _Read:
    """Return what only a small model is shown so."""
    context = basis.context
    people = cast_lines(basis.circle, basis.about, context.memory_budget(GOALS, 0.2, _PEOPLE))
    past = basis.past(context.memory_budget(GOALS, 0.2, _EVENTS))
    return _Read({"people": people, "history": past.lines}, {})


def _whole(basis: _Basis, shared: dict[str, Variable], ties: Sequence[str]) -> _Read:
    """Return what an able model is shown; what room is left goes to what happened so far."""
    context, chapter, circle = basis.context, basis.chapter, basis.circle
    excerpts, settings = context.store.excerpts, context.settings
    last = excerpts.of_chapter(context.branch, chapter - 1) if chapter > 1 else Snapshot()
    first = excerpts.of_people(context.branch, None, ())
    world = _WORLD_OF_LONG if is_long(settings, chapter) else _WORLD

    def more_of(tokens: int) -> int:
        return int(_MORE[length_of(settings, chapter)] * tokens)

    past = past_known(excerpts.of_chapter(context.branch, 0), more_of(_PAST_TOKENS))
    ends = _ends_of(last, more_of(_LAST_TOKENS))
    places = dict.fromkeys(scene.name for scene in (*last.scenes, *first.scenes))
    due = premise_due(chapter, settings)
    shown: dict[str, Variable] = {
        "background": cut(str(shared["background"]), world),
        "truth": cut(circle.foundation.truth, world),
        "spine": spine_words(circle.spine, chapter, settings, more_of(_SPINE_TOKENS)),
        "people": _people(basis, more_of(_OF_PEOPLE)),
        "ties": shortened(ties, more_of(_TIES_TOKENS)),
        "past": _labelled([*past.values()]),
        "last": list(ends.values()),
        "places": list(places)[:_PLACES],
        "place": place_words(chapter, settings),
        "premise": cut(context.brief.premise, _PREMISE) if due else "",
        "premise_due": due,
        "roles": relay_turns(chapter, settings),
        "is_last": is_last(chapter, settings),
        "is_near_end": is_near_end(chapter, settings),
        "may_open": may_open(chapter, settings),
        "may_bring": has_room_for_another(circle, chapter),
    }
    used = sum(map(_tokens_of, {**shared, **shown}.values()))
    room = PromptBudget(max(_LEAST_HISTORY, more_of(_REQUEST) - used), _EVENTS)
    told = basis.past(room)
    lines = {
        event.id: line
        for event, line in zip(told.events, told.lines, strict=True)
        if told.snapshot.first_chapter_of(event.id) > 0 and event.id not in ends
    }
    history = _labelled([*lines.values()], len(past) + 1)
    more = {
        "sketch": _told(context, chapter),
        "history": BudgetedLines(history, told.lines.left_out),
        "last": _labelled([*ends.values()], len(past) + len(lines) + 1),
        "read": read_so_far(context.store, context.branch, chapter, _READ_TOKENS),
    }
    events = {f"E{at}": event for at, event in enumerate((*past, *lines, *ends), start=1)}
    return _Read({**shown, **more}, events)


def _told(context: StoryContext, chapter: int) -> str:
    """Return a chapter as the sketch tells it from which the story is worked out; empty if there is none."""
    settings, sketch = context.settings, sketch_of(context.store, context.branch)
    if sketch is None:
        return ""
    if not sketch.is_whole:
        told = [text for _, text in told_chapters(sketch.text)]
    elif settings.planned is not None:
        numbers = range(1, settings.planned + 1)
        told = divided(sketch.text, [words_wanted(at, settings, context.unit) for at in numbers])
    else:
        told = []
    return told[chapter - 1] if chapter <= len(told) else ""


def _labelled(lines: Sequence[str], first: int = 1) -> list[str]:
    return [f"E{at}. {line}" for at, line in enumerate(lines, start=first)]


def _people(basis: _Basis, tokens: int) -> BudgetedLines:
    """Return the people who matter most now, with as much of each thing that drives them as fits."""
    room = PromptBudget(tokens * 2, _WHOLE_PEOPLE)
    return aim_lines(lambda line: cast_lines(basis.circle, basis.about, room, line=line), tokens)


def past_known(
    start: Snapshot, tokens: int, told: Container[FactKey] = frozenset()
) -> dict[str, str]:
    """Return what happened before the story, by id; where that is too much, who knows of it still stands there.

    What the reader has been `told` is left out.
    """
    events = [one for one in past_events(start) if f"event:{one.id}" not in told][-_PAST:]
    known = [f" ({cut(known_by(start, event), _OF_WHO_KNOWS)})" for event in events]
    room = tokens - sum(map(estimate_tokens, known))
    told = shortened([past_words(event) for event in events], room, shorten=cut_inside)
    return {event.id: f"{one}{by}" for event, one, by in zip(events, told, known, strict=True)}


def _ends_of(last: Snapshot, tokens: int) -> dict[str, str]:
    """Return the events with which a chapter ends, what is said in them and comes of them, by id."""
    events = last.events_of(last.chapter)[-_LAST:]
    told = [event_line(last, event, with_spoken=True) for event in events]
    lines = shortened(told, tokens, shorten=without_middle)
    return {event.id: line for event, line in zip(events, lines, strict=True)}


def _tokens_of(value: Variable) -> int:
    if isinstance(value, str):
        return estimate_tokens(value)
    return sum(map(estimate_tokens, value)) if isinstance(value, Sequence) else 0
