"""Fixtures of every test."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more of the machine it runs on than of ours.
settings.register_profile("fabula", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fabula")


@pytest.fixture
def library_path(tmp_path: Path) -> Path:
    """Where a test's own library is, or will be."""
    return tmp_path / "library.db"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is quick first: browser tests come last."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
