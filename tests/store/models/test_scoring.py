"""Rules and who judges them: by what was stored, and by the key where nothing says so."""

from __future__ import annotations

import pytest

from store.models.delta import Delta
from store.models.proposals import Candidate, Score
from store.models.scoring import CONTINUITY_KEY, JUDGES, Judge, ScoringRule, general_rules
from store.models.story import StorySettings


def score(key: str) -> Score:
    return Score(key=key, rule="Rule", weight=0.1, value=3)


def candidate(*scores: Score) -> Candidate:
    return Candidate(
        id="c",
        branch="b",
        chapter=1,
        round=1,
        goal="g",
        title="The lamp",
        delta=Delta(),
        scores=scores,
    )


def test_every_judge_is_described() -> None:
    assert set(JUDGES) == set(Judge)
    for spec in JUDGES.values():
        assert spec.label
        assert spec.is_agent or spec.about, "a rule without a question says how it is judged"


@pytest.mark.parametrize("says_who", [True, False])
def test_stored_rules_have_the_judges_they_had(says_who: bool) -> None:
    stored = StorySettings().model_dump(mode="json")
    if not says_who:
        for rule in stored["rules"]:
            del rule["judge"]

    rules = StorySettings.model_validate(stored).rules

    assert rules == general_rules()
    assert [rule.key for rule in rules if rule.judge is Judge.CHECK] == [CONTINUITY_KEY]


def test_judge_that_is_said_stays() -> None:
    assert ScoringRule(key="wit", name="Wit", judge=Judge.CHECK).judge is Judge.CHECK
    assert ScoringRule(key="wit", name="Wit").judge is Judge.AGENT


def test_candidate_is_judged_by_an_agent_alone() -> None:
    assert not candidate().is_judged
    assert not candidate(score(CONTINUITY_KEY)).is_judged
    assert candidate(score(CONTINUITY_KEY), score("conflict")).is_judged
    assert candidate(score("")).is_judged, "scores of old libraries have no key"
