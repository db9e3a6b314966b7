"""The agents that judge texts; no task of a run makes calls to them."""

from __future__ import annotations

from functools import partial

from graph_flow.prompting.agent import NO_CALLS, Agent
from graph_flow.telling.evaluation.answers import (
    CONSISTENCY_SCHEMA,
    PART_ANALYSIS,
    PART_GLOBAL,
    PART_PAIR,
)

_BEFORE = "The story so far"

_agent = partial(
    Agent,
    stage="telling/evaluation",
    calls=lambda _: NO_CALLS,
)

CHAPTER_ANALYSIS = _agent(
    name="chapter_analysis",
    label="Judge of a chapter",
    answer=PART_ANALYSIS,
    labels={
        "chapter": "The chapter",
        "chapters": "The chapters before",
        "mark": "The chapter",
        "so_far": "The chapter",
        "state": _BEFORE,
        "synopsis": _BEFORE,
        "theme": "The premise",
    },
)
GLOBAL_EVALUATION = _agent(
    name="global_evaluation",
    label="Judge of the whole",
    answer=PART_GLOBAL,
    labels={
        "chapters": "The chapters before",
        "state": _BEFORE,
        "synopsis": _BEFORE,
        "theme": "The premise",
    },
)

CONSISTENCY_JUDGE = _agent(
    name="consistency_judge",
    label="Judge of consistency",
    answer=CONSISTENCY_SCHEMA,
    labels={
        "chapter": "The chapter",
        "facts": "What earlier chapters say",
        "mark": "The chapter",
    },
)

PAIR_JUDGE = _agent(
    name="pair_judge",
    label="Judge of two texts",
    answer=PART_PAIR,
    labels={
        "first": "The first text",
        "mark": "The task",
        "second": "The second text",
        "theme": "The premise",
    },
)

CARD_WRITER = _agent(
    name="card_writer",
    label="Judge that writes itself",
    labels={"mark": "The text", "story": "The text", "words": "The task"},
)

AGENTS = (CHAPTER_ANALYSIS, GLOBAL_EVALUATION, CONSISTENCY_JUDGE, PAIR_JUDGE, CARD_WRITER)
