"""The catalogue: every prompt has its agent, every agent its prompt, and all is labelled."""

from __future__ import annotations

from pathlib import Path

import pytest

import graph_flow
from graph_flow.agents import AGENTS, agent_label
from graph_flow.prompting.agent import SHARED_LABELS, Agent
from graph_flow.prompting.prompt import load_prompt
from store.models.endpoint import ModelStrength
from store.models.form import Form

STAGES = Path(graph_flow.__file__).parent
PROMPTS = sorted(path for path in STAGES.rglob("*.md") if "prompts" in path.parts)


def variables_of(agent: Agent) -> set[str]:
    """Return the variables of an agent's prompts for models of either strength."""
    return set().union(*(prompt.variables for prompt in agent.prompts.values()))


def test_every_prompt_file_is_an_agent_s_and_every_agent_has_one() -> None:
    found = {
        (path.relative_to(STAGES).as_posix().partition("/prompts/")[0], path.stem)
        for path in PROMPTS
    }

    assert found == {(agent.stage, agent.name) for agent in AGENTS.values()}


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda agent: agent.name)
def test_every_variable_of_a_prompt_has_a_label(agent: Agent) -> None:
    labelled = {*agent.labels, *SHARED_LABELS}

    assert variables_of(agent) <= labelled
    assert set(agent.labels) <= variables_of(agent)


def test_shared_labels_are_those_of_several_agents() -> None:
    for variable in SHARED_LABELS:
        takers = [one.name for one in AGENTS.values() if variable in variables_of(one)]
        assert len(takers) > 1, f"{variable} is taken by {takers} alone"


def test_no_two_agents_are_called_alike() -> None:
    labels = [agent.label for agent in AGENTS.values()]

    assert len(set(labels)) == len(labels)
    assert all(labels)


def test_agent_of_another_edition_is_called_by_its_own_name() -> None:
    assert agent_label("role") == "Role agents"
    assert agent_label("story_doctor") == "Story doctor"


@pytest.mark.parametrize("form", Form)
def test_every_form_has_a_writer(form: Form) -> None:
    assert f"writer_{form.value}" in AGENTS
    asked = {load_prompt("telling", form.spec.writer, one).instructions for one in ModelStrength}
    assert len(asked) == len(ModelStrength), "a small model is asked in a way of its own"


def test_request_of_another_agent_is_shared() -> None:
    novel, play = (load_prompt("telling", f"writer_{one}") for one in ("novel", "stage_play"))

    assert play.request == novel.request
    assert play.instructions != novel.instructions
