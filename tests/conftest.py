"""Fixtures of every test."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.libraries import put_empty_library

RAM_DISK = Path("/dev/shm")
ROOM = 2**30
"""Bytes that the RAM disk, and the memory, must have free to be used; the tests need a tenth of it."""


def has_ram_to_spare() -> bool:
    """Return whether there is a RAM disk with room for all that the tests write."""
    is_there = RAM_DISK.is_dir() and os.access(RAM_DISK, os.W_OK)
    return (
        is_there and min(shutil.disk_usage(RAM_DISK).free, psutil.virtual_memory().available) > ROOM
    )


# A library waits at each commit until the disk has it. Tests make thousands of libraries; where there is
# room they are in memory, and so is what the programs write that tests start.
if "TMPDIR" not in os.environ and has_ram_to_spare():
    os.environ["TMPDIR"] = tempfile.tempdir = str(RAM_DISK)

# A test that has no library of its own fails, and leaves that of whoever runs it alone.
os.environ["TELLWRIGHT_LIBRARY"] = str(Path(os.devnull) / "library.db")

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


OF_MODEL = (
    "tests/e2e/journeys/test_embedded_story.py",
    "tests/graph_flow/test_embedded_command.py",
    "tests/graph_flow/llm/transport/test_embedded.py",
)
"""Wait for the embedded model, which keeps every core busy while it answers."""
LONG = (*OF_MODEL[:2], "tests/test_benchmarks.py")
"""Take a minute or more each, and are patient with whatever runs beside them."""


class OneOfAKind(LoadScopeScheduling):  # type: ignore[misc] # xdist leaves it untyped
    """Spread tests over the workers by file: one drives a browser, one waits for the model.

    A browser and the app that it shows take more than one core, and so does the embedded model: two
    of a kind run side by side only when nothing else is left to do. What takes longest begins
    first, so that nobody waits for it at the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Give a worker its next file."""
        under_way = {kind_of(file) for other in self.nodes for file in self._files_of(other, node)}

        def rank(file: str) -> tuple[bool, bool, bool]:
            kind = kind_of(file)
            return bool(kind) and kind in under_way, file not in LONG, not kind

        file = min(self.workqueue, key=rank)
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)

    def _files_of(self, node: WorkerController, asking: WorkerController) -> list[str]:
        """Return the files that a worker, if it is not the one that asks, has not done with."""
        files = self.assigned_work.get(node, {}) if node is not asking else {}
        return [file for file, done in files.items() if not all(done.values())]


def kind_of(file: str) -> str:
    """Return what the tests of a file keep busy: the model, a browser, or nothing of the kind."""
    if file in OF_MODEL:
        return "model"
    return "browser" if file.startswith("tests/e2e/") else ""


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are cores: tests wait for browsers, servers and models."""
    return (os.cpu_count() or 1) + 2


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneOfAKind:
    """Say how tests are spread over the cores."""
    return OneOfAKind(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what is quick first, browser tests later, and last what takes minutes.

    That is for whoever has one core; `OneOfAKind` decides for several.
    """

    def place(item: pytest.Item) -> tuple[bool, bool]:
        is_long = item.nodeid.partition("::")[0] in LONG
        return is_long, item.get_closest_marker("browser") is not None

    items.sort(key=place)
