"""Give stories to workers until all are done: whoever dies, refuses or finds a story taken is made up for.

What is done is known from the results alone. So it does not matter if the one who drives dies, too: the
next one gives out what is missing.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graph_flow.command_line.experiments.records import Ended, Outcome

_LOOK_EVERY = 0.5
"""Seconds between two looks at the workers, for those that show how it goes."""
MOST_IN_VAIN = 10
"""After so many workers that died over a story, or refused it, it is given up: it may be why."""


class Workers(Protocol):
    """Those who work on stories, here or elsewhere."""

    @property
    def room(self) -> int:
        """How many more stories can be given out now."""

    def start(self, story: str) -> None:
        """Give out a story; whoever takes it finds all else among the results."""

    def wait(self, seconds: float) -> Sequence[Ended]:
        """Wait until a story was left by its worker, or for so long; return how those were left."""

    def stop(self) -> None:
        """Let all workers stop, and wait for those that are here."""

    def close(self) -> None:
        """Leave them, since nothing is left to do."""


@dataclass
class Driven:
    """How far an experiment is."""

    done: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    """Why a story could not be finished, by its name."""
    notes: list[str] = field(default_factory=list)
    """What whoever runs it should know, each once."""

    def note(self, words: str) -> None:
        """Note something, once."""
        if words and words not in self.notes:
            self.notes.append(words)


Show = Callable[[Driven], None]


class Driving:
    """Stories that are given out until none is missing."""

    def __init__(self, workers: Workers, driven: Driven, beat: float) -> None:
        self._workers = workers
        self._driven = driven
        self._beat = beat
        self._queue: deque[str] = deque()
        self._resting: deque[tuple[float, str]] = deque()
        self._in_vain: Counter[str] = Counter()
        self._under_way = 0

    def drive(self, stories: Sequence[str], show: Show) -> None:
        """Give out stories until each is done or has failed."""
        self._queue.extend(stories)
        while self._queue or self._resting or self._under_way:
            self._give_out()
            for ended in self._workers.wait(_LOOK_EVERY):
                self._under_way -= 1
                self._take(ended)
            show(self._driven)

    def _give_out(self) -> None:
        while self._resting and self._resting[0][0] <= time.monotonic():
            self._queue.append(self._resting.popleft()[1])
        while self._queue and self._workers.room > 0:
            self._workers.start(self._queue.popleft())
            self._under_way += 1

    def _take(self, ended: Ended) -> None:
        story = ended.story
        match ended.outcome:
            case Outcome.DONE:
                self._driven.done.add(story)
            case Outcome.FAILED:
                self._driven.failed[story] = ended.message
            case Outcome.DIED:
                self._give_out_again(ended, "workers died over it")
            case Outcome.REFUSED:
                self._driven.note(ended.message)
                self._give_out_again(ended, "workers refused it")
            case Outcome.BUSY | Outcome.STOPPED:
                self._later(story)

    def _give_out_again(self, ended: Ended, what_happened: str) -> None:
        story = ended.story
        self._in_vain[story] += 1
        if self._in_vain[story] < MOST_IN_VAIN:
            self._later(story)
            return
        self._driven.failed[story] = (
            f"{MOST_IN_VAIN} {what_happened}, one after the other. {ended.message}".strip()
        )

    def _later(self, story: str) -> None:
        """Give a story out again after a beat: whoever has it will have done with it, or be silent."""
        self._resting.append((time.monotonic() + self._beat, story))
