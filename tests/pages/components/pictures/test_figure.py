"""Figures side by side show the same part of a story."""

from __future__ import annotations

from pages.components.graphs.reading import role_figure
from pages.components.pictures.figure import side_by_side
from pages.components.pictures.layout import Point
from pages.components.pictures.roles import RoleCut
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from tests.store.builders import HALE, MARA, snapshot_of

SEATS = {"mara": Point(-10, 5), "hale": Point(70, -20)}


def test_both_see_all_that_either_has() -> None:
    alone, both = (
        role_figure(name, RoleCut(Viewpoint(StoryIndex(snapshot_of(*people)))), SEATS)
        for name, people in (("left", (MARA,)), ("right", (MARA, HALE)))
    )
    left, right = side_by_side("pair", [alone, both])

    assert left.extent == right.extent == (-10, -20, 70, 5)
    assert (left.group, left.name, right.name) == ("pair", "pair-left", "pair-right")


def test_nothing_to_see_has_no_extent() -> None:
    nobody = role_figure("left", RoleCut(Viewpoint(StoryIndex(snapshot_of()))), {})

    assert [one.extent for one in side_by_side("pair", [nobody])] == [None]
