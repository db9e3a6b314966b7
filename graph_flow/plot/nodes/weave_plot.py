"""Stage 2: one goal's plot, woven by its people in turns (PlotWeave), made by one agent, or read from a sketch."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.errors import PlottingFailed
from graph_flow.founding.following import SketchedChapter, newest_read, sketched_chapter
from graph_flow.outline.current import with_outline_links
from graph_flow.outline.recognition import with_parts_told
from graph_flow.plot.agents import GOALS
from graph_flow.plot.casting import has_enough
from graph_flow.plot.draft import read_weaving_input
from graph_flow.plot.relay import weave
from graph_flow.plot.single_author import write_plot
from graph_flow.prompting.length import calls_of_candidates, candidate_turns, is_long
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Goal


def weave_plot(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Weave one goal's candidate; if too little comes of it, it is kept as given up.

    Raises:
        WeavingFailed: if that leaves the round without candidates; continuing weaves it again.
        ModelError: if the endpoint is down. Finished turns are not asked for again.
    """
    context = runtime.context
    proposals, settings = context.store.proposals, context.settings
    goal = proposals.goal(state["goal"])
    context.progress.go_on(f"Plotting chapter {goal.chapter}", 2 + _calls(context, goal))
    told = _told(context, goal)
    is_woven = settings.is_woven and told is None
    weaving = read_weaving_input(context, goal)
    candidate = weave(context, weaving) if is_woven else write_plot(context, weaving, told)
    if context.outline:
        telling = with_parts_told(context.outline, candidate, goal.parts)
        if telling.tells:
            linked = with_outline_links(context.store, context.outline, telling)
            candidate = proposals.save_candidate(linked)
    is_given_up = not has_enough(weaving.relay if is_woven else (), candidate.turns)
    if not proposals.conclude(candidate.id, is_given_up=is_given_up):
        problems = dict.fromkeys(turn.problem for turn in candidate.turns if turn.problem)
        raise PlottingFailed(
            f"Too few usable answers came to plot chapter {goal.chapter}. "
            f"{next(iter(problems), '')} "
            "Continue to try again, or connect a larger model in Settings."
        )
    return {}


def _told(context: StoryContext, goal: Goal) -> SketchedChapter | None:
    """Return the chapter as it has been told already, if its plot is to be read from there.

    Of a long story it stands alone: whoever tells the next one needs the room more.
    """
    if goal.sketch is not None:
        title, text = goal.title, goal.sketch.text
        if is_long(context.settings, goal.chapter):
            return SketchedChapter(title, text)
        last = newest_read(context.store, context.branch, goal.chapter, tokens=0)
        return SketchedChapter(title, text, last.text)
    if goal.is_sketched:
        return sketched_chapter(context.store, context.branch, goal.chapter)
    return None


def _calls(context: StoryContext, goal: Goal) -> int:
    """Return how many calls the plots of a goal's round take."""
    goals = context.store.proposals.goals(goal.branch, goal.chapter, goal.round)
    turns = candidate_turns(goal.chapter, context.settings, context.strength(GOALS))
    return calls_of_candidates(len(goals), sum(one.is_sketched for one in goals), turns)
