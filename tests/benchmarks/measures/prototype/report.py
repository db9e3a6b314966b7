"""The figures of a benchmark, as a table to read and as one object for a program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from tests.benchmarks.measures.prototype.graphs_page import PageTimes
from tests.benchmarks.measures.prototype.measuring import Figures
from tests.benchmarks.table import heading, line, told, with_ratios

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
        yield from heading("at chapter", parts["commit_ms"])
        for name, words in _ROWS.items():
            yield line(words, with_ratios(parts[name]))

    def _page_lines(self) -> Iterator[str]:
        if self.page.warm:
            yield from heading("Graphs page with so many nodes", self.page.warm)
            yield line("opened first, s", map(told, self.page.cold.values()))
            yield line("opened again, s", map(told, self.page.warm.values()))
