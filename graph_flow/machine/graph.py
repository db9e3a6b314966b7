"""The graph: nodes, edges, and typed routers over the state; nothing else."""

from __future__ import annotations

from functools import cache, wraps
from typing import Literal, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from graph_flow.founding.nodes.choose_sketch import choose_sketch
from graph_flow.founding.nodes.commit_configuration import commit_configuration
from graph_flow.founding.nodes.draft_cast import draft_cast
from graph_flow.founding.nodes.draft_foundation import draft_foundation
from graph_flow.founding.nodes.draft_spine import draft_spine
from graph_flow.founding.nodes.draft_ties import draft_ties
from graph_flow.founding.nodes.open_configuration import open_configuration
from graph_flow.founding.nodes.pair_sketches import pair_sketches
from graph_flow.founding.nodes.read_sketches import read_sketches
from graph_flow.founding.nodes.review_founding import review_founding
from graph_flow.founding.nodes.update_spine import update_spine
from graph_flow.outline.nodes.draft_outline import draft_outline
from graph_flow.outline.nodes.keep_outline import keep_outline
from graph_flow.outline.nodes.review_outline import review_outline
from graph_flow.outline.nodes.spread_outline import spread_outline
from graph_flow.plot.nodes.check_exit import check_exit
from graph_flow.plot.nodes.commit_chapter import commit_chapter
from graph_flow.plot.nodes.gather_goals import gather_goals
from graph_flow.plot.nodes.open_chapter import open_chapter
from graph_flow.plot.nodes.set_goals import set_goals
from graph_flow.plot.nodes.sketch_chapter import sketch_chapter
from graph_flow.plot.nodes.weave_plot import weave_plot
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.gates import (
    approve_configuration,
    approve_draft,
    approve_goals,
    approve_outline,
    approve_plan,
    choose_candidate,
)
from graph_flow.runtime.state import StoryState, is_over
from graph_flow.scoring.nodes.score_candidates import score_candidates
from graph_flow.telling.agents import PLAN
from graph_flow.telling.discourse.in_one_piece import (
    is_waiting_for_review,
    is_written_in_one_piece,
)
from graph_flow.telling.nodes.approve_text import approve_text
from graph_flow.telling.nodes.begin_direct import begin_direct
from graph_flow.telling.nodes.find_threads import find_threads
from graph_flow.telling.nodes.open_draft import open_draft
from graph_flow.telling.nodes.plan_chapter import plan_chapter
from graph_flow.telling.nodes.plan_story import plan_story
from graph_flow.telling.nodes.read_book import read_book
from graph_flow.telling.nodes.read_story import read_story
from graph_flow.telling.nodes.recall_events import recall_events
from graph_flow.telling.nodes.review_chapter import review_chapter
from graph_flow.telling.nodes.revise_chapter import revise_chapter
from graph_flow.telling.nodes.seek_chapter import seek_chapter
from graph_flow.telling.nodes.sketch_story import sketch_story
from graph_flow.telling.nodes.write_chapter import write_chapter
from graph_flow.telling.nodes.write_direct import write_direct
from graph_flow.telling.nodes.write_story import write_story
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.endpoint import ModelStrength
from store.models.story import Gate

StoryGraph = CompiledStateGraph[StoryState, StoryContext, StoryState, StoryState]


_AFTER_CHAPTER = ("check_exit", "update_spine")
"""The nodes that close a chapter, side by side."""


