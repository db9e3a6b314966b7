"""What the scorer's answer is worth by the story's rules. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.answers.scoring import RuleAnswer
from store.models.proposals import Score
from store.models.scoring import ScoringRule


def scores_from(
    answers: Mapping[str, RuleAnswer], rules: Mapping[str, ScoringRule]
) -> tuple[Score, ...]:
    """Return the scores of one candidate out of the scorer's answers by rule key."""
    return tuple(
        Score(
            key=key,
            rule=rules[key].name,
            weight=rules[key].weight,
            value=answer.score,
            top=rules[key].top,
            reason=answer.reason,
        )
        for key, answer in answers.items()
    )
