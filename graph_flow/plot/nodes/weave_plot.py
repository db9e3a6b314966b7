"""Stage 2: one goal's plot, woven by its people in turns (PlotWeave) or made by one agent."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.errors import PlottingFailed
from graph_flow.outline.current import with_outline_links
from graph_flow.plot.agents import GOALS
from graph_flow.plot.casting import has_enough
from graph_flow.plot.draft import read_weaving_input
from graph_flow.plot.relay import weave
from graph_flow.plot.single_author import write_plot
from graph_flow.prompting.length import candidate_turns
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState


def weave_plot(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Weave one goal's candidate; if too little comes of it, it is kept as given up.

    Raises:
        WeavingFailed: if that leaves the round without candidates; continuing weaves it again.
        ModelError: if the endpoint is down. Finished turns are not asked for again.
    """
    context = runtime.context
    proposals, settings = context.store.proposals, context.settings
    goal = proposals.goal(state["goal"])
    turns = candidate_turns(goal.chapter, settings, context.strength(GOALS))
    context.progress.go_on(f"Plotting chapter {goal.chapter}", 2 + settings.goals * turns)
    weaving = read_weaving_input(context, goal)
    candidate = (weave if settings.is_woven else write_plot)(context, weaving)
    if context.outline and candidate.tells:
        linked = with_outline_links(context.store, context.outline, candidate)
        candidate = proposals.save_candidate(linked)
    is_given_up = not has_enough(weaving.relay if settings.is_woven else (), candidate.turns)
    if not proposals.conclude(candidate.id, is_given_up=is_given_up):
        problems = dict.fromkeys(turn.problem for turn in candidate.turns if turn.problem)
        raise PlottingFailed(
            f"Too few usable answers came to plot chapter {goal.chapter}. "
            f"{next(iter(problems), '')} "
            "Continue to try again, or connect a larger model in Settings."
        )
    return {}
