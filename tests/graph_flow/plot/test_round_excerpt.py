"""The ground of a round: read once for its goals, anew where the story or a goal has changed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_flow.plot.round_excerpt import RoundExcerpts, parts_for, threads_for
from store.models.outline import Outline, OutlineEvent, SubEvent
from store.models.plot import Thread, ThreadState
from store.models.proposals import Goal
from store.models.prototype import Snapshot
from store.models.story import Brief
from store.open import Store
from tests.store.builders import CAST, CHAPTER_ONE, HALE, adding, begin, changing, go_on


@pytest.fixture
def branch(store: Store) -> str:
    story = store.library.create_story(Brief(premise="A keeper finds a door."), "The Lamp Room")
    branch = store.library.main_branch(story.id).id
    begin(store, branch, adding(*CAST))
    go_on(store, branch, adding(*CHAPTER_ONE))
    return branch


def goal(branch: str, position: int = 0, text: str = "Somebody sails.", **more: object) -> Goal:
    """Return a way into chapter 2."""
    name = f"goal{position}"
    return Goal.model_validate(
        {"id": name, "branch": branch, "chapter": 2, "round": 1, "title": name}
        | {"position": position, "text": text}
        | more
    )


def test_goals_of_a_round_stand_on_one_ground(store: Store, branch: str) -> None:
    goals = store.proposals.save_goals([goal(branch, at) for at in range(3)])
    grounds = RoundExcerpts(store, branch)

    found = {id(grounds.of_goal(one, None)) for one in goals}

    assert len(found) == 1


def test_ground_is_read_anew_when_the_story_or_a_goal_has_changed(
    store: Store, branch: str
) -> None:
    [first] = store.proposals.save_goals([goal(branch)])
    grounds = RoundExcerpts(store, branch)
    before = grounds.of_goal(first, None)

    go_on(store, branch, changing(HALE, status="in gaol"))
    edited = grounds.of_goal(first, None)
    [renamed] = store.proposals.save_goals([goal(branch, text="Now Mara finds the door locked.")])
    reworded = grounds.of_goal(renamed, None)

    assert before.near.entities["hale"] != edited.near.entities["hale"]
    assert "locked" not in edited.hidden.quoted
    assert "locked" in reworded.hidden.quoted


def test_what_any_goal_of_the_round_speaks_of_is_hidden_ground(store: Store, branch: str) -> None:
    quoting = goal(branch, 1, "While everybody sleeps the lamp goes out.")
    dropped = goal(branch, 2, "Then Mara finds the door locked.", is_dropped=True)
    [first, *_] = store.proposals.save_goals([goal(branch), quoting, dropped])

    hidden = RoundExcerpts(store, branch).of_goal(first, None).hidden

    assert "after" in hidden.quoted
    assert "locked" not in hidden.quoted, "nobody weaves a goal that was dropped"


def test_whom_a_goal_names_by_id_is_there(store: Store, branch: str) -> None:
    [first] = store.proposals.save_goals([goal(branch, roles=("hale",), moves="thread")])

    near = RoundExcerpts(store, branch).of_goal(first, None).near

    assert {"hale", "thread"} <= near.entities.keys()


def planted(*ids: str, **states: ThreadState) -> Snapshot:
    """Return a part of a story with threads, each planted in the chapter after the one before it."""
    threads = [Thread(id=id_, title=id_, state=states.get(id_, ThreadState.PLANTED)) for id_ in ids]
    return Snapshot(
        chapter=9,
        entities={one.id: one for one in threads},
        first_chapter={one.id: at for at, one in enumerate(threads, start=1)},
    )


def test_thread_that_a_goal_moves_comes_first_and_then_the_newest(branch: str) -> None:
    near = planted("key", "ring", "map", "bell", "oath", "boat", boat=ThreadState.PAID_OFF)

    found = threads_for(goal(branch, moves="key"), near)

    assert [thread.id for thread in found] == ["key", "oath", "bell", "map"]


def test_goal_has_those_parts_of_the_outline_that_say_something(branch: str) -> None:
    said = {"a": "Mara rows out.", "b": "", "c": "The lamp dies."}
    outline = Outline(
        id="outline",
        branch=branch,
        events=(OutlineEvent(id="tide", title="The tide", line="The harbour"),),
        sub_events=tuple(SubEvent(id=id_, event="tide", text=text) for id_, text in said.items()),
        created=datetime.now(UTC),
    )
    wanted = goal(branch, parts=("c", "b", "a", "gone"))

    assert [part.id for part in parts_for(wanted, outline)] == ["c", "a"]
    assert parts_for(wanted, None) == ()
