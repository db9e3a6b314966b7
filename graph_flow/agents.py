"""The agents of all stages, in the order in which they work on a story."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.founding import agents as founding
from graph_flow.founding.book_premise import BOOK_PREMISE
from graph_flow.outline import agents as outline
from graph_flow.plot import agents as plot
from graph_flow.prompting.agent import Agent, humanised
from graph_flow.scoring import agents as scoring
from graph_flow.talk import agents as talk
from graph_flow.telling import agents as telling
from graph_flow.telling.comparing.agents import CHANGED_FACTS
from graph_flow.telling.direct import DIRECT
from graph_flow.telling.evaluation import agents as evaluation
from graph_flow.telling.mystery import agents as mystery
from graph_flow.telling.suggesting import agents as suggesting

STAGES: Mapping[str, tuple[Agent, ...]] = {
    "Premise": (*founding.AGENTS, telling.SKETCH, BOOK_PREMISE),
    "Outline": outline.AGENTS,
    "Plot": (*plot.AGENTS, *scoring.AGENTS),
    "Write": (*telling.AGENTS, DIRECT, *suggesting.AGENTS, CHANGED_FACTS),
    "Evaluate": evaluation.AGENTS,
    "Talk": talk.AGENTS,
    "Mystery game": mystery.AGENTS,
}
"""The agents by the page that shows their work."""

AGENTS: Mapping[str, Agent] = {agent.name: agent for stage in STAGES.values() for agent in stage}
"""All agents by name."""


def agent_label(name: str) -> str:
    """Return an agent's label as plain text, even for agents known only to older libraries."""
    agent = AGENTS.get(name)
    return agent.label if agent else humanised(name)
