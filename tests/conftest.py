"""Fixtures of every test."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.libraries import put_empty_library

# How long an example takes says more of the machine it runs on than of ours.
settings.register_profile("tellwright", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tellwright")


@pytest.fixture
def new_path(tmp_path: Path) -> Path:
    """Where a test's own library will be; there is none yet."""
    return tmp_path / "library.db"


@pytest.fixture
def library_path(new_path: Path) -> Path:
    """Where a test's own library is: an empty one."""
    return put_empty_library(new_path)


EMBEDDED = "tests/e2e/test_embedded_story.py"
"""Takes both cores for itself."""


class BesideTheBrowser(LoadScopeScheduling):  # type: ignore[misc] # xdist leaves it untyped
    """Spread tests over the cores by file, and all that drive a browser as one.

    Two apps with a browser each would keep each other waiting, until a test gives up.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        is_of_browser = file.startswith("tests/e2e/") and file != EMBEDDED
        return "tests/e2e" if is_of_browser else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> BesideTheBrowser:
    """Say how tests are spread over the cores."""
    return BesideTheBrowser(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run what is quick first, browser tests later; on several cores these first, all else beside them.

    Last come those of the embedded model, which would slow all others down.
    """
    is_beside = hasattr(config, "workerinput")

    def place(item: pytest.Item) -> tuple[bool, bool]:
        is_of_browser = item.get_closest_marker("browser") is not None
        return item.nodeid.startswith(EMBEDDED), is_of_browser != is_beside

    items.sort(key=place)
