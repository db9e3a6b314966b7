"""The registry of a site, by threads and processes at once."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from store.errors import LibraryUnavailable, NotFound, StoreError
from store.hosting.records import AuditEvent, Identity, LibraryState, Use
from store.hosting.registry import FILE, Registry

ANN = Identity(issuer="https://id.example", subject="1", name="Ann", email="ann@school.example")
BEN = Identity(issuer="https://id.example", subject="2", name="Ben")
DAY, NEXT = date(2026, 3, 30), date(2026, 3, 31)


def test_writers_are_told_apart_by_issuer_and_subject_and_by_nothing_else() -> None:
    same = Identity(issuer=ANN.issuer, subject="1", name="Another", email="other@x.example")
    moved = Identity(issuer="https://id.exampl", subject="e1")

    assert same.writer == ANN.writer
    assert len({ANN.writer, BEN.writer, moved.writer}) == 3
    assert ANN.writer.isalnum()


def test_sign_in_is_new_once_for_each_ticket(tmp_path: Path) -> None:
    registry = Registry(tmp_path)

    first, is_new = registry.arrived(ANN, "a")
    _, again = registry.arrived(ANN, "a")
    _, other = registry.arrived(ANN, "b")

    assert (is_new, again, other) == (True, False, True)
    assert first.called == "Ann"
    assert [one.id for one in Registry(tmp_path).writers()] == [ANN.writer]
    with pytest.raises(NotFound):
        registry.writer(BEN.writer)


def test_calls_are_counted_up_to_the_limit_however_many_ask_at_once(tmp_path: Path) -> None:
    registries = [Registry(tmp_path) for _ in range(4)]

    with ThreadPoolExecutor(8) as threads:
        asked = [registries[i % 4] for i in range(60)]
        allowed = list(threads.map(lambda one: one.begin_call("w", DAY, 25), asked))

    assert sum(allowed) == 25
    assert registries[0].use("w", DAY, DAY).calls == 25
    assert registries[0].begin_call("w", NEXT, 25)
    assert not registries[0].begin_call("w", NEXT, 0)


def test_call_that_was_never_made_leaves_the_count(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    for _ in range(3):
        registry.begin_call("w", DAY, None)

    registry.end_call("w", DAY, Use(calls=1, tokens=120, cost=0.5))
    registry.end_call("w", DAY, None)
    registry.begin_call("w", NEXT, None)
    registry.end_call("w", NEXT, Use(calls=1, tokens=30, cost=0.25))

    assert registry.use("w", DAY, DAY) == Use(calls=2, tokens=120, cost=0.5)
    assert registry.use("w", DAY, NEXT) == Use(calls=3, tokens=150, cost=0.75)
    assert registry.use("other", DAY, NEXT) == Use()


def test_audit_is_kept_the_newest_first(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.note(AuditEvent.SIGN_IN, "w")
    registry.note(AuditEvent.EXPORT, "w", "json " + "x" * 500)

    newest, oldest = Registry(tmp_path).audit()

    assert (newest.event, oldest.event) == (AuditEvent.EXPORT, AuditEvent.SIGN_IN)
    assert len(newest.about) == 300
    assert len(registry.audit(limit=1)) == 1


def test_shut_out_and_state_are_kept(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    registry.arrived(ANN, "a")
    state = LibraryState(looked=datetime.now(UTC), size=5, stories=2, is_sound=True)

    registry.shut_out(ANN.writer, True)
    registry.keep_state(ANN.writer, state)

    assert registry.writer(ANN.writer).is_shut_out
    assert registry.arrived(ANN, "b")[0].is_shut_out
    assert registry.states() == {ANN.writer: state}
    registry.shut_out(ANN.writer, False)
    assert not registry.writer(ANN.writer).is_shut_out


def test_file_that_is_no_registry_or_of_a_newer_version_is_told(tmp_path: Path) -> None:
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(LibraryUnavailable):
        Registry(tmp_path / "damaged")
    Registry(tmp_path)
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreError, match="newer version"):
        Registry(tmp_path)
