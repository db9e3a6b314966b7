"""The agents that make a mystery; no task makes calls to them."""

from __future__ import annotations

from functools import partial

from graph_flow.prompting.agent import NO_CALLS, Agent
from graph_flow.telling.mystery.answers import CASE_PART, GUIDE_PART, verdict_part

_agent = partial(Agent, stage="telling/mystery", calls=lambda _: NO_CALLS)
_CASE, _CLUES, _KNOWN = "The case", "The clues", "What the person knows"

CASE_MAKER = _agent(
    name="mystery_case",
    label="The case of a mystery",
    answer=lambda _: CASE_PART,
    labels={
        "crime": _CASE,
        "culprits": _CASE,
        "events": "What happens",
        "most_clues": "The task",
        "rounds": "The task",
        "victim": _CASE,
    },
)
BOOKLET_WRITER = _agent(
    name="mystery_booklet",
    label="A booklet of a mystery",
    labels={
        "is_first": "The task",
        "known": _KNOWN,
        "name": "The person",
        "part": "The task",
        "words": "The task",
    },
)
GUIDE_WRITER = _agent(
    name="mystery_guide",
    label="The host guide of a mystery",
    answer=lambda _: GUIDE_PART,
    labels={
        "account": _CASE,
        "clues": _CLUES,
        "culprits": _CASE,
        "timeline": "What happens",
        "victim": _CASE,
    },
)
SOLVER = _agent(
    name="mystery_solver",
    label="A player who solves a mystery",
    answer=lambda example: verdict_part(example.given["suspects"]),
    labels={
        "booklet": _KNOWN,
        "clues": _CLUES,
        "opening": _CASE,
        "reader": "The person",
        "suspects": "The people",
        "victim": _CASE,
    },
)

AGENTS = (CASE_MAKER, BOOKLET_WRITER, GUIDE_WRITER, SOLVER)
