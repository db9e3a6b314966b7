"""Stage 2: all candidates of a round are scored in one comparing call."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.answers.weaving import scores_of, scores_schema
from graph_flow.context import Job, StoryContext
from graph_flow.errors import WeavingFailed
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.scoring import GENERAL_RULES, scores_from
from graph_flow.state import StoryState
from store.models.plot import Event
from store.models.proposals import Candidate

_WINDOW_FOR_REASONS = 8_000
"""Tokens. A model with less room gives one reason a candidate instead of one a rule."""

_LABELS = "ABCDEFGH"
_UNSCORED = "The scorer gave no answer that could be used, so this is not scored."


def score_candidates(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Score the round's candidates; without a usable answer they stay unscored.

    Raises:
        WeavingFailed: if no relay came to a candidate.
    """
    context = runtime.context
    chapter, round_ = state["chapter"], state["round"]
    woven = context.store.proposals.candidates(context.branch, chapter, round_)
    candidates = [candidate for candidate in woven if not candidate.delta.is_empty]
    if not candidates:
        raise WeavingFailed(
            "None of the people gave an answer that could be used. Continue to try again, or "
            "connect a larger model in Settings."
        )
    labels = dict(zip(_LABELS, candidates, strict=False))
    snapshot = context.snapshot()
    with_reasons = context.gateway.endpoint().context_window >= _WINDOW_FOR_REASONS
    job = Job(
        agent="scorer",
        step=f"{chapter}/{round_}/score",
        words="Comparing the candidates",
        variables={
            "language": context.language,
            "long_term_goal": snapshot.foundation.long_term_goal,
            "rules": [f"{key}: {rule.question}" for key, rule in GENERAL_RULES.items()],
            "with_reasons": with_reasons,
            "candidates": [f"{label}. {_told(candidate)}" for label, candidate in labels.items()],
        },
        turn=with_reasons,
        tokens=len(labels) * len(GENERAL_RULES) * (50 if with_reasons else 25),
    )
    schema = scores_schema(list(labels), list(GENERAL_RULES), with_reasons=with_reasons)
    try:
        answer = context.ask(job, schema)
    except UnusableAnswer:
        for candidate in candidates:
            context.store.proposals.save_scores(candidate.id, (), _UNSCORED)
        return {}
    for label, candidate in labels.items():
        card = scores_of(answer, label)
        context.store.proposals.save_scores(candidate.id, scores_from(card.rules), card.reason)
    return {}


def _told(candidate: Candidate) -> str:
    events = [entity for entity in candidate.delta.additions() if isinstance(entity, Event)]
    ordered = sorted(events, key=lambda event: event.position)
    return f"{candidate.title}: " + " ".join(event.summary for event in ordered)
