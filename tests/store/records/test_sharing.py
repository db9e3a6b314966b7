"""A branch has what was told before it started, as it stood then, and from then on its own."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import BundleInvalid
from store.formats.bundle import export_bundle, import_bundle
from store.models.base import new_id
from store.models.delta import Delta
from store.models.edits.staleness import StaleMark, TargetKind
from store.models.form import Form
from store.models.manuscript import Draft, DraftState, WritingPlan
from store.models.proposals import Candidate, CandidateState, Configuration, Goal, Verdict
from store.models.story import Branch, Brief
from store.open import Store
from tests.libraries import temporary_store
from tests.store.builders import LAMP_ROOM, THREAD, adding, begin, go_on, summed

CHAPTERS = (1, 2, 3)


def tell(store: Store, branch: Branch, text: str, chapter: int = 1, state: str = "") -> Draft:
    """Plan a chapter and write it; `state` is where the text is left, its end if not said."""
    plan = WritingPlan(
        id=new_id(),
        branch=branch.id,
        chapter=chapter,
        attempt=store.manuscript.next_attempt(branch.id, chapter),
        form=Form.NOVEL,
        goal=text,
    )
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "")
    store.manuscript.update_draft_text(draft.id, text)
    return draft if state == DraftState.WRITING else store.manuscript.finish_draft(draft.id)


def propose(store: Store, branch: Branch, chapter: int, text: str) -> Candidate:
    """Keep a goal of a new round, and a candidate that leads there."""
    goal = Goal(
        id=new_id(),
        branch=branch.id,
        chapter=chapter,
        round=store.proposals.next_round(branch.id, chapter),
        position=0,
        title=text,
        text=text,
    )
    store.proposals.save_goals([goal])
    return store.proposals.save_candidate(
        Candidate(
            id=new_id(),
            branch=branch.id,
            chapter=chapter,
            round=goal.round,
            goal=goal.id,
            title=text,
            delta=Delta(),
        )
    )


@pytest.fixture
def told(store: Store, branch: Branch) -> Branch:
    """The main branch, with three plotted chapters."""
    begin(store, branch.id)
    go_on(store, branch.id, adding(LAMP_ROOM), "The lamp room")
    go_on(store, branch.id, adding(THREAD), "The thread")
    go_on(store, branch.id, Delta(), "Nothing")
    return branch


def test_branch_reads_the_texts_of_the_chapters_it_shares(store: Store, told: Branch) -> None:
    first, later = tell(store, told, "One."), tell(store, told, "Three.", 3)
    fork = store.library.fork(told.id, 1, "What if")

    assert store.manuscript.draft(fork.id, 1) == first
    assert store.manuscript.plan(fork.id, 1) == store.manuscript.plan(told.id, 1)
    assert store.manuscript.written_chapters(fork.id) == {1: (DraftState.DRAFTED, 1)}
    assert store.manuscript.draft(fork.id, 3) is None
    assert store.manuscript.draft(told.id, 3) == later


def test_what_the_parent_changes_later_does_not_show(store: Store, told: Branch) -> None:
    tell(store, told, "One.")
    fork = store.library.fork(told.id, 2, "What if")
    store.manuscript.approve_draft(told.id, 1)
    store.manuscript.save_text(told.id, 1, "Otherwise.")
    tell(store, told, "Two.", 2)
    plan = store.manuscript.plan(told.id, 1)
    assert plan is not None
    store.manuscript.save_plan(plan.model_copy(update={"goal": "otherwise"}))

    assert texts(store, fork, 1) == [(1, "One.", "drafted")]
    assert texts(store, told, 1) == [(1, "One.", "approved"), (2, "Otherwise.", "edited")]
    assert [one.goal for one in store.manuscript.plans(fork.id, 1)] == ["One."]
    assert store.manuscript.draft(fork.id, 2) is None


def test_saving_a_shared_text_makes_the_branch_s_own(store: Store, told: Branch) -> None:
    tell(store, told, "One.")
    fork = store.library.fork(told.id, 2, "What if")

    edited = store.manuscript.save_text(fork.id, 1, "Ours.")

    assert (edited.branch, edited.version) == (fork.id, 2)
    assert texts(store, fork, 1) == [(1, "One.", "drafted"), (2, "Ours.", "edited")]
    assert texts(store, told, 1) == [(1, "One.", "drafted")]
    assert store.manuscript.next_attempt(fork.id, 1) == 2


def test_approving_a_shared_text_leaves_the_parent_s_as_it_is(store: Store, told: Branch) -> None:
    tell(store, told, "One.")
    fork = store.library.fork(told.id, 1, "What if")

    store.manuscript.approve_draft(fork.id, 1)

    assert texts(store, fork, 1)[-1] == (2, "One.", "approved")
    assert texts(store, told, 1) == [(1, "One.", "drafted")]


def test_editing_a_shared_plan_leaves_the_parent_s_as_it_is(store: Store, told: Branch) -> None:
    tell(store, told, "One.")
    fork = store.library.fork(told.id, 1, "What if")
    plan = store.manuscript.plan(fork.id, 1)
    assert plan is not None

    ours = plan.model_copy(update={"branch": fork.id, "goal": "ours", "attempt": 2})
    store.manuscript.save_plan(ours)

    assert [one.goal for one in store.manuscript.plans(fork.id, 1)] == ["ours", "One."]
    assert [one.goal for one in store.manuscript.plans(told.id, 1)] == ["One."]


def test_text_that_is_being_written_is_not_shared(store: Store, told: Branch) -> None:
    draft = tell(store, told, "Half", state=DraftState.WRITING)
    fork = store.library.fork(told.id, 1, "What if")
    store.manuscript.update_draft_text(draft.id, "Half and whole.")
    store.manuscript.finish_draft(draft.id)

    assert store.manuscript.draft(fork.id, 1) is None
    assert store.manuscript.written_chapters(fork.id) == {}
    assert texts(store, told, 1) == [(1, "Half and whole.", "drafted")]


def test_verdicts_and_configuration_are_shared(store: Store, told: Branch) -> None:
    store.proposals.save_configuration(Configuration(id=new_id(), branch=told.id, round=1))
    for chapter in (1, 3):
        store.proposals.save_verdict(Verdict(branch=told.id, chapter=chapter, is_reached=True))
    fork = store.library.fork(told.id, 2, "What if")
    store.proposals.save_verdict(Verdict(branch=told.id, chapter=1, is_reached=False))

    assert store.proposals.configuration(fork.id) == store.proposals.configuration(told.id)
    assert [(one.chapter, one.is_reached) for one in store.proposals.verdicts(fork.id)] == [
        (1, True)
    ]
    assert store.proposals.is_reached(fork.id, 2)
    assert not store.proposals.is_reached(told.id, 2)
    assert store.proposals.is_reached(told.id, 3)


def test_candidates_say_what_became_of_them_on_the_line(store: Store, told: Branch) -> None:
    first, second = (propose(store, told, 4, text) for text in ("In", "Out"))
    store.prototype.commit(told.id, Delta(), chapter=4, kind="chapter", origin=first.id)
    store.proposals.mark_chosen(first.id)
    fork = store.library.fork(told.id, 4, "What if")
    store.proposals.mark_chosen(second.id)
    propose(store, told, 4, "Later")

    assert states(store, fork, 4) == {
        "In": CandidateState.CHOSEN,
        "Out": CandidateState.PASSED_OVER,
    }
    copy = import_bundle(store, export_bundle(store, told.story))
    copied = next(one for one in store.library.branches(copy.id) if one.name == "What if")
    assert states(store, copied, 4) == states(store, fork, 4)
    assert states(store, told, 4)["Out"] is CandidateState.CHOSEN
    assert [goal.title for goal in store.proposals.goals(fork.id, 4)] == ["In", "Out"]
    assert store.proposals.next_round(fork.id, 4) == 3


def test_card_of_a_story_is_of_its_open_branch(store: Store, told: Branch) -> None:
    tell(store, told, "One word.")
    tell(store, told, "Some more words.", 3)
    fork = store.library.fork(told.id, 1, "What if")
    store.manuscript.save_text(told.id, 1, "Much later on Main.")

    (main,) = store.library.stories()
    assert store.contents.length(told.id) == (3, 7)
    store.library.switch_branch(told.story, fork.id)
    (other,) = store.library.stories()

    assert (main.branch, main.chapters) == (told.id, 3)
    assert (other.branch, other.chapters) == (fork.id, 1)
    assert store.contents.length(fork.id) == (1, 2)
    store.library.switch_branch(told.story, told.id)
    store.prototype.undo(told.id)
    (after,) = store.library.stories()
    assert after.chapters == 2
    assert store.contents.length(told.id) == (2, 4)


def test_what_is_told_again_is_no_longer_stale(store: Store, told: Branch) -> None:
    draft = tell(store, told, "One.")
    kinds: tuple[TargetKind, ...] = ("plan", "draft", "event")
    marks = [
        StaleMark(
            id=new_id(),
            branch=told.id,
            commit_id=1,
            target_kind=kind,
            target="1",
            chapter=1,
            reason="It was changed.",
        )
        for kind in kinds
    ]
    store.staleness.add(told.id, marks)

    store.manuscript.save_text(told.id, 1, f"{draft.text} And more.")
    assert len(store.staleness.open_marks(told.id)) == 3
    tell(store, told, "Once more.")

    assert [mark.target_kind for mark in store.staleness.open_marks(told.id)] == ["event"]


def test_file_with_branches_in_no_order_is_refused(store: Store, told: Branch) -> None:
    fork = store.library.fork(told.id, 1, "What if")
    text = export_bundle(store, told.story)

    assert f'"number":{fork.number}' in text
    with pytest.raises(BundleInvalid, match="do not fit together"):
        import_bundle(store, summed(text.replace(f'"number":{fork.number}', '"number":0')))


class Telling(NamedTuple):
    """What a chapter's telling is, as a model without a database keeps it."""

    texts: list[tuple[int, str, str]]
    plans: list[str]
    verdict: list[bool]
    goals: list[str]


