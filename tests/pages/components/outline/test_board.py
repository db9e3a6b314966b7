"""What the board shows of an outline, and what it takes from a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.outline.board import CHAPTERS, cut_of, first_of_window, save_moves
from pages.components.outline.current import CurrentOutline
from store.models.outline import Outline
from store.models.story import Story
from tests.pages.desk import SECONDS_FOR_A_PAGE, Desk, texts_of
from tests.pages.planned_story import outline_for, plan_into
from tests.pages.told_story import begin_into, tell_into
from tests.wording import says


def sheet_of(
    *, plotted: int = 0, cap: int = 8, told: dict[str, int] | None = None
) -> CurrentOutline:
    outline = outline_for("branch")
    return CurrentOutline("branch", outline, plotted=plotted, cap=cap, told=told or {})


@pytest.mark.parametrize(
    ("wanted", "plotted", "last", "first"),
    [
        (None, 0, 8, 1),
        (None, 3, 8, 4),  # What is told is folded away.
        (None, 8, 8, 1),  # Nothing is left to tell: the end is seen.
        (None, 2770, 2770, 2759),
        (1, 3, 8, 1),
        (900, 3, 2770, 900),
        (5000, 3, 2770, 2770),
        (-3, 3, 8, 1),
    ],
)
def test_window_begins_with_what_is_next(
    wanted: int | None, plotted: int, last: int, first: int
) -> None:
    assert first_of_window(wanted, plotted, last) == first


def test_board_shows_a_window_of_a_long_story() -> None:
    cut = cut_of(sheet_of(cap=2770), 3, {})

    assert [one.number for one in cut.chapters] == list(range(3, 3 + CHAPTERS))
    placed = {card.chapter for card in cut.cards}
    assert placed == {None, 3, 4, 5, 6, 7, 8}
    assert [row.name for row in cut.lines] == [
        *("The harbour", "The house of Lenz", "Tobin", "The lamp keepers"),
    ]


def test_what_is_told_stands_where_it_was_told() -> None:
    sheet = sheet_of(plotted=2, told={"p3": 1, "p1": 1})

    cut = cut_of(sheet, 1, {1: "Water", 2: "Silence"})

    cards = {card.id: card for card in cut.cards}
    assert [(one.number, one.title) for one in cut.chapters if one.closed] == [
        (1, "Water"),
        (2, "Silence"),
    ]
    assert (cards["p3"].chapter, cards["p3"].told, cards["p3"].late) == (1, True, None)
    assert (cards["p4"].chapter, cards["p4"].told, cards["p4"].late) == (None, False, 2)


def test_chapters_after_the_last_one_take_no_card() -> None:
    sheet = sheet_of(cap=6)

    cut = cut_of(sheet, 1, {})

    assert [one.number for one in cut.chapters if one.closed] == [7, 8]
    assert sheet.last == 8


def test_tray_shows_a_bounded_number() -> None:
    outline = outline_for("branch")
    part = outline.sub_events[-1]
    many = [part.model_copy(update={"id": f"more-{number}"}) for number in range(100)]
    crowded = outline.model_copy(update={"sub_events": (*outline.sub_events, *many)})

    cut = cut_of(CurrentOutline("branch", crowded, plotted=0, cap=8, told={}), 1, {})

    assert sum(card.chapter is None for card in cut.cards) + cut.hidden == 101
    assert cut.hidden > 0


@pytest.fixture
def planned(desk: Desk, library_path: Path) -> Story:
    """A story that has begun, with an outline under work."""
    story = begin_into(library_path)
    plan_into(library_path, story)
    return desk.workbench.library.story(story)


def taking_moves() -> None:
    """Take what a browser says of its moves, as the board's widget does."""
    import streamlit as st

    from pages.components import notices
    from pages.components.outline import board
    from pages.components.outline.current import open_outline
    from pages.serving.services import workbench

    sheet = open_outline(workbench().branches.status(st.session_state["branch"]))
    if sheet is not None:
        board.save_moves(sheet, st.session_state["said"])
    notices.show()


def say(desk: Desk, story: Story, *said: Any) -> AppTest:
    """Let one window say something, again and again."""
    window = AppTest.from_function(taking_moves, default_timeout=SECONDS_FOR_A_PAGE)
    window.session_state["branch"] = desk.branch(story)
    for one in said:
        window.session_state["said"] = one
        window.run()
    assert not window.exception
    return window


def move(number: int, part: str, chapter: int | None, before: str | None = None) -> dict[str, Any]:
    return {"number": number, "part": part, "chapter": chapter, "before": before}


def kept(desk: Desk, story: Story) -> Outline:
    outline = desk.workbench.outline.newest(desk.branch(story))
    assert outline is not None
    return outline


@dataclass(frozen=True)
class SlowSheet(CurrentOutline):
    """An outline that gives a second move the time to come while the first is being saved."""

    came: list[tuple[str, int | None, str | None]] = field(default_factory=list)
    second_came: Event = field(default_factory=Event)
    overlaps: list[bool] = field(default_factory=list)

    def place(self, part_id: str, chapter: int | None, before: str | None) -> None:
        """Save nothing, but note whether there is another move meanwhile."""
        self.came.append((part_id, chapter, before))
        if len(self.came) == 1:
            self.overlaps.append(self.second_came.wait(0.3))
        else:
            self.second_came.set()


def test_move_waits_for_the_one_before_it_to_be_saved() -> None:
    sheet = SlowSheet("branch", outline_for("branch"), plotted=0, cap=8, told={})
    moves = [Thread(target=save_moves, args=(sheet, [move(n, f"p{n}", n)])) for n in (1, 2)]

    for one in moves:
        one.start()
    for one in moves:
        one.join()

    assert sorted(sheet.came) == [("p1", 1, None), ("p2", 2, None)]
    assert sheet.overlaps == [False]


def test_moves_are_saved_once_and_in_order(desk: Desk, planned: Story) -> None:
    first, second = move(1, "p16", 2), move(2, "p16", 2, "p3")

    say(desk, planned, [first], [first, second], [second])

    outline = kept(desk, planned)
    assert [part.id for part in outline.parts_of(2)] == ["p16", "p3", "p4"]
    assert outline.version == 3  # As it was planned, and each move once.


@pytest.mark.parametrize(
    "said",
    [
        None,
        "p1",
        {"number": 1},
        [{"number": 1}],
        [move(1, "p1", 0)],
        [move(1, "<script>", 2)],
        [move(1, "p1", 2) | {"more": 1}],
        [move(0, "p1", 2)],
    ],
)
def test_what_is_no_move_changes_nothing(desk: Desk, planned: Story, said: object) -> None:
    before = kept(desk, planned)

    window = say(desk, planned, said)

    assert kept(desk, planned) == before
    assert not window.warning


@pytest.mark.parametrize(
    ("part", "chapter", "reason"),
    [
        ("p1", 5, ("told", "chapter 1")),
        ("p2", 2, ("plotted", "chapter 2")),
        ("p2", 99, ("chapter 12",)),
        ("gone", 5, ("outline",)),
    ],
)
def test_move_that_cannot_be_is_told_and_changes_nothing(
    desk: Desk, library_path: Path, part: str, chapter: int, reason: tuple[str, ...]
) -> None:
    id_ = tell_into(library_path)
    plan_into(library_path, id_, told=("p1",))
    story = desk.workbench.library.story(id_)
    before = kept(desk, story)

    window = say(desk, story, [move(1, part, chapter)])

    assert says(texts_of(window.warning)[0], *reason)
    assert kept(desk, story) == before
