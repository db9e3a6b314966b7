"""The table of an experiment: means, intervals, and what the ways differ by."""

from __future__ import annotations

import csv
import io

import pytest

from graph_flow.command_line.experiments.plan import Way
from graph_flow.command_line.experiments.records import StoryReport, StoryScores, StoryTask
from graph_flow.command_line.experiments.table import mean_of, table_of


def report(way: Way, seed: int, words: int, scores: StoryScores | None = None) -> StoryReport:
    story = StoryTask(
        name=f"lamp.{way}.m.{seed}", premise="lamp", way=way, model="m", seed=seed, fingerprint=""
    )
    return StoryReport(
        story=story,
        version="1",
        library="",
        chapters=2,
        words=words,
        calls=10,
        tokens_in=100,
        tokens_out=50,
        cost=0.5,
        seconds=1.0,
        model_seconds=2.0,
        measures={"events": 4.0},
        scores=scores,
    )


REPORTS = [
    *(report(Way.DIRECT, seed, 90 * seed) for seed in range(1, 9)),
    *(report(Way.FULL, seed, 100 * seed) for seed in range(1, 9)),
]


def test_rows_come_in_the_order_of_the_ways_with_means_and_intervals() -> None:
    full, direct = table_of(REPORTS).rows

    assert (full.way, direct.way) == (Way.FULL, Way.DIRECT)
    assert full.means["words"].mean == 450
    assert full.means["events"].stories == 8
    low, high = full.means["words"].low, full.means["words"].high
    assert low is not None
    assert high is not None
    assert 100 < low < 450 < high < 800


def test_ways_are_compared_story_by_story_with_the_whole_method() -> None:
    full, direct = table_of(REPORTS).rows

    assert full.against_full == {}
    difference = direct.against_full["words"]
    assert difference.mean == -45
    assert difference.high is not None
    assert difference.high < 0
    # Side by side the intervals of the means overlap: pairs tell more.
    assert direct.means["words"].high is not None
    assert full.means["words"].low is not None
    assert direct.means["words"].high > full.means["words"].low


def test_scores_come_first_where_there_are_any() -> None:
    scores = StoryScores(judge="scripted", s_q=7.5, indicators={"CH": 8.0})

    table = table_of([report(Way.FULL, 1, 100, scores), report(Way.FULL, 2, 100)])

    assert table.columns[:2] == ["s_q", "CH"]
    assert table.rows[0].means["s_q"].stories == 1
    assert table.rows[0].means["words"].stories == 2


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [3.0, 3.0, 3.0]])
def test_few_or_equal_values_have_no_interval(values: list[float]) -> None:
    found = mean_of(values)

    assert (found.low, found.high) == (None, None)


def test_interval_is_the_same_each_time() -> None:
    assert mean_of([1.0, 2.0, 5.0, 9.0]) == mean_of([1.0, 2.0, 5.0, 9.0])


def test_table_is_written_as_markdown_and_csv() -> None:
    table = table_of(REPORTS)

    assert "| m | full | 8 |" in table.as_markdown()
    assert "Difference from the whole method" in table.as_markdown()
    lines = list(csv.DictReader(io.StringIO(table.as_csv())))
    words = [one for one in lines if one["measure"] == "words"]
    assert [(one["way"], one["against"], float(one["mean"])) for one in words] == [
        ("full", "", 450),
        ("direct", "", 405),
        ("direct", "full", -45),
    ]
