"""The Role Graph: width, colour, dashes, arrows, and what a chapter changed."""

from __future__ import annotations

from pydantic import JsonValue

from pages.components.pictures.drawing import Mark, Picture, Tone
from pages.components.pictures.filters import Filters
from pages.components.pictures.layout import Point
from pages.components.pictures.palette import TIE_COLORS
from pages.components.pictures.roles import RoleCut, draw_roles, relationship_sentence
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from store.deltas.delta import apply
from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind
from store.models.prototype import Snapshot
from tests.store.builders import (
    DISTRUST,
    HALE,
    MARA,
    adding,
    altered,
    changing,
    removing,
    snapshot_of,
)
from tests.wording import says

CAST = snapshot_of(MARA, HALE, DISTRUST)


def cut(now: Snapshot, before: Snapshot | None = None, filters: Filters | None = None) -> RoleCut:
    return RoleCut(Viewpoint(StoryIndex(now), before), filters)


def drawn(now: Snapshot, before: Snapshot | None = None) -> Picture:
    shown = cut(now, before)
    return draw_roles(shown, {one.id: Point(0, 0) for one in shown.people})


def edge(picture: Picture, id_: str = "distrust") -> dict[str, JsonValue]:
    return next(one for one in picture.edges if one["id"] == id_)


def node(picture: Picture, id_: str) -> dict[str, JsonValue]:
    return next(one for one in picture.nodes if one["id"] == id_)


def with_tie(**values: object) -> Picture:
    return drawn(snapshot_of(MARA, HALE, altered(DISTRUST, **values)))


def test_people_are_nodes_and_ties_are_edges() -> None:
    picture = drawn(CAST)

    assert [one["label"] for one in picture.nodes] == ["Mara", "Hale"]
    assert (edge(picture)["from"], edge(picture)["to"]) == ("mara", "hale")
    assert picture.options["physics"] == {"enabled": False}


def test_the_stronger_the_tie_the_wider_its_line() -> None:
    widths = [edge(with_tie(strength=strength))["width"] for strength in range(1, 11)]

    assert widths == sorted(set(map(float, map(str, widths))))


def test_each_kind_of_tie_has_a_colour_of_its_own() -> None:
    assert set(TIE_COLORS) == set(RelationshipKind)
    assert len(set(TIE_COLORS.values())) == len(RelationshipKind)
    color = edge(with_tie(tie=RelationshipKind.ROMANCE))["color"]
    assert isinstance(color, dict)
    assert color["color"] == TIE_COLORS[RelationshipKind.ROMANCE]


def test_a_tie_shows_the_writer_s_name_for_it_beside_its_kind() -> None:
    drawn = edge(with_tie(tie=RelationshipKind.MARRIAGE, called="in name only"))

    assert "marriage (“in name only”)" in str(drawn["title"])
    assert "marriage (“in name only”)" in str(drawn["words"])


def test_a_tie_that_both_know_of_is_not_dashed() -> None:
    dashes = {one: edge(with_tie(awareness=one))["dashes"] for one in Awareness}

    assert dashes[Awareness.MUTUAL] is False
    assert dashes[Awareness.ONE_SIDED] != dashes[Awareness.HIDDEN]
    assert all(dashes[one] for one in (Awareness.ONE_SIDED, Awareness.HIDDEN))


def test_only_a_one_sided_tie_has_an_arrow() -> None:
    assert edge(with_tie(is_mutual=False))["arrows"] == {"to": {"enabled": True}}
    assert edge(with_tie(is_mutual=True))["arrows"] == {"to": {"enabled": False}}


def test_ties_between_the_same_two_do_not_lie_on_each_other() -> None:
    back = Relationship(id="back", source="hale", target="mara", tie=RelationshipKind.SERVICE)
    debt = Relationship(id="debt", source="mara", target="hale", tie=RelationshipKind.DEBT)
    for relationships in ([DISTRUST, back], [DISTRUST, debt], [DISTRUST, back, debt]):
        picture = drawn(snapshot_of(MARA, HALE, *relationships))
        sides = [_side(one) for one in picture.edges]

        assert len(set(sides)) == len(relationships)


