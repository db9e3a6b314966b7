"""Chapters made with an able model, and by how much each part of the library grew with them."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import ModelStrength
from store.models.run import PlotChapters, RunState, Task, WriteChapter
from tests.benchmarks.measures.generation.plotting import PATIENCE, SETTINGS, PlottingFailed
from tests.benchmarks.measures.generation.timed_server import answer
from tests.benchmarks.milestones import Milestone
from tests.fakes.scripted_server import ScriptedServer

_PARTS = """
SELECT coalesce(tbl_name, 'the file itself') AS part, sum(pgsize) AS bytes
FROM dbstat LEFT JOIN sqlite_master ON sqlite_master.name = dbstat.name
WHERE aggregate = TRUE GROUP BY part
"""
_FREE = "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"
WHOLE, FREE = "the whole file", "free for what comes"

Notice = Callable[[str], None]


@dataclass(frozen=True)
class Growth:
    """What the chapters from `first` to `last` added to a library, in bytes a chapter, by part."""

    first: int
    last: int
    bytes_per_chapter: Mapping[str, float]

    def as_table(self) -> str:
        """Return the growth as Markdown, what grew most first."""
        parts = sorted(self.bytes_per_chapter.items(), key=lambda one: -one[1])
        lines = [f"| {part} | {size:,.0f} |" for part, size in parts if size >= 1]
        head = f"| chapters {self.first:,} to {self.last:,}, plot and text | bytes a chapter |"
        return "\n".join([head, "| --- | ---: |", *lines])

    def as_json(self) -> str:
        """Return the growth as one JSON object on one line."""
        return json.dumps(asdict(self))


def grown(milestone: Milestone, library: Path, chapters: int, notice: Notice) -> Growth:
    """Go on with a copy of a story, an able model plotting and writing each chapter.

    Raises:
        PlottingFailed: if a run ends in another way than with its chapter.
    """
    milestone.copy_to(library)
    with ScriptedServer(answer=answer, remembers=False) as server:
        variables = {
            "TELLWRIGHT_MODEL": "scripted",
            "TELLWRIGHT_STRENGTH": ModelStrength.ABLE.value,
            "OPENAI_BASE_URL": server.url,
        }
        with closing(assemble(library, Terms(OwnModels(variables.get)))) as workbench:
            _make_ready(workbench, milestone)
            begun = workbench.branches.status(milestone.branch).plotted
            _make(workbench, milestone.branch)  # what is there once is not counted
        before = sizes(library)
        with closing(assemble(library, Terms(OwnModels(variables.get)))) as workbench:
            for number in range(1, chapters + 1):
                _make(workbench, milestone.branch)
                notice(f"{number} chapters of {chapters}")
    after = sizes(library)
    parts = {part: (size - before[part]) / chapters for part, size in after.items()}
    return Growth(begun + 2, begun + 1 + chapters, parts)


def sizes(library: Path) -> Counter[str]:
    """Return the bytes of each table with its indexes, of what is free, and of the whole file."""
    with closing(sqlite3.connect(library)) as connection:
        parts = Counter(dict(connection.execute(_PARTS).fetchall()))
        [parts[FREE]] = connection.execute(_FREE).fetchone()
    parts[WHOLE] = library.stat().st_size
    return parts


def _make_ready(workbench: Workbench, milestone: Milestone) -> None:
    branch = workbench.branches.status(milestone.branch)
    workbench.library.change_settings(branch.story.id, lambda _: SETTINGS)


def _make(workbench: Workbench, branch: str) -> None:
    """Plot a chapter and write it."""
    _do(workbench, branch, PlotChapters(is_autopilot=True))
    chapter = workbench.branches.status(branch).plotted
    _do(workbench, branch, WriteChapter(chapter=chapter, is_autopilot=True))


def _do(workbench: Workbench, branch: str, task: Task) -> None:
    run = workbench.runs.start(branch, task)
    workbench.runs.wait(run, PATIENCE)
    progress = workbench.runs.progress(branch)
    if progress is None or progress.run.state is not RunState.DONE:
        raise PlottingFailed(progress.run.message if progress else "there is no run")
