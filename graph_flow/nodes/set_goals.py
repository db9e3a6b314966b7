"""Stage 2: K clearly different short-term goals, asked for in one call."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.answers.goals import GoalAnswer, goals_schema
from graph_flow.context import Job, StoryContext
from graph_flow.memory import Chosen, cast_lines
from graph_flow.prompting import Variables
from graph_flow.retrieval import retrieve
from graph_flow.state import StoryState
from graph_flow.weaving import are_alike
from store.excerpts import OPEN_THREADS, Query
from store.ids import new_id
from store.models.proposals import Goal

_TRIES = 2
_EVENTS, _PEOPLE, _THREADS = 30, 14, 6
"""How much of the story the goals are set by, at most."""


def set_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save K goals for the chapter; too similar ones are asked for once more, then dropped."""
    context = runtime.context
    chapter, round_ = state["chapter"], state["round"]
    settings = context.settings
    context.board.begin_step(f"Plotting chapter {chapter}", 3 + settings.goals * settings.roles)
    variables = _variables(state, context)
    paths: list[GoalAnswer] = []
    for attempt in range(1, _TRIES + 1):
        missing = settings.goals - len(paths)
        answer = context.ask(
            Job(
                agent="goals",
                step=f"{chapter}/{round_}/goals/{attempt}",
                words=f"Looking for {settings.goals} ways into chapter {chapter}",
                variables={**variables, "count": missing, "taken": [path.goal for path in paths]},
                turn=chapter + attempt,
            ),
            goals_schema(missing),
        )
        paths = _different([*paths, *answer.goals])
        if len(paths) == settings.goals:
            break
    context.store.proposals.save_goals(
        [
            Goal(
                id=new_id(),
                branch=context.branch,
                chapter=chapter,
                round=round_,
                position=position,
                title=path.title,
                text=path.goal,
            )
            for position, path in enumerate(paths)
        ]
    )
    return {}


def _variables(state: StoryState, context: StoryContext) -> Variables:
    """Return what the goals are set by: the ground, the people at hand, the past, what is open."""
    store, note = context.store, context.note(state)
    foundation = store.excerpts.ground(context.branch).foundation
    about = f"{foundation.long_term_goal} {note}"
    circle = store.excerpts.of_circle(context.branch, None, about)
    query = Query(text=about, people=tuple(person.id for person in circle.characters))
    past = retrieve(store, context.branch, None, query, context.memory_room(0.2, _EVENTS))
    threads = [thread.title for thread in circle.threads if thread.state in OPEN_THREADS]
    return {
        "language": context.language,
        "background": foundation.background,
        "long_term_goal": foundation.long_term_goal,
        "chapter": state["chapter"],
        "people": cast_lines(circle, about, context.memory_room(0.2, _PEOPLE)),
        "history": past.lines,
        "threads": Chosen(threads[-_THREADS:], max(0, len(threads) - _THREADS)),
        "note": note,
    }


def _different(paths: Sequence[GoalAnswer]) -> list[GoalAnswer]:
    kept: list[GoalAnswer] = []
    for path in paths:
        if not any(are_alike(path.goal, other.goal) for other in kept):
            kept.append(path)
    return kept
