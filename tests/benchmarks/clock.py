"""Medians of times that are taken in turns, so that a busy moment of the machine falls on all alike."""

from __future__ import annotations

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from statistics import median

Milliseconds = dict[int, float]
"""A median by the chapter that a story has come to."""

Round = Mapping[int, Callable[[], object]]
"""A task at each length of the story."""


def milliseconds(task: Callable[[], object]) -> float:
    """Return how long a task takes."""
    start = time.perf_counter()
    task()
    return (time.perf_counter() - start) * 1000


def medians(rounds: Iterable[Round]) -> Milliseconds:
    """Return the median of the times at each length; every round begins with another length."""
    times: dict[int, list[float]] = defaultdict(list)
    for number, tasks in enumerate(rounds):
        first = number % len(tasks)
        order = list(tasks)
        gc.collect()
        for chapter in order[first:] + order[:first]:
            times[chapter].append(milliseconds(tasks[chapter]))
    return {chapter: median(times[chapter]) for chapter in sorted(times)}


def in_turns(tasks: Round, rounds: int) -> Milliseconds:
    """Return the medians of the same tasks done again and again, after a round that does not count."""
    for task in tasks.values():
        task()
    return medians(repeat(tasks, rounds))
