"""Many writers at once at one process of a site: how long a page takes, and what it holds at the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psutil

from store.open import Store
from tests.benchmarks.measures.generation.timed_server import running
from tests.benchmarks.measures.trust.load.scripted_writer import Diary, ScriptedWriter
from tests.benchmarks.measures.trust.load.visiting import (
    library_of,
    put_story,
    sign_in,
    site_for,
    subjects,
)
from tests.benchmarks.options import notice
from tests.e2e.site.running_site import RunningSite

PLOTTING = 4
"""Every so manieth writer has runs at work."""
MEGABYTE = 1_000_000
LOOKS = 10
"""How often the memory is looked at."""
LONGEST_STEP = 120.0
"""Seconds after the end in which whoever is in the middle of a step can come to its end."""


@dataclass(frozen=True)
class Load:
    """How it went: seconds by what was done, and what is wrong at the end."""

    writers: int
    minutes: float
    seconds: Mapping[str, Sequence[float]]
    saved: int
    lost: int
    """Texts that were said to be saved and are not in the library."""
    runs: int
    chapters: int
    """Chapters that were plotted meanwhile."""
    troubles: tuple[str, ...]
    megabytes: tuple[float, ...]
    """The resident memory of the site: with nobody there, and after each tenth of the time."""
    processor: float
    """How much of one core the site took."""

    @property
    def p95(self) -> float:
        """The seconds that 95 % of all runs of a page took at most."""
        return percentile([one for took in self.seconds.values() for one in took], 0.95)

    @property
    def megabytes_a_session(self) -> float:
        """By how much the memory grew for each writer."""
        return (self.megabytes[-1] - self.megabytes[0]) / self.writers


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of all values does not exceed; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


@dataclass(frozen=True)
class Prepared:
    """A library with one story of some chapters."""

    library: Path
    story: str
    chapters: int


def measure(folder: Path, prepared: Prepared, writers: int, seconds: float, latency: float) -> Load:
    """Let some writers, who all have the prepared story, work at a site for some seconds."""
    people = subjects(writers)
    with (
        running(folder / "asked.jsonl", latency) as model,
        site_for(folder / "served", people, model.url) as (site, provider),
    ):
        libraries = {one: library_of(site, provider, one) for one in people}
        for library in libraries.values():
            put_story(library, prepared.library)
        return _Crowd(site, people, prepared).work(seconds, libraries)


class _Crowd:
    """The writers of one measurement."""

    def __init__(self, site: RunningSite, people: Sequence[str], prepared: Prepared) -> None:
        self._site = site
        self._people = people
        self._story = prepared.story
        self._chapters = prepared.chapters
        self._crowded: list[float] = []
        self._process = psutil.Process(site.process_id)

    def work(self, seconds: float, libraries: Mapping[str, Path]) -> Load:
        """Let everybody work, and look at what is in the libraries afterwards."""
        alone = self._megabytes()
        notice(f"{len(self._people)} writers sign in")
        writers = [
            ScriptedWriter(
                self._site.url, sign_in(self._site, one), self._story, at, plots=at % PLOTTING == 0
            )
            for at, one in enumerate(self._people)
        ]
        notice(f"{len(writers)} writers work for {seconds:.0f} s")
        before, begun = self._process.cpu_times(), time.monotonic()
        self._all_at_once(writers, seconds)
        after, took = self._process.cpu_times(), time.monotonic() - begun
        self._site.stop()
        diaries = [one.diary for one in writers]
        found = [
            _found(libraries[one], self._story, diary)
            for one, diary in zip(self._people, diaries, strict=True)
        ]
        return Load(
            writers=len(writers),
            minutes=took / 60,
            seconds=_together(diaries),
            saved=sum(one.saved for one in diaries),
            lost=sum(lost for lost, _ in found),
            runs=sum(one.begun for one in diaries),
            chapters=sum(plotted - self._chapters for _, plotted in found),
            troubles=tuple(words for one in diaries for words in one.troubles),
            megabytes=(alone, *self._crowded),
            processor=(after.user + after.system - before.user - before.system) / took,
        )

    def _all_at_once(self, writers: Sequence[ScriptedWriter], seconds: float) -> None:
        end = threading.Event()
        with ThreadPoolExecutor(len(writers)) as threads:
            working = [threads.submit(one.work, end) for one in writers]
            for _ in range(LOOKS):
                end.wait(seconds / LOOKS)
                self._crowded.append(self._megabytes())
            end.set()
            for one in working:
                one.result(LONGEST_STEP)
        for writer in writers:
            writer.leave()

    def _megabytes(self) -> float:
        return float(self._process.memory_info().rss) / MEGABYTE


def _together(diaries: Sequence[Diary]) -> dict[str, list[float]]:
    """Return the seconds of all writers, by what was done."""
    names = sorted({name for one in diaries for name in one.seconds})
    return {name: [took for one in diaries for took in one.seconds.get(name, ())] for name in names}


def _found(library: Path, story: str, diary: Diary) -> tuple[int, int]:
    """Return how many saved texts are not in a library, and how many chapters are plotted there."""
    lost = 0
    with closing(Store.open(library)) as store:
        for begun, premise in diary.premises.items():
            lost += store.library.story(begun).brief.premise != premise
        branch = store.library.main_branch(story).id
        for chapter, text in diary.texts.items():
            draft = store.manuscript.draft(branch, chapter)
            lost += draft is None or draft.text != text
        plotted = store.prototype.head(branch)
        return lost, plotted.chapter if plotted else 0