class Node(Protocol):
    """One step of the machine."""

    __name__: str

    def __call__(self, state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
        """Return what the step adds to the state."""
        ...


NODES: tuple[Node, ...] = (
    open_configuration,
    sketch_story,
    pair_sketches,
    read_sketches,
    choose_sketch,
    draft_foundation,
    draft_cast,
    draft_ties,
    draft_spine,
    review_founding,
    approve_configuration,
    commit_configuration,
    draft_outline,
    review_outline,
    spread_outline,
    approve_outline,
    keep_outline,
    open_chapter,
    sketch_chapter,
    set_goals,
    gather_goals,
    approve_goals,
    weave_plot,
    score_candidates,
    choose_candidate,
    commit_chapter,
    check_exit,
    update_spine,
    plan_story,
    write_story,
    seek_chapter,
    open_draft,
    recall_events,
    find_threads,
    plan_chapter,
    approve_plan,
    write_chapter,
    review_chapter,
    revise_chapter,
    approve_draft,
    approve_text,
    read_story,
    read_book,
    begin_direct,
    write_direct,
)


def build_story_graph(saver: BaseCheckpointSaver[str]) -> StoryGraph:
    """Return the graph of the three stages; `saver` keeps its checkpoints."""
    return _compile_story_graph().copy({"checkpointer": saver})


@cache
def _compile_story_graph() -> StoryGraph:
    """Return the graph without a saver: compiled once, shared by all stories that are open."""
    graph = StateGraph(StoryState, context_schema=StoryContext)
    for node in NODES:
        graph.add_node(node.__name__, _as_step(node))

    graph.add_conditional_edges(START, route_task)

    graph.add_conditional_edges(
        "open_configuration", route_opened, ["sketch_story", "draft_foundation"]
    )
    graph.add_edge("sketch_story", "pair_sketches")
    graph.add_conditional_edges("pair_sketches", route_paired, ["read_sketches", "choose_sketch"])
    graph.add_edge("read_sketches", "choose_sketch")
    graph.add_edge("choose_sketch", "draft_foundation")
    graph.add_edge("draft_foundation", "draft_cast")
    graph.add_edge("draft_cast", "draft_ties")
    graph.add_edge("draft_ties", "draft_spine")
    graph.add_edge("draft_spine", "review_founding")
    graph.add_edge("review_founding", "approve_configuration")
    graph.add_conditional_edges("approve_configuration", route_configuration)
    graph.add_edge("commit_configuration", END)

    graph.add_edge("draft_outline", "review_outline")
    graph.add_conditional_edges("review_outline", route_review)
    graph.add_edge("spread_outline", "approve_outline")
    graph.add_conditional_edges("approve_outline", route_outline)
    graph.add_edge("keep_outline", END)

    beside_goals = ["sketch_chapter", *_AFTER_CHAPTER]
    graph.add_conditional_edges("open_chapter", route_chapter, ["set_goals", *beside_goals])
    graph.add_edge("sketch_chapter", "gather_goals")
    after_goals = ["approve_goals", "weave_plot"]
    graph.add_conditional_edges("set_goals", route_set_goals, ["gather_goals", *after_goals])
    graph.add_conditional_edges("gather_goals", route_gathered, ["set_goals", *after_goals])
    graph.add_conditional_edges("approve_goals", route_goals, ["set_goals", "weave_plot", END])
    graph.add_edge("weave_plot", "score_candidates")
    graph.add_conditional_edges("score_candidates", route_scored)
    graph.add_conditional_edges("choose_candidate", route_choice)
    graph.add_conditional_edges("commit_chapter", route_commit, ["open_chapter", *_AFTER_CHAPTER])
    # These run alongside `set_goals`, which leads on; after the last chapter they run alone.
    for closing in _AFTER_CHAPTER:
        graph.add_edge(closing, END)

    graph.add_conditional_edges("plan_story", route_story_plan)
    graph.add_edge("write_story", "seek_chapter")
    graph.add_conditional_edges("seek_chapter", route_sought)
    before_plan = ["recall_events", "find_threads", "plan_chapter"]
    graph.add_conditional_edges("open_draft", route_opening, before_plan)
    graph.add_edge(["recall_events", "find_threads"], "plan_chapter")
    graph.add_edge("plan_chapter", "approve_plan")
    graph.add_conditional_edges("approve_plan", route_plan)
    graph.add_edge("write_chapter", "review_chapter")
    graph.add_conditional_edges("review_chapter", route_text_review)
    graph.add_conditional_edges("revise_chapter", route_revision)
    graph.add_conditional_edges("approve_draft", route_draft)
    graph.add_conditional_edges("approve_text", route_text)

    graph.add_edge("read_story", END)
    graph.add_conditional_edges("read_book", route_reading)

    graph.add_edge("begin_direct", END)
    graph.add_conditional_edges("write_direct", route_direct)
    return graph.compile()


def _as_step(node: Node) -> Node:
    """Return a node that reads once what the writer may change while the run goes on."""

    @wraps(node)
    def step(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
        return node(state, runtime.override(context=runtime.context.at_step()))

    return step


def route_task(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal[
    "open_configuration",
    "approve_configuration",
    "draft_outline",
    "open_chapter",
    "choose_candidate",
    "seek_chapter",
    "open_draft",
    "plan_story",
    "read_story",
    "read_book",
    "begin_direct",
    "write_direct",
]:
    """Begin the stage that was asked for."""
    if state["task"] == "write":
        return _route_writing(state, runtime.context)
    if state["task"] == "book":
        return "read_book"
    if runtime.context.settings.is_direct:
        return "begin_direct" if state["task"] == "initialize" else "write_direct"
    if state["task"] == "initialize":
        return "approve_configuration" if state.get("is_drafted") else "open_configuration"
    if state["task"] == "outline":
        return "draft_outline"
    if state["task"] == "choose":
        return "choose_candidate"
    if state["task"] == "read":
        return "read_story"
    return "open_chapter"


def _route_writing(
    state: StoryState, context: StoryContext
) -> Literal["plan_story", "seek_chapter", "open_draft", "write_direct"]:
    """Begin with the chapter asked for; of several, with the first that has no text, or with all at once.

    A run that goes on without its checkpoints takes up the chapter that it had begun.
    """
    if _has_more(state) and is_written_in_one_piece(context, state):
        return "plan_story"
    if _has_more(state) and not state.get("goes_on", False):
        return "seek_chapter"
    return "write_direct" if context.settings.is_direct else "open_draft"


def _has_more(state: StoryState) -> bool:
    """Return whether other chapters are to be written after this one."""
    return state["chapter"] < state.get("last_chapter", 0)


def route_story_plan(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["write_story", "seek_chapter"]:
    """Write the whole story if all of it is planned; if not, chapter by chapter."""
    context = runtime.context
    plans = (
        context.store.manuscript.plan(context.branch, chapter)
        for chapter in range(1, state["last_chapter"] + 1)
    )
    is_planned = all(plan is not None and plan.attempt == state["round"] for plan in plans)
    return "write_story" if is_planned else "seek_chapter"


def route_sought(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["open_draft", "review_chapter", "write_direct", "__end__"]:
    """Write the chapter that was found, or review it if it was written with others; end without one."""
    if state["chapter"] > state["last_chapter"]:
        return "__end__"
    if is_waiting_for_review(runtime.context, state["chapter"]):
        return "review_chapter"
    return "write_direct" if runtime.context.settings.is_direct else "open_draft"


def route_text(state: StoryState) -> Literal["seek_chapter", "__end__"]:
    """Turn to the next of several chapters, until the last one asked for."""
    return "seek_chapter" if _has_more(state) else "__end__"


def route_reading(state: StoryState) -> Literal["read_book", "__end__"]:
    """Read the next chapter of a book, until the last one asked for."""
    return "read_book" if _has_more(state) else "__end__"


def route_direct(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["write_direct", "seek_chapter", "__end__"]:
    """Write the next chapter, until the last one asked for or the cap."""
    if state["task"] == "write":
        return route_text(state)
    last = min(state["last_chapter"], runtime.context.settings.last_chapter)
    return "__end__" if state["chapter"] >= last else "write_direct"


def route_opened(state: StoryState) -> list[Send] | Literal["draft_foundation"]:
    """Have several stories told whole, side by side, to choose from; or draft the foundation at once."""
    sketched = [Send("sketch_story", {**state, "sketch": at}) for at in state.get("to_sketch", [])]
    return sketched or "draft_foundation"


def route_paired(state: StoryState) -> list[Send] | Literal["choose_sketch"]:
    """Have the stories read, two at a time, side by side; or go on if there are not two."""
    pairs = [Send("read_sketches", {**state, "pair": pair}) for pair in state["to_compare"]]
    return pairs or "choose_sketch"


def route_configuration(
    state: StoryState,
) -> Literal["open_configuration", "commit_configuration"]:
    """Draft again, or commit."""
    return "open_configuration" if state["is_again"] else "commit_configuration"


def route_review(state: StoryState) -> Literal["draft_outline", "spread_outline"]:
    """Draft the outline again, or spread it over the chapters."""
    return "draft_outline" if state["is_again"] else "spread_outline"


def route_outline(state: StoryState) -> Literal["draft_outline", "keep_outline"]:
    """Draft another outline, or keep this one."""
    return "draft_outline" if state["is_again"] else "keep_outline"


def route_set_goals(
    state: StoryState, runtime: Runtime[StoryContext]
) -> list[Send] | Literal["gather_goals", "approve_goals"]:
    """Wait for a chapter that is told meanwhile; otherwise go on with the goals."""
    return "gather_goals" if state.get("to_sketch") else _route_with_goals(state, runtime.context)


def route_gathered(
    state: StoryState, runtime: Runtime[StoryContext]
) -> list[Send] | Literal["set_goals", "approve_goals"]:
    """Go on with the goals, unless all of them have to be set because the chapter could not be told."""
    return "set_goals" if state["is_again"] else _route_with_goals(state, runtime.context)


def _route_with_goals(
    state: StoryState, context: StoryContext
) -> list[Send] | Literal["approve_goals"]:
    """Ask the writer about the goals; if nobody is asked, start the relays without that step.

    A run that stops at the story's goal takes it nevertheless: it waits for the verdict on the
    chapter before.
    """
    is_asked = context.asks(Gate.GOALS, state) or state.get("stops_at_goal", False)
    return "approve_goals" if is_asked else _relays(state, context)


def route_goals(
    state: StoryState, runtime: Runtime[StoryContext]
) -> list[Send] | Literal["set_goals", "__end__"]:
    """Set other goals, or start one relay per goal in parallel, or end if the story is over."""
    if is_over(state):
        return "__end__"
    if state["is_again"]:
        return "set_goals"
    return _relays(state, runtime.context)


def _relays(state: StoryState, context: StoryContext) -> list[Send]:
    """Return the start of one relay per goal, in parallel."""
    goals = context.store.proposals.goals(context.branch, state["chapter"], state["round"])
    kept = [goal for goal in goals if not goal.is_dropped] or goals
    return [Send("weave_plot", {**state, "goal": goal.id}) for goal in kept]


def route_scored(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["choose_candidate", "commit_chapter"]:
    """Ask the writer to choose a candidate, or let the scores decide."""
    is_asked = runtime.context.asks(Gate.CANDIDATES, state)
    return "choose_candidate" if is_asked else "commit_chapter"


def route_choice(state: StoryState) -> Literal["set_goals", "commit_chapter"]:
    """Weave new candidates, or commit the chosen one."""
    return "set_goals" if state["is_again"] else "commit_chapter"


def route_commit(state: StoryState, runtime: Runtime[StoryContext]) -> list[str]:
    """Plot the next chapter, until the last one asked for or the cap; then only close that one."""
    last = min(state["last_chapter"], runtime.context.settings.last_chapter)
    return list(_AFTER_CHAPTER) if state["chapter"] >= last else ["open_chapter"]


def route_chapter(state: StoryState) -> list[Send | str]:
    """Set goals, and, in parallel to save time, have the chapter told, and close the chapter before.

    To close it is to check whether it ended the story, and whether the story still goes where it should.
    """
    closing = state.get("closing", 0)
    told = [Send("sketch_chapter", {**state, "sketch": at}) for at in state.get("to_sketch", [])]
    beside = [Send(node, {**state, "chapter": closing}) for node in _AFTER_CHAPTER if closing]
    return ["set_goals", *told, *beside]


def route_opening(
    state: StoryState, runtime: Runtime[StoryContext]
) -> list[Literal["recall_events", "find_threads", "plan_chapter"]]:
    """Find what to recall and to prepare, in parallel; or plan at once.

    That is if recall is switched off, if an able model plans, which finds both itself, or if the
    chapter belongs to another telling, which has nothing to plan.
    """
    context = runtime.context
    if state["chapter"] >= FIRST_OF_TELLING:
        return ["plan_chapter"]
    if not context.settings.recalls or context.strength(PLAN) is ModelStrength.ABLE:
        return ["plan_chapter"]
    return ["recall_events", "find_threads"]


def route_plan(state: StoryState) -> Literal["open_draft", "write_chapter"]:
    """Plan again, or write."""
    return "open_draft" if state["is_again"] else "write_chapter"


def route_text_review(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["revise_chapter", "approve_draft"]:
    """Revise the text if its reviewer would change something."""
    draft = runtime.context.store.manuscript.draft(runtime.context.branch, state["chapter"])
    return "revise_chapter" if draft is not None and draft.remarks else "approve_draft"


def route_revision(
    state: StoryState, runtime: Runtime[StoryContext]
) -> Literal["review_chapter", "approve_draft"]:
    """Have the revised text reviewed once more, if the writer wants that."""
    is_enough = state.get("reviews", 0) >= runtime.context.settings.reviews
    return "approve_draft" if is_enough else "review_chapter"


def route_draft(state: StoryState) -> Literal["open_draft", "approve_text"]:
    """Write again, or keep the text."""
    return "open_draft" if state["is_again"] else "approve_text"
