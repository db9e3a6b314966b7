"""The rules of a story as a list and as a file: what a writer may do with them, and what a file may not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.scoring.agents import SCORER
from graph_flow.scoring.rules import (
    FILE_LIMIT,
    MOST_RULES,
    Rules,
    RulesRefused,
    new_key,
    restored,
    rules_file,
    rules_from,
    shares,
    with_changed,
    with_rule,
    without_rule,
)
from store.models.endpoint import ModelStrength
from store.models.scoring import CONTINUITY_KEY, Judge, ScoringRule, general_rules
from store.models.story import StorySettings
from tests.wording import says

GENERAL = general_rules()


def own(rules: Rules) -> list[str]:
    return [rule.key for rule in rules if not rule.is_general]


def named(rules: Rules, key: str) -> ScoringRule:
    return next(rule for rule in rules if rule.key == key)


def test_shares_are_parts_of_the_whole() -> None:
    parts = shares(GENERAL)

    assert sum(parts.values()) == pytest.approx(1)
    assert parts["conflict"] == pytest.approx(0.15 / 1.1)
    assert set(shares([ScoringRule(key="a", name="A", weight=0)]).values()) == {0}
    assert shares([]) == {}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Humour", "humour"),
        ("  Mut und Übermut!", "mut_und_ubermut"),
        ("勇気", "rule"),
        ("7 dwarfs", "rule_7_dwarfs"),
        ("x" * 80, "x" * 32),
        ("Conflict", "conflict_2"),
    ],
)
def test_key_is_made_of_the_name(name: str, key: str) -> None:
    assert new_key(name, {rule.key for rule in GENERAL}) == key


@given(st.lists(st.text(min_size=1, max_size=80).filter(str.strip), max_size=12))
def test_keys_of_any_names_are_different_and_good(names: list[str]) -> None:
    rules = GENERAL
    for name in names:
        try:
            rules = with_rule(rules, name)
        except RulesRefused:
            assert name.strip().casefold() in {rule.name.casefold() for rule in rules}
    assert StorySettings(rules=rules).rules == rules


def test_own_rules_are_added_changed_and_taken_out() -> None:
    rules = with_rule(GENERAL, "Humour")
    funny = named(rules, "humour").model_copy(update={"weight": 0.4, "top": 10})

    changed = with_changed(rules, funny)

    assert named(changed, "humour") == funny
    assert without_rule(changed, "humour") == GENERAL
    assert without_rule(GENERAL, "conflict") == GENERAL, "a general one can only be switched off"


def test_two_rules_never_have_one_name() -> None:
    rules = with_rule(GENERAL, "Humour")

    with pytest.raises(RulesRefused, match="conflict"):
        with_rule(rules, " conflict ")
    with pytest.raises(RulesRefused, match="Conflict"):
        with_changed(rules, named(rules, "humour").model_copy(update={"name": "Conflict"}))


def test_general_rules_come_back_as_they_were_and_own_ones_stay() -> None:
    rules = with_rule(GENERAL, "Humour")
    rules = with_changed(rules, named(rules, "conflict").model_copy(update={"weight": 0.0}))

    assert restored(rules[3:]) == with_rule(GENERAL, "Humour")


def test_there_are_only_so_many_rules() -> None:
    rules = GENERAL
    for number in range(MOST_RULES - len(GENERAL)):
        rules = with_rule(rules, f"Rule {number}")

    with pytest.raises(RulesRefused, match="at most 30"):
        with_rule(rules, "One more")
    too_many = (*rules[len(GENERAL) :], ScoringRule(key="more", name="More"))
    with pytest.raises(RulesRefused, match="Remove 1 of your own"):
        restored(too_many)


# The file

TEXTS = st.text(max_size=60).map(str.strip)
OWN_RULES = st.lists(
    st.builds(
        ScoringRule,
        key=st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True).filter(
            lambda key: key not in {rule.key for rule in GENERAL}
        ),
        name=TEXTS.filter(bool),
        question=TEXTS,
        weight=st.floats(0, 1),
        top=st.integers(2, 10),
        low=TEXTS,
        high=TEXTS,
    ),
    max_size=8,
    unique_by=(lambda rule: rule.key, lambda rule: rule.name.casefold()),
)


@given(OWN_RULES)
def test_rules_come_back_from_their_file(more: list[ScoringRule]) -> None:
    general = {rule.name.casefold() for rule in GENERAL}
    rules = (*GENERAL, *(rule for rule in more if rule.name.casefold() not in general))

    assert rules_from(rules_file(rules).encode()) == rules


def test_largest_set_of_rules_fits_into_a_file() -> None:
    line = "語" * 400
    rules = tuple(
        ScoringRule(key=f"own_{at}", name=f"{'語' * 70} {at}", question=line, low=line, high=line)
        for at in range(MOST_RULES)
    )

    assert rules_from(rules_file(rules).encode()) == rules


def file_of(*rules: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"tellwright_rules": 1, "rules": [*rules], **more}).encode()


HUMOUR = {"name": "Humour", "weight": 0.2}


def test_file_of_the_app_s_former_name_is_read() -> None:
    former = file_of(HUMOUR).replace(b"tellwright_rules", b"fabula_rules")
    assert rules_from(former) == rules_from(file_of(HUMOUR))


def test_rule_without_a_key_gets_one() -> None:
    rules = rules_from(file_of(HUMOUR, {"key": "humour", "name": "Wit", "weight": 0.1}))

    assert [rule.key for rule in rules] == ["humour_2", "humour"]
    assert own(rules) == ["humour_2", "humour"]


def test_file_says_what_a_rule_is_and_never_who_judges_it() -> None:
    rules = rules_from(
        file_of(
            {"key": CONTINUITY_KEY, "name": "Holds together", "weight": 0.5},
            {"key": "conflict", "name": "Fight", "weight": 1},
        )
    )

    assert [rule.judge for rule in rules] == [Judge.CHECK, Judge.AGENT]
    assert all(rule.is_general for rule in rules)
    with pytest.raises(RulesRefused, match="“judge”"):
        rules_from(file_of(HUMOUR | {"judge": "check"}))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b" " * (FILE_LIMIT + 1), "too large"),
        (b"[]", "scoring rules"),
        (b"{}", "“tellwright_rules”"),
        (file_of(), "“rules”"),
        (file_of(HUMOUR, extra=1), "“extra”"),
        (file_of(*[HUMOUR] * 31), "30"),
        (file_of(HUMOUR | {"weight": 1.5}), ("rule 1", "“weight”", "1")),
        (file_of(HUMOUR | {"weight": -0.1}), ("“weight”", "0")),
        (file_of(HUMOUR | {"weight": "0.1"}), "“weight”"),
        (file_of(HUMOUR | {"weight": True}), "“weight”"),
        (file_of(HUMOUR | {"weight": float("nan")}), "cannot be read"),
        (file_of(HUMOUR).replace(b"0.2", b"1e999"), "“weight”"),
        (file_of(HUMOUR, HUMOUR | {"top": 11}), ("rule 2", "“top”", "10")),
        (file_of(HUMOUR | {"top": 2.5}), "“top”"),
        (file_of(HUMOUR | {"name": " "}), "“name”"),
        (file_of({"weight": 0.1}), "“name”"),
        (file_of(HUMOUR | {"name": "x" * 81}), "“name”"),
        (file_of(HUMOUR | {"question": "x" * 401}), "“question”"),
        (file_of(HUMOUR | {"key": "__class__"}), "“key”"),
        (file_of(HUMOUR | {"x" * 500: 1}), f"“{'x' * 40}”"),
        (file_of(HUMOUR, HUMOUR | {"name": "humour"}), "the name “humour”"),
        (
            file_of(HUMOUR | {"key": "a"}, {"key": "a", "name": "Wit", "weight": 0}),
            "the key “a”",
        ),
        (file_of(HUMOUR).replace(b'"name"', b'"weight": 1, "name"'), ("“weight”", "twice")),
    ],
)
def test_file_that_is_no_rules_is_refused_in_words(
    content: bytes, why: str | tuple[str, ...]
) -> None:
    with pytest.raises(RulesRefused) as refused:
        rules_from(content)

    assert says(str(refused.value), *([why] if isinstance(why, str) else why))
    assert len(str(refused.value)) < 200


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_is_rules_or_refused(content: bytes) -> None:
    with pytest.raises(RulesRefused):
        rules_from(content)


@pytest.mark.parametrize("strength", ModelStrength)
def test_examples_ask_what_the_general_rules_ask(strength: ModelStrength) -> None:
    questions = {rule.key: rule.question for rule in GENERAL}
    lines = [line for one in SCORER.prompt(strength).examples for line in one.given["rules"]]
    asked = dict(line.split(": ", 1) for line in lines)

    assert asked == {key: questions.get(key, question) for key, question in asked.items()}
