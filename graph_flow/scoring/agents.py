"""The agent that scores the candidates of a chapter."""

from __future__ import annotations

import re
from typing import Any

from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.agent import NO_CALLS, Agent, Calls, Work, line_labels
from graph_flow.prompting.prompt import Example
from graph_flow.scoring.answers import ScoringRequest, scores_schema
from store.models.run import PlotChapters

_USUAL_TOP = 5


def _scores(example: Example) -> AnswerSchema[Any]:
    given = example.given
    return scores_schema(
        ScoringRequest(
            events={
                told.split(".")[0]: line_labels(told.splitlines()[1:])
                for told in given["candidates"]
            },
            tops={rule.split()[0].rstrip(":"): _top_of(rule) for rule in given["rules"]},
            with_reasons=given["with_reasons"],
        )
    )


def _top_of(rule: str) -> int:
    """Return the top of the scale that a rule's line names: "... (from 1 = calm to 10 = war)"."""
    named = re.search(r"\(from 1.* to (\d+)", rule)
    return int(named.group(1)) if named else _USUAL_TOP


def _scoring(work: Work) -> Calls:
    """Expect one call for each chapter that is plotted in more ways than the one a sketch has told."""
    match work.task:
        case PlotChapters(chapters=chapters):
            return NO_CALLS if work.is_as_told else Calls(chapters, chapters)
    return NO_CALLS


SCORER = Agent(
    name="scorer",
    stage="scoring",
    label="Scorer",
    calls=_scoring,
    answer=_scores,
    labels={
        "candidates": "The candidates",
        "is_near_end": "The task",
        "may_open": "The task",
        "place": "Its place in the story",
        "spine": "Where the story goes",
        "rules": "The scoring rules",
        "with_reasons": "The task",
    },
    step="Score",
)

AGENTS = (SCORER,)
