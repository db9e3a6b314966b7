"""What candidates are scored by: the general rules and the story's own (CreAgentive, Scorer agent)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from store.models.base import Line, Name, Record

RuleKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""A short name that identifies a rule in answers and scores, and never changes."""

Weight = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
"""How much a rule counts relative to the others; weights need not add up to 1."""

LOWEST, HIGHEST, USUAL = 1, 10, 5
"""Scores begin at 1; each rule has its own top, 5 unless the writer says otherwise."""


class Judge(StrEnum):
    """Who scores by a rule: the scorer agent, or the continuity check, without a model."""

    AGENT = "agent"
    CHECK = "check"

    @property
    def spec(self) -> JudgeSpec:
        """What sets the judge apart."""
        return JUDGES[self]


@dataclass(frozen=True)
class JudgeSpec:
    """What sets a judge apart. How it judges is in `graph_flow.scoring.scores`."""

    label: str
    """What it is called in a sentence for the writer."""
    is_agent: bool
    """Whether a model is called, so the rule has a question and words for its scale."""
    about: str = ""
    """How it judges, shown to the writer when the rule has no question."""


JUDGES: Mapping[Judge, JudgeSpec] = {
    Judge.AGENT: JudgeSpec(label="the scorer", is_agent=True),
    Judge.CHECK: JudgeSpec(
        label="the continuity check",
        is_agent=False,
        about="No model is called: contradictions and doubts found by the continuity check "
        "cost points, except for those that you intend.",
    ),
}

CONTINUITY_KEY = "continuity"

_JUDGED_OTHERWISE: Mapping[str, Judge] = {CONTINUITY_KEY: Judge.CHECK}
"""Who judges the rules that the scorer does not, by key. The key of a rule that is added here must
have two underscores in a row: no key made from a writer's words has, so none is mistaken for it."""


def judge_of(key: str) -> Judge:
    """Return who judges a rule, by its key, which scores keep too."""
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
    """By default, whoever judges rules with this key."""

    @model_validator(mode="before")
    @classmethod
    def _has_its_judge(cls, fields: Any) -> Any:
        if isinstance(fields, dict) and "judge" not in fields:
            return {**fields, "judge": judge_of(str(fields.get("key", "")))}
        return fields


def general_rules() -> tuple[ScoringRule, ...]:
    """Return the rules of a new story: the method's, with its weights, and continuity."""
    asked = (
        ("motivation", "Motivation fits", "Do people act on what they want?", 0.10),
        ("main_line", "Advances the main line", "Is the story's goal closer?", 0.15),
        ("originality", "Originality", "Does it go beyond the expected?", 0.10),
        ("conflict", "Conflict", "Do wills meet?", 0.15),
        ("emotion", "Emotion", "Would a reader feel something?", 0.10),
        ("feasibility", "Feasibility", "Could it happen in this world?", 0.10),
        ("personality", "Personality fits", "Are people true to themselves?", 0.10),
        ("several_people", "Several people matter", "Do several people make a difference?", 0.05),
        ("suspense", "Suspense", "Would a reader want to read on?", 0.10),
        ("coherence", "Coherence", "Does it follow from what came before?", 0.05),
    )
    rules = [
        ScoringRule(key=key, name=name, question=question, weight=weight, is_general=True)
        for key, name, question, weight in asked
    ]
    continuity = ScoringRule(
        key=CONTINUITY_KEY,
        name="Continuity",
        question="Does it agree with the story so far?",
        weight=0.10,
        is_general=True,
    )
    return (*rules, continuity)
