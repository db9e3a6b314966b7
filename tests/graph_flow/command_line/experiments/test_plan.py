"""A plan is checked before anything is asked, and what is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_flow.command_line.experiments.errors import PlanUnusable
from graph_flow.command_line.experiments.plan import Limits, Plan, Way, line_of, read_plan, slug
from graph_flow.command_line.experiments.records import stories_of
from tests.graph_flow.command_line.experiments.laboratory import endpoint

GOOD = """\
premises = ["lamp.txt"]
chapters = 3
ways = ["full", "direct"]
seeds = [1, 2]

[limits]
calls = 400

[[models]]
name = "Small one"
base_url = "http://127.0.0.1:1/v1"
model = "small"

[[models]]
name = "Large one"
base_url = "http://127.0.0.1:1/v1"
model = "large"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lamp.txt").write_text("A keeper finds a letter.\n", encoding="utf-8")
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_plan_becomes_all_its_stories_by_names_that_tell_them_apart(folder: Path) -> None:
    plan, premises = read_plan(written(folder, GOOD))
    stories = stories_of(plan, premises, plan.models)

    assert [one.name for one in stories[:4]] == [
        "lamp.full.small-one.1",
        "lamp.direct.small-one.1",
        "lamp.full.large-one.1",
        "lamp.direct.large-one.1",
    ]
    assert len({one.name for one in stories}) == len(stories) == 8
    assert len({one.fingerprint for one in stories}) == 8
    assert premises[0].text == "A keeper finds a letter."


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("chapters = 3", "chapters = 0", "line 2: chapters: Input should be greater"),
        ("chapters = 3", "", "plan.toml: chapters: this is missing"),
        ('ways = ["full", "direct"]', 'ways = ["fast"]', "line 3: ways.0: Input should be 'full'"),
        ("seeds = [1, 2]", "sedes = [1, 2]", "line 4: sedes: there is no such setting"),
        ("seeds = [1, 2]", "seeds = [2, 2]", "plan.toml: seeds has “2” twice"),
        ("calls = 400", "cals = 400", "line 7: limits.cals: there is no such setting"),
        ('model = "large"', 'modle = "large"', "line 14: models.1.model: this is missing"),
        ('model = "large"', 'modle = "large"', "line 17: models.1.modle: there is no such"),
        ("chapters = 3", "chapters 3", "is not TOML"),
        ('"lamp.txt"', '"lost.txt"', "lost.txt cannot be read"),
        ('"lamp.txt"', '"lamp.txt", "other/lamp.md"', "premises has “lamp” twice"),
        ("chapters = 3", "chapters = 3\nwrite = false", "a direct story has no plot"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_key(
    folder: Path, line: str, instead: str, said: str
) -> None:
    with pytest.raises(PlanUnusable) as problem:
        read_plan(written(folder, GOOD.replace(line, instead)))

    assert said in str(problem.value)


def test_nothing_that_was_typed_is_repeated_lest_it_be_a_key(folder: Path) -> None:
    key = "sk-0123456789abcdef0123456789"

    with pytest.raises(PlanUnusable) as problem:
        read_plan(written(folder, GOOD.replace('model = "large"', f'key_variable = "{key}"')))

    assert "models.1.key_variable" in str(problem.value)
    assert key not in str(problem.value)


def test_more_stories_than_can_be_kept_apart_are_refused(folder: Path) -> None:
    seeds = ", ".join(map(str, range(50_000)))

    with pytest.raises(PlanUnusable, match="200,000 stories"):
        read_plan(written(folder, GOOD.replace("1, 2", seeds)))


def test_empty_premise_and_one_that_is_no_text_are_refused(folder: Path) -> None:
    plan = written(folder, GOOD)
    (folder / "lamp.txt").write_text(" \n")
    with pytest.raises(PlanUnusable, match="is empty"):
        read_plan(plan)
    (folder / "lamp.txt").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(PlanUnusable, match="not text in UTF-8"):
        read_plan(plan)


def test_what_a_story_may_use_does_not_make_it_another(folder: Path) -> None:
    plan, premises = read_plan(written(folder, GOOD))
    richer = plan.model_copy(update={"limits": Limits(calls=9_000), "beat": 1.0})
    longer = plan.model_copy(update={"chapters": 4})

    def fingerprints(one: Plan) -> list[str]:
        return [story.fingerprint for story in stories_of(one, premises, plan.models)]

    assert fingerprints(richer) == fingerprints(plan)
    assert set(fingerprints(longer)).isdisjoint(fingerprints(plan))


def test_limits_are_shared_out_equally() -> None:
    share = Limits(calls=10, tokens=1_000, cost=1.0).share(4)

    assert (share.calls, share.tokens, share.cost) == (2, 250, 0.25)
    assert Limits().share(4).calls is None


def test_line_of_a_key_in_the_second_of_several_tables() -> None:
    assert line_of(GOOD, ["models", 1, "name"]) == 15
    assert line_of(GOOD, ["models", 1]) == 14
    assert line_of(GOOD, ["limits", "calls"]) == 7
    assert line_of(GOOD, ["nowhere"]) == 0


def test_names_become_parts_of_file_names() -> None:
    assert slug("Qwen3: 14B / (local)") == "qwen3-14b-local"
    assert slug("灯") == "x"


def test_every_way_has_settings_of_its_own(folder: Path) -> None:
    from graph_flow.command_line.experiments.records import Making
    from graph_flow.command_line.experiments.ways import settings_for, wanted_of

    plan, _ = read_plan(written(folder, GOOD))
    made = [settings_for(way, Making.of(plan)).model_dump_json() for way in Way]

    assert len(set(made)) == len(Way)
    assert [wanted_of(way, Making.of(plan)).has_outline for way in Way].count(True) == 1
    assert endpoint("http://127.0.0.1:1/v1").seed is None
