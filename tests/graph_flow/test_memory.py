"""Budgeted context: nothing beyond the budget, the latest and nearest first, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.memory import best_within, cast_lines, most_recent, story_so_far, within
from store.delta import apply
from store.models.cast import Character
from store.models.plot import Event, Participation
from store.models.prototype import Snapshot
from tests.store.builders import adding

LINES = st.lists(st.text(max_size=40), max_size=12)
BUDGETS = st.integers(0, 120)


def cost(lines: list[str]) -> int:
    return sum(estimate_tokens(line) for line in lines)


@given(LINES, BUDGETS)
def test_first_lines_are_kept_within_the_budget(lines: list[str], budget: int) -> None:
    kept = within(lines, budget)

    assert cost(kept) <= budget
    assert lines[: len(kept)] == kept
    assert len(kept) == len(lines) or cost(lines[: len(kept) + 1]) > budget


@given(LINES, BUDGETS)
def test_last_lines_are_kept_within_the_budget_and_in_order(lines: list[str], budget: int) -> None:
    kept = most_recent(lines, budget)

    assert cost(kept) <= budget
    assert lines[len(lines) - len(kept) :] == kept


@given(st.lists(st.tuples(st.text(max_size=40), st.integers(0, 9)), max_size=12), BUDGETS)
def test_best_lines_are_kept_within_the_budget_and_in_order(
    items: list[tuple[str, int]], budget: int
) -> None:
    numbered = [(f"{at} {text}", score) for at, (text, score) in enumerate(items)]

    kept = best_within(
        numbered, score=lambda item: item[1], line=lambda item: item[0], budget=budget
    )

    lines = [text for text, _ in numbered]
    assert cost(kept) <= budget
    assert kept == [line for line in lines if line in kept]
    left = [(text, score) for text, score in numbered if text not in kept]
    worst = min((score for text, score in numbered if text in kept), default=0)
    for text, score in left:
        better = cost([one for one, its in numbered if one in kept and its >= score])
        assert better + estimate_tokens(text) > budget or score <= worst


def told(chapters: int, people: int = 2) -> Snapshot:
    """Return a story of one event a chapter, whose hero of even chapters is the first person."""
    cast = [Character(id=f"p{at}", name=f"Person {at}") for at in range(people)]
    snapshot = apply(Snapshot(), adding(*cast), 0)
    for chapter in range(1, chapters + 1):
        event = Event(
            id=f"e{chapter}", title=f"Event {chapter}", summary=f"It happens, number {chapter}."
        )
        part = Participation(id=f"i{chapter}", character=f"p{chapter % people}", event=event.id)
        snapshot = apply(snapshot, adding(event, part), chapter)
    return snapshot


def test_whole_short_story_is_remembered_in_order() -> None:
    lines = story_so_far(told(4), ["p0", "p1"], budget=1_000)

    assert [line.partition(":")[0] for line in lines] == [f"Chapter {n}" for n in (1, 2, 3, 4)]


def test_of_a_long_story_the_latest_is_remembered() -> None:
    snapshot = told(100)
    budget = 5 * estimate_tokens("Chapter 100: It happens, number 100.")

    lines = story_so_far(snapshot, ["p0", "p1"], budget)

    assert cost(lines) <= budget
    assert lines[-1].startswith("Chapter 100")
    assert all(int(line.split(":")[0].removeprefix("Chapter ")) > 90 for line in lines)


def test_events_with_the_people_at_hand_are_remembered_before_others() -> None:
    snapshot = told(10)
    budget = 5 * estimate_tokens("Chapter 10: It happens, number 10.")

    lines = story_so_far(snapshot, ["p1"], budget)

    chapters = [int(line.split(":")[0].removeprefix("Chapter ")) for line in lines]
    assert len([chapter for chapter in chapters if chapter % 2 == 1]) >= 4
    assert chapters == sorted(chapters)


def test_memory_does_not_grow_with_the_story() -> None:
    assert cost(story_so_far(told(400), ["p0"], 200)) <= 200
    assert cost(story_so_far(told(20), ["p0"], 200)) <= 200


def test_large_cast_is_told_within_its_budget() -> None:
    lines = cast_lines(told(1, people=60), budget=50)

    assert 0 < cost(lines) <= 50
    assert lines[0].startswith("Person 0")
