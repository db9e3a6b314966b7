"""What candidates are worth by the story's rules, and what changes when the writer intends a finding."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil

from graph_flow.continuity.check import check_nearby
from graph_flow.continuity.finding import Finding, Severity
from graph_flow.scoring.answers import RuleScore
from graph_flow.scoring.comparison import events_in
from store.models.proposals import Candidate, CandidateState, Score
from store.models.scoring import CONTINUITY_KEY, LOWEST, USUAL, Judge, ScoringRule
from store.open import Store
from store.text import clip

_TAKEN_OFF: Mapping[Severity, int] = {Severity.CONTRADICTION: 2, Severity.DOUBT: 1}
"""What a finding takes off, on a scale from 1 to 5."""

_REASON_LIMIT = 360
_NOTHING_FOUND = "Nothing in it speaks against what was told."


def asked_rules(rules: Sequence[ScoringRule]) -> list[ScoringRule]:
    """Return the rules that the scorer is asked about: those of no weight are switched off."""
    return [rule for rule in rules if rule.judge is Judge.AGENT and rule.weight]


def scores_by(
    rules: Sequence[ScoringRule],
    said: Mapping[str, RuleScore],
    findings: Sequence[Finding],
    events: Mapping[str, str],
) -> list[Score]:
    """Return a candidate's scores in the order of the rules; one without an answer has none.

    `said` is what the scorer said by the keys of rules, `findings` what the candidate would break,
    `events` the ids of what happens in it, by the labels that the scorer knows them by.
    """
    scores = []
    for rule in rules:
        if not rule.weight:
            continue
        if rule.judge is Judge.CHECK:
            scores.append(continuity_score(rule, findings, list(events.values())))
        elif rule.key in said:
            answer = said[rule.key]
            shown = tuple(events[label] for label in answer.events)
            scores.append(_score(rule, answer.score, answer.reason, shown))
    return scores


def continuity_score(
    rule: ScoringRule, findings: Sequence[Finding], events: Collection[str]
) -> Score:
    """Return what the findings of a candidate leave of the top of a scale; at least 1.

    A contradiction takes off 2 of 5, a doubt 1, on other scales in proportion. `events` are the
    ids of the candidate's: those that findings rest on are the evidence.
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
    """Return the sentence of the gravest finding, and how many more there are."""
    if not findings:
        return _NOTHING_FOUND
    gravest = max(findings, key=lambda finding: _TAKEN_OFF[finding.severity])
    sentence = clip(gravest.sentence, _REASON_LIMIT)
    more = len(findings) - 1
    return f"{sentence} And {more} more." if more else sentence


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
