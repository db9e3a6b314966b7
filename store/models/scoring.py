"""What candidates are scored by: the general rules and the story's own (CreAgentive, Scorer agent)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

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

    @property
    def spec(self) -> JudgeSpec:
        """What sets the judge apart."""
        return JUDGES[self]


@dataclass(frozen=True)
class JudgeSpec:
    """What sets a judge apart from the others. How it judges is in `graph_flow.scoring.scores`."""

    label: str
    """What it is called in a sentence for the writer."""
    is_agent: bool
    """Whether a model is asked, so that the rule has a question and words for its scale."""
    about: str = ""
    """How it judges, for the writer to read where the rule has no question."""


JUDGES: Mapping[Judge, JudgeSpec] = {
    Judge.AGENT: JudgeSpec(label="the scorer", is_agent=True),
    Judge.CHECK: JudgeSpec(
        label="the continuity check",
        is_agent=False,
        about="No model is asked: contradictions and doubts that the continuity check finds take "
        "points off, but for those that you mean to be so.",
    ),
}

CONTINUITY_KEY = "continuity"

_JUDGED_OTHERWISE: Mapping[str, Judge] = {CONTINUITY_KEY: Judge.CHECK}
"""Who judges the rules that the scorer does not, by their keys. The key of a rule that is added here
has two underscores in a row: no rule that a writer named has, so none is taken for it."""


def judge_of(key: str) -> Judge:
    """Return who judges a rule. Its key says so, also in scores, which keep nothing else of it."""
    return _JUDGED_OTHERWISE.get(key, Judge.AGENT)


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
    """Where it is not said: whoever judges rules with this key."""

    @model_validator(mode="before")
    @classmethod
    def _has_its_judge(cls, fields: Any) -> Any:
        if isinstance(fields, dict) and "judge" not in fields:
            return {**fields, "judge": judge_of(str(fields.get("key", "")))}
        return fields


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
    )
    return (*rules, continuity)
