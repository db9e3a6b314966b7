"""What went into a prompt, in a writer's words: each source, its length, and what was left out. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from operator import add
from typing import NamedTuple

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
    amounts: dict[str, _Amount] = {}
    for name, amount in _amounts(variables, used):
        label = agent.label_of(name)
        amounts[label] = amounts.get(label, _Amount()).plus(amount)
    merged = (PromptSource(name=label, **one._asdict()) for label, one in amounts.items())
    told = sorted(merged, key=lambda source: -source.tokens)
    given = sum(source.tokens for source in told)
    instructions, *example, request = (estimate_tokens(one.content) for one in messages)
    rest = [(INSTRUCTIONS, max(0, instructions + request - given))]
    rest += [(EXAMPLE, sum(example))] if example else []
    return (*told, *(PromptSource(name=name, tokens=tokens, lines=1) for name, tokens in rest))


class _Amount(NamedTuple):
    """How much of a source went into a prompt, and how much was left out."""

    tokens: int = 0
    lines: int = 0
    left_out: int = 0

    def plus(self, other: _Amount) -> _Amount:
        """Return both together."""
        return _Amount(*map(add, self, other))


def _amounts(variables: Variables, used: Set[str]) -> Iterator[tuple[str, _Amount]]:
    """Yield the names of the variables that hold something, with how much."""
    for name, value in variables.items():
        if name not in used:
            continue
        lines = [str(value)] if isinstance(value, str | int) else [str(line) for line in value]
        lines = [line for line in lines if line]
        left_out = value.left_out if isinstance(value, BudgetedLines) else 0
        if lines or left_out:
            yield name, _Amount(sum(map(estimate_tokens, lines)), len(lines), left_out)
