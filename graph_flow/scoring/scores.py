"""Score candidates by the story's rules, and again when the writer marks a finding as intended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from graph_flow.cognition.continuity.check import check_nearby
from graph_flow.cognition.continuity.finding import Finding, Severity
from graph_flow.scoring.answers import RuleScore
from graph_flow.scoring.comparison import events_in
from store.models.delta import Delta
from store.models.proposals import Candidate, CandidateState, Score
from store.models.scoring import LOWEST, USUAL, Judge, ScoringRule
from store.open import Store
from store.text import clip

_TAKEN_OFF: Mapping[Severity, int] = {Severity.CONTRADICTION: 2, Severity.DOUBT: 1}
"""How much a finding takes off a score, on a scale from 1 to 5."""

_REASON_LIMIT = 360
_NOTHING_FOUND = "Nothing in it contradicts the story so far."


def asked_rules(rules: Sequence[ScoringRule]) -> list[ScoringRule]:
    """Return the rules that the scorer is asked about; rules without weight are switched off."""
    return [rule for rule in rules if rule.judge is Judge.AGENT and rule.weight]


def reason_unasked(rules: Sequence[ScoringRule]) -> str:
    """Return the sentence that tells the writer why the scorer is not asked."""
    judges = dict.fromkeys(rule.judge.spec.label for rule in rules if rule.weight)
    if not judges:
        return "By your rules, nothing is scored."
    return (
        f"By your rules, only {' and '.join(judges)} {'counts' if len(judges) == 1 else 'count'}."
    )


@dataclass(frozen=True)
class ScoringBasis:
    """What a candidate is scored by.

    `said` holds the scorer's answers by the keys of rules, `findings` what the candidate would
    break, and `events` the ids of its events, by the labels in the scorer's prompt.
    """

    delta: Delta
    events: Mapping[str, str]
    said: Mapping[str, RuleScore]
    findings: Sequence[Finding]


def scores_by(rules: Sequence[ScoringRule], basis: ScoringBasis) -> list[Score]:
    """Return a candidate's scores, in the order of the rules that count and have an answer."""
    scores = (_JUDGING[rule.judge](rule, basis) for rule in rules if rule.weight)
    return [score for score in scores if score is not None]


def _by_scorer(rule: ScoringRule, basis: ScoringBasis) -> Score | None:
    answer = basis.said.get(rule.key)
    if answer is None:
        return None
    shown = tuple(basis.events[label] for label in answer.events)
    return _score(rule, answer.score, answer.reason, shown)


def _by_check(rule: ScoringRule, basis: ScoringBasis) -> Score:
    return continuity_score(rule, basis.findings, [event.id for event in events_in(basis.delta)])


_JUDGING: Mapping[Judge, Callable[[ScoringRule, ScoringBasis], Score | None]] = {
    Judge.AGENT: _by_scorer,
    Judge.CHECK: _by_check,
}
"""How each judge scores; None if it says nothing about the rule."""


def continuity_score(
    rule: ScoringRule, findings: Sequence[Finding], events: Collection[str]
) -> Score:
    """Return the top of the scale less what a candidate's findings take off; at least 1.

    A contradiction takes off 2 of 5, a doubt 1, and on other scales in proportion. `events` holds
    the ids of the candidate's events: those that the findings cite are the evidence.
    """
    taken_off = sum(_TAKEN_OFF[finding.severity] for finding in findings)
    value = rule.top - ceil(taken_off * (rule.top - LOWEST) / (USUAL - LOWEST))
    shown = (item.id for finding in findings for item in finding.evidence if item.id in events)
    return _score(rule, max(LOWEST, value), _reason(findings), tuple(dict.fromkeys(shown)))


def _score(rule: ScoringRule, value: int, reason: str, evidence: tuple[str, ...]) -> Score:
    return Score(
        key=rule.key,
        rule=rule.name,
        weight=rule.weight,
        value=value,
        top=rule.top,
        reason=reason,
        evidence=evidence,
    )


def _reason(findings: Sequence[Finding]) -> str:
    """Return the sentence of the most serious finding, and how many more there are."""
    if not findings:
        return _NOTHING_FOUND
    worst = max(findings, key=lambda finding: _TAKEN_OFF[finding.severity])
    sentence = clip(worst.sentence, _REASON_LIMIT)
    more = len(findings) - 1
    return f"{sentence} And {more} more." if more else sentence


def score_continuity_again(store: Store, story_id: str) -> None:
    """Score the continuity of a story's open candidates again, by what is now intended.

    Scores by other rules stay as they were, and so do the weight and scale of this one. The cost
    depends on the candidates of the next chapter of each branch.
    """
    intended = store.intended.reasons(story_id)
    for branch in store.library.all_branches(story_id):
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
        score.judge is Judge.CHECK for score in candidate.scores
    )


def _again(score: Score, candidate: Candidate, findings: Sequence[Finding]) -> Score:
    if score.judge is not Judge.CHECK:
        return score
    rule = ScoringRule(key=score.key, name=score.rule, weight=score.weight, top=score.top)
    return continuity_score(rule, findings, [event.id for event in events_in(candidate.delta)])
