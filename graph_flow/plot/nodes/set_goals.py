"""Stage 2: K clearly different short-term goals, asked for in one call, each with its people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from graph_flow.founding.following import sketched_chapter
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.plot.agents import GOALS, SINGLE_AUTHOR
from graph_flow.plot.answers import goals_schema
from graph_flow.plot.casting import cast_relay
from graph_flow.plot.forecast import (
    Forecast,
    goals_step,
    parts_due,
    people_as_told,
    read_forecast,
)
from graph_flow.plot.goals import (
    WHOLE_GOALS,
    PastEvents,
    WholeGoal,
    acting_in,
    is_new,
    widened_goals,
)
from graph_flow.prompting.headings import beginning
from graph_flow.prompting.length import (
    calls_of_candidates,
    candidate_turns,
    is_short,
    relay_turns,
)
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.base import new_id
from store.models.endpoint import ModelStrength
from store.models.outline import Outline, SubEvent
from store.models.proposals import Goal
from store.models.story import OutlineUse

_TRIES = 2
_TITLE = 80
"""Characters of a chapter's title."""
_TAKEN = 8
"""The most goals already proposed that a prompt names."""


def set_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save K goals for the chapter; those too similar are asked for once more, then dropped.

    Goals that the writer pinned in the previous round stay. A story that follows its outline has
    one goal, which is what the outline has for the chapter, and no agent is asked. One that follows
    its sketch has the chapter as that tells it, and others are told beside this (`sketch_chapter`); on
    autopilot, where nobody could choose another, no agent is asked either. Goals that a run without its
    checkpoints finds there stay as they are.
    """
    context = runtime.context
    settings = context.settings
    if state.get("goes_on") and context.store.proposals.goals(
        context.branch, state["chapter"], state["round"]
    ):
        return {"goes_on": False}
    aim = _aim_of(state, context)
    told = len(aim.sketched) or aim.beside
    is_alone = bool(told) and state.get("is_autopilot", False)
    count = (told or 1) if aim.is_followed or is_alone else settings.goals
    turns = candidate_turns(state["chapter"], settings, context.strength(GOALS))
    calls = aim.beside + calls_of_candidates(count, told, turns)
    context.progress.begin_step(f"Plotting chapter {state['chapter']}", 3 + calls)
    of_chapter = aim.sketched or ([_followed(aim)] if aim.is_followed and not told else [])
    given = [*aim.pinned, *of_chapter]
    goals = [
        goal.model_copy(update={"position": position})
        for position, goal in enumerate(
            [*given, *_asked(aim, given, count - len(given) - aim.beside)], start=aim.beside
        )
    ]
    context.store.proposals.save_goals(_cast(context, goals))
    return {}


@dataclass(frozen=True)
class _Aim:
    """What a round's goals are based on: the outline, pinned goals, and those `taken` before.

    `sketched` holds the chapter as the sketch tells it, if the story follows that; if not, some may be told
    meanwhile `beside` these goals, and come first.
    """

    state: StoryState
    context: StoryContext
    outline: Outline | None
    parts: list[SubEvent]
    pinned: list[Goal]
    sketched: list[Goal]
    taken: list[str]

    @property
    def beside(self) -> int:
        """How many goals of the round are told at the same time."""
        return len(self.state.get("to_sketch", []))

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
        parts=parts_due(context, chapter),
        pinned=[],
        sketched=[],
        taken=[goal.text for goal in earlier if goal not in kept],
    )
    for goal in kept:
        again = aim.goal(goal.title, goal.text, goal.moves)
        kept_as_well = {
            "roles": goal.roles,
            "aims": goal.aims,
            "is_sketched": goal.is_sketched,
            "sketch": goal.sketch,
            "is_pinned": True,
        }
        aim.pinned.append(again.model_copy(update=kept_as_well))
    is_otherwise = bool(aim.parts) and not _is_of_opening(aim)
    if not (earlier or is_otherwise or context.note(state)):
        aim.sketched.extend(_sketched(aim))
    return aim


def _is_of_opening(aim: _Aim) -> bool:
    """Return whether the outline has for the chapter what agents drafted who had read how the story begins."""
    context, chapter = aim.context, aim.state["chapter"]
    if aim.outline is None or is_short(context.settings):
        return False
    drafted = context.store.outlines.drafted(context.branch)
    return drafted is not None and drafted.parts_of(chapter) == aim.outline.parts_of(chapter)


def _sketched(aim: _Aim) -> Iterator[Goal]:
    """Yield the chapter as the sketch tells it, if the story follows it and it can be read."""
    context, chapter = aim.context, aim.state["chapter"]
    told = sketched_chapter(context.store, context.branch, chapter)
    if told is None or context.strength(SINGLE_AUTHOR) is ModelStrength.SMALL:
        return
    goal = aim.goal(told.title[:_TITLE] or f"{chapter}", beginning(told.text))
    roles = people_as_told(context, told.text)
    yield goal.model_copy(update={"roles": roles, "is_sketched": True})


def _followed(aim: _Aim) -> Goal:
    """Return what the outline has for the chapter as its goal."""
    events = {event.id: event for event in aim.outline.events} if aim.outline else {}
    titles = dict.fromkeys(events[part.event].title for part in aim.parts)
    return aim.goal(" / ".join(titles)[:80].strip(" /"), " ".join(part.text for part in aim.parts))


def _asked(aim: _Aim, given: Sequence[Goal], count: int) -> list[Goal]:
    """Return goals from the agent that differ from those given and from each other."""
    context, chapter = aim.context, aim.state["chapter"]
    if count <= 0:
        return []
    is_whole = context.strength(GOALS, goals_step(aim.state, 1)) is ModelStrength.ABLE
    plan = [part.text for part in aim.parts]
    forecast = read_forecast(context, aim.state, plan, is_whole=is_whole)
    known = [goal.text for goal in given]
    paths: list[WholeGoal] = []
    alike: list[WholeGoal] = []
    for attempt in range(1, _TRIES + 1):
        missing = count - len(paths)
        proposed = [*known, *(path.goal for path in (*paths, *alike)), *aim.taken]
        job = Job(
            agent=GOALS,
            step=goals_step(aim.state, attempt),
            words=f"Setting goals for chapter {chapter}",
            variables={
                **forecast.variables,
                "count": missing,
                "is_told_beside": aim.beside > 0,
                "taken": forecast.taken(proposed[:_TAKEN]),
            },
            turn=chapter + attempt,
        )
        part = goals_schema(missing, list(forecast.targets.ids))
        try:
            answer = context.ask_in_form(job, AnswerForms(WHOLE_GOALS, part, widened_goals))
        except UnusableAnswer:
            if not (paths or alike or known or aim.beside):
                raise
            break  # fewer goals are better than none
        for path in answer.goals[:missing]:
            others = [*known, *(one.goal for one in paths), *aim.taken]
            (paths if is_new(path.goal, others) else alike).append(path)
        if len(paths) == count:
            break
    # A goal proposed before is better than a chapter without any.
    chosen = paths or alike[: not known]
    return [_proposed(aim, forecast, path) for path in chosen]


def _proposed(aim: _Aim, forecast: Forecast, path: WholeGoal) -> Goal:
    """Return a goal with the people that it names; with nobody, if they are to be cast."""
    goal = aim.goal(path.title, path.text, forecast.targets.id_of(path))
    people, settings = forecast.circle.characters, aim.context.settings
    events = _past_events(aim.context, forecast)
    acting = acting_in(path, people, events, relay_turns(aim.state["chapter"], settings))
    roles = tuple(dict.fromkeys(one.role for one in acting))
    return goal.model_copy(update={"roles": roles, "aims": tuple(acting)})


def _past_events(context: StoryContext, forecast: Forecast) -> PastEvents:
    """Return the events that an able model was shown; a small one is shown none with a label."""
    if not forecast.events:
        return PastEvents({}, {})
    snapshot = context.store.prototype.partial(context.branch, None, list(forecast.events.values()))
    return PastEvents(forecast.events, {event.id: event for event in snapshot.events})


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
