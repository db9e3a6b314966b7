"""What a run is about to use, before it starts: calls by the method, tokens by what calls used so far."""

from __future__ import annotations

from graph_flow.views import RunEstimate
from store.models.endpoint import Endpoint
from store.models.run import ChooseAgain, Initialize, PlotChapters, Task, Totals
from store.models.story import StorySettings

_TOKENS_IN, _TOKENS_OUT = 900, 200
"""Tokens of a call where none has been made yet."""

_MILLION = 1_000_000
_INITIALIZATION_CALLS = 7
"""Foundation, cast, three people, relationships, scenes."""
_CALLS_AROUND_RELAYS = 3
"""Goals, scorer, exit."""
_CALLS_BEFORE_SCENES = 3
"""Recall, threads, plan."""


def calls_of(task: Task, settings: StorySettings) -> int:
    """Return how many calls a task makes when no answer has to be asked for twice."""
    if isinstance(task, Initialize):
        return _INITIALIZATION_CALLS
    if isinstance(task, ChooseAgain):
        return 1
    if isinstance(task, PlotChapters):
        return task.chapters * (_CALLS_AROUND_RELAYS + settings.goals * settings.roles)
    return _CALLS_BEFORE_SCENES + settings.roles


def estimate_run(
    task: Task, settings: StorySettings, endpoint: Endpoint, used: Totals
) -> RunEstimate:
    """Return calls, tokens and cost of a task, from what the branch's calls used on average."""
    calls = calls_of(task, settings)
    average_in = used.tokens_in / used.calls if used.calls else _TOKENS_IN
    average_out = used.tokens_out / used.calls if used.calls else _TOKENS_OUT
    tokens_in, tokens_out = round(calls * average_in), round(calls * average_out)
    cost = (tokens_in * endpoint.price_in + tokens_out * endpoint.price_out) / _MILLION
    return RunEstimate(calls=calls, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost)
