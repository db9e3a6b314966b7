"""Chapters at some lengths of a story: once with slow calls, and in turns with calls that take no time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from operator import truediv
from pathlib import Path
from statistics import median

from tests.benchmarks.measures.generation.plotting import Stretch, Way, checkpoint_bytes, plotter
from tests.benchmarks.measures.generation.report import ByChapter, GenerationFigures
from tests.benchmarks.measures.generation.timed_server import running
from tests.benchmarks.measures.generation.token_count import tokenizer
from tests.benchmarks.milestones import Milestone

LATENCY = 1.0
"""Seconds that every call takes in the run that is timed."""

Plotted = Mapping[int, Sequence[Stretch]]
"""What was plotted, by the chapter that the story had come to."""


@dataclass(frozen=True)
class Effort:
    """How many chapters are plotted in a row, and how often that is done at each length."""

    in_a_row: int = 8
    rounds: int = 4


QUICK = Effort(in_a_row=2, rounds=1)


@dataclass(frozen=True)
class Bench:
    """What is measured: a story at its milestones, and one way to make its chapters.

    With an able model the chapters are written as well as plotted. `folder` is for copies of the
    story, and empty.
    """

    milestones: Sequence[Milestone]
    folder: Path
    effort: Effort
    way: Way

    @property
    def is_written(self) -> bool:
        """Whether the chapters are written as well as plotted."""
        return self.way is not Way.SMALL

    def copy_of(self, milestone: Milestone) -> Path:
        """Return the copy of the story at a milestone."""
        return self.folder / f"at-{milestone.chapter}.db"


def measure_generation(bench: Bench, notice: Callable[[str], None]) -> GenerationFigures:
    """Go on with a story as it was at its milestones; `notice` is told what is done now."""
    notice(f"plotting ({bench.way.value}), every call taking {LATENCY} s")
    timed = _with_latency(bench)
    notice("the same, calls taking no time")
    plotted = _in_turns(bench)
    notice("counting tokens")
    tokens = _counted(plotted)
    return GenerationFigures(
        plot_seconds_at_1s=median(timed.seconds),
        # A busy machine can make a chain longer, never shorter.
        longest_chain=min(timed.chains),
        calls_per_chapter=_a_chapter(plotted, lambda one: len(one.calls)),
        input_tokens_per_chapter={at: some.asked for at, some in tokens.items()},
        output_tokens_per_chapter={at: some.answered for at, some in tokens.items()},
        peak_prompt_tokens={at: some.longest_prompt for at, some in tokens.items()},
        own_ms_per_chapter=_a_chapter(plotted, lambda one: one.own_seconds * 1_000),
        wall_ms_per_chapter={
            at: median(chain.from_iterable(one.seconds for one in some)) * 1_000
            for at, some in plotted.items()
        },
        checkpoint_bytes=max(checkpoint_bytes(bench.copy_of(one)) for one in bench.milestones),
    )


@dataclass(frozen=True)
class _Tokens:
    """What a model counts: of a chapter's prompts and answers, and of the longest of all prompts."""

    asked: float
    answered: float
    longest_prompt: int


def _counted(plotted: Plotted) -> dict[int, _Tokens]:
    with tokenizer() as count:
        return {at: _tokens_of(some, count) for at, some in plotted.items()}


def _tokens_of(stretches: Sequence[Stretch], count: Callable[[str], int]) -> _Tokens:
    calls = [(*one.calls, *one.text_calls) for one in stretches]
    asked = [[count(call.prompt) for call in some] for some in calls]
    answered = [[count(call.answer) for call in some] for some in calls]
    chapters = [one.chapters for one in stretches]
    return _Tokens(
        asked=median(map(truediv, map(sum, asked), chapters)),
        answered=median(map(truediv, map(sum, answered), chapters)),
        longest_prompt=max(chain.from_iterable(asked)),
    )


def _with_latency(bench: Bench) -> Stretch:
    """Plot some chapters with slow calls, after one with which everything gets ready."""
    copy, log = bench.folder / "timed.db", bench.folder / "slow.log"
    with (
        running(log, LATENCY) as server,
        plotter(bench.milestones[0], copy, server, bench.way) as story,
    ):
        return story.plot(1 + bench.effort.in_a_row).without_first()


def _in_turns(bench: Bench) -> Plotted:
    """Plot at each length again and again; every round begins with another length.

    A first chapter of each does not count: it makes everything ready.
    """
    plotted: dict[int, list[Stretch]] = {one.chapter: [] for one in bench.milestones}
    with ExitStack() as stack:
        server = stack.enter_context(running(bench.folder / "quick.log", 0.0))
        stories = [
            (
                one.chapter,
                stack.enter_context(plotter(one, bench.copy_of(one), server, bench.way)),
            )
            for one in bench.milestones
        ]
        for _, story in stories:
            story.plot(1)
        for turn in range(bench.effort.rounds):
            first = turn % len(stories)
            for chapter, story in stories[first:] + stories[:first]:
                stretch = story.plot(bench.effort.in_a_row)
                plotted[chapter].append(story.write(stretch) if bench.is_written else stretch)
    return plotted


def _a_chapter(plotted: Plotted, of: Callable[[Stretch], float]) -> ByChapter:
    """Return the medians of what one chapter took."""
    return {at: median(of(one) / one.chapters for one in some) for at, some in plotted.items()}
