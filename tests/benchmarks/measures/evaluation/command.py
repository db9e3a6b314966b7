"""The command line of the benchmark of evaluations, and of the experiments that they are made for."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.measures.evaluation.experiments import (
    Ratio,
    Size,
    calls_repeated_after_kill,
    experiment_ratio,
)
from tests.benchmarks.measures.evaluation.judging import Judging, judging
from tests.benchmarks.measures.evaluation.killing import calls_repeated
from tests.benchmarks.options import check_chapters, command_line, notice
from tests.benchmarks.table import heading, line, told, with_ratios

DESCRIPTION = """Judge a long book chapter by chapter with a scripted model, and print for each chapter
asked for: the largest prompt of the ten chapters up to it, in tokens, and our own work for a chapter, in
milliseconds of the processor, without the model's (the median of the same ten).

Make an experiment of 24 stories of 6 chapters on 8 workers, every call of which takes 0.25 s, and print how
many times as long it takes as its calls alone would.

Kill an evaluation in the middle of a chapter (-9), and a worker of an experiment in the middle of a story,
let both go on, and print how many calls were made once more than they had to be, in both together. The one
that is on its way when its process is killed has to be repeated."""

FULL, QUICK = (20, 200, 1_000), (20, 60)
LATENCY = 0.25
WHOLE, KILLED = Size(24, 6, 8), Size(4, 2, 4)
QUICK_WHOLE = QUICK_KILLED = Size(2, 1, 2)


class Repeated(NamedTuple):
    """How many calls were made again after a kill."""

    in_evaluation: int
    in_experiment: int


class Figures(NamedTuple):
    """What was measured."""

    judged: Judging
    size: Size
    experiment: Ratio
    repeated: Repeated

    @property
    def as_object(self) -> Mapping[str, object]:
        """The figures by their names."""
        return {
            **self.judged._asdict(),
            "experiment_ratio": self.experiment.ratio,
            "calls_repeated_after_kill": sum(self.repeated),
        }

    def tables(self) -> Iterator[str]:
        """Yield the figures with what they rest on, as lines of Markdown."""
        yield from heading("at chapter", self.judged.peak_prompt_tokens)
        yield line("largest prompt, tokens", with_ratios(self.judged.peak_prompt_tokens))
        own = with_ratios(self.judged.own_ms_per_chapter)
        yield line("our own work, ms of the processor", own)
        yield ""
        yield line(f"an experiment, every call of which takes {LATENCY} s", [""])
        yield line("---", ["---:"])
        yield line("stories, chapters each, workers", [", ".join(map(str, self.size))])
        yield line("seconds", [told(self.experiment.seconds)])
        yield line("seconds that its calls alone would take", [told(self.experiment.ideal)])
        yield line("ratio", [told(self.experiment.ratio)])
        yield ""
        yield line("killed with -9", ["calls repeated"])
        yield line("---", ["---:"])
        yield line("an evaluation in the middle of a chapter", [str(self.repeated.in_evaluation)])
        yield line("a worker of an experiment", [str(self.repeated.in_experiment)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, and print it."""
    quick = f"judge {QUICK[-1]} chapters, and make two stories of one chapter"
    parser = command_line("evaluation", DESCRIPTION, quick)
    asked = parser.parse_args(arguments)
    chapters = asked.chapters or (QUICK if asked.quick else FULL)
    check_chapters(parser, chapters)
    figures = measure(asked, chapters)
    print("\n".join(figures.tables()), file=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        print(json.dumps(figures.as_object))
    return 0


def measure(asked: argparse.Namespace, chapters: Sequence[int]) -> Figures:
    """Measure everything, one thing after the other."""
    whole, killed = (QUICK_WHOLE, QUICK_KILLED) if asked.quick else (WHOLE, KILLED)
    judged = judging(chapters)
    with tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as name:
        folder = Path(name)
        notice(f"An experiment of {whole.stories} stories …")
        experiment = experiment_ratio(folder / "whole", whole, LATENCY)
        notice("An evaluation that is killed …")
        in_evaluation = calls_repeated(folder / "evaluation", LATENCY)
        notice("An experiment whose worker is killed …")
        in_experiment = calls_repeated_after_kill(folder / "killed", killed, LATENCY)
    return Figures(judged, whole, experiment, Repeated(in_evaluation, in_experiment))
