"""What is imported is bounded: in size and number before it is built, in memory, in time of the lock."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from store.errors import BundleInvalid
from store.formats import bounds
from store.formats.bundle import export_bundle, import_bundle
from store.formats.sections import sections_of
from store.formats.transfer import COPIED, INDEXED
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Branch, Story
from store.open import Store
from store.records.runs import Owners
from tests.store.builders import CHAPTER_ONE, MARA, adding, begin, changing, go_on

KEPT_AS_TOLD = {"stories", "branches"}
NOT_OF_A_STORY = {
    "migrations",
    "settings",
    "runs",
    "decisions",
    "calls",
    "dictionaries",
    "spent",
    "imports",
    "health",
    "writing_days",
    "talk_turns",
    "suggestions",
    "comparisons",
    "evaluations",
    "evaluated_texts",
    "evaluation_contents",
    "evaluated_chapters",
    "evaluated_intervals",
    "reader_scores",
    "judge_cards",
    "pair_trials",
    "checked_chapters",
}
HEAD = b'{"format":"tellwright-story","version":1,"title":"","brief":{},"settings":{},'
COUNT = 40_000


@pytest.fixture
def long(store: Store, story: Story, branch: Branch) -> Story:
    """Return a story with texts that take several transactions."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    fork = store.library.fork(branch.id, 1, "What if")
    go_on(store, fork.id, changing(MARA, status="away"), "Away")
    plan = WritingPlan(id="plan", branch=branch.id, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "The door")
    store.manuscript.finish_draft(draft.id)
    for version in range(8):
        store.manuscript.save_text(branch.id, 1, f"{version} The lamp burned. " * 7_000)
    return store.library.story(story.id)


@contextmanager
def memory() -> Iterator[Counter[str]]:
    """Count the bytes that are needed at most."""
    used: Counter[str] = Counter()
    tracemalloc.start()
    try:
        yield used
        used["peak"] = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"[" + b"[]," * COUNT + b"[]]", id="no story file"),
        pytest.param(HEAD + b'"branches":[' + b"[]," * COUNT + b"[]]}", id="branches"),
        pytest.param(HEAD + b'"surprise":[' + b"[]," * COUNT + b"[]]}", id="another field"),
        pytest.param(HEAD + b'"branches":[{"commits":[' + b"[]," * COUNT + b"[]]}]}", id="records"),
        pytest.param(
            HEAD + b'"branches":[{"id":"b","name":"b","commits":[' + b"{}," * COUNT + b"{}]}]}",
            id="records of a branch",
        ),
        pytest.param(
            HEAD
            + b'"branches":[{"id":"b","name":"b","commits":[['
            + b"[]," * 3 * COUNT
            + b"[]]]}]}",
            id="one record",
        ),
        pytest.param(b"{" + b'"a":{' * COUNT, id="depth of the head"),
        pytest.param(
            HEAD + b'"branches":[{"commits":[' + b"[" * COUNT * 3 + b"]}]}", id="depth of a record"
        ),
        pytest.param(HEAD + b'"branches":[{"commits":[' + b'"' + b"\\" * COUNT * 3, id="a string"),
    ],
)
def test_file_of_empty_values_takes_little_memory(
    store: Store, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "RECORD_VALUES", COUNT)
    with memory() as used, pytest.raises(BundleInvalid):
        import_bundle(store, content)
    assert used["peak"] < 8 * len(content)
    assert store.library.stories() == []


def test_honest_file_takes_little_memory(store: Store, long: Story) -> None:
    content = export_bundle(store, long.id).encode()
    with memory() as used:
        import_bundle(store, content)
    assert used["peak"] < 3 * len(content)


