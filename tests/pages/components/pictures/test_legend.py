"""Legends tell all that is in a picture, and nothing that is not."""

from __future__ import annotations

from pages.components.pictures.drawing import Tone
from pages.components.pictures.figure import plot_legend, role_legend
from pages.components.pictures.plot import PlotCut, Window
from pages.components.pictures.roles import RoleCut
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from store.deltas.delta import apply
from store.models.cast import Awareness, Life
from store.models.prototype import Snapshot
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    MARA,
    adding,
    altered,
    changing,
    fold,
    removing,
    snapshot_of,
)


def roles(now: Snapshot, before: Snapshot | None = None) -> list[str]:
    cut = RoleCut(Viewpoint(StoryIndex(now), before))
    return [entry.words for entry in role_legend(cut)]


def test_lone_people_need_no_legend() -> None:
    assert roles(snapshot_of(MARA, HALE)) == []


def test_what_a_tie_looks_like_is_told_as_far_as_it_occurs() -> None:
    assert roles(snapshot_of(MARA, HALE, DISTRUST)) == ["distrust", "felt by one only"]
    mutual = altered(DISTRUST, is_mutual=True, awareness=Awareness.HIDDEN)
    assert roles(snapshot_of(MARA, HALE, mutual)) == ["distrust", "kept secret from everyone else"]
    weaker = altered(DISTRUST, id="other", strength=2)
    assert "the wider, the stronger" in roles(snapshot_of(MARA, HALE, DISTRUST, weaker))


def test_the_dead_and_the_missing_are_told_where_there_are_any() -> None:
    assert roles(snapshot_of(altered(MARA, life=Life.DEAD))) == ["dead"]
    assert roles(snapshot_of(altered(MARA, life=Life.MISSING))) == ["missing"]


def test_what_the_chapter_did_is_told_as_far_as_it_did_it() -> None:
    before = snapshot_of(MARA, HALE, DISTRUST)

    assert roles(before, before)[-1] == "felt by one only"
    assert roles(apply(before, changing(MARA, status="gone"), 1), before)[-1] == (
        "± changed in this chapter"
    )
    assert roles(apply(before, removing(DISTRUST), 1), before)[-1] == "− ends in this chapter"


def test_in_a_comparison_colours_say_what_differs_and_not_what_kind_a_tie_is() -> None:
    viewpoint = Viewpoint(StoryIndex(snapshot_of(MARA, HALE, DISTRUST)), snapshot_of(MARA), "left")
    said = [entry.words for entry in role_legend(RoleCut(viewpoint), tone=Tone.COMPARISON)]

    assert said == ["felt by one only", "− only on this side"]


def test_plot_legend_tells_the_kinds_that_stand() -> None:
    now = fold([adding(*CAST), adding(*CHAPTER_ONE)])
    cut = PlotCut(Viewpoint(StoryIndex(now)), Window(0, 1))

    assert [entry.words for entry in plot_legend(cut)] == [
        "person",
        "event",
        "place",
        "takes part",
        "takes place there",
        "causes",
    ]
    assert [entry.words for entry in plot_legend(PlotCut(cut.viewpoint, Window(5, 6)))] == ["event"]
