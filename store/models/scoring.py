"""What candidates are scored by: the general rules and the story's own (CreAgentive, Scorer agent)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Line, Name, Record

RuleKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""A short name that stands for a rule in answers and in scores, the same for ever."""

Weight = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
"""What a rule counts for beside the others; weights need not add up to 1."""

LOWEST, HIGHEST, USUAL = 1, 10, 5
"""Scores begin at 1; the top of a rule's scale is its own, 5 unless the writer says otherwise."""


class Judge(StrEnum):
    """Who gives the score of a rule: the scorer agent, or the continuity check, without a model."""

    AGENT = "agent"
    CHECK = "check"


class ScoringRule(Record):
    """A rule that candidates are scored by, from 1 to `top`.

    `low` and `high` say what the ends of the scale mean; they may be empty.
    """

    key: RuleKey
    name: Name
    question: Line = ""
    weight: Weight = 0.1
    top: Annotated[int, Field(ge=2, le=HIGHEST)] = USUAL
    low: Line = ""
    high: Line = ""
    is_general: bool = False
    """Whether it is one of the rules that every story begins with."""
    judge: Judge = Judge.AGENT


CONTINUITY_KEY = "continuity"


def general_rules() -> tuple[ScoringRule, ...]:
    """Return the rules that a new story has, with the method's weights, and continuity beside them."""
    asked = (
        ("motivation", "Motivation fits", "Do people act from what they want?", 0.10),
        ("main_line", "Advances the main line", "Is the story's goal nearer?", 0.15),
        ("originality", "Originality", "Is it more than the expected?", 0.10),
        ("conflict", "Conflict", "Do wills meet?", 0.15),
        ("emotion", "Emotion", "Would a reader feel something?", 0.10),
        ("feasibility", "Feasibility", "Could it happen in this world?", 0.10),
        ("personality", "Personality fits", "Are people themselves?", 0.10),
        ("several_people", "Several people matter", "Do several people count?", 0.05),
        ("suspense", "Suspense", "Does one want to read on?", 0.10),
        ("coherence", "Coherence", "Does it follow from what was?", 0.05),
    )
    rules = [
        ScoringRule(key=key, name=name, question=question, weight=weight, is_general=True)
        for key, name, question, weight in asked
    ]
    continuity = ScoringRule(
        key=CONTINUITY_KEY,
        name="Continuity",
        question="Does it hold with what was told?",
        weight=0.10,
        is_general=True,
        judge=Judge.CHECK,
    )
    return (*rules, continuity)
