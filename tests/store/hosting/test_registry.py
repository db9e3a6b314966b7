"""What a site notes of its writers, and what it need not note again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from store.hosting import registry
from store.hosting.records import Identity
from store.hosting.registry import FILE, Registry

ANN = Identity(issuer="https://provider.example", subject="ann", name="Ann", email="ann@a.example")


def changes_of(folder: Path, connection: sqlite3.Connection) -> int:
    """Return a number that grows whenever somebody else writes to the registry."""
    assert (folder / FILE).exists()
    [version] = connection.execute("PRAGMA data_version").fetchone()
    return int(version)


def test_visit_that_tells_nothing_new_writes_nothing(tmp_path: Path) -> None:
    kept = Registry(tmp_path)
    first, is_new = kept.arrived(ANN, "monday")
    assert is_new
    with closing(sqlite3.connect(tmp_path / FILE)) as looking:
        before = changes_of(tmp_path, looking)

        assert [kept.arrived(ANN, "monday") for _ in range(3)] == [(first, False)] * 3
        assert changes_of(tmp_path, looking) == before

        again, is_new = kept.arrived(ANN, "tuesday")
        assert is_new
        assert changes_of(tmp_path, looking) > before
        assert again.signed_in > first.signed_in


def test_new_name_and_a_later_visit_are_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Registry(tmp_path)
    first, _ = kept.arrived(ANN, "monday")

    renamed, is_new = kept.arrived(ANN.model_copy(update={"name": "Ann A."}), "monday")
    assert (renamed.name, is_new) == ("Ann A.", False)

    monkeypatch.setattr(registry, "SEEN_EVERY", timedelta(0))
    later, is_new = kept.arrived(ANN.model_copy(update={"name": "Ann A."}), "monday")
    assert not is_new
    assert later.seen > first.seen
    assert later.signed_in == first.signed_in
