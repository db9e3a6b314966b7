"""How the ways compare: a row for each way and model, every mean with its interval.

Single stories say little: their scores are mostly noise. Means over stories count, and so does what a way
differs by from the whole method over the same premises, models and seeds.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from pydantic import BaseModel

from graph_flow.command_line.experiments.plan import Way
from graph_flow.command_line.experiments.records import StoryReport

RESAMPLES = 2_000
LEVEL = 0.95
_SEED = 1
_LEAST = 3
"""Fewer stories have no interval worth the name."""


class Mean(BaseModel):
    """A mean with the interval in which it lies with 95 % confidence; None: too few stories to tell."""

    mean: float
    low: float | None = None
    high: float | None = None
    stories: int

    def __str__(self) -> str:
        """Return it as a cell of a table."""
        mean = _short(self.mean)
        if self.low is None or self.high is None:
            return mean
        return f"{mean} [{_short(self.low)}, {_short(self.high)}]"


class Row(BaseModel):
    """One way with one model. `against_full` is by how much the same stories differ from the whole method's."""

    model: str
    way: Way
    stories: int
    means: dict[str, Mean]
    against_full: dict[str, Mean] = {}


class Table(BaseModel):
    """All ways with all models."""

    rows: list[Row]

    @property
    def columns(self) -> list[str]:
        """What was measured, in the order of the table."""
        return list(dict.fromkeys(name for row in self.rows for name in row.means))

    def as_markdown(self) -> str:
        """Return the table, and what the ways differ by from the whole method."""
        parts = ["# Means", _markdown(self._cells([row.means for row in self.rows]))]
        differences = [row.against_full for row in self.rows]
        if any(differences):
            parts += ["# Difference from the whole method", _markdown(self._cells(differences))]
        return "\n\n".join(parts) + "\n"

    def as_csv(self) -> str:
        """Return all means and their limits, a line for each."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "way", "measure", "against", "stories", "mean", "low", "high"])
        for row in self.rows:
            for against, means in (("", row.means), ("full", row.against_full)):
                for name, one in means.items():
                    place = [row.model, row.way.value, name, against]
                    writer.writerow([*place, one.stories, one.mean, one.low, one.high])
        return file.getvalue()

    def _cells(self, every: Sequence[Mapping[str, Mean]]) -> list[list[str]]:
        names = self.columns
        lines = [["model", "way", "stories", *(name.replace("_", " ") for name in names)]]
        for row, means in zip(self.rows, every, strict=True):
            if means:
                cells = [str(means[name]) if name in means else "" for name in names]
                lines.append([row.model, row.way.value, str(row.stories), *cells])
        return lines


def table_of(reports: Iterable[StoryReport]) -> Table:
    """Return the table of stories that are done."""
    groups: dict[tuple[str, Way], list[StoryReport]] = defaultdict(list)
    for report in reports:
        groups[report.story.model, report.story.way].append(report)
    order = list(Way)
    keys = sorted(groups, key=lambda key: (key[0], order.index(key[1])))
    return Table(rows=[_row(key, groups) for key in keys])


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of some values and its interval (bootstrap, bias-corrected and accelerated)."""
    mean = float(np.mean(values))
    if len(values) < _LEAST or np.ptp(values) == 0:
        return Mean(mean=mean, stories=len(values))
    from scipy.stats import bootstrap  # takes a second or more to import, and is needed last

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about few or nearly equal values: the interval says it
        found = bootstrap(
            (np.asarray(values, dtype=float),),
            np.mean,
            confidence_level=LEVEL,
            n_resamples=RESAMPLES,
            method="BCa",
            rng=_SEED,
        ).confidence_interval
    if not (np.isfinite(found.low) and np.isfinite(found.high)):
        return Mean(mean=mean, stories=len(values))
    return Mean(mean=mean, low=float(found.low), high=float(found.high), stories=len(values))


def _row(key: tuple[str, Way], groups: Mapping[tuple[str, Way], list[StoryReport]]) -> Row:
    model, way = key
    here = [(_which(one), _measured(one)) for one in groups[key]]
    full = {_which(one): _measured(one) for one in groups.get((model, Way.FULL), [])}
    differences = (
        []
        if way is Way.FULL
        else [
            {
                name: value - full[which][name]
                for name, value in measured.items()
                if name in full[which]
            }
            for which, measured in here
            if which in full
        ]
    )
    return Row(
        model=model,
        way=way,
        stories=len(here),
        means=_means([measured for _, measured in here]),
        against_full=_means(differences),
    )


def _which(report: StoryReport) -> tuple[str, int]:
    return report.story.premise, report.story.seed


def _means(measured: Sequence[Mapping[str, float]]) -> dict[str, Mean]:
    names = dict.fromkeys(name for one in measured for name in one)
    return {name: mean_of([one[name] for one in measured if name in one]) for name in names}


def _measured(report: StoryReport) -> dict[str, float]:
    """Return all that is known of a story as numbers: what it took, its measures, its scores."""
    scores = report.scores
    judged: dict[str, float | None] = (
        {"s_q": scores.s_q, "s_l": scores.s_l, "qls": scores.qls, **scores.indicators}
        if scores
        else {}
    )
    return {
        **{name: value for name, value in judged.items() if value is not None},
        "chapters": float(report.chapters),
        "words": float(report.words),
        "calls": float(report.calls),
        "tokens_in": float(report.tokens_in),
        "tokens_out": float(report.tokens_out),
        "cost": report.cost,
        "model_seconds": report.model_seconds,
        **report.measures,
    }


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = lines
    rule = ["---", "---", *("---:" for _ in head[2:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rest))


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"