@pytest.mark.parametrize(
    ("bound", "value"),
    [
        ("FILE_BYTES", 1_000),
        ("HEAD_BYTES", 300),
        ("HEAD_VALUES", 5),
        ("RECORDS", 10),
        ("RECORD_BYTES", 100_000),
        ("RECORD_VALUES", 30),
        ("DEPTH", 4),
    ],
)
def test_what_is_beyond_a_bound_is_refused(
    store: Store, long: Story, bound: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = export_bundle(store, long.id)
    assert value < getattr(bounds, bound)
    monkeypatch.setattr(bounds, bound, value)
    with pytest.raises(BundleInvalid, match="too large"):
        import_bundle(store, content)
    assert len(store.library.stories()) == 1


def test_file_comes_apart_into_its_head_and_its_records(store: Store, long: Story) -> None:
    file = json.loads(export_bundle(store, long.id))
    sections = sections_of(json.dumps(file, indent=2).encode())
    content = json.dumps(file, indent=2).encode()
    found: dict[str, Any] = json.loads(sections.head)
    for place, spans in sections.lists.items():
        records = [json.loads(content[span]) for span in spans]
        holder = found if place.branch < 0 else found["branches"][place.branch]
        if place.name.startswith("stamps/"):
            holder, name = holder["stamps"], place.name.removeprefix("stamps/")
        else:
            name = place.name
        assert holder[name] == []
        holder[name] = records
    assert found == file


def test_import_says_how_far_it_has_come(store: Store, long: Story) -> None:
    said: list[tuple[int, int]] = []
    import_bundle(store, export_bundle(store, long.id), lambda *one: said.append(one))
    wholes = {whole for _, whole in said}
    assert len(wholes) == 1
    assert [part for part, _ in said] == sorted(part for part, _ in said)
    assert said[-1] == (said[-1][1], said[-1][1])
    assert len(said) > 10


def test_others_can_write_while_a_story_is_imported(
    store: Store, long: Story, library_path: Path
) -> None:
    """Another process gets the lock at once, whenever it asks, and sees nothing of the story."""
    other = Store.open(library_path)
    seen: list[int] = []

    def write(_part: int, _whole: int) -> None:
        connection = other.database.read().conn
        connection.execute("PRAGMA busy_timeout = 0")
        with other.database.write() as database:
            database.execute("UPDATE stories SET touched = touched")
        seen.append(len(other.library.stories()))

    import_bundle(store, export_bundle(store, long.id), write)

    assert set(seen) == {1}
    assert len(seen) > 10
    assert len(other.library.stories()) == 2
    other.close()


def test_every_table_is_brought_over_or_known_not_to_be(store: Store) -> None:
    rows = store.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = {row["name"] for row in rows if not row["name"].startswith("sqlite_")}
    shadows = {name for name in names if name.startswith(("words_", "terms_"))} | {"letters"}
    assert names - shadows == {*KEPT_AS_TOLD, *COPIED, *INDEXED, *NOT_OF_A_STORY}


def test_what_was_imported_is_found_by_its_words(store: Store, long: Story) -> None:
    copy = import_bundle(store, export_bundle(store, long.id))
    old, new = (store.library.main_branch(one.id).id for one in (long, copy))
    for words in ("Mara", "door locked", "lamp"):
        hits = [hit.id for hit in store.search.find(new, None, words)]
        assert hits == [hit.id for hit in store.search.find(old, None, words)]
        assert hits


def test_import_that_is_given_up_leaves_nothing(
    store: Store, long: Story, library_path: Path
) -> None:
    content = export_bundle(store, long.id)
    before = rows_of(store)

    def fail(part: int, whole: int) -> None:
        if part > 0.9 * whole:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_bundle(store, content, fail)

    assert rows_of(store) == before
    assert [one.story.id for one in store.library.stories()] == [long.id]
    assert list(library_path.parent.glob("tellwright-import-*")) == []
    assert import_bundle(store, content).title == long.title


_DYING = """
import os, sys
from pathlib import Path
from store.formats.bundle import import_bundle
from store.open import Store

def die(part, whole):
    if part > float(sys.argv[3]) * whole:
        os._exit(9)

store = Store.open(Path(sys.argv[1]))
import_bundle(store, Path(sys.argv[2]).read_bytes(), die)
"""


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_import_whose_process_dies_is_swept_up_at_the_next_start(
    store: Store, long: Story, library_path: Path, tmp_path: Path, share: float
) -> None:
    file = tmp_path / "story.json"
    file.write_text(export_bundle(store, long.id), encoding="utf-8")
    before = rows_of(store)
    root = Path(__file__).parents[3]
    died = subprocess.run(
        [sys.executable, "-c", _DYING, str(library_path), str(file), str(share)], cwd=root
    )
    assert died.returncode == 9
    assert len(store.library.stories()) == 1
    assert list(library_path.parent.glob("tellwright-import-*"))

    again = Store.open(library_path, Owners(is_alive=lambda _owner: False))

    assert rows_of(again) == before
    assert [one.story.id for one in again.library.stories()] == [long.id]
    assert list(library_path.parent.glob("tellwright-import-*")) == []
    assert again.database.rows("PRAGMA foreign_key_check") == []
    again.close()


def test_import_of_a_living_process_is_left_alone(
    store: Store, long: Story, library_path: Path
) -> None:
    opened: list[int] = []

    def open_it(part: int, whole: int) -> None:
        if part == whole // 2 or part > 0.9 * whole:
            Store.open(library_path, Owners(is_alive=lambda _owner: True)).close()
            opened.append(part)

    copy = import_bundle(store, export_bundle(store, long.id), open_it)
    assert len(opened) > 1
    assert len(store.library.branches(copy.id)) == 2


def test_half_an_import_is_no_story(store: Store, tmp_path: Path) -> None:
    source = Store.open(tmp_path / "source.db")
    made = source.library.create_story(title="Elsewhere")
    begin(source, source.library.main_branch(made.id).id)
    content = export_bundle(source, made.id)
    source.close()
    untouched: list[bool] = []
    import_bundle(store, content, lambda *_: untouched.append(store.library.is_untouched))
    assert set(untouched) == {True}
    assert not store.library.is_untouched


def rows_of(store: Store) -> dict[str, int]:
    """Count the rows of what a story consists of; its id and those of its branches stay taken."""
    tables = [*COPIED, "wordings", "names"]
    return {
        name: store.database.rows(f"SELECT count(*) AS n FROM {name}")[0]["n"] for name in tables
    }
