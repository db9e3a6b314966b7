"""Stage 2: all candidates of a round are scored in one comparing call."""

from __future__ import annotations

from collections.abc import Mapping

from langgraph.runtime import Runtime

from graph_flow.answers.scoring import scores_of, scores_schema
from graph_flow.context import Job, StoryContext
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.scoring import scores_from
from graph_flow.state import StoryState
from store.models.plot import Event
from store.models.proposals import Candidate
from store.models.scoring import Judge, ScoringRule

_WINDOW_FOR_REASONS = 8_000
"""Tokens. A model with less room gives one reason a candidate instead of one a rule."""

_TOKENS_WITH_REASON, _TOKENS_ALONE = 50, 25
_LABELS = "ABCDEFGH"
_UNSCORED = "The scorer gave no answer that could be used, so this is not scored."


def score_candidates(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Score the round's candidates; without a usable answer they stay unscored."""
    context = runtime.context
    woven = context.store.proposals.candidates(context.branch, state["chapter"], state["round"])
    labels = dict(zip(_LABELS, woven, strict=False))
    with_reasons = context.gateway.endpoint().context_window >= _WINDOW_FOR_REASONS
    rules = {rule.key: rule for rule in context.settings.rules if rule.judge is Judge.AGENT}
    schema = scores_schema(list(labels), list(rules), with_reasons=with_reasons)
    try:
        answer = context.ask(_job(state, context, labels, rules, with_reasons), schema)
    except UnusableAnswer:
        for candidate in woven:
            context.store.proposals.save_scores(candidate.id, (), _UNSCORED)
        return {}
    for label, candidate in labels.items():
        card = scores_of(answer, label)
        context.store.proposals.save_scores(
            candidate.id, scores_from(card.rules, rules), card.reason
        )
    return {}


def _job(
    state: StoryState,
    context: StoryContext,
    labels: Mapping[str, Candidate],
    rules: Mapping[str, ScoringRule],
    with_reasons: bool,
) -> Job:
    ground = context.store.excerpts.ground(context.branch).foundation
    tokens_a_score = _TOKENS_WITH_REASON if with_reasons else _TOKENS_ALONE
    return Job(
        agent="scorer",
        step=f"{state['chapter']}/{state['round']}/score",
        words="Comparing the candidates",
        variables={
            "language": context.language,
            "long_term_goal": ground.long_term_goal,
            "rules": [f"{key}: {rule.question}" for key, rule in rules.items()],
            "with_reasons": with_reasons,
            "candidates": [f"{label}. {_told(candidate)}" for label, candidate in labels.items()],
        },
        turn=with_reasons,
        tokens=len(labels) * len(rules) * tokens_a_score,
    )


def _told(candidate: Candidate) -> str:
    events = [entity for entity in candidate.delta.additions() if isinstance(entity, Event)]
    ordered = sorted(events, key=lambda event: event.position)
    return f"{candidate.title}: " + " ".join(event.summary for event in ordered)
