"""Some hundred kills, spread over everything that the app and the command line do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from store.models.endpoint import ModelStrength
from tests.benchmarks.measures.trust.kills.app import AppAtWork
from tests.benchmarks.measures.trust.kills.findings import Findings
from tests.benchmarks.measures.trust.kills.libraries import (
    BackingUp,
    Importing,
    Migrating,
    Restoring,
    Salvaging,
)
from tests.benchmarks.measures.trust.kills.moments import BOUNDARIES, Kind, Moment
from tests.benchmarks.measures.trust.kills.stories import Filing, Playing
from tests.benchmarks.options import notice

SHARES: Mapping[str, int] = {
    "story, small model": 7,
    "story, able model": 7,
    "app": 6,
    "files of a story": 3,
    "import": 5,
    "backup": 3,
    "restore": 4,
    "migration": 3,
    "salvage": 2,
}
"""How many of forty kills fall on what."""

_TRIES = 5
"""How often another moment is looked for when a process was faster than its kill."""
_PATIENCE = 5.0
"""Longest, in seconds, that a kill waits for its moment."""


class Trial(Protocol):
    """Something that is killed again and again."""

    folder: Path
    works: str

    def rehearse(self) -> Mapping[str, float]:
        """Return how many boundaries of each kind it has, and how many seconds it takes."""

    def kill(self, moment: Moment) -> tuple[bool, Findings]:
        """Kill it at a moment, and return whether that came, and what is wrong afterwards."""

    def finish(self) -> Findings:
        """Bring it to its end, and return what is wrong then."""

    def close(self) -> None:
        """Close what is open."""


@dataclass
class Killed:
    """How many kills there were of what, and what was wrong."""

    times: dict[str, int] = field(default_factory=dict)
    works: dict[str, str] = field(default_factory=dict)
    """What was killed: the app, the command line, or the workbench in a process of its own."""
    moments: dict[str, int] = field(default_factory=dict)
    found: dict[str, Findings] = field(default_factory=dict)

    @property
    def kills(self) -> int:
        """How many there were in all."""
        return sum(self.times.values())

    @property
    def whole(self) -> Findings:
        """What was wrong with all of it."""
        together = Findings()
        for one in self.found.values():
            together.add(one)
        return together


def kill_all(
    folder: Path, kills: int, prepared: Path, story: str, chapters: int, seed: int = 11
) -> Killed:
    """Kill everything, so many times in all; `prepared` is a library with a story of some chapters."""
    dice, killed = Random(seed), Killed()
    for name, make in trials(dice, prepared, story, chapters).items():
        times = max(1, round(kills * SHARES[name] / sum(SHARES.values())))
        notice(f"killing {name} {times} times")
        (folder / name).mkdir(parents=True)
        with closing(make(folder / name)) as trial:
            killed.works[name] = trial.works
            killed.found[name] = Findings()
            _kill(trial, name, times, dice, killed)
    return killed


def trials(
    dice: Random, prepared: Path, story: str, chapters: int
) -> dict[str, Callable[[Path], Trial]]:
    """Return what can be killed: how each is made, in a folder of its own."""
    return {
        "story, small model": lambda place: Playing(place, ModelStrength.SMALL),
        "story, able model": lambda place: Playing(place, ModelStrength.ABLE),
        "files of a story": lambda place: Filing(place, prepared, chapters),
        "import": lambda place: Importing(place, prepared),
        "backup": lambda place: BackingUp(place, prepared),
        "restore": lambda place: Restoring(place, prepared),
        "migration": lambda place: Migrating(place, prepared),
        "salvage": lambda place: Salvaging(place, prepared),
        "app": lambda place: AppAtWork(place, dice, prepared, story),
    }


def _kill(trial: Trial, name: str, times: int, dice: Random, killed: Killed) -> None:
    found, limits = killed.found[name], trial.rehearse()
    for kind in _kinds(limits, times):
        for _ in range(_TRIES):
            moment = _moment(kind, limits, dice)
            was_killed, wrong = trial.kill(moment)
            found.add(wrong)
            if was_killed:
                killed.times[name] = killed.times.get(name, 0) + 1
                killed.moments[kind] = killed.moments.get(kind, 0) + 1
                break
    found.add(trial.finish())


def _kinds(limits: Mapping[str, float], times: int) -> Iterator[Kind]:
    """Yield kinds of moments in turns: those that there are."""
    there: list[Kind] = [kind for kind in BOUNDARIES if limits.get(kind, 0) >= 1]
    for number in range(times):
        yield [*there, "seconds"][number % (len(there) + 1)]


def _moment(kind: Kind, limits: Mapping[str, float], dice: Random) -> Moment:
    if kind == "seconds":
        return Moment(kind, dice.uniform(0, min(limits[kind], _PATIENCE)))
    return Moment(kind, dice.randint(1, int(limits[kind])))
