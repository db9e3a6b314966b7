"""Where the machine goes next: typed routers over the state, nothing else."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from graph_flow.context import StoryContext
from graph_flow.state import StoryState, is_over


def route_task(
    state: StoryState,
) -> Literal["draft_foundation", "draft_outline", "open_chapter", "choose_candidate", "open_draft"]:
    """Begin the stage that was asked for."""
    if state["task"] == "initialize":
        return "draft_foundation"
    if state["task"] == "outline":
        return "draft_outline"
    if state["task"] == "choose":
        return "choose_candidate"
    return "open_chapter" if state["task"] == "plot" else "open_draft"


def route_configuration(
    state: StoryState,
) -> Literal["draft_foundation", "commit_configuration"]:
    """Draft again, or commit."""
    return "draft_foundation" if state["is_again"] else "commit_configuration"


def route_review(state: StoryState) -> Literal["draft_outline", "spread_outline"]:
    """Draft the outline again, or spread it over the chapters."""
    return "draft_outline" if state["is_again"] else "spread_outline"


def route_outline(state: StoryState) -> Literal["draft_outline", "keep_outline"]:
    """Draft another outline, or keep this one."""
    return "draft_outline" if state["is_again"] else "keep_outline"


def route_goals(
    state: StoryState, runtime: Runtime[StoryContext]
) -> list[Send] | Literal["set_goals", "__end__"]:
    """Set other goals, or start one relay a goal, side by side; or end, where the story has ended."""
    if is_over(state):
        return "__end__"
    if state["is_again"]:
        return "set_goals"
    goals = runtime.context.store.proposals.goals(
        runtime.context.branch, state["chapter"], state["round"]
    )
    kept = [goal for goal in goals if not goal.is_dropped] or goals
    return [Send("weave_plot", {**state, "goal": goal.id}) for goal in kept]


def route_choice(state: StoryState) -> Literal["set_goals", "commit_chapter"]:
    """Weave new candidates, or commit the chosen one."""
    return "set_goals" if state["is_again"] else "commit_chapter"


def route_commit(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["open_chapter", "check_exit"]:
    """Go on with the next chapter until the last one asked for, or the cap; then only close."""
    last = min(state["last_chapter"], runtime.context.settings.chapter_cap)
    return "check_exit" if state["chapter"] >= last else "open_chapter"


def route_chapter(state: StoryState) -> list[Send | str]:
    """Set goals; beside it, so that it costs no waiting, ask whether the chapter before is the end."""
    closing = state.get("closing", 0)
    beside = [Send("check_exit", {**state, "chapter": closing})] if closing else []
    return ["set_goals", *beside]


def route_opening(
    _state: StoryState, runtime: Runtime[StoryContext]
) -> list[Literal["recall_events", "find_threads", "plan_chapter"]]:
    """Look for what to recall and to prepare, side by side; or plan at once, where that is left out."""
    if not runtime.context.settings.recalls:
        return ["plan_chapter"]
    return ["recall_events", "find_threads"]


def route_plan(state: StoryState) -> Literal["open_draft", "write_chapter"]:
    """Plan again, or write."""
    return "open_draft" if state["is_again"] else "write_chapter"


def route_draft(state: StoryState) -> Literal["open_draft", "approve_text"]:
    """Write again, or keep the text."""
    return "open_draft" if state["is_again"] else "approve_text"
