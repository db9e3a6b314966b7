"""What a run is about to take, before it starts: calls by the method, the rest by the story's own past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from graph_flow.outline.entities import AT_ONCE, SPLIT_AT_ONCE, event_count, line_count, shares
from graph_flow.views import RunEstimate
from store.models.endpoint import Endpoint
from store.models.form import DEFAULT_FORM, Form
from store.models.run import (
    AgentSpending,
    ChooseAgain,
    DraftOutline,
    Initialize,
    PlotChapters,
    Task,
    WriteChapter,
)
from store.models.story import StorySettings

_TOKENS_IN, _TOKENS_OUT = 900, 200
"""Tokens of a call where none has been made yet."""

_MILLION = 1_000_000
_PEOPLE = 3
"""People of a cast, as a premise brings them about most often."""


@dataclass(frozen=True)
class Part:
    """The calls of a task to one agent; `in_a_row` of them wait for each other."""

    agent: str
    calls: int
    in_a_row: int


def calls_of(task: Task, settings: StorySettings) -> int:
    """Return how many calls a task makes when no answer has to be asked for twice."""
    return sum(part.calls for part in _parts_of(task, settings, 1))


def estimate_run(
    task: Task, settings: StorySettings, endpoint: Endpoint, past: Sequence[AgentSpending]
) -> RunEstimate:
    """Return calls, tokens, cost and time of a task, from what each agent took on average so far."""
    parts = list(_parts_of(task, settings, endpoint.concurrency))
    usual = _Usual(past)
    tokens_in = round(sum(part.calls * usual.of(part.agent).tokens_in for part in parts))
    tokens_out = round(sum(part.calls * usual.of(part.agent).tokens_out for part in parts))
    milliseconds = sum(part.in_a_row * usual.of(part.agent).milliseconds for part in parts)
    return RunEstimate(
        calls=calls_of(task, settings),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=(tokens_in * endpoint.price_in + tokens_out * endpoint.price_out) / _MILLION,
        seconds=milliseconds / 1_000 if past else None,
        is_priced=endpoint.price_in + endpoint.price_out > 0,
    )


def _parts_of(task: Task, settings: StorySettings, at_once: int) -> Iterator[Part]:
    match task:
        case Initialize():
            yield Part("foundation", 1, 1)
            yield Part("cast", 1, 1)
            yield Part("character", _PEOPLE, _PEOPLE)
            yield Part("ties", 1, 1)
            yield Part("scenes", 1, 1)
        case DraftOutline():
            yield from _outlining(settings)
        case ChooseAgain():
            yield Part("exit", 1, 1)
        case PlotChapters(chapters=chapters):
            yield Part("goals", chapters, chapters)
            yield _weaving(chapters, settings, at_once)
            yield Part("scorer", chapters, chapters)
            # Beside the goals of the next chapter, where two calls are allowed at once.
            yield Part("exit", chapters, chapters if at_once == 1 else 1)
        case WriteChapter(form=form):
            yield from _writing(settings, form or DEFAULT_FORM)


def _weaving(chapters: int, settings: StorySettings, at_once: int) -> Part:
    turns = settings.turns
    in_a_row = ceil(settings.goals / at_once) * turns
    agent = "role" if settings.is_woven else "plot"
    return Part(agent, chapters * settings.goals * turns, chapters * in_a_row)


def _outlining(settings: StorySettings) -> Iterator[Part]:
    """Yield the calls for an outline of the whole story whose first draft holds."""
    events = event_count(settings.chapter_cap)
    lines = shares(events, line_count(events))
    asked = sum(ceil(share / AT_ONCE) for share in lines)
    split = ceil(events / SPLIT_AT_ONCE)
    yield Part("storylines", 1, 1)
    yield Part("outline", asked, asked)
    yield Part("links", 1, 1)
    yield Part("reviewer", 1, 1)
    yield Part("planner", split, split)


def _writing(settings: StorySettings, form: Form) -> Iterator[Part]:
    if settings.recalls:
        yield Part("recall", 1, 1)
        yield Part("thread", 1, 0)
    yield Part("plan", 1, 1)
    yield Part(form.spec.writer, settings.roles, settings.roles)


@dataclass(frozen=True)
class _Mean:
    """What a call takes on average."""

    tokens_in: float
    tokens_out: float
    milliseconds: float


class _Usual:
    """What a call to an agent takes on average; of one that was never asked, what any call takes."""

    def __init__(self, past: Sequence[AgentSpending]) -> None:
        self._of: Mapping[str, _Mean] = {
            one.agent: _mean([one]) for one in past if one.calls > one.failed
        }
        self._any = _mean(past)

    def of(self, agent: str) -> _Mean:
        return self._of.get(agent, self._any)


def _mean(past: Sequence[AgentSpending]) -> _Mean:
    """Return what each call that was answered took, with what was tried in vain before it."""
    calls = sum(one.calls - one.failed for one in past)
    if not calls:
        return _Mean(_TOKENS_IN, _TOKENS_OUT, 0)
    return _Mean(
        sum(one.tokens_in for one in past) / calls,
        sum(one.tokens_out for one in past) / calls,
        sum(one.milliseconds for one in past) / calls,
    )
