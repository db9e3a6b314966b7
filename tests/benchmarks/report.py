"""The figures of a benchmark, as a table to read and as one object for a program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from tests.benchmarks.graphs_page import PageTimes
from tests.benchmarks.measuring import Figures

_ROWS = {
    "commit_ms": "commit of a chapter, ms",
    "knowledge_ms": "what a role can know, ms",
    "retrieval_ms": "what matters of the past, ms",
    "search_ms": "search, ms",
    "snapshot_ms": "whole story, nothing kept, ms",
    "diff_ms": "ten chapters compared, ms",
    "bytes_per_chapter": "file, bytes a chapter",
}

_DIGITS = 3
"""Digits after the point that are kept: more would say nothing."""


@dataclass(frozen=True)
class Report:
    """All that was measured."""

    story: Figures
    page: PageTimes

    def as_json(self) -> str:
        """Return one JSON object on one line; the keys of each part are chapters, or nodes."""
        values = {
            **asdict(self.story),
            "graph_page_s": self.page.warm,
            "graph_page_cold_s": self.page.cold,
        }
        rounded = {
            name: {str(at): round(value, _DIGITS) for at, value in part.items()}
            for name, part in values.items()
        }
        return json.dumps(rounded)

    def as_table(self) -> str:
        """Return the figures with their ratios to the first chapter, as Markdown."""
        return "\n".join([*self._story_lines(), "", *self._page_lines()])

    def _story_lines(self) -> Iterator[str]:
        parts: dict[str, dict[int, float]] = asdict(self.story)
        yield from _heading("at chapter", parts["commit_ms"])
        for name, words in _ROWS.items():
            first = next(iter(parts[name].values()))
            yield _line(
                words, (f"{_told(value)} (×{value / first:.2f})" for value in parts[name].values())
            )

    def _page_lines(self) -> Iterator[str]:
        if self.page.warm:
            yield from _heading("Graphs page with so many nodes", self.page.warm)
            yield _line("opened first, s", map(_told, self.page.cold.values()))
            yield _line("opened again, s", map(_told, self.page.warm.values()))


def _heading(words: str, columns: Mapping[int, object]) -> Iterator[str]:
    yield _line(words, (f"{at:,}" for at in columns))
    yield _line("---", ("---:" for _ in columns))


def _line(first: str, others: Iterator[str]) -> str:
    return f"| {' | '.join([first, *others])} |"


def _told(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
