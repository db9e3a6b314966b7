"""How far a piece of work is, on a terminal or in a log."""

from __future__ import annotations

import sys

from tqdm import tqdm

from graph_flow.command_line.ending import say


class Counted:
    """How much is done of a piece of work: a bar on a terminal, and in a log a line for each step."""

    def __init__(self, unit: str, total: int | None = None, done: int = 0) -> None:
        self._bar = tqdm(
            total=total, initial=done, unit=unit, file=sys.stderr, dynamic_ncols=True, disable=None
        )
        self._words = ""

    def show(self, done: int, words: str) -> None:
        """Show how much is done, and what is being done."""
        if self._bar.disable:
            if words and words != self._words:
                say(words)
            self._words = words
            return
        if self._bar.total is not None:
            self._bar.total = max(self._bar.total, done)
        self._bar.n = done
        self._bar.set_postfix_str(words)

    def close(self) -> None:
        """Leave it as it is."""
        self._bar.close()
