"""Stage 2: K clearly different short-term goals, asked for in one call, each with its people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import BudgetedLines, cast_lines, retrieve
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.plot.agents import GOALS
from graph_flow.plot.answers import GoalAnswer, goals_schema
from graph_flow.plot.casting import cast_relay
from graph_flow.plot.goals import GoalTargets, is_new, parts_for, targets_in
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.base import new_id
from store.models.outline import Outline, SubEvent
from store.models.proposals import Goal
from store.models.story import OutlineUse
from store.prototype.excerpts import Query

_TRIES = 2
_EVENTS, _PEOPLE = 18, 12
"""The most past events and people in a prompt."""
_TAKEN = 8
"""The most goals already proposed that a prompt names."""


def set_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save K goals for the chapter; those too similar are asked for once more, then dropped.

    Goals that the writer pinned in the previous round stay. A story that follows its outline has
    one goal, which is what the outline has for the chapter, and no agent is asked.
    """
    context = runtime.context
    settings = context.settings
    context.progress.begin_step(
        f"Plotting chapter {state['chapter']}", 3 + settings.goals * settings.turns
    )
    aim = _aim_of(state, context)
    others = [_followed(aim)] if aim.is_followed else _asked(aim, settings.goals - len(aim.pinned))
    goals = [
        goal.model_copy(update={"position": position})
        for position, goal in enumerate([*aim.pinned, *others])
    ]
    context.store.proposals.save_goals(_cast(context, goals))
    return {}


@dataclass(frozen=True)
class _Aim:
    """What a round's goals are based on: the outline, pinned goals, and those `taken` before."""

    state: StoryState
    context: StoryContext
    outline: Outline | None
    parts: list[SubEvent]
    pinned: list[Goal]
    taken: list[str]

    @property
    def is_followed(self) -> bool:
        """Whether the outline decides what happens, and no other goals are looked for."""
        return bool(self.parts) and self.context.settings.outline_use is OutlineUse.FOLLOW

    def goal(self, title: str, text: str, moves: str | None = None) -> Goal:
        """Return a new goal of this round."""
        return Goal(
            id=new_id(),
            branch=self.context.branch,
            chapter=self.state["chapter"],
            round=self.state["round"],
            position=0,
            title=title,
            text=text,
            moves=moves,
            parts=tuple(part.id for part in self.parts),
        )


def _aim_of(state: StoryState, context: StoryContext) -> _Aim:
    chapter, round_ = state["chapter"], state["round"]
    proposals = context.store.proposals
    earlier = [goal for goal in proposals.goals(context.branch, chapter) if goal.round < round_]
    kept = [goal for goal in earlier if goal.round == round_ - 1 and goal.is_pinned]
    outline = context.outline
    aim = _Aim(
        state=state,
        context=context,
        outline=outline,
        parts=parts_for(outline, _told_parts(context), chapter) if outline else [],
        pinned=[],
        taken=[goal.text for goal in earlier if goal not in kept],
    )
    for goal in kept:
        again = aim.goal(goal.title, goal.text, goal.moves)
        aim.pinned.append(again.model_copy(update={"roles": goal.roles, "is_pinned": True}))
    return aim


def _told_parts(context: StoryContext) -> set[str]:
    return {told.part for told in context.store.outlines.told(context.branch)}


def _followed(aim: _Aim) -> Goal:
    """Return what the outline has for the chapter as its goal."""
    events = {event.id: event for event in aim.outline.events} if aim.outline else {}
    titles = dict.fromkeys(events[part.event].title for part in aim.parts)
    return aim.goal(" / ".join(titles)[:80].strip(" /"), " ".join(part.text for part in aim.parts))


def _asked(aim: _Aim, count: int) -> list[Goal]:
    """Return goals from the agent that differ from the pinned ones and from each other."""
    context, chapter, round_ = aim.context, aim.state["chapter"], aim.state["round"]
    if count <= 0:
        return []
    variables, targets = _variables(aim)
    pinned = [goal.text for goal in aim.pinned]
    paths: list[GoalAnswer] = []
    alike: list[GoalAnswer] = []
    for attempt in range(1, _TRIES + 1):
        missing = count - len(paths)
        proposed = [*pinned, *(path.goal for path in (*paths, *alike)), *aim.taken]
        job = Job(
            agent=GOALS,
            step=f"{chapter}/{round_}/goals/{attempt}",
            words=f"Setting goals for chapter {chapter}",
            variables={**variables, "count": missing, "taken": proposed[:_TAKEN]},
            turn=chapter + attempt,
        )
        try:
            answer = context.ask(job, goals_schema(missing, list(targets.ids)))
        except UnusableAnswer:
            if not (paths or alike):
                raise
            break  # fewer goals are better than none
        for path in answer.goals:
            others = [*pinned, *(one.goal for one in paths), *aim.taken]
            (paths if is_new(path.goal, others) else alike).append(path)
        if len(paths) == count:
            break
    # A goal proposed before is better than a chapter without any.
    chosen = paths or alike[: not pinned]
    return [aim.goal(path.title, path.goal, targets.ids.get(path.moves)) for path in chosen]


def _variables(aim: _Aim) -> tuple[Variables, GoalTargets]:
    """Return the variables of the prompt, and what the goals can move forward."""
    context = aim.context
    store, note = context.store, context.note(aim.state)
    foundation = store.excerpts.foundation(context.branch).foundation
    plan = [part.text for part in aim.parts]
    about = " ".join([foundation.long_term_goal, note, *plan])
    circle = store.excerpts.of_circle(context.branch, None, about)
    query = Query(text=about, people=tuple(person.id for person in circle.characters))
    past = retrieve(store, context.branch, None, query, context.memory_budget(GOALS, 0.2, _EVENTS))
    targets = targets_in(circle)
    variables: Variables = {
        "background": foundation.background,
        "long_term_goal": foundation.long_term_goal,
        "chapter": aim.state["chapter"],
        "people": cast_lines(circle, about, context.memory_budget(GOALS, 0.2, _PEOPLE)),
        "history": past.lines,
        "threads": BudgetedLines(targets.threads, targets.threads_left_out),
        "ties": targets.relationships,
        "plan": plan,
        "note": note,
    }
    return variables, targets


def _cast(context: StoryContext, goals: Sequence[Goal]) -> list[Goal]:
    """Return goals, each with the people who take part in it, in the order in which they speak."""
    uncast = [goal for goal in goals if not goal.roles]
    circles = context.store.excerpts.of_relays(context.branch, [goal.text for goal in uncast])
    relays = {
        goal.id: cast_relay(circle, goal.text, context.settings.roles, goal.position)
        for goal, circle in zip(uncast, circles, strict=True)
    }
    return [
        goal.model_copy(update={"roles": tuple(person.id for person in relays[goal.id])})
        if goal.id in relays
        else goal
        for goal in goals
    ]
