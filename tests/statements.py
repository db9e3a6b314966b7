"""The SQL statements that a test's connections are given, to count them."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that every connection opened from now on adds its statements to."""
    asked: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(asked.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    return asked


def without_nested(statements: list[str]) -> list[str]:
    """Return the statements without what a statement itself sets off, traced as a comment."""
    return [one for one in statements if not one.startswith("--")]
