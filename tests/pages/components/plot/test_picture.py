"""Before and after on a card: each at the same place, what changed marked, and a name only text."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from graph_flow.views import Circle
from pages.components.plot import picture
from store.deltas.delta import apply
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.prototype import AnyEntity, Snapshot
from tests.pages.told_story import HOSTILE_NAME
from tests.store.builders import DISTRUST, HALE, MARA, altered, deltas_on, fold, histories

COLORS = {
    "--st-text-color": "ink",
    "--st-background-color": "paper",
    "--st-gray-color": "gray",
    "--st-green-color": "green",
    "--st-orange-color": "orange",
    "--st-red-color": "red",
    "--st-border-color": "line",
}
SVG = "{http://www.w3.org/2000/svg}"
NORA = Character(id="nora", name="Nora")
DEBT = Relationship(id="debt", source="hale", target="nora", tie=RelationshipKind.DEBT, strength=3)


def holding(*entities: AnyEntity) -> Snapshot:
    return Snapshot(entities={entity.id: entity for entity in entities})


def drawn(before: Snapshot, after: Snapshot) -> ElementTree.Element:
    circle = Circle(before=before, after=after)
    return ElementTree.fromstring(picture.draw(circle, COLORS))


def words(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def strokes(root: ElementTree.Element) -> list[tuple[str | None, bool]]:
    """Return the colour of each tie, and whether it is dashed."""
    return [
        (one.get("stroke"), one.get("stroke-dasharray") is not None)
        for one in root.iter(f"{SVG}path")
    ]


def test_changed_tie_says_its_strength_before_and_after() -> None:
    root = drawn(holding(MARA, HALE, DISTRUST), holding(MARA, HALE, altered(DISTRUST, strength=4)))

    assert words(root) == ["Before", "7", "Mara", "Hale", "After", "7 to 4", "Mara", "Hale"]
    assert strokes(root) == [("gray", False), ("orange", False)]


def test_everybody_stands_at_the_same_place_in_both() -> None:
    before = holding(MARA, HALE, DISTRUST)
    root = drawn(before, holding(MARA, HALE, NORA, DISTRUST, DEBT))

    dots = [(float(one.get("cx", 0)), one.get("cy")) for one in root.iter(f"{SVG}circle")]
    [mara, hale], [mara_after, hale_after, _] = dots[:2], dots[2:]
    assert (mara[1], hale[1]) == (mara_after[1], hale_after[1])
    assert mara_after[0] - mara[0] == hale_after[0] - hale[0] > 0
    assert "+ Nora" in words(root)
    assert "+ 3" in words(root)
    assert ("green", False) in strokes(root)


def test_what_ends_is_dashed_and_is_still_seen_afterwards() -> None:
    root = drawn(holding(MARA, HALE, DISTRUST), holding(MARA))

    assert strokes(root) == [("gray", False), ("red", True)]
    assert "− Hale" in words(root)


def test_tie_that_stays_is_quiet() -> None:
    before = holding(MARA, HALE, DISTRUST)
    root = drawn(before, holding(altered(MARA, status="free"), HALE, DISTRUST))

    assert words(root) == ["Before", "Mara", "Hale", "After", "± Mara", "Hale"]


def test_several_ties_between_two_people_do_not_cover_each_other() -> None:
    back = altered(DEBT, id="back", source="hale", target="mara")
    more = altered(DEBT, id="more", source="mara", target="hale")
    root = drawn(holding(MARA, HALE), holding(MARA, HALE, DISTRUST, back, more))

    paths = [one.get("d") for one in root.iter(f"{SVG}path")]
    bends = {path.split("Q")[1].split()[1] for path in paths if path}
    assert len(bends) == 3


def test_hostile_name_is_text_in_the_picture_and_beside_it() -> None:
    before = holding(altered(MARA, name=HOSTILE_NAME), HALE)
    root = drawn(before, holding(altered(MARA, name=HOSTILE_NAME), HALE, DISTRUST))

    assert not list(root.iter("img"))
    assert any(name.startswith("<img") for name in words(root))
    circle = Circle(before=before, after=before)
    assert HOSTILE_NAME in picture.words(circle)


def test_words_tell_what_the_pictures_show() -> None:
    circle = Circle(before=holding(MARA, HALE, DISTRUST), after=holding(MARA, HALE))

    assert picture.words(circle) == (
        "Mara, Hale. Before: Mara towards Hale, distrust 7. After: no relationships."
    )


@given(st.data())
def test_every_circle_can_be_drawn(data: st.DataObject) -> None:
    before = fold(data.draw(histories(2)))
    after = apply(before, data.draw(deltas_on(before, 9)), 9)

    root = drawn(_people(before), _people(after))

    assert {"Before", "After"} <= set(words(root))


def _people(snapshot: Snapshot) -> Snapshot:
    people = snapshot.characters[:6]
    ids = {person.id for person in people}
    relationships = [one for one in snapshot.relationships if {one.source, one.target} <= ids]
    return holding(*people, *relationships)
