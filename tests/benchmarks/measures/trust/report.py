"""What was measured, as tables and as one object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.benchmarks.measures.trust.growth import Growth
from tests.benchmarks.measures.trust.kills.killing import Killed
from tests.benchmarks.measures.trust.load.measuring import Load, percentile
from tests.benchmarks.measures.trust.updates import Updates
from tests.benchmarks.table import line, told


@dataclass
class Found:
    """What was measured; a part that was not asked for is not there."""

    killed: Killed | None = None
    stops: Mapping[str, float] = field(default_factory=dict)
    growth: Growth | None = None
    updates: Updates | None = None
    load: Load | None = None


def figures(found: Found) -> dict[str, Any]:
    """Return the figures as one object; a part that was not measured has null."""
    wrong = found.killed.whole if found.killed else None
    return {
        "kills": found.killed.kills if found.killed else None,
        "lost": len(wrong.lost) + len(wrong.half) + len(wrong.stuck) if wrong else None,
        "doubled": len(wrong.doubled) if wrong else None,
        "paid_twice": len(wrong.paid_twice) if wrong else None,
        "rss_mb": {str(at): round(size, 1) for at, size in found.growth.megabytes.items()}
        if found.growth
        else {},
        "bytes_per_chapter": round(found.growth.bytes_per_chapter) if found.growth else None,
        "stop_s": round(max(found.stops.values()), 3) if found.stops else None,
        "p95_page_s": round(found.load.p95, 3) if found.load else None,
        "lost_updates": len(found.updates.lost) if found.updates else None,
    }


def wrong(found: Found) -> Iterator[str]:
    """Yield what a writer could not rely on."""
    if found.killed:
        for name, findings in found.killed.found.items():
            yield from (f"{name}: {words}" for words in findings.all)
    if found.updates:
        yield from (f"a change was lost: {words}" for words in found.updates.lost)
    if found.load:
        if found.load.lost:
            yield f"{found.load.lost} texts were said to be saved and are not there"
        yield from found.load.troubles


def tables(found: Found) -> Iterator[str]:
    """Yield the tables, as Markdown."""
    if found.killed:
        yield "\n".join(_of_kills(found.killed))
    if found.load:
        yield "\n".join(_of_load(found.load))
        yield "\n".join(_of_the_site(found.load))
    if found.stops:
        head = ("| *Stop* is pressed while | s until it is said |", "| --- | ---: |")
        rows = (line(state, [f"{seconds:.2f}"]) for state, seconds in found.stops.items())
        yield "\n".join((*head, *rows))
    rest = dict(_of_the_rest(found))
    if rest:
        rows = (line(name, [value]) for name, value in rest.items())
        yield "\n".join(("| | |", "| --- | ---: |", *rows))


def _of_kills(killed: Killed) -> Iterator[str]:
    columns = ("what is killed", "kills", "lost", "doubled", "paid twice", "half files", "stuck")
    yield line("in the middle of", columns)
    yield line("---", ("---", *("---:" for _ in columns[1:])))
    for name, found in killed.found.items():
        counts = (found.lost, found.doubled, found.paid_twice, found.half, found.stuck)
        times = str(killed.times.get(name, 0))
        yield line(name, (killed.works[name], times, *(str(len(one)) for one in counts)))


def _of_load(load: Load) -> Iterator[str]:
    yield line("seconds for a page", ("times", "median", "95 %", "longest"))
    yield line("---", ("---:" for _ in range(4)))
    every = {
        **load.seconds,
        "**all**": [one for took in load.seconds.values() for one in took],
    }
    for name, took in every.items():
        figures = (percentile(took, 0.5), percentile(took, 0.95), max(took, default=0.0))
        yield line(name, (f"{len(took):,}", *(f"{one:.2f}" for one in figures)))


def _of_the_site(load: Load) -> Iterator[str]:
    alone, *crowded = load.megabytes
    sizes = ", ".join(f"{size:,.0f}" for size in crowded)
    yield line(f"{load.writers} writers, {load.minutes:.1f} minutes", [""])
    yield line("---", ["---:"])
    yield line("texts said to be saved", [f"{load.saved:,}"])
    yield line("of these not in the library", [f"{load.lost:,}"])
    yield line("runs begun, chapters plotted", [f"{load.runs:,}, {load.chapters:,}"])
    yield line("what went wrong on a page", [f"{len(load.troubles):,}"])
    yield line("memory of the site before, MB", [f"{alone:,.0f}"])
    yield line("after each tenth of the time, MB", [sizes])
    yield line("memory for each writer, MB", [told(load.megabytes_a_session)])
    yield line("processor, of one core", [f"{load.processor:.0%}"])


def _of_the_rest(found: Found) -> Iterator[tuple[str, str]]:
    if found.growth:
        memory = ", ".join(f"{size:,.0f} at {at:,}" for at, size in found.growth.megabytes.items())
        yield "resident memory, MB, at a chapter", memory
        yield "library, bytes a chapter", f"{found.growth.bytes_per_chapter:,.0f}"
    if found.updates:
        yield "changes made at once by several programs", f"{found.updates.made:,}"
        yield "of these refused, and said so", f"{found.updates.refused:,}"
        yield "lost without a word", f"{len(found.updates.lost):,}"