def _side(one: dict[str, JsonValue]) -> float:
    """Return how far an edge bows, and to which side as seen from Hale."""
    smooth = one["smooth"]
    if not isinstance(smooth, dict):
        return 0.0
    turn = 1 if smooth["type"] == "curvedCW" else -1
    return float(str(smooth["roundness"])) * turn * (1 if one["from"] == "hale" else -1)


def test_what_the_chapter_changed_stands_out() -> None:
    ida = Character(id="ida", name="Ida")
    changed = apply(apply(CAST, adding(ida), 1), changing(MARA, status="gone"), 1)
    picture = drawn(changed, before=CAST)

    assert node(picture, "ida")["label"] == "+ Ida"
    assert node(picture, "mara")["label"] == "± Mara"
    assert node(picture, "hale")["label"] == "Hale"
    groups = {str(one["id"]): one["group"] for one in picture.nodes}
    assert groups == {"mara": "changed-person", "ida": "new-person", "hale": "person"}
    assert set(map(str, groups.values())) <= set(_groups(picture))


def _groups(picture: Picture) -> dict[str, JsonValue]:
    groups = picture.options["groups"]
    assert isinstance(groups, dict)
    return groups


def test_a_changed_tie_stands_out_from_the_others() -> None:
    debt = Relationship(id="debt", source="hale", target="mara", tie=RelationshipKind.DEBT)
    before = snapshot_of(MARA, HALE, DISTRUST, debt)
    picture = drawn(apply(before, changing(DISTRUST, strength=9), 1), before)

    assert edge(picture)["label"] == "± distrust 9"
    assert _opacity(edge(picture)) == 1.0
    assert _opacity(edge(picture, "debt")) < 1.0


def _opacity(one: dict[str, JsonValue]) -> float:
    color = one["color"]
    assert isinstance(color, dict)
    return float(str(color["opacity"]))


def test_nothing_stands_out_at_the_beginning_or_where_nothing_changed() -> None:
    for before in (None, CAST):
        picture = drawn(CAST, before)

        assert {one["group"] for one in picture.nodes} == {"person"}
        assert _opacity(edge(picture)) == 1.0


def test_losing_the_mark_of_invention_is_no_change_to_the_story() -> None:
    before = snapshot_of(altered(MARA, invented=("status",)), HALE)
    picture = drawn(
        apply(before, changing(altered(MARA, invented=("status",)), invented=()), 1), before
    )

    assert node(picture, "mara")["label"] == "Mara"


def test_long_name_is_clipped_and_told_in_full_on_hover() -> None:
    name = "<script>alert('a name that goes on and on')</script>"
    picture = drawn(snapshot_of(altered(MARA, name=name), HALE))

    assert str(node(picture, "mara")["label"]).endswith("…")
    assert node(picture, "mara")["title"] == name
    assert "title" not in node(picture, "hale")


def test_many_ties_have_words_only_when_one_of_their_ends_is_chosen() -> None:
    relationships = [altered(DISTRUST, id=f"tie{n}") for n in range(60)]
    picture = drawn(snapshot_of(MARA, HALE, *relationships))

    assert not any("label" in one for one in picture.edges)
    assert {one["words"] for one in picture.edges} == {"distrust 7"}


def test_a_tie_shows_faintly_in_the_chapter_that_ends_it_and_never_after() -> None:
    ended = apply(CAST, removing(DISTRUST), 1)
    picture = drawn(ended, before=CAST)

    assert edge(picture)["label"] == "− distrust 7"
    assert _opacity(edge(picture)) < 1.0
    assert str(edge(picture)["title"]).endswith("; ended")
    assert drawn(ended, before=ended).edges == ()