Line = dict[int, Telling]
Move = Callable[[Store, Branch, Line, int, str], None]


def texts(store: Store, branch: Branch, chapter: int) -> list[tuple[int, str, str]]:
    versions = reversed(store.manuscript.versions(branch.id, chapter))
    return [(one.version, one.text, one.state.value) for one in versions]


def states(store: Store, branch: Branch, chapter: int) -> dict[str, CandidateState]:
    return {one.title: one.state for one in store.proposals.candidates(branch.id, chapter)}


def read(store: Store, branch: Branch) -> Line:
    """Return a branch's tellings as the store has them."""
    return {
        chapter: Telling(
            texts(store, branch, chapter),
            [plan.goal for plan in reversed(store.manuscript.plans(branch.id, chapter))],
            [v.is_reached for v in store.proposals.verdicts(branch.id) if v.chapter == chapter],
            [goal.text for goal in store.proposals.goals(branch.id, chapter)],
        )
        for chapter in CHAPTERS
    }


def _write(store: Store, branch: Branch, line: Line, chapter: int, word: str) -> None:
    tell(store, branch, word, chapter)
    line[chapter].texts.append((_next(line, chapter), word, "drafted"))
    line[chapter].plans.append(word)


def _edit(store: Store, branch: Branch, line: Line, chapter: int, word: str) -> None:
    if line[chapter].texts and line[chapter].texts[-1][1] != word:
        store.manuscript.save_text(branch.id, chapter, word)
        line[chapter].texts.append((_next(line, chapter), word, "edited"))


