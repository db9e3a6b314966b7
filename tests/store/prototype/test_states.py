"""The state of a story: read as a whole, and read by ids, it is the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from store.errors import LibraryDamaged
from store.models.delta import Delta
from store.models.story import Branch, Brief
from store.open import Store
from store.prototype.states import read_standing, read_state
from tests.libraries import put_empty_library
from tests.store.builders import CHAPTER_ONE, THREAD, adding, begin, changing, go_on, histories


@pytest.mark.parametrize("column", ["title = ''", "locked = '[1'", "state = 'forgotten'"])
def test_a_damaged_version_is_noticed_among_many_and_tells_its_chapter(
    store: Store, branch: Branch, column: str
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    go_on(store, branch.id, changing(THREAD, title="the lamp"))
    with store.database.write() as database:
        database.execute(f"UPDATE threads SET {column} WHERE chapter = 2")

    with pytest.raises(LibraryDamaged) as damaged:
        read_state(store.database, branch.id, 2)

    assert damaged.value.chapter == 2
    assert read_state(store.database, branch.id, 1).threads == [THREAD]


@given(histories())
@settings(max_examples=30)
def test_whole_state_is_that_of_all_its_ids(
    tmp_path_factory: pytest.TempPathFactory, deltas: list[Delta]
) -> None:
    store = Store.open(put_empty_library(tmp_path_factory.mktemp("states") / "library.db"))
    branch = store.library.main_branch(store.library.create_story(Brief()).id).id
    begin(store, branch, deltas[0])
    for delta in deltas[1:]:
        go_on(store, branch, delta)
    fork = store.library.fork(branch, len(deltas) // 2, "What if").id
    go_on(store, fork, Delta())

    for line in (branch, fork):
        whole = read_state(store.database, line, len(deltas))
        by_ids = read_state(store.database, line, len(deltas), whole.first_chapter.keys())
        assert list(whole.entities.items()) == list(by_ids.entities.items())
        assert list(whole.first_chapter.items()) == list(by_ids.first_chapter.items())
        standing = read_standing(store.database, line, len(deltas), whole.first_chapter.keys())
        assert standing.entities == whole.entities
        assert standing.first_chapter.keys() == whole.first_chapter.keys()
    store.close()
