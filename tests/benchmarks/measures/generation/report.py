"""What a chapter costs, as tables to read and as one object for a program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from tests.benchmarks.measures.generation.plotting import Way
from tests.benchmarks.table import heading, line, told, with_ratios

ByChapter: TypeAlias = dict[int, float]

_ROWS = {
    "calls_per_chapter": "calls",
    "input_tokens_per_chapter": "tokens in",
    "output_tokens_per_chapter": "tokens out",
    "peak_prompt_tokens": "longest prompt, tokens",
    "own_ms_per_chapter": "our own work, ms of the processor",
    "wall_ms_per_chapter": "calls taking 0 s, ms on the clock",
}

_HEADINGS = {
    Way.SMALL: "A small model: the plot",
    Way.ABLE: "An able model: the plot, woven, and tokens with the text",
    Way.TOLD: "An able model: the chapter told in two ways, then plotted, and tokens with the text",
}

_ONLY_IN_TABLE = frozenset({"wall_ms_per_chapter"})

_DIGITS = 3
"""Digits after the point that are kept: more would say nothing."""


@dataclass(frozen=True)
class GenerationFigures:
    """What was measured, by the chapters that the story had, and of the run whose calls take 1.0 s."""

    plot_seconds_at_1s: float
    longest_chain: int
    calls_per_chapter: ByChapter
    input_tokens_per_chapter: ByChapter
    output_tokens_per_chapter: ByChapter
    peak_prompt_tokens: ByChapter
    own_ms_per_chapter: ByChapter
    wall_ms_per_chapter: ByChapter
    checkpoint_bytes: int

    def as_object(self) -> dict[str, object]:
        """Return what goes into a JSON object; the keys of each part are chapters."""
        return {
            name: _rounded(value)
            for name, value in asdict(self).items()
            if name not in _ONLY_IN_TABLE
        }

    def as_table(self) -> str:
        """Return the figures, those by chapter with their ratios to the first, as Markdown."""
        return "\n".join([*self._chapter_lines(), "", *self._run_lines()])

    def _chapter_lines(self) -> Iterator[str]:
        parts: dict[str, ByChapter] = asdict(self)
        yield from heading("at chapter", self.calls_per_chapter)
        for name, words in _ROWS.items():
            yield line(words, with_ratios(parts[name]))

    def _run_lines(self) -> Iterator[str]:
        yield line("when every call takes 1.0 s", [""])
        yield line("---", ["---:"])
        yield line("a chapter's plot, s", [told(self.plot_seconds_at_1s)])
        yield line("calls that wait for each other", [told(self.longest_chain)])
        yield line("file of checkpoints, bytes", [told(self.checkpoint_bytes)])


@dataclass(frozen=True)
class AllWays:
    """What was measured of each way to make chapters.

    With an able model, tokens and prompts are of the plot and of the text, all else of the plot.
    """

    figures: Mapping[Way, GenerationFigures]

    def as_json(self) -> str:
        """Return one JSON object on one line: the small model's figures, and in it the others' by their way."""
        parts = {way: figures.as_object() for way, figures in self.figures.items()}
        return json.dumps({**parts.pop(Way.SMALL), **parts})

    def as_table(self) -> str:
        """Return the figures of all as Markdown."""
        return "\n\n".join(
            f"{_HEADINGS[way]}\n\n{figures.as_table()}" for way, figures in self.figures.items()
        )


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {str(at): _rounded(part) for at, part in value.items()}
    return round(value, _DIGITS) if isinstance(value, float) else value
