"""Libraries for the browser are read from installed packages, and served without being kept twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.serving.browser_libraries import (
    PROSE_MIRROR,
    VIS_NETWORK,
    BrowserLibrary,
    bundled,
    published,
)
from tests.fakes.full_disk import full_disk

LIBRARIES = pytest.mark.parametrize(
    "library", [VIS_NETWORK, PROSE_MIRROR], ids=lambda it: it.package
)


@pytest.fixture(autouse=True)
def _forget_published() -> Iterator[None]:
    published.clear()
    yield
    published.clear()


@pytest.mark.parametrize(
    ("library", "words"), [(VIS_NETWORK, b"vis-network"), (PROSE_MIRROR, b"ProseMirror")]
)
def test_library_is_the_one_that_the_package_brings_along(
    library: BrowserLibrary, words: bytes
) -> None:
    assert words in bundled(library).read_bytes()


@LIBRARIES
def test_library_is_copied_to_where_it_is_served(library: BrowserLibrary, tmp_path: Path) -> None:
    folder = tmp_path / "static" / "built"

    address = published(library, folder)

    name = library.file.name
    assert address.startswith(f"app/static/built/{name}?v=")
    assert [file.name for file in folder.iterdir()] == [name]
    assert (folder / name).read_bytes() == bundled(library).read_bytes()


@LIBRARIES
def test_another_file_in_its_place_is_replaced(library: BrowserLibrary, tmp_path: Path) -> None:
    (tmp_path / library.file.name).write_text("an older one")

    published(library, tmp_path)

    assert (tmp_path / library.file.name).read_bytes() == bundled(library).read_bytes()


@LIBRARIES
def test_copy_for_which_there_is_no_room_leaves_nothing(
    library: BrowserLibrary, tmp_path: Path
) -> None:
    with full_disk(), pytest.raises(OSError, match="too large"):
        published(library, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_package_that_is_not_installed_is_told() -> None:
    with pytest.raises(FileNotFoundError, match="no_such_package"):
        bundled(BrowserLibrary("no_such_package", Path("a.js")))
