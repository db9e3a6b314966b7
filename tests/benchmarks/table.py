"""Figures as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping


def heading(words: str, columns: Mapping[int, object]) -> Iterator[str]:
    """Yield the first two lines of a table whose columns are chapters, or sizes."""
    yield line(words, (f"{at:,}" for at in columns))
    yield line("---", ("---:" for _ in columns))


def line(first: str, others: Iterable[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join([first, *others])} |"


def with_ratios(values: Mapping[int, float]) -> Iterator[str]:
    """Yield values with their ratios to the first of them."""
    first = next(iter(values.values()))
    return (f"{told(value)} (×{value / first:.2f})" for value in values.values())


def told(value: float) -> str:
    """Return a value with as many digits as say something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
