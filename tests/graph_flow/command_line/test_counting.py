"""How far a piece of work is: a bar on a terminal, lines in a log."""

from __future__ import annotations

import io
import sys

import pytest

from graph_flow.command_line.counting import Counted


class Terminal(io.StringIO):
    """Something to write to that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_for_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    display = Counted("chapter", 3)

    for done, words in [
        (0, "Judging chapter 1"),
        (0, "Judging chapter 1"),
        (1, ""),
        (1, "The next"),
    ]:
        display.show(done, words)
    display.close()

    assert log.getvalue().splitlines() == ["Judging chapter 1", "The next"]


def test_a_terminal_gets_a_bar_that_can_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    display = Counted("call", 2, 1)

    display.show(3, "Once more")
    display.close()

    assert "3/3" in terminal.getvalue()
    assert "Once more" in terminal.getvalue()
