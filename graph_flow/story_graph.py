"""The machine: nodes and edges, nothing else."""

from __future__ import annotations

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph_flow import routing
from graph_flow.context import StoryContext
from graph_flow.nodes.approve_configuration import approve_configuration
from graph_flow.nodes.approve_draft import approve_draft
from graph_flow.nodes.approve_goals import approve_goals
from graph_flow.nodes.approve_outline import approve_outline
from graph_flow.nodes.approve_plan import approve_plan
from graph_flow.nodes.approve_text import approve_text
from graph_flow.nodes.check_exit import check_exit
from graph_flow.nodes.choose_candidate import choose_candidate
from graph_flow.nodes.commit_chapter import commit_chapter
from graph_flow.nodes.commit_configuration import commit_configuration
from graph_flow.nodes.draft_cast import draft_cast
from graph_flow.nodes.draft_foundation import draft_foundation
from graph_flow.nodes.draft_outline import draft_outline
from graph_flow.nodes.draft_ties import draft_ties
from graph_flow.nodes.find_threads import find_threads
from graph_flow.nodes.keep_outline import keep_outline
from graph_flow.nodes.open_chapter import open_chapter
from graph_flow.nodes.open_draft import open_draft
from graph_flow.nodes.plan_chapter import plan_chapter
from graph_flow.nodes.recall_events import recall_events
from graph_flow.nodes.review_outline import review_outline
from graph_flow.nodes.score_candidates import score_candidates
from graph_flow.nodes.set_goals import set_goals
from graph_flow.nodes.spread_outline import spread_outline
from graph_flow.nodes.weave_plot import weave_plot
from graph_flow.nodes.write_chapter import write_chapter
from graph_flow.state import StoryState

StoryGraph = CompiledStateGraph[StoryState, StoryContext, StoryState, StoryState]

NODES = (
    draft_foundation,
    draft_cast,
    draft_ties,
    approve_configuration,
    commit_configuration,
    draft_outline,
    review_outline,
    spread_outline,
    approve_outline,
    keep_outline,
    open_chapter,
    set_goals,
    approve_goals,
    weave_plot,
    score_candidates,
    choose_candidate,
    commit_chapter,
    check_exit,
    open_draft,
    recall_events,
    find_threads,
    plan_chapter,
    approve_plan,
    write_chapter,
    approve_draft,
    approve_text,
)


def build_story_graph(saver: BaseCheckpointSaver[str]) -> StoryGraph:
    """Return the machine of the three stages, with its checkpoints kept by `saver`."""
    graph = StateGraph(StoryState, context_schema=StoryContext)
    for node in NODES:
        graph.add_node(node.__name__, node)

    graph.add_conditional_edges(START, routing.route_task)

    graph.add_edge("draft_foundation", "draft_cast")
    graph.add_edge("draft_cast", "draft_ties")
    graph.add_edge("draft_ties", "approve_configuration")
    graph.add_conditional_edges("approve_configuration", routing.route_configuration)
    graph.add_edge("commit_configuration", END)

    graph.add_edge("draft_outline", "review_outline")
    graph.add_conditional_edges("review_outline", routing.route_review)
    graph.add_edge("spread_outline", "approve_outline")
    graph.add_conditional_edges("approve_outline", routing.route_outline)
    graph.add_edge("keep_outline", END)

    graph.add_conditional_edges("open_chapter", routing.route_chapter, ["set_goals", "check_exit"])
    graph.add_edge("set_goals", "approve_goals")
    graph.add_conditional_edges(
        "approve_goals", routing.route_goals, ["set_goals", "weave_plot", END]
    )
    graph.add_edge("weave_plot", "score_candidates")
    graph.add_edge("score_candidates", "choose_candidate")
    graph.add_conditional_edges("choose_candidate", routing.route_choice)
    graph.add_conditional_edges("commit_chapter", routing.route_commit)
    # Beside `set_goals`, which leads on; after the last chapter by itself.
    graph.add_edge("check_exit", END)

    openings = ["recall_events", "find_threads", "plan_chapter"]
    graph.add_conditional_edges("open_draft", routing.route_opening, openings)
    graph.add_edge(["recall_events", "find_threads"], "plan_chapter")
    graph.add_edge("plan_chapter", "approve_plan")
    graph.add_conditional_edges("approve_plan", routing.route_plan)
    graph.add_edge("write_chapter", "approve_draft")
    graph.add_conditional_edges("approve_draft", routing.route_draft)
    graph.add_edge("approve_text", END)
    return graph.compile(checkpointer=saver)
