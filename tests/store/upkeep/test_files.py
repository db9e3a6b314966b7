"""A file that is written is whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.upkeep import files
from store.upkeep.files import write_whole


def test_file_that_cannot_be_written_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "story.md"
    write_whole(file, b"Before")

    def fail(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "sync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(file, b"After")

    assert [one.name for one in tmp_path.iterdir()] == ["story.md"]
    assert file.read_bytes() == b"Before"


def test_file_is_written_over_another(tmp_path: Path) -> None:
    file = tmp_path / "story.md"
    write_whole(file, b"Before")
    write_whole(file, b"After")

    assert file.read_bytes() == b"After"
    assert [one.name for one in tmp_path.iterdir()] == ["story.md"]
