"""How memory and library grow with a story that an able model plots."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from store.models.endpoint import ModelStrength
from store.models.run import Initialize, PlotChapters
from store.models.story import StorySettings
from tests.benchmarks.measures.endurance.enduring import enduring
from tests.benchmarks.options import notice


@dataclass(frozen=True)
class Growth:
    """Resident megabytes by chapter, of the process with the engine and the scripted model."""

    chapters: int
    megabytes: dict[int, float]
    bytes_per_chapter: float
    """Of the library file, for each chapter after the beginning."""


def measure(folder: Path, chapters: int) -> Growth:
    """Plot so many chapters on autopilot."""
    library = folder / "library.db"
    settings = StorySettings(chapter_cap=chapters)
    with enduring(folder, settings, _seldom, (), ModelStrength.ABLE) as player:
        player.play(Initialize(is_autopilot=True))
        begun = _size(library)
        player.play(PlotChapters(chapters=chapters, is_autopilot=True))
        size = _size(library)
    return Growth(chapters, player.memory.megabytes, (size - begun) / chapters)


def _size(library: Path) -> int:
    """Return how many bytes a library takes, those in its log included."""
    with closing(sqlite3.connect(library)) as reading:
        [pages] = reading.execute("PRAGMA page_count").fetchone()
        [size] = reading.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


def _seldom(words: str) -> None:
    """Say that the run paused; not how far it is."""
    if words.startswith("paused"):
        notice(words)
