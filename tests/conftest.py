"""Fixtures of every test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def library_path(tmp_path: Path) -> Path:
    """Where a test's own library is, or will be."""
    return tmp_path / "library.db"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is quick first: browser tests come last."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
