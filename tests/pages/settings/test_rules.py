"""Scoring rules: weights, scales, own rules, files, and the writer's choices against the scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from graph_flow.scoring.rules import with_rule
from store.models.base import new_id
from store.models.delta import Delta
from store.models.proposals import Candidate, Chooser, Goal, Score
from store.models.scoring import ScoringRule, general_rules
from store.models.story import Story
from store.open import Store
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    primaries,
    turn_to,
    words,
)
from tests.wording import says

GENERAL = general_rules()


def rule(desk: Desk, story: Story, key: str) -> ScoringRule:
    return next(one for one in desk.workbench.scoring.rules(story.id) if one.key == key)


def weight(window: AppTest, story: Story, key: str, hundredths: int) -> AppTest:
    """Type a weight."""
    found = [
        one
        for one in window.number_input
        if (one.key or "").startswith(f"rule-{story.id}-{key}-weight")
    ]
    return found[0].set_value(hundredths).run()


def opened(window: AppTest, story: Story, key: str) -> AppTest:
    """Open the fields of a rule."""
    return window.button(key=f"rule-{story.id}-{key}-open").click().run()


def upload(window: AppTest, content: bytes) -> AppTest:
    window.file_uploader[0].upload("rules.json", content, "application/json").run()
    expect_whole(window)
    return window


def test_rules_are_shown_with_their_shares(desk: Desk) -> None:
    window = desk.window("rules", desk.story())

    expect_whole(window)
    assert all(one.name in words(window) for one in GENERAL)
    assert words(window).count("14\N{NO-BREAK SPACE}%") == 2
    assert primaries(window) == []


def test_settings_lead_to_the_rules(desk: Desk) -> None:
    window = desk.window("settings", desk.story())

    expect_whole(window)
    assert any("Scoring rules" in str(one.proto.label) for one in window.get("page_link"))


def test_without_a_story_the_library_is_offered(desk: Desk) -> None:
    window = desk.window("rules")

    expect_whole(window)
    assert primaries(window) == ["Go to the library"]


def test_weight_is_kept_as_it_is_typed(desk: Desk) -> None:
    story = desk.story()
    window = desk.window("rules", story)

    weight(window, story, "conflict", 40)
    weight(window, story, "emotion", 0)

    expect_whole(window)
    assert (rule(desk, story, "conflict").weight, rule(desk, story, "emotion").weight) == (0.4, 0.0)
    assert "32\N{NO-BREAK SPACE}%" in words(window)
    assert ":gray[off]" in words(window)
    turn_to(turn_to(window, "settings"), "rules")
    assert window.number_input(key=f"rule-{story.id}-conflict-weight").value == 40


def test_all_rules_switched_off_is_said(desk: Desk) -> None:
    story = desk.story()
    desk.workbench.scoring.weigh_rules(story.id, dict.fromkeys([one.key for one in GENERAL], 0.0))

    window = desk.window("rules", story)

    expect_whole(window)
    assert "candidates are not scored" in words(window)


def test_question_and_scale_are_edited(desk: Desk) -> None:
    story = desk.story()
    window = opened(desk.window("rules", story), story, "conflict")

    prefix = f"rule-{story.id}-conflict"
    window.text_input(key=f"{prefix}-question").set_value("Does somebody say no?").run()
    window.number_input(key=f"{prefix}-top").set_value(10).run()
    window.text_input(key=f"{prefix}-high").set_value("war").run()

    expect_whole(window)
    kept = rule(desk, story, "conflict")
    assert (kept.question, kept.top, kept.high) == ("Does somebody say no?", 10, "war")
    assert window.text_input(key=f"{prefix}-high").label == "What 10 means"


def test_name_that_cannot_be_kept_stays_in_its_field(desk: Desk) -> None:
    story = desk.story()
    window = opened(desk.window("rules", story), story, "conflict")
    field = f"rule-{story.id}-conflict-name"

    window.text_input(key=field).set_value("emotion").run()
    assert "There is already a rule called" in words(window)
    window.text_input(key=field).set_value("").run()

    assert "This cannot be empty" in words(window)
    assert window.text_input(key=field).value == ""
    assert rule(desk, story, "conflict").name == "Conflict"


def test_continuity_says_who_answers_it(desk: Desk) -> None:
    story = desk.story()
    window = opened(desk.window("rules", story), story, "continuity")

    expect_whole(window)
    assert "No model is called" in words(window)
    assert not any("question" in (one.key or "") for one in window.text_input)


def add(window: AppTest, name: str) -> AppTest:
    field = next(one for one in window.text_input if one.label == "A rule of your own")
    field.set_value(name)
    button(window, "Add").click().run()
    expect_whole(window)
    return window


def test_own_rule_is_added_opened_taken_out_and_brought_back(desk: Desk) -> None:
    story = desk.story()
    window = add(desk.window("rules", story), "Humour")

    assert rule(desk, story, "humour").name == "Humour"
    assert window.text_input(key=f"rule-{story.id}-humour-name").value == "Humour"

    button(window, "Remove").click().run()
    assert desk.workbench.scoring.rules(story.id) == GENERAL
    assert "Humour” was removed" in words(window)

    button(window, "Undo").click().run()
    expect_whole(window)
    assert rule(desk, story, "humour").name == "Humour"
    assert "Undo" not in words(window)


def test_name_of_another_rule_is_refused_and_stays_typed(desk: Desk) -> None:
    story = desk.story()
    window = add(desk.window("rules", story), "conflict")

    assert says(words(window), "a rule", "conflict", "already")
    field = next(one for one in window.text_input if one.label == "A rule of your own")
    assert field.value == "conflict"


def test_general_rules_are_restored_and_that_is_taken_back(desk: Desk) -> None:
    story = desk.story()
    window = add(desk.window("rules", story), "Humour")
    weight(window, story, "conflict", 90)

    button(window, "Restore the general rules").click().run()

    assert desk.workbench.scoring.rules(story.id) == with_rule(GENERAL, "Humour")
    button(window, "Undo").click().run()
    expect_whole(window)
    assert rule(desk, story, "conflict").weight == 0.9


def test_way_back_ends_where_it_would_take_later_edits_along(desk: Desk) -> None:
    story = desk.story()
    window = desk.window("rules", story)
    button(window, "Restore the general rules").click().run()
    assert "Undo" in words(window)

    weight(window, story, "conflict", 90)

    expect_whole(window)
    assert "Undo" not in words(window)


def test_rules_go_to_another_story_as_a_file(desk: Desk) -> None:
    first, second = desk.story(), desk.story()
    desk.workbench.scoring.add_rule(first.id, "Humour")
    desk.workbench.scoring.weigh_rules(first.id, {"conflict": 0.8})
    window = desk.window("rules", second)

    upload(window, desk.workbench.scoring.export_rules(first.id).encode())

    rules = desk.workbench.scoring.rules(second.id)
    assert rules == desk.workbench.scoring.rules(first.id)
    assert "The rules from the file are in use" in words(window)
    found = [one for one in window.number_input if "conflict-weight" in (one.key or "")]
    assert found[0].value == 80
    button(window, "Undo").click().run()
    assert desk.workbench.scoring.rules(second.id) == GENERAL


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x89PNG", "scoring rules"),
        (b"{" * 70_000, "scoring rules"),
        (b" " * 300_000, "too large"),
        (
            json.dumps({"tellwright_rules": 1, "rules": [{"name": "A", "weight": 7}]}).encode(),
            "too high",
        ),
    ],
)
def test_bad_file_changes_nothing(desk: Desk, content: bytes, why: str) -> None:
    story = desk.story()
    window = upload(desk.window("rules", story), content)

    assert why in words(window)
    assert "Nothing was changed" in words(window)
    assert desk.workbench.scoring.rules(story.id) == GENERAL
    assert "in use" not in words(window)


def test_names_are_shown_as_they_are_typed(desk: Desk) -> None:
    story = desk.story()
    desk.workbench.scoring.add_rule(story.id, HOSTILE)
    own = desk.workbench.scoring.rules(story.id)[-1]
    desk.workbench.scoring.change_rule(
        story.id, own.key, lambda rule: rule.model_copy(update={"question": HOSTILE})
    )

    window = opened(desk.window("rules", story), story, own.key)
    expect_whole(window)
    expect_only_text(window, HOSTILE)
    button(window, "Remove").click().run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)


# The writer's choices


def choose(library: Path, story: Story, chapters: int, *, rival: int = 5) -> None:
    """Choose in some chapters what moves most, beside a rival that has more or less conflict."""
    store = Store.open(library)
    branch = store.library.main_branch(story.id).id
    for chapter in range(1, chapters + 1):
        chosen = _candidate(store, branch, chapter, conflict=3, emotion=5)
        _candidate(store, branch, chapter, conflict=rival, emotion=3)
        store.proposals.mark_chosen(chosen, Chooser.WRITER)
    store.close()


def _candidate(store: Store, branch: str, chapter: int, **values: int) -> str:
    goal = Goal(
        id=new_id(),
        branch=branch,
        chapter=chapter,
        round=1,
        position=0,
        title="G",
        text="It happens.",
    )
    [goal] = store.proposals.save_goals([goal.model_copy(update={"is_by_writer": True})])
    scores = tuple(
        Score(key=one.key, rule=one.name, weight=one.weight, value=values.get(one.key, 3))
        for one in GENERAL
    )
    candidate = Candidate(
        id=new_id(),
        branch=branch,
        chapter=chapter,
        round=1,
        goal=goal.id,
        title="A way",
        delta=Delta(),
        scores=scores,
    )
    return store.proposals.save_candidate(candidate).id


def test_before_any_choice_it_is_said_what_will_be_here(desk: Desk) -> None:
    window = desk.window("rules", desk.story())

    assert "Once you have chosen" in words(window)
    assert "You chose as" not in words(window)


def test_few_choices_are_told_without_a_suggestion(desk: Desk, library_path: Path) -> None:
    story = desk.story()
    choose(library_path, story, 2)

    window = desk.window("rules", story)

    expect_whole(window)
    assert says(words(window), "**0** of 2 chapters")
    assert says(words(window), "3 chapters")
    assert primaries(window) == []


@pytest.mark.parametrize(
    ("rival", "columns"), [(5, ["Rule", "Now", "Your choices"]), (1, ["Rule", "Now"])]
)
def test_choices_stand_beside_the_rules_where_they_differ(
    desk: Desk, library_path: Path, rival: int, columns: list[str]
) -> None:
    story = desk.story()
    choose(library_path, story, 2, rival=rival)

    window = desk.window("rules", story)

    assert list(window.table[0].value.columns) == columns
    assert ("averaged over the chapters" in words(window)) is ("Your choices" in columns)


def test_weights_that_fit_the_choices_are_suggested_and_used(
    desk: Desk, library_path: Path
) -> None:
    story = desk.story()
    choose(library_path, story, 4)
    window = desk.window("rules", story)

    expect_whole(window)
    assert says(words(window), "**4** of your choices", 0)
    assert list(window.table[0].value["Rule"])[3] == "Conflict"
    button(window, "Use these weights").click().run()

    expect_whole(window)
    assert rule(desk, story, "emotion").weight >= rule(desk, story, "conflict").weight
    whole = sum(one.weight for one in desk.workbench.scoring.rules(story.id))
    assert whole == pytest.approx(1.1)
    assert "The suggested weights are in use" in words(window)
    assert "No weights close to the current ones" in words(window)
    button(window, "Undo").click().run()
    assert desk.workbench.scoring.rules(story.id) == GENERAL
