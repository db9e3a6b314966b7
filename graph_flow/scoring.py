"""What candidates are worth by the story's rules: of the scorer's answer, and of the continuity check. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil

from graph_flow.answers.scoring import RuleScore
from graph_flow.continuity.finding import Finding, Severity
from store.models.proposals import Score
from store.models.scoring import LOWEST, USUAL, Judge, ScoringRule

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
    sentence = gravest.sentence
    if len(sentence) > _REASON_LIMIT:
        sentence = f"{sentence[:_REASON_LIMIT].rstrip()}…"
    more = len(findings) - 1
    return f"{sentence} And {more} more." if more else sentence
