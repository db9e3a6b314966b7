"""A mystery is kept beside the book, changed as it is kept now, and travels in story files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from store.formats.bundle import export_bundle, import_bundle
from store.models.desk.mystery import Clue, Mystery, MysteryText, Point, Trial
from store.models.story import Branch, Brief
from store.open import Store
from store.upkeep.salvage import salvage
from tests.store.builders import begin

CLUE = Clue(id="c1", round=2, title="The bar", text="Half a bar.", supports=(Point.MEANS,))


@pytest.fixture
def branch(store: Store) -> Branch:
    story = store.library.create_story(Brief(premise="A mill."), "The mill")
    branch = store.library.main_branch(story.id)
    begin(store, branch.id)
    return branch


def fill(store: Store, branch: str) -> Mystery:
    changes = {
        "crime": "locked",
        "culprits": ("hale",),
        "clues": (CLUE,),
        "texts": {"opening": MysteryText(text="Tom is dead.", former="Tom!", is_typed=True)},
        "attempts": {"opening": 2},
        "trials": (Trial(culprit="hale", reasons="The bar.", clues="0"),),
    }
    return store.mysteries.change(branch, lambda it: it.model_copy(update=changes))


def test_there_is_one_of_a_branch_and_the_first_change_begins_it(
    store: Store, branch: Branch
) -> None:
    assert store.mysteries.of(branch.id) is None
    made = fill(store, branch.id)
    again = store.mysteries.change(branch.id, lambda it: it.model_copy(update={"rounds": 2}))
    assert (again.id, again.rounds, again.clues) == (made.id, 2, (CLUE,))
    assert store.mysteries.own(branch.id) == [again]
    child = store.library.fork(branch.id, 0, "What if")
    assert store.mysteries.of(child.id) is None


@pytest.mark.parametrize("bad", [{"rounds": 9}, {"clues": (CLUE, CLUE)}, {"crime": "no id!"}])
def test_what_is_none_is_refused_and_the_kept_one_stays(
    store: Store, branch: Branch, bad: dict[str, object]
) -> None:
    made = fill(store, branch.id)
    with pytest.raises(ValidationError):
        store.mysteries.change(branch.id, lambda it: it.model_copy(update=bad))
    assert store.mysteries.of(branch.id) == made


def test_mystery_travels_with_its_story(store: Store, branch: Branch) -> None:
    made = fill(store, branch.id)
    imported = import_bundle(store, export_bundle(store, branch.story))
    [there] = store.library.branches(imported.id)
    same = {"id", "branch"}
    found = store.mysteries.of(there.id)
    assert found is not None
    assert found.model_dump(exclude=same) == made.model_dump(exclude=same)


def test_mystery_is_saved_from_a_damaged_library(
    store: Store, branch: Branch, library_path: Path, tmp_path: Path
) -> None:
    fill(store, branch.id)
    store.close()
    salvage(library_path, tmp_path / "saved.db")
    saved = Store.open(tmp_path / "saved.db")
    [story] = saved.library.stories()
    [there] = saved.library.branches(story.story.id)
    found = saved.mysteries.of(there.id)
    saved.close()
    assert found is not None
    assert found.texts["opening"].text == "Tom is dead."
