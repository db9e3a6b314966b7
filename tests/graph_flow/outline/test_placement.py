"""Where the parts of an outline stand that an able model has placed: where it says, as far as that can be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.outline.arrangement import OutlinePart
from graph_flow.outline.placement import place


def parts(*wanted: int | None, after: dict[int, set[int]] | None = None) -> list[OutlinePart]:
    waits = after or {}
    return [
        OutlinePart(str(at), "The line", chapter, frozenset(map(str, waits.get(at, set()))))
        for at, chapter in enumerate(wanted)
    ]


def placed(of: list[OutlinePart], chapters: range) -> list[tuple[int, int]]:
    return [(int(id_), chapter) for id_, chapter in place(of, chapters)]


@st.composite
def proposals(draw: st.DrawFn) -> list[OutlinePart]:
    wanted = draw(st.lists(st.none() | st.integers(-3, 30), max_size=30))
    after = {at: draw(st.sets(st.integers(0, at - 1), max_size=3)) for at in range(1, len(wanted))}
    return parts(*wanted, after=after)


@given(proposals(), st.integers(1, 20), st.integers(0, 5))
def test_every_part_is_placed_once_in_order_and_no_chapter_is_empty(
    of: list[OutlinePart], count: int, told: int
) -> None:
    chapters = range(told + 1, told + 1 + count)

    found = place(of, chapters)

    assert sorted(id_ for id_, _ in found) == sorted(one.id for one in of)
    assert [chapter for _, chapter in found] == sorted(chapter for _, chapter in found)
    assert {chapter for _, chapter in found} <= set(chapters)
    if len(of) >= count:
        assert {chapter for _, chapter in found} == set(chapters)
    order = {id_: at for at, (id_, _) in enumerate(found)}
    for one in of:
        assert all(order[earlier] < order[one.id] for earlier in one.after)


@given(st.lists(st.integers(1, 9), max_size=20))
def test_what_can_stand_stands(more: list[int]) -> None:
    of = parts(*range(1, 10), *more)

    found = dict(placed(of, range(1, 10)))

    assert all(found[int(one.id)] == one.wanted for one in of)


@pytest.mark.parametrize(
    ("wanted", "after", "chapters", "expected"),
    [
        ((1, 2, None, None, 5, 5), {}, 5, [1, 2, 3, 4, 5, 5]),
        ((1, 2, 3, None, None, None), {}, 6, [1, 2, 3, 4, 5, 6]),
        ((None, None, None), {}, 3, [1, 2, 3]),
        ((1, 1, 1, 4), {}, 4, [1, 2, 3, 4]),
        ((1, 4, 4, 4), {}, 4, [1, 2, 3, 4]),
        ((0, 99), {}, 2, [1, 2]),
        ((3, 1, 2), {1: {0}}, 3, [2, 3, 1]),
        ((1, 1), {}, 5, [1, 1]),
    ],
)
def test_what_cannot_stand_is_moved_as_little_as_possible(
    wanted: tuple[int | None, ...],
    after: dict[int, set[int]],
    chapters: int,
    expected: list[int],
) -> None:
    found = dict(placed(parts(*wanted, after=after), range(1, chapters + 1)))

    assert [found[at] for at in range(len(wanted))] == expected


def test_order_of_a_novel_is_kept_where_some_parts_have_no_chapter() -> None:
    wanted = [*range(1, 24), None, None, None, None, None, 29, 30]

    found = placed(parts(*wanted), range(1, 31))

    assert found == [(at - 1, at) for at in range(1, 31)]


def test_parts_need_chapters() -> None:
    assert place([], range(1, 1)) == []
    with pytest.raises(ValueError, match="no chapter"):
        place(parts(1), range(1, 1))