def test_who_leaves_the_story_shows_once_more_in_the_chapter_that_takes_them_out() -> None:
    gone = apply(CAST, removing(DISTRUST, HALE), 1)
    picture = drawn(gone, before=CAST)

    assert node(picture, "hale")["group"] == "ended-person"
    assert {str(one["id"]) for one in drawn(gone, before=gone).nodes} == {"mara"}


def test_the_dead_and_the_missing_are_drawn_so() -> None:
    hale, mara = altered(HALE, life=Life.DEAD), altered(MARA, life=Life.MISSING)
    picture = drawn(snapshot_of(mara, hale))

    assert (node(picture, "hale")["label"], node(picture, "hale")["group"]) == ("† Hale", "dead")
    assert (node(picture, "mara")["label"], node(picture, "mara")["group"]) == ("? Mara", "missing")


def test_a_crowd_is_drawn_as_dots_with_names_beside_the_larger_the_more_ties_they_have() -> None:
    crowd = [Character(id=f"p{n}", name=f"Person {n}") for n in range(40)]
    picture = drawn(snapshot_of(MARA, HALE, DISTRUST, *crowd))

    assert {one["shape"] for one in picture.nodes} == {"dot"}
    assert (node(picture, "mara")["caption"], node(picture, "mara")["label"]) == ("Mara", "")
    assert float(str(node(picture, "mara")["size"])) > float(str(node(picture, "p1")["size"]))


def test_in_a_comparison_a_tie_has_the_colour_of_how_it_differs() -> None:
    debt = Relationship(id="debt", source="hale", target="mara", tie=RelationshipKind.DEBT)
    both, more = snapshot_of(MARA, HALE, DISTRUST), snapshot_of(MARA, HALE, DISTRUST, debt)
    left = RoleCut(Viewpoint(StoryIndex(more), both, side="left"))
    right = RoleCut(Viewpoint(StoryIndex(more), both, side="right"))
    places = {"mara": Point(0, 0), "hale": Point(1, 0)}
    colors = [
        edge(draw_roles(one, places, tone=Tone.COMPARISON), "debt")["color"]
        for one in (left, right)
    ]

    assert (left.marks["debt"], right.marks["debt"]) == (Mark.ENDED, Mark.NEW)
    assert colors[0] != colors[1]
    assert TIE_COLORS[RelationshipKind.DEBT] not in str(colors)


def test_a_side_of_a_comparison_shows_only_what_it_has_itself() -> None:
    without = apply(CAST, removing(DISTRUST), 1)

    assert RoleCut(Viewpoint(StoryIndex(without), CAST, side="right")).relationships == []


def test_filter_by_person_leaves_them_and_whom_they_are_tied_to() -> None:
    ida, tobin = Character(id="ida", name="Ida"), Character(id="tobin", name="Tobin")
    debt = Relationship(id="debt", source="ida", target="hale", tie=RelationshipKind.DEBT)
    everybody = snapshot_of(MARA, HALE, ida, tobin, DISTRUST, debt)

    chosen = cut(everybody, filters=Filters(people=("mara",)))
    assert [one.id for one in chosen.people] == ["mara", "hale"]
    assert [one.id for one in chosen.relationships] == ["distrust"]
    kinds = cut(everybody, filters=Filters(relationships=(RelationshipKind.DEBT,)))
    assert [one.id for one in kinds.people] == ["hale", "ida"]
    assert len(cut(everybody, filters=Filters(people=("nobody",))).people) == 4


def test_tie_as_a_sentence() -> None:
    plain = relationship_sentence(DISTRUST, CAST)
    assert says(plain, "Mara", "distrust", "Hale", 7, 10)
    hidden = relationship_sentence(altered(DISTRUST, awareness=Awareness.ONE_SIDED), CAST)
    assert hidden.startswith(plain)
    assert says(hidden.removeprefix(plain), "Hale")
    mutual = altered(DISTRUST, is_mutual=True, awareness=Awareness.HIDDEN)
    assert says(
        relationship_sentence(mutual, CAST), "Mara and Hale", "distrust", 7, 10, "both", "secret"
    )
