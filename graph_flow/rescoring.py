"""Scores of candidates that are still open, when the writer says what they mean to be so."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.comparing import events_in
from graph_flow.continuity.finding import Finding
from graph_flow.continuity.nearby import check_nearby
from graph_flow.scoring import continuity_score
from store.models.proposals import Candidate, CandidateState, Score
from store.models.scoring import CONTINUITY_KEY, Judge, ScoringRule
from store.open import Store


def score_continuity_again(store: Store, story_id: str) -> None:
    """Score the continuity of a story's open candidates by what is intended now.

    What other rules gave, and weight and scale of the score, stay as they were. The cost follows
    the candidates of the chapters that are to come, one on each branch.
    """
    intended = store.intended.reasons(story_id)
    for branch in store.library.branches(story_id):
        head = store.prototype.head(branch.id)
        if head is None:
            continue
        candidates = store.proposals.candidates(branch.id, head.chapter + 1)
        waiting = [one for one in candidates if _is_waiting(one)]
        if not waiting:
            continue
        deltas = [one.delta for one in waiting]
        found = check_nearby(store.vicinity.of(branch.id, deltas), deltas)
        for candidate, findings in zip(waiting, found, strict=True):
            left = [one for one in findings if one.key not in intended]
            scores = [_again(score, candidate, left) for score in candidate.scores]
            if tuple(scores) != candidate.scores:
                store.proposals.save_scores(candidate.id, scores, candidate.comment)


def _is_waiting(candidate: Candidate) -> bool:
    return candidate.state is CandidateState.PROPOSED and any(
        score.key == CONTINUITY_KEY for score in candidate.scores
    )


def _again(score: Score, candidate: Candidate, findings: Sequence[Finding]) -> Score:
    if score.key != CONTINUITY_KEY:
        return score
    rule = ScoringRule(
        key=score.key, name=score.rule, weight=score.weight, top=score.top, judge=Judge.CHECK
    )
    return continuity_score(rule, findings, [event.id for event in events_in(candidate.delta)])
