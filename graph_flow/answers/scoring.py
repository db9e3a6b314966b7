"""Answers of stage 2: scores by rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model

from graph_flow.answers.text import Phrase

RuleScore = Annotated[int, Field(ge=1, le=5)]


class RuleAnswer(BaseModel):
    """One rule's score of one candidate."""

    score: RuleScore
    reason: Annotated[
        str, Field(max_length=300, json_schema_extra={"maxLength": 60}, description="a few words")
    ]


def scores_schema(
    candidates: Sequence[str], rules: Sequence[str], *, with_reasons: bool
) -> type[BaseModel]:
    """Return the answer that scores every candidate label on every rule key.

    With reasons each rule has one; without, each candidate has one for all, which keeps the answer
    of a small model short. Read an answer with `scores_of`.
    """
    rule_type: Any = RuleAnswer if with_reasons else RuleScore
    fields: dict[str, Any] = {rule: (rule_type, ...) for rule in rules}
    card = create_model("CandidateScores", reason=(Phrase, ...), **fields)
    cards: dict[str, Any] = {candidate: (card, ...) for candidate in candidates}
    return create_model("ScoresAnswer", **cards)


@dataclass(frozen=True)
class CardScores:
    """One candidate's scores by rule key, and what decides about it as a whole."""

    reason: str
    rules: dict[str, RuleAnswer]


def scores_of(answer: BaseModel, candidate: str) -> CardScores:
    """Return one candidate's scores out of an answer to `scores_schema`."""
    card = getattr(answer, candidate)
    given = {rule: getattr(card, rule) for rule in type(card).model_fields if rule != "reason"}
    rules = {
        rule: RuleAnswer(score=score, reason="") if isinstance(score, int) else score
        for rule, score in given.items()
    }
    return CardScores(card.reason, rules)
