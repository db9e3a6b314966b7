"""A change of a scene's plan marks the passage that tells it and no other, and a change of its text the scene."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.views import SceneTie
from store.models.form import Form
from store.models.manuscript import PlannedScene, WritingPlan
from store.models.run import WriteChapter
from store.open import Store
from tests.desk import Desk
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on

STAIRS, LOCKED, DARK = "Mara climbed.", "The door was locked. So it was.", "The lamp went out."
TEXT = "\n\n".join([STAIRS, LOCKED, DARK])
SCENES = (
    PlannedScene(events=("locked",), beat="Mara finds the door.", reveals=("secret:mara",)),
    PlannedScene(events=("after",), beat="The lamp dies."),
)
PLAN = {"chapter": 1, "attempt": 1, "form": Form.NOVEL, "scenes": SCENES}


@pytest.fixture
def branch(desk: Desk, store: Store) -> str:
    """A chapter of two scenes, of which the first is told in two paragraphs."""
    branch = desk.branch(desk.story())
    begin(store, branch)
    go_on(store, branch, adding(*CHAPTER_ONE), "The door")
    plan = store.manuscript.save_plan(
        WritingPlan.model_validate(PLAN | {"id": "p", "branch": branch})
    )
    draft = store.manuscript.start_draft(plan, "The door")
    store.manuscript.update_draft_text(draft.id, TEXT)
    store.manuscript.finish_draft(draft.id, events=[("locked",), ("locked",), ("after",)])
    return branch


def with_scene(at: int, **values: object) -> Callable[[WritingPlan], WritingPlan]:
    def change(plan: WritingPlan) -> WritingPlan:
        scenes = list(plan.scenes)
        scenes[at] = scenes[at].model_copy(update=values)
        return plan.model_copy(update={"scenes": tuple(scenes)})

    return change


def plan_changed(ties: list[SceneTie]) -> list[bool]:
    return [one.is_plan_changed for one in ties]


def text_changed(ties: list[SceneTie]) -> list[bool]:
    return [one.is_text_changed for one in ties]


def test_each_scene_has_its_paragraphs(desk: Desk, branch: str, store: Store) -> None:
    first, second = desk.workbench.desk.ties(branch, 1)
    draft = store.manuscript.draft(branch, 1)
    assert draft is not None
    ids = [one.id for one in draft.paragraphs]
    assert (list(first.paragraphs), first.first, first.last, first.begins) == (
        ids[:2],
        1,
        2,
        STAIRS,
    )
    assert (list(second.paragraphs), second.first, second.last) == (ids[2:], 3, 3)
    assert not any(plan_changed([first, second]) + text_changed([first, second]))


@pytest.mark.parametrize("values", [{"beat": "Mara breaks the door."}, {"reveals": ()}])
def test_changed_scene_marks_its_passage_and_no_other(
    desk: Desk, branch: str, values: dict[str, object]
) -> None:
    service = desk.workbench.desk
    service.change_scene(branch, 1, with_scene(0, **values))
    assert plan_changed(service.ties(branch, 1)) == [True, False]
    assert service.ties(branch, 1)[0].told_reveals == ("secret:mara",)

    service.change_scene(branch, 1, with_scene(1, words=300))
    assert plan_changed(service.ties(branch, 1)) == [True, False]
    service.change_scene(branch, 1, with_scene(0, beat=SCENES[0].beat, reveals=SCENES[0].reveals))
    assert plan_changed(service.ties(branch, 1)) == [False, False]


def test_text_knows_from_the_beginning_what_it_tells_of_its_plan(
    desk: Desk, branch: str, store: Store
) -> None:
    plan = store.manuscript.plan(branch, 1)
    assert plan is not None
    store.manuscript.change_plan(plan, with_scene(1, beat="The lamp burns."))
    assert plan_changed(desk.workbench.desk.ties(branch, 1)) == [False, True]


def test_mark_stays_while_the_text_is_edited_until_the_writer_says_that_it_fits(
    desk: Desk, branch: str, store: Store
) -> None:
    service = desk.workbench.desk
    service.change_scene(branch, 1, with_scene(0, beat="Mara breaks the door."))
    service.change_scene(branch, 1, with_scene(1, beat="The lamp burns."))
    store.manuscript.save_text(branch, 1, TEXT.replace("climbed", "ran up"))
    assert plan_changed(service.ties(branch, 1)) == [True, True]
    service.scene_fits(branch, 1, 0)
    assert plan_changed(service.ties(branch, 1)) == [False, True]


def test_scenes_are_known_again_in_another_order(desk: Desk, branch: str) -> None:
    service = desk.workbench.desk
    service.change_scene(branch, 1, with_scene(1, beat="The lamp burns."))
    service.change_scene(
        branch, 1, lambda plan: plan.model_copy(update={"scenes": plan.scenes[::-1]})
    )
    assert plan_changed(service.ties(branch, 1)) == [True, False]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (TEXT.replace("locked.", "shut."), [True, False]),
        (TEXT.replace(DARK, "The lamp burned."), [False, True]),
        (f"{STAIRS}\n\n{LOCKED}", [False, True]),
        (f"{LOCKED}\n\n{DARK}", [True, False]),
        (f"{TEXT}\n\nShe waited.", [False, True]),
        (TEXT, [False, False]),
    ],
)
def test_text_that_was_changed_by_hand_is_said_of_its_scene(
    desk: Desk, branch: str, store: Store, text: str, changed: list[bool]
) -> None:
    store.manuscript.save_text(branch, 1, text)
    ties = desk.workbench.desk.ties(branch, 1)
    assert text_changed(ties) == changed
    assert plan_changed(ties) == [False, False]


def test_text_of_an_earlier_version_is_tied_to_its_plan_from_the_first_change_on(
    desk: Desk, branch: str, store: Store
) -> None:
    store.manuscript.save_scenes(branch, 1, ())  # as a library of before has it
    service = desk.workbench.desk
    assert plan_changed(service.ties(branch, 1)) == [False, False]
    service.change_scene(branch, 1, with_scene(0, beat="Mara breaks the door."))
    assert plan_changed(service.ties(branch, 1)) == [True, False]


def test_text_of_another_plan_is_tied_to_none(desk: Desk, branch: str, store: Store) -> None:
    other = PLAN | {"id": "q", "branch": branch, "attempt": 2}
    store.manuscript.save_plan(WritingPlan.model_validate(other))
    assert desk.workbench.desk.ties(branch, 1) == []


def test_branch_that_shares_the_plan_changes_only_its_own(
    desk: Desk, branch: str, store: Store
) -> None:
    fork = store.library.fork(branch, 1, "What if").id
    service = desk.workbench.desk
    assert plan_changed(service.ties(fork, 1)) == [False, False]
    service.change_scene(fork, 1, with_scene(0, beat="Mara breaks the door."))
    assert plan_changed(service.ties(fork, 1)) == [True, False]
    assert plan_changed(service.ties(branch, 1)) == [False, False]
    kept = store.manuscript.plan(branch, 1)
    assert kept is not None
    assert kept.scenes[0].beat == SCENES[0].beat


def test_chapter_without_a_plan_has_no_scene_to_change(desk: Desk, branch: str) -> None:
    assert desk.workbench.desk.ties(branch, 2) == []
    with pytest.raises(WorkbenchError, match="no plan"):
        desk.workbench.desk.change_scene(branch, 2, with_scene(0, beat="x"))


def test_chapter_that_is_written_again_tells_its_plan(desk: Desk) -> None:
    story = desk.written({"goals": 2, "roles": 2})
    branch, service = desk.branch(story), desk.workbench.desk
    before = service.ties(branch, 1)
    assert before
    assert not any(plan_changed(before))
    service.change_scene(branch, 1, with_scene(0, beat="Something else happens."))
    assert plan_changed(service.ties(branch, 1))[0]
    desk.do(story, WriteChapter(chapter=1, is_autopilot=True))
    assert not any(plan_changed(service.ties(branch, 1)))
