"""Fixtures of every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

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


LONG = (
    "tests/e2e/journeys/test_embedded_story.py",
    "tests/graph_flow/test_embedded_command.py",
    "tests/test_benchmarks.py",
)
"""Take a minute or more each, and are patient with whatever runs beside them."""


class OneBrowserFirst(LoadScopeScheduling):  # type: ignore[misc] # xdist leaves it untyped
    """Spread tests over the workers by file: one drives a browser, the others do all else.

    A browser and the app that it shows take more than one core, so two are driven side by side only
    when nothing else is left to do. What takes longest begins first, so that nobody waits for it at
    the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Give a worker its next file."""
        is_driven = any(self._drives_browser(other) for other in self.nodes if other is not node)

        def rank(file: str) -> tuple[bool, bool]:
            return is_of_browser(file) is is_driven, file not in LONG

        file = min(self.workqueue, key=rank)
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)

    def _drives_browser(self, node: WorkerController) -> bool:
        files = self.assigned_work.get(node, {})
        return any(is_of_browser(file) and not all(done.values()) for file, done in files.items())


def is_of_browser(file: str) -> bool:
    """Return whether the tests of a file keep a browser busy; those that take long wait for a model."""
    return file.startswith("tests/e2e/") and file not in LONG


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are cores: tests wait for browsers, servers and models."""
    return (os.cpu_count() or 1) + 2


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowserFirst:
    """Say how tests are spread over the cores."""
    return OneBrowserFirst(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is quick first, browser tests later, and last what takes minutes.

    That is for whoever has one core; `OneBrowserFirst` decides for several.
    """

    def place(item: pytest.Item) -> tuple[bool, bool]:
        is_long = item.nodeid.partition("::")[0] in LONG
        return is_long, item.get_closest_marker("browser") is not None

    items.sort(key=place)
