"""The drawing library is read from the installed pyvis, and served without being kept twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.components.pictures.network import bundled_library, published_library
from tests.fakes.full_disk import full_disk


@pytest.fixture(autouse=True)
def _forget_published() -> Iterator[None]:
    published_library.clear()
    yield
    published_library.clear()


def test_library_is_the_one_that_pyvis_brings_along() -> None:
    assert b"vis-network" in bundled_library().read_bytes()[:200]


def test_library_is_copied_to_where_it_is_served(tmp_path: Path) -> None:
    folder = tmp_path / "static" / "built"

    address = published_library(folder)

    assert address.startswith("app/static/built/vis-network.min.js?v=")
    assert [file.name for file in folder.iterdir()] == ["vis-network.min.js"]
    assert (folder / "vis-network.min.js").read_bytes() == bundled_library().read_bytes()


def test_another_library_in_its_place_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "vis-network.min.js").write_text("an older one")

    published_library(tmp_path)

    assert (tmp_path / "vis-network.min.js").read_bytes() == bundled_library().read_bytes()


def test_copy_for_which_there_is_no_room_leaves_nothing(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(OSError, match="too large"):
        published_library(tmp_path)

    assert list(tmp_path.iterdir()) == []
