"""How much memory a process has, and what is left in it of refused answers."""

from __future__ import annotations

import gc
import sys
from abc import ABCMeta
from collections import Counter
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper

import psutil
from pydantic import ValidationError

from graph_flow.llm.errors import ModelError
from graph_flow.llm.parsing import AnswerError

MEGABYTE = 1_000_000
_REFUSALS = (AnswerError, ModelError, ValidationError)


def refusals() -> int:
    """Return how many errors about answers cannot be freed, because something holds on to them."""
    gc.collect()
    return sum(isinstance(one, _REFUSALS) for one in gc.get_objects())


def objects_by_type() -> Counter[str]:
    """Return how many objects there are of each type, without those that are only cached.

    An abstract class, too, remembers what it was asked about: which classes are its own, and which are not.
    Nothing may be at work meanwhile: to list an object that is being made breaks it.
    """
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper):
            one.cache_clear()
        elif isinstance(one, ABCMeta):
            one._abc_caches_clear()  # type: ignore[attr-defined]
    gc.collect()
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


@dataclass
class Memory:
    """What this process has in memory, by chapter: one look every so many of them.

    `megabytes` is its resident memory; `blocks` counts the pieces of memory that Python's objects have.
    """

    every: int
    megabytes: dict[int, float] = field(default_factory=dict)
    blocks: dict[int, int] = field(default_factory=dict)

    def look(self, chapters: int) -> None:
        """Look, if so many chapters have been plotted since the last look."""
        seen = max(self.megabytes, default=-self.every)
        if chapters - seen >= self.every:
            # To list all objects would disturb the threads that are just making some.
            gc.collect()
            self.blocks[chapters] = sys.getallocatedblocks()
            self.megabytes[chapters] = psutil.Process().memory_info().rss / MEGABYTE
