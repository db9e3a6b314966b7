"""What went into a prompt, in a writer's words: each source, its length, and what was left out. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from graph_flow.cognition.memory import BudgetedLines
from graph_flow.llm.request import Message
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.agent import Agent
from graph_flow.prompting.prompt import Variables
from store.models.run import PromptSource

INSTRUCTIONS = "The agent's instructions"
EXAMPLE = "A worked example"


def sources_of(
    agent: Agent, messages: Sequence[Message], variables: Variables, used: Set[str]
) -> tuple[PromptSource, ...]:
    """Return the sources of a prompt, the longest first, then its instructions and its example.

    `messages` are those of the agent's prompt, filled with the variables that it uses. Tokens are estimates. A
    text in one piece counts as one line.
    """
    merged: dict[str, PromptSource] = {}
    for source in _variable_sources(agent, variables, used):
        known = merged.get(source.name)
        merged[source.name] = _sum(known, source) if known else source
    told = sorted(merged.values(), key=lambda source: -source.tokens)
    given = sum(source.tokens for source in told)
    instructions, *example, request = (estimate_tokens(one.content) for one in messages)
    rest = [(INSTRUCTIONS, max(0, instructions + request - given))]
    rest += [(EXAMPLE, sum(example))] if example else []
    return (*told, *(PromptSource(name=name, tokens=tokens, lines=1) for name, tokens in rest))


def _variable_sources(agent: Agent, variables: Variables, used: Set[str]) -> Iterator[PromptSource]:
    for name, value in variables.items():
        if name not in used:
            continue
        lines = [str(value)] if isinstance(value, str | int) else [str(line) for line in value]
        lines = [line for line in lines if line]
        left_out = value.left_out if isinstance(value, BudgetedLines) else 0
        if lines or left_out:
            yield PromptSource(
                name=agent.label_of(name),
                tokens=sum(estimate_tokens(line) for line in lines),
                lines=len(lines),
                left_out=left_out,
            )


def _sum(one: PromptSource, other: PromptSource) -> PromptSource:
    return PromptSource(
        name=one.name,
        tokens=one.tokens + other.tokens,
        lines=one.lines + other.lines,
        left_out=one.left_out + other.left_out,
    )
