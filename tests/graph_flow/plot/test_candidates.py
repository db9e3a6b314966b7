"""Candidates through the door: cards, the writer's own, parts of several, and branches of them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.plot.rewording import CandidateEdit
from graph_flow.views import CandidateView
from store.errors import DeltaInvalid, StoreError
from store.models.base import WHOLE
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, LinkKind, Participation, Scene, Thread, ThreadState
from store.models.proposals import (
    Candidate,
    CandidateState,
    Chooser,
    Goal,
    Score,
    Telling,
    Turn,
)
from store.models.run import Decision
from store.models.story import Brief, Gate, GateMode
from store.open import Store
from tests.desk import Desk
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    LOCKED,
    MARA,
    THREAD,
    adding,
    altered,
    begin,
    changing,
    go_on,
    removing,
)
from tests.wording import says

CHAPTER = 2
NORA = Character(id="nora", name="Nora", occupation="pilot", invented=("occupation",))
SHIP = Scene(id="ship", name="The ship")
LEAVING = Event(id="leaving", title="Mara leaves", summary="Mara takes the boat.", position=0)
PURSUIT = Event(id="pursuit", title="Hale follows", summary="Hale follows her.", position=1)
PARTS = (
    Participation(id="mara-leaves", character="mara", event="leaving"),
    Participation(id="nora-steers", character="nora", event="leaving"),
    Participation(id="hale-follows", character="hale", event="pursuit"),
)
LEADS = EventLink(id="leads", source="leaving", target="pursuit", link=LinkKind.CAUSES)
TIDE = Thread(id="tide", title="The second tide", state=ThreadState.PLANTED, planted_in=CHAPTER)
STORM = Event(id="storm", title="The storm", summary="A storm comes up.")

FLIGHT = Delta(
    changes=(
        *adding(NORA, SHIP, LEAVING, PURSUIT, *PARTS, LEADS, TIDE).changes,
        *changing(DISTRUST, strength=4, reason="he let her go").changes,
        *changing(MARA, status="gone").changes,
        *changing(THREAD, state=ThreadState.PAID_OFF, paid_off_in=CHAPTER).changes,
    )
)
TEMPEST = Delta(
    changes=(*adding(STORM).changes, *changing(MARA, status="drenched", health="ill").changes)
)


@pytest.fixture
def branch(store: Store) -> str:
    """A story of one chapter, with two candidates for the next."""
    story = store.library.create_story(Brief(premise="A keeper."))
    main = store.library.main_branch(story.id).id
    begin(store, main, adding(*CAST))
    go_on(store, main, adding(*CHAPTER_ONE))
    for position, (name, delta) in enumerate((("flight", FLIGHT), ("tempest", TEMPEST))):
        propose(store, main, name, delta, position)
    return main


def propose(store: Store, branch: str, name: str, delta: Delta, position: int) -> Candidate:
    goal = Goal(
        id=f"goal-{name}",
        branch=branch,
        chapter=CHAPTER,
        round=1,
        position=position,
        title=f"The {name}",
        text=f"Towards the {name}.",
    )
    store.proposals.save_goals([goal])
    candidate = Candidate(
        id=name,
        branch=branch,
        chapter=CHAPTER,
        round=1,
        goal=goal.id,
        title=goal.title,
        delta=delta,
        turns=(
            Turn(character="mara", name="Mara", text="I leave."),
            Turn(character="hale", name="Hale", text="", is_skipped=True, problem="It timed out."),
        ),
        scores=(Score(key="conflict", rule="Conflict", weight=1, value=3, evidence=("storm",)),),
        tells=(Telling(part="part-1", event="leaving"), Telling(part="part-2", event="storm")),
    )
    return store.proposals.save_candidate(candidate)


def card(desk: Desk, branch: str, candidate_id: str) -> CandidateView:
    views = desk.workbench.plot.candidates(branch, CHAPTER)
    return next(view for view in views if view.candidate.id == candidate_id)


def test_card_says_what_happens_who_changes_and_which_threads_move(desk: Desk, branch: str) -> None:
    view = card(desk, branch, "flight")

    assert [(line.title, line.text) for line in view.happenings] == [
        ("Mara leaves", "Mara takes the boat. (Mara, Nora)"),
        ("Hale follows", "Hale follows her. (Hale)"),
    ]
    people = [line.text for line in view.people]
    assert len(people) == 3
    assert any(says(text, "Nora", "pilot") for text in people)
    assert any(says(text, "Mara", "situation", "gone") for text in people)
    assert any(
        says(text, "Mara", "Hale", "distrust", "4 (before: 7)", "he let her go") for text in people
    )
    assert [(line.mark, line.text) for line in view.threads] == [
        ("+", "opens: The second tide"),
        ("−", "closes: the locked lamp room"),
    ]
    assert [line.id for line in view.rest] == ["ship", "leads"]
    assert view.skipped == ("Hale was left out: It timed out.",)


def test_card_shows_the_people_it_touches_before_and_after(desk: Desk, branch: str) -> None:
    circle = card(desk, branch, "flight").circle

    assert circle is not None
    assert {person.name for person in circle.before.characters} == {"Mara", "Hale"}
    assert {person.name for person in circle.after.characters} == {"Mara", "Hale", "Nora"}
    assert [relationship.strength for relationship in circle.before.relationships] == [7]
    assert [relationship.strength for relationship in circle.after.relationships] == [4]


def test_card_in_which_nobody_changes_has_no_picture(desk: Desk, store: Store, branch: str) -> None:
    propose(store, branch, "calm", adding(STORM), 2)

    assert card(desk, branch, "calm").circle is None


def test_ended_tie_is_told_with_both_names(desk: Desk, store: Store, branch: str) -> None:
    propose(store, branch, "parting", removing(DISTRUST), 2)

    view = card(desk, branch, "parting")

    assert [line.text for line in view.people] == ["Mara − Hale: distrust ends"]
    assert view.circle is not None
    assert view.circle.after.relationships == []


@pytest.mark.usefixtures("branch")
def test_reworked_lines_are_a_candidate_of_the_writer_s(desk: Desk, store: Store) -> None:
    old = store.proposals.candidate("flight")
    values: dict[str, dict[str, str | int]] = {
        "leaving": {"title": "Mara rows", "summary": "Mara rows away."},
        "nora": {"occupation": "smuggler"},
        "distrust": {"strength": 2, "reason": "he looked away"},
        "tide": {"title": "The third tide"},
    }

    own = desk.workbench.plot.edit_candidate("flight", CandidateEdit(title="Mine", values=values))

    told = {change.id: change.after for change in own.delta.changes}
    assert told["leaving"] == altered(LEAVING, title="Mara rows", summary="Mara rows away.")
    assert told["nora"] == altered(NORA, occupation="smuggler", invented=())
    assert told["distrust"] == altered(DISTRUST, strength=2, reason="he looked away")
    assert told["tide"] == altered(TIDE, title="The third tide")
    assert (own.title, own.is_by_writer, own.scores, own.parts_of) == (
        "Mine",
        True,
        (),
        ("flight",),
    )
    assert own.tells == (Telling(part="part-1", event="leaving"),)
    assert store.proposals.candidate("flight") == old


@pytest.mark.usefixtures("branch")
def test_struck_out_event_goes_with_all_that_hangs_on_it(desk: Desk) -> None:
    rework = CandidateEdit(title="Mine", struck=frozenset({"leaving", "distrust"}))

    own = desk.workbench.plot.edit_candidate("flight", rework)

    assert {change.id for change in own.delta.changes} == {
        *("nora", "ship", "pursuit", "hale-follows", "tide", "mara", "thread")
    }
    assert own.tells == ()


@pytest.mark.usefixtures("branch")
def test_value_that_is_as_before_is_no_change(desk: Desk) -> None:
    values: dict[str, dict[str, str | int]] = {"distrust": {"strength": 7, "reason": ""}}

    own = desk.workbench.plot.edit_candidate("flight", CandidateEdit(title="Mine", values=values))

    assert "distrust" not in {change.id for change in own.delta.changes}


@pytest.mark.parametrize(
    ("entity", "field", "value"),
    [
        ("leaving", "title", ""),
        ("leaving", "title", "x" * 81),
        ("distrust", "strength", 11),
        ("distrust", "reason", "x" * 401),
        ("mara", "life", "half dead"),
    ],
)
def test_bad_values_are_refused_and_nothing_is_kept(
    desk: Desk, store: Store, branch: str, entity: str, field: str, value: str | int
) -> None:
    rework = CandidateEdit(title="Mine", values={entity: {field: value}})

    with pytest.raises(ValidationError):
        desk.workbench.plot.edit_candidate("flight", rework)

    assert len(store.proposals.candidates(branch, CHAPTER)) == 2


@pytest.mark.usefixtures("branch")
def test_name_that_somebody_has_already_is_refused(desk: Desk) -> None:
    rework = CandidateEdit(title="Mine", values={"nora": {"name": "HALE"}})

    with pytest.raises(DeltaInvalid, match="two people called HALE"):
        desk.workbench.plot.edit_candidate("flight", rework)


def test_candidate_without_any_event_is_refused(desk: Desk, branch: str) -> None:
    rework = CandidateEdit(title="Mine", struck=frozenset({"leaving", "pursuit"}))

    with pytest.raises(WorkbenchError, match="Something has to happen"):
        desk.workbench.plot.edit_candidate("flight", rework)
    with pytest.raises(WorkbenchError, match="at least one event"):
        desk.workbench.plot.combine(branch, CHAPTER, {"flight": ["mara"]})
    with pytest.raises(WorkbenchError, match="tick"):
        desk.workbench.plot.combine(branch, CHAPTER, {"flight": []})


def test_parts_of_two_become_one_more(desk: Desk, store: Store, branch: str) -> None:
    parts = {"tempest": ["storm", "mara"], "flight": ["leaving", "mara"]}
    preview = desk.workbench.plot.preview(branch, CHAPTER, parts)
    assert len(store.proposals.candidates(branch, CHAPTER)) == 2

    own = desk.workbench.plot.combine(branch, CHAPTER, parts)

    assert (own.title, own.goal, own.parts_of) == (
        "The tempest",
        "goal-tempest",
        ("tempest", "flight"),
    )
    assert (own.is_by_writer, own.total, own.turns) == (True, None, ())
    assert [line.title for line in preview.happenings] == ["The storm", "Mara leaves"]
    assert preview.notes == ("Mara, situation: “gone” is used, not “drenched”.",)
    assert preview.candidate.delta == own.delta
    assert {one.event for one in own.tells} == {"storm", "leaving"}
    kept = card(desk, branch, own.id)
    assert (kept.happenings, kept.people) == (preview.happenings, preview.people)


def test_what_the_writer_locked_meanwhile_stays_in_a_combination(desk: Desk, branch: str) -> None:
    locked = Change(before=MARA, after=altered(MARA, locked=(WHOLE,)))
    desk.workbench.story.commit_edit(branch, Delta(changes=(locked,)), 1)

    own = desk.workbench.plot.combine(branch, CHAPTER, {"tempest": ["storm", "mara"]})
    view = card(desk, branch, own.id)

    assert view.people == ()
    assert any("locked" in warning for warning in view.warnings)


def test_told_chapter_gets_no_more_candidates(desk: Desk, store: Store, branch: str) -> None:
    go_on(store, branch, TEMPEST)

    with pytest.raises(WorkbenchError, match="plotted"):
        desk.workbench.plot.edit_candidate("flight", CandidateEdit(title="Mine"))
    with pytest.raises(WorkbenchError, match="plotted"):
        desk.workbench.plot.combine(branch, CHAPTER, {"flight": ["leaving"]})


def test_candidate_is_kept_as_a_branch(desk: Desk, store: Store, branch: str) -> None:
    story = store.library.branch(branch).story

    kept = desk.workbench.plot.keep_as_branch("flight", "She leaves")

    assert (kept.name, kept.parent, kept.fork_chapter) == ("She leaves", branch, 1)
    assert desk.workbench.branches.status(kept.id).plotted == CHAPTER
    assert "leaving" in desk.workbench.prototype.snapshot(kept.id).entities
    [told] = store.proposals.candidates(kept.id, CHAPTER)
    assert (told.state, told.chosen_by, told.delta) == (
        CandidateState.CHOSEN,
        Chooser.WRITER,
        store.proposals.candidate("flight").delta,
    )
    assert told.scores == store.proposals.candidate("flight").scores
    assert store.proposals.goal(told.goal).text == "Towards the flight."
    assert desk.workbench.branches.status(branch).plotted == 1
    assert {one.state for one in store.proposals.candidates(branch, CHAPTER)} == {
        CandidateState.PROPOSED
    }
    assert store.library.open_branch(story).id == branch
    store.prototype.verify(kept.id)
    store.prototype.verify(branch)


def test_way_not_taken_is_kept_as_a_branch_from_before_its_chapter(
    desk: Desk, store: Store, branch: str
) -> None:
    go_on(store, branch, TEMPEST)
    go_on(store, branch, adding(altered(STORM, id="more", title="More")))
    view = card(desk, branch, "flight")
    assert view.findings == ()
    assert [line.title for line in view.happenings] == ["Mara leaves", "Hale follows"]

    kept = desk.workbench.plot.keep_as_branch("flight", "What if")

    assert desk.workbench.branches.status(kept.id).plotted == CHAPTER
    assert {"storm", "more"}.isdisjoint(desk.workbench.prototype.snapshot(kept.id).entities)
    assert desk.workbench.branches.status(branch).plotted == 3


def test_locked_person_stays_on_the_kept_branch(desk: Desk, branch: str) -> None:
    locked = Change(before=MARA, after=altered(MARA, locked=("status",)))
    desk.workbench.story.commit_edit(branch, Delta(changes=(locked,)), 1)

    kept = desk.workbench.plot.keep_as_branch("flight", "She leaves")

    assert desk.workbench.prototype.snapshot(kept.id).get(Character, "mara").status == ""


def test_name_that_is_taken_or_empty_keeps_no_branch(desk: Desk, store: Store, branch: str) -> None:
    desk.workbench.plot.keep_as_branch("flight", "She leaves")

    for name in ("she leaves", "  ", "x" * 200):
        with pytest.raises(StoreError):
            desk.workbench.plot.keep_as_branch("tempest", name)

    assert len(desk.workbench.library.branches(store.library.branch(branch).story)) == 2


def test_given_up_candidate_is_no_branch(desk: Desk, store: Store, branch: str) -> None:
    given_up = altered_candidate(store, "flight", state=CandidateState.GIVEN_UP)

    with pytest.raises(WorkbenchError, match="could not be finished"):
        desk.workbench.plot.keep_as_branch(given_up.id, "She leaves")

    assert len(desk.workbench.library.branches(store.library.branch(branch).story)) == 1


def test_given_up_candidate_cannot_be_chosen(desk: Desk, store: Store) -> None:
    asking = {Gate.CONFIGURATION, Gate.CANDIDATES}
    gates = {gate: GateMode.ASK if gate in asking else GateMode.GO_ON for gate in Gate}
    story = desk.choosing({"gates": gates})
    first, *_ = desk.workbench.proposals.candidates(desk.branch(story), 1)
    given_up = altered_candidate(store, first.id, state=CandidateState.GIVEN_UP)

    with pytest.raises(WorkbenchError, match="could not be finished"):
        desk.answer(story, Decision(choice=given_up.id))

    desk.answer(story)
    assert desk.workbench.branches.status(desk.branch(story)).plotted == 1


def altered_candidate(store: Store, candidate_id: str, **values: object) -> Candidate:
    """Keep one more candidate like another, with other values."""
    like = store.proposals.candidate(candidate_id)
    other = {"id": f"other-{candidate_id}", "is_by_writer": True, **values}
    return store.proposals.save_candidate(like.model_copy(update=other))


def test_ways_not_taken_are_those_of_the_branch(desk: Desk, store: Store, branch: str) -> None:
    altered_candidate(store, "flight", state=CandidateState.GIVEN_UP)
    store.prototype.commit(
        branch, TEMPEST, chapter=CHAPTER, kind="chapter", origin="run-tempest", title="The tempest"
    )
    store.proposals.mark_chosen("tempest")
    other = desk.workbench.branches.start(branch, CHAPTER, "What if")

    states = {
        view.candidate.id: view.candidate.state
        for view in desk.workbench.plot.candidates(other.id, CHAPTER)
    }

    assert states == {
        "flight": CandidateState.PASSED_OVER,
        "tempest": CandidateState.CHOSEN,
        "other-flight": CandidateState.GIVEN_UP,
    }
    kept = desk.workbench.plot.keep_as_branch("flight", "Or this", other.id)
    assert (kept.parent, desk.workbench.branches.status(kept.id).plotted) == (other.id, CHAPTER)
    assert "storm" not in desk.workbench.prototype.snapshot(kept.id).entities


def test_question_stays_open_when_a_candidate_is_kept(desk: Desk) -> None:
    asking = {Gate.CONFIGURATION, Gate.CANDIDATES}
    gates = {gate: GateMode.ASK if gate in asking else GateMode.GO_ON for gate in Gate}
    story = desk.choosing({"gates": gates})
    branch = desk.branch(story)
    waiting = desk.workbench.runs.pending(branch)
    first, *_ = desk.workbench.proposals.candidates(branch, 1)

    kept = desk.workbench.plot.keep_as_branch(first.id, "Another story")

    assert desk.workbench.runs.pending(branch) == waiting
    assert desk.workbench.branches.status(kept.id).plotted == 1
    desk.answer(story)
    assert desk.workbench.branches.status(branch).plotted == 1


@pytest.mark.usefixtures("branch")
def test_kept_chapter_can_be_taken_back_and_chosen_again(desk: Desk, store: Store) -> None:
    kept = desk.workbench.plot.keep_as_branch("flight", "She leaves")

    desk.workbench.branches.undo(kept.id)

    assert desk.workbench.branches.status(kept.id).plotted == 1
    assert [one.state for one in store.proposals.candidates(kept.id, CHAPTER)] == [
        CandidateState.PROPOSED
    ]
    rested = desk.workbench.runs.progress(kept.id)
    assert rested is not None
    desk.settle(rested.run)
    desk.workbench.branches.redo(kept.id)
    assert desk.workbench.branches.status(kept.id).plotted == CHAPTER


def test_new_tie_is_told_with_its_reason(desk: Desk, store: Store, branch: str) -> None:
    debt = Relationship(
        id="debt", source="hale", target="mara", tie=RelationshipKind.DEBT, strength=3, reason="tea"
    )
    propose(store, branch, "tea", adding(debt, STORM), 2)

    assert [line.text for line in card(desk, branch, "tea").people] == ["Hale + Mara: debt 3 — tea"]
    assert LOCKED.id not in {line.id for line in card(desk, branch, "tea").rest}
    assert HALE.id not in {line.id for line in card(desk, branch, "tea").people}
