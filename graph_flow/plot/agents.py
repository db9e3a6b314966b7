"""The agents of stage 2, which plot a chapter (CreAgentive)."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

from graph_flow.llm.schema import AnswerSchema
from graph_flow.plot.answers import (
    PlotOptions,
    RoleOptions,
    exit_schema,
    goals_schema,
    plot_schema,
    role_schema,
)
from graph_flow.prompting.agent import (
    NO_CALLS,
    ONE_CALL,
    Agent,
    Calls,
    Work,
    line_labels,
    line_names,
    only_if,
)
from graph_flow.prompting.length import candidate_turns
from graph_flow.prompting.prompt import Example
from store.models.endpoint import ModelStrength
from store.models.run import ChooseAgain, PlotChapters


def _once_a_chapter(work: Work) -> Calls:
    match work.task:
        case PlotChapters(chapters=chapters):
            return Calls(chapters, chapters)
    return NO_CALLS


def _setting_goals(work: Work) -> Calls:
    return _once_a_chapter(work) if _goals(work) else NO_CALLS


def _goals(work: Work) -> int:
    """Return how many goals of a chapter are asked for: some may have been told, or all that are wanted."""
    match work.task:
        case PlotChapters(is_autopilot=True) if work.told_goals:
            return 0
    return work.settings.goals - work.told_goals


def _telling_chapters(work: Work) -> Calls:
    match work.task:
        case PlotChapters(chapters=chapters):
            in_a_row = ceil(work.sketches / work.at_once)
            return Calls(work.sketches, in_a_row).times(chapters)
    return NO_CALLS


def _weaving(work: Work, *, is_woven: bool) -> Calls:
    match work.task:
        case PlotChapters(chapters=chapters) if work.settings.is_woven is is_woven:
            goals, numbers = _goals(work), range(work.told + 1, work.told + chapters + 1)
            turns = sum(candidate_turns(at, work.settings, work.strength) for at in numbers)
            return Calls(goals * turns, ceil(goals / work.at_once) * turns)
    return NO_CALLS


def _writing_alone(work: Work) -> Calls:
    """Expect a call for each plot that nobody weaves, and for each that is read from a chapter told before."""
    woven, read = _weaving(work, is_woven=False), _once_a_chapter(work)
    told = work.told_goals
    read = Calls(read.count * told, read.in_a_row * ceil(told / work.at_once))
    return Calls(woven.count + read.count, max(woven.in_a_row, read.in_a_row))


def _closing(work: Work) -> Calls:
    """Expect a call after each chapter, alongside the next goals if two calls can run at once.

    Of chapters that a sketch has told, only the last can be the end.
    """
    match work.task:
        case ChooseAgain():
            return ONE_CALL
        case PlotChapters() if work.is_as_told:
            return ONE_CALL if work.reaches_end else NO_CALLS
        case PlotChapters(chapters=chapters):
            return Calls(chapters, chapters if work.at_once == 1 else 1)
    return NO_CALLS


def _role_answer(example: Example) -> AnswerSchema[Any]:
    given = example.given
    return role_schema(
        RoleOptions(
            others=given["others"],
            toward=given["others"],
            places=given["places"],
            events=line_labels(given["memories"]),
            threads=given["threads"],
            parts=line_labels(given["parts"]),
            is_opening="new_place" in example.answer,
            is_closing="opens" in example.answer,
            has_room="newcomer" in example.answer,
        )
    )


def _plot_answer(example: Example) -> AnswerSchema[Any]:
    given = example.given
    return plot_schema(
        PlotOptions(
            people=line_names(given["people"]),
            others=given["others"],
            toward=given["others"],
            places=given["places"],
            events=line_labels(given["history"]),
            threads=given["threads"],
            parts=line_labels(given["parts"]),
            has_room="newcomer" in example.answer,
        )
    )


_agent = partial(Agent, stage="plot")
_WHO = "Who they are"
_TASK = "The task"
_PLACE = "Its place in the story"
_SPINE = "Where the story goes"

CHAPTER_SKETCH = _agent(
    name="chapter_sketch",
    label="Chapters told before they are plotted",
    calls=only_if(ModelStrength.ABLE, _telling_chapters),
    labels={
        "chapter": _TASK,
        "is_last": _TASK,
        "is_prose": _TASK,
        "kept": "What you have settled",
        "past": "What happened before",
        "plan": "What the outline plans for the chapter",
        "premise_due": _PLACE,
        "read": "The chapters before",
        "sample": "The style that you asked for",
        "spine": _SPINE,
        "version": _TASK,
        "words": _TASK,
    },
    step="Goals",
)
GOALS = _agent(
    name="goals",
    label="Goals",
    calls=_setting_goals,
    answer=lambda example: goals_schema(
        example.given["count"], line_labels([*example.given["threads"], *example.given["ties"]])
    ),
    labels={
        "chapter": _TASK,
        "is_last": _TASK,
        "is_near_end": _TASK,
        "may_open": _TASK,
        "is_told_beside": _TASK,
        "last": "How the last chapter ended",
        "read": "The chapters before",
        "may_bring": _TASK,
        "past": "What happened before",
        "place": _PLACE,
        "premise_due": _PLACE,
        "roles": _TASK,
        "secrets": "What people hide",
        "sketch": "The sketch",
        "spine": _SPINE,
        "plan": "What the outline plans for the chapter",
        "taken": "Goals already proposed",
    },
    step="Goals",
)
ROLE = _agent(
    name="role",
    label="Role agents",
    calls=partial(_weaving, is_woven=True),
    answer=_role_answer,
    labels={
        "name": _WHO,
        "who": _WHO,
        "personality": _WHO,
        "motivation": _WHO,
        "condition": _WHO,
        "secret": _WHO,
        "traits": _WHO,
        "own_past": _WHO,
        "fear": _WHO,
        "belief": _WHO,
        "voice": _WHO,
        "memories": "What they remember",
        "finds": "What they come upon",
        "following": _TASK,
        "most_beats": _TASK,
        "place": _PLACE,
        "has_moved": _TASK,
        "is_closing": _TASK,
        "may_bring": _TASK,
        "may_plant": _TASK,
    },
    step="Weave",
)
SINGLE_AUTHOR = _agent(
    name="plot",
    label="Plot in one go",
    calls=_writing_alone,
    answer=_plot_answer,
    labels={
        "spine": _SPINE,
        "place": _PLACE,
        "is_told": _TASK,
        "before": "The chapters before",
        "may_bring": _TASK,
        "may_plant": _TASK,
        "may_each_plant": _TASK,
    },
    step="Weave",
)
EXIT = _agent(
    name="exit",
    label="Is the goal reached?",
    calls=_closing,
    answer=lambda example: exit_schema(line_labels(example.given["events"])),
    labels={"events": "What happened before", "ending": _SPINE, "place": _PLACE},
)

AGENTS = (CHAPTER_SKETCH, GOALS, ROLE, SINGLE_AUTHOR, EXIT)
