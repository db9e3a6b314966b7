"""The scorer's general rules, the same for every story (CreAgentive, Scorer agent)."""

from __future__ import annotations

from graph_flow.answers.weaving import RuleAnswer
from store.models.proposals import Score, ScoringRule

GENERAL_RULES: dict[str, ScoringRule] = {
    "motivation": ScoringRule(
        name="Motivation fits", question="Do people act from what they want?", weight=0.10
    ),
    "main_line": ScoringRule(
        name="Advances the main line", question="Is the story's goal nearer?", weight=0.15
    ),
    "originality": ScoringRule(
        name="Originality", question="Is it more than the expected?", weight=0.10
    ),
    "conflict": ScoringRule(name="Conflict", question="Do wills meet?", weight=0.15),
    "emotion": ScoringRule(name="Emotion", question="Would a reader feel something?", weight=0.10),
    "feasibility": ScoringRule(
        name="Feasibility", question="Could it happen in this world?", weight=0.10
    ),
    "personality": ScoringRule(
        name="Personality fits", question="Are people themselves?", weight=0.10
    ),
    "several_people": ScoringRule(
        name="Several people matter", question="Do several people count?", weight=0.05
    ),
    "suspense": ScoringRule(name="Suspense", question="Does one want to read on?", weight=0.10),
    "coherence": ScoringRule(
        name="Coherence", question="Does it follow from what was?", weight=0.05
    ),
}
"""By the key that stands in an answer; the weights add up to 1."""


def scores_from(answers: dict[str, RuleAnswer]) -> tuple[Score, ...]:
    """Return the scores of one candidate out of the scorer's answers by rule key."""
    return tuple(
        Score(
            rule=GENERAL_RULES[key].name,
            weight=GENERAL_RULES[key].weight,
            value=answer.score,
            reason=answer.reason,
        )
        for key, answer in answers.items()
    )
