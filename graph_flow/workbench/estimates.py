"""Estimate a run before it starts: calls from the method, the rest from the story's past calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph_flow.agents import AGENTS
from graph_flow.llm.transport.endpoints import called
from graph_flow.prompting.agent import NO_CALLS, ONE_CALL, Agent, Calls, Work
from graph_flow.telling.direct import DIRECT
from graph_flow.views import RunEstimate
from store.models.endpoint import Endpoint
from store.models.run import AgentSpending, Initialize
from store.models.story import StorySettings

_TOKENS_IN, _TOKENS_OUT = 900, 200
"""Tokens of a call, if none has been made yet."""

_WORTH_SAYING = 30
"""Seconds that one call takes, up to which nobody has to be told."""

_MILLION = 1_000_000


def calls_of(work: Work) -> int:
    """Return how many calls a task makes if no answer has to be asked for twice."""
    return sum(_expected(agent, work).count for agent in AGENTS.values())


def _expected(agent: Agent, work: Work) -> Calls:
    """Return the calls to an agent; of a story made directly, only one agent gets any."""
    is_at_work = (agent is DIRECT) == work.settings.is_direct
    return agent.calls(work) if is_at_work else NO_CALLS


def estimate_run(
    work: Work, endpoints: Mapping[str, Endpoint], past: Sequence[AgentSpending]
) -> RunEstimate:
    """Return calls, tokens, cost and time of a task, from each agent's average so far.

    `endpoints` holds the endpoint of each agent, by the agent's name.
    """
    usual = _Usual(past)
    every = [_part_of(agent, work, endpoints[agent.name], usual) for agent in AGENTS.values()]
    parts = [part for part in every if part.calls]
    milliseconds = sum(part.milliseconds for part in parts)
    return RunEstimate(
        calls=sum(part.calls for part in parts),
        tokens_in=round(sum(part.tokens_in for part in parts)),
        tokens_out=round(sum(part.tokens_out for part in parts)),
        cost=sum(part.cost for part in parts),
        seconds=milliseconds / 1_000 if past else None,
        is_priced=any(part.is_priced for part in parts),
        models=tuple(dict.fromkeys(part.model for part in parts)),
    )


def estimate_call(agent: Agent, endpoint: Endpoint, past: Sequence[AgentSpending]) -> RunEstimate:
    """Return what one call to an agent takes that no task makes calls to."""
    asked = replace(agent, calls=lambda _: ONE_CALL)
    part = _part_of(asked, Work(Initialize(), StorySettings()), endpoint, _Usual(past))
    has_been_asked = any(one.agent == agent.name for one in past)
    seconds = part.milliseconds / 1_000
    return RunEstimate(
        calls=1,
        tokens_in=round(part.tokens_in),
        tokens_out=round(part.tokens_out),
        cost=part.cost,
        seconds=seconds if has_been_asked and seconds > _WORTH_SAYING else None,
        is_priced=part.is_priced,
        models=(part.model,),
    )


@dataclass(frozen=True)
class _Part:
    """What the calls to one agent take together; `milliseconds` counts only calls in sequence."""

    calls: int
    tokens_in: float
    tokens_out: float
    milliseconds: float
    cost: float
    is_priced: bool
    model: str


def _part_of(agent: Agent, work: Work, endpoint: Endpoint, usual: _Usual) -> _Part:
    work = replace(work, at_once=endpoint.concurrency, strength=endpoint.strength)
    expected, each = _expected(agent, work), usual.of(agent, work)
    tokens_in, tokens_out = expected.count * each.tokens_in, expected.count * each.tokens_out
    return _Part(
        calls=expected.count,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        milliseconds=expected.in_a_row * each.milliseconds,
        cost=(tokens_in * endpoint.price_in + tokens_out * endpoint.price_out) / _MILLION,
        is_priced=endpoint.price_in + endpoint.price_out > 0,
        model=called(endpoint),
    )


@dataclass(frozen=True)
class _Mean:
    """What a call takes on average."""

    tokens_in: float
    tokens_out: float
    milliseconds: float


class _Usual:
    """What a call to an agent takes on average; for one never called, its size or the average of all calls.

    How long that takes goes by the tokens that it writes.
    """

    def __init__(self, past: Sequence[AgentSpending]) -> None:
        self._of: Mapping[str, _Mean] = {
            one.agent: _mean([one]) for one in past if one.calls > one.failed
        }
        self._any = _mean(past)

    def of(self, agent: Agent, work: Work) -> _Mean:
        size = agent.size(work)
        if agent.name in self._of or size is None:
            return self._of.get(agent.name, self._any)
        longer = size.tokens_out / self._any.tokens_out if self._any.tokens_out else 1
        return _Mean(size.tokens_in, size.tokens_out, self._any.milliseconds * longer)


def _mean(past: Sequence[AgentSpending]) -> _Mean:
    """Return what each successful call took, including the failed attempts before it."""
    calls = sum(one.calls - one.failed for one in past)
    if not calls:
        return _Mean(_TOKENS_IN, _TOKENS_OUT, 0)
    return _Mean(
        sum(one.tokens_in for one in past) / calls,
        sum(one.tokens_out for one in past) / calls,
        sum(one.milliseconds for one in past) / calls,
    )
