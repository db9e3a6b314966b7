"""A writer's hand on the outline: by hand, on the board, in two windows, and after chapters were told."""

from __future__ import annotations

import pytest

from graph_flow.errors import WorkbenchError
from store.errors import NotFound, StoryMoved
from store.models.outline import MOST_PARTS, Outline, OutlineState
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.outline.outlines import event, outline, part


@pytest.fixture
def branch(desk: Desk) -> str:
    return desk.branch(desk.founded({"chapter_cap": 4}))


def by_hand(desk: Desk, branch: str) -> Outline:
    """Save the outline of the bell and the dam as a writer would type it."""
    begun = desk.workbench.outline.begin(branch)
    typed = outline(branch, id=begun.id, version=begun.version, created=begun.created)
    return desk.workbench.outline.save(typed)


def test_story_has_no_outline_until_one_is_begun(desk: Desk, branch: str) -> None:
    assert desk.workbench.outline.newest(branch) is None
    assert desk.workbench.outline.problems(branch) != []
    with pytest.raises(WorkbenchError, match="no outline yet"):
        desk.workbench.outline.accept(branch)
    begun = desk.workbench.outline.begin(branch)
    assert desk.workbench.outline.newest(branch) == begun
    with pytest.raises(WorkbenchError, match="already a draft"):
        desk.workbench.outline.begin(branch)


def test_outline_by_hand_is_edited_placed_and_used(desk: Desk, branch: str, store: Store) -> None:
    saved = by_hand(desk, branch)
    moved = desk.workbench.outline.place_part(branch, "leak-1", 1, "theft-2")
    assert [one.id for one in moved.parts_of(1)] == ["theft-1", "leak-1", "theft-2"]
    assert moved.version > saved.version

    accepted = desk.workbench.outline.accept(branch)
    assert store.outlines.accepted(branch) == accepted
    assert desk.workbench.outline.accept(branch) == accepted

    edited = desk.workbench.outline.save(accepted.model_copy(update={"review": "mine"}))
    assert edited.state is OutlineState.ACCEPTED
    assert store.outlines.accepted(branch) == edited
    out = desk.workbench.outline.place_part(branch, "leak-1", None)
    assert store.outlines.accepted(branch) == out
    assert out.parts_of(1) == tuple(one for one in moved.parts_of(1) if one.id != "leak-1")


def test_what_is_not_placed_is_named_and_the_outline_not_used(
    desk: Desk, branch: str, store: Store
) -> None:
    by_hand(desk, branch)
    desk.workbench.outline.place_part(branch, "leak-1", None)
    with pytest.raises(WorkbenchError, match="What leak-1 tells"):
        desk.workbench.outline.accept(branch)
    assert store.outlines.accepted(branch) is None


def test_edit_in_another_window_is_noticed_and_not_overwritten(desk: Desk, branch: str) -> None:
    saved = by_hand(desk, branch)
    first = desk.workbench.outline.save(saved.model_copy(update={"review": "one window"}))
    with pytest.raises(StoryMoved):
        desk.workbench.outline.save(saved.model_copy(update={"review": "the other"}))
    assert desk.workbench.outline.newest(branch) == first


def test_what_is_saved_as_it_stands_is_no_new_version(desk: Desk, branch: str) -> None:
    saved = by_hand(desk, branch)
    assert desk.workbench.outline.save(saved) == saved
    accepted = desk.workbench.outline.accept(branch)
    assert desk.workbench.outline.save(accepted) == accepted


def test_discarded_outline_comes_back(desk: Desk, branch: str) -> None:
    saved = by_hand(desk, branch)
    desk.workbench.outline.discard(branch)
    assert desk.workbench.outline.newest(branch) is None
    desk.workbench.outline.discard(branch)
    back = desk.workbench.outline.restore(branch)
    assert back.sub_events == saved.sub_events
    with pytest.raises(NotFound):
        desk.workbench.outline.restore(branch)


@pytest.mark.parametrize(
    ("part_id", "chapter", "said"),
    [
        ("nowhere", 1, "outline"),
        ("leak-1", 5, "chapter 4"),
        ("leak-1", 0, "chapter 4"),
        ("leak-1", -7, "chapter 4"),
    ],
)
def test_part_goes_only_where_it_can_be_told(
    desk: Desk, branch: str, part_id: str, chapter: int, said: str
) -> None:
    saved = by_hand(desk, branch)
    with pytest.raises(WorkbenchError, match=said):
        desk.workbench.outline.place_part(branch, part_id, chapter)
    assert desk.workbench.outline.newest(branch) == saved


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"events": (event("theft"),)}, "does not fit together"),
        ({"events": (event("theft").model_copy(update={"title": " "}),)}, "needs a title"),
        ({"events": (event("theft").model_copy(update={"line": "x" * 81}),)}, "longer than 80"),
        ({"sub_events": (part("p", "theft"),) * (MOST_PARTS + 1)}, "at most 2000"),
    ],
)
def test_edit_that_does_not_hold_together_is_refused_in_words(
    desk: Desk, branch: str, values: dict[str, object], said: str
) -> None:
    saved = by_hand(desk, branch)
    with pytest.raises(WorkbenchError, match=said):
        desk.workbench.outline.save(saved.model_copy(update=values))
    assert desk.workbench.outline.newest(branch) == saved


def test_told_chapter_takes_no_more_parts(desk: Desk) -> None:
    branch = desk.branch(desk.plotted(1, {"chapter_cap": 4, "goals": 1, "roles": 1}))
    by_hand(desk, branch)
    with pytest.raises(WorkbenchError, match="Chapter 1 is already plotted"):
        desk.workbench.outline.place_part(branch, "leak-1", 1)
    with pytest.raises(WorkbenchError, match="already plotted"):
        desk.workbench.outline.accept(branch)


def test_outline_goes_with_its_story_when_that_is_deleted_and_restored(
    desk: Desk, branch: str
) -> None:
    saved = by_hand(desk, branch)
    story = desk.workbench.branches.status(branch).story
    desk.workbench.library.delete(story.id)
    desk.workbench.library.restore(story.id)
    assert desk.workbench.outline.newest(branch) == saved
