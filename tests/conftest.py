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


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let browser tests run one after the other: apps with a browser each would wait for each other."""
    if item.get_closest_marker("browser") is not None:
        item.add_marker(pytest.mark.xdist_group("browser"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run what is quick first, browser tests last; on several cores these first, all else beside them."""
    is_beside = hasattr(config, "workerinput")
    items.sort(key=lambda item: (item.get_closest_marker("browser") is not None) != is_beside)
