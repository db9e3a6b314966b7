"""What the agents were told for a chapter, put together from the ledger of calls for reading."""

from __future__ import annotations

from graph_flow.views import Stage, ToldView
from store.models.run import Call
from store.open import Store

_MOST_CALLS = 60

Goals = dict[tuple[int, int], str]
"""Titles of goals, by round and position."""


def told_views(store: Store, branch_id: str, chapter: int, stage: Stage) -> list[ToldView]:
    """Return the newest calls that plotted or wrote a chapter, in the order in which they were made.

    Those that outlined the story belong to no chapter.
    """
    calls = (
        store.runs.calls_of_outlines(branch_id, _MOST_CALLS)
        if stage == "outline"
        else store.runs.calls_of_chapter(branch_id, chapter, _MOST_CALLS, is_text=stage == "write")
    )
    goals = {
        (goal.round, goal.position): goal.title
        for goal in store.proposals.goals(branch_id, chapter)
    }
    return [_told_view(call, stage, goals) for call in reversed(calls)]


def _told_view(call: Call, stage: Stage, goals: Goals) -> ToldView:
    return ToldView(
        id=call.id,
        stage=stage,
        words=call.words or call.agent,
        about=_goal_of(call.step.split("/"), goals),
        sources=call.sources,
        prompt=call.prompt,
        answer=call.answer,
        outcome=call.outcome,
        problem=call.problem,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        cost=call.cost,
        milliseconds=call.milliseconds,
    )


def _goal_of(steps: list[str], goals: Goals) -> str:
    """Return the title of the goal that a role's step names: chapter/round/role/position/turn."""
    match steps:
        case [_, round_, "role", position, _] if round_.isdigit() and position.isdigit():
            return goals.get((int(round_), int(position)), "")
    return ""
