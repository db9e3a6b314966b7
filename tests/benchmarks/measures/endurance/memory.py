"""How much memory a process has, and what is left in it of refused answers."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field

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


@dataclass
class ResidentMemory:
    """The resident memory of this process, in megabytes, by chapter: one look every so many of them."""

    every: int
    megabytes: dict[int, float] = field(default_factory=dict)

    def look(self, chapters: int) -> None:
        """Look, if so many chapters have been plotted since the last look."""
        seen = max(self.megabytes, default=-self.every)
        if chapters - seen >= self.every:
            self.megabytes[chapters] = psutil.Process().memory_info().rss / MEGABYTE