def _approve(store: Store, branch: Branch, line: Line, chapter: int, word: str) -> None:  # noqa: ARG001
    newest = store.manuscript.draft(branch.id, chapter)
    if newest is None:
        return
    store.manuscript.approve_draft(branch.id, chapter)
    if newest.branch == branch.id:
        del line[chapter].texts[-1]
    version = newest.version + (newest.branch != branch.id)
    line[chapter].texts.append((version, newest.text, "approved"))


def _replan(store: Store, branch: Branch, line: Line, chapter: int, word: str) -> None:
    plan = store.manuscript.plan(branch.id, chapter)
    if plan is not None and plan.branch == branch.id:
        store.manuscript.save_plan(plan.model_copy(update={"goal": word}))
        line[chapter].plans[-1] = word


def _judge(store: Store, branch: Branch, line: Line, chapter: int, word: str) -> None:
    is_reached = word == "lamp"
    store.proposals.save_verdict(Verdict(branch=branch.id, chapter=chapter, is_reached=is_reached))
    line[chapter].verdict[:] = [is_reached]


def _propose(store: Store, branch: Branch, line: Line, chapter: int, word: str) -> None:
    propose(store, branch, chapter, word)
    line[chapter].goals.append(word)


def _next(line: Line, chapter: int) -> int:
    return 1 + max((version for version, _, _ in line[chapter].texts), default=0)


_MOVES: list[Move] = [_write, _edit, _approve, _replan, _judge, _propose]


@given(st.data())
def test_branches_are_as_if_everything_had_been_copied(data: st.DataObject) -> None:
    with temporary_store() as store:
        story = store.library.create_story(Brief())
        main = store.library.main_branch(story.id)
        begin(store, main.id)
        for _ in CHAPTERS:
            go_on(store, main.id, Delta())
        lines: dict[str, Line] = {main.id: {n: Telling([], [], [], []) for n in CHAPTERS}}
        branches = [main]

        for step in range(data.draw(st.integers(1, 14))):
            branch = data.draw(st.sampled_from(branches))
            shared = branch.fork_chapter or 0
            last = shared if branch.parent else CHAPTERS[-1]
            chapter = data.draw(st.sampled_from(CHAPTERS))
            move = data.draw(st.sampled_from([*_MOVES, _edit, None]))
            if move is None and chapter <= last:
                fork = store.library.fork(branch.id, chapter, f"Branch {step}")
                lines[fork.id] = {
                    n: deepcopy(telling) if n <= chapter else Telling([], [], [], [])
                    for n, telling in lines[branch.id].items()
                }
                branches.append(fork)
            elif move is not None and (chapter > shared or move not in {_judge, _propose}):
                word = data.draw(st.sampled_from(["lamp", "door", "key"]))
                move(store, branch, lines[branch.id], chapter, word)

        for branch in branches:
            assert read(store, branch) == lines[branch.id]
        copy = import_bundle(store, export_bundle(store, story.id))
        copies = {one.name: one for one in store.library.branches(copy.id)}
        for branch in branches:
            assert read(store, copies[branch.name]) == lines[branch.id]


def test_parent_may_change_what_a_branch_of_a_branch_shares(store: Store, told: Branch) -> None:
    tell(store, told, "One.")
    child = store.library.fork(told.id, 2, "Child")
    grandchild = store.library.fork(child.id, 1, "Grandchild")
    sibling = store.library.fork(told.id, 1, "Sibling")

    store.manuscript.approve_draft(told.id, 1)

    for branch in (child, grandchild, sibling):
        assert texts(store, branch, 1) == [(1, "One.", "drafted")], branch.name
