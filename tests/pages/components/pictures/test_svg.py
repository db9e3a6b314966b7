"""A picture as an SVG file: well-formed, where the browser draws it, and a name is only text."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pages.components.graphs.reading import plot_figure, role_figure, timeline_figure
from pages.components.pictures import svg
from pages.components.pictures.figure import Figure
from pages.components.pictures.layout import Point
from pages.components.pictures.plot import PlotCut, Window
from pages.components.pictures.roles import RoleCut
from pages.components.pictures.story_index import StoryIndex, Viewpoint
from pages.components.pictures.timeline import Order, TimelineCut
from store.models.cast import Character
from tests.pages.components.pictures.placing import plot_places_of
from tests.pages.told_story import HOSTILE_NAME
from tests.store.builders import CAST, CHAPTER_ONE, DISTRUST, HALE, MARA, adding, fold, snapshot_of

INK = {"--st-text-color": "#2A2620", "--st-background-color": "#FAF6EE"}
SVG = "{http://www.w3.org/2000/svg}"
FIRST = fold([adding(*CAST), adding(*CHAPTER_ONE)])
VIEWPOINT = Viewpoint(StoryIndex(FIRST), fold([adding(*CAST)]))
SEATS = {"mara": Point(-170, 0), "hale": Point(170, 0)}


def parsed(figure: Figure) -> ElementTree.Element:
    return ElementTree.fromstring(svg.render(figure, INK))


def words(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def roles() -> Figure:
    return role_figure(
        "roles", RoleCut(Viewpoint(StoryIndex(snapshot_of(MARA, HALE, DISTRUST)))), SEATS
    )


def test_everybody_stands_where_the_picture_has_them() -> None:
    root = parsed(roles())
    ovals = [one for one in root.iter(f"{SVG}ellipse") if one.get("cy") == "0.0"]

    assert [one.get("cx") for one in ovals] == ["-170.0", "170.0"]
    assert {"Mara", "Hale", "distrust 7"} <= set(words(root))


def test_legend_and_description_are_in_the_file() -> None:
    root = parsed(roles())

    assert {"distrust", "felt by one only"} <= set(words(root))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Role Graph: 2 people, 1 relationship"


def test_colours_of_the_theme_are_put_in() -> None:
    text = svg.render(roles(), INK)

    assert INK["--st-background-color"] in text
    assert "var(" not in text


def test_every_view_can_be_saved() -> None:
    plot = PlotCut(VIEWPOINT, Window(0, 1))
    lanes = TimelineCut(VIEWPOINT, Window(0, 1), Order.TELLING)

    assert {"Chapter 1", "+ Lamp room", "causes"} <= set(
        words(parsed(plot_figure("plot", plot, plot_places_of(FIRST))))
    )
    root = parsed(timeline_figure("timeline", lanes))
    assert {"Mara", "The door is locked"} <= set(words(root))
    assert len(list(root.iter(f"{SVG}circle"))) >= 2


def test_empty_picture_is_a_file_too() -> None:
    nobody = role_figure("roles", RoleCut(Viewpoint(StoryIndex(snapshot_of()))), {})

    assert parsed(nobody).get("viewBox")


def test_name_that_is_markup_is_text() -> None:
    stranger = Character(id="mara", name=HOSTILE_NAME)
    figure = role_figure("roles", RoleCut(Viewpoint(StoryIndex(snapshot_of(stranger)))), SEATS)
    text = svg.render(figure, INK)

    assert "<img" not in text
    assert any(one.startswith("<img") for one in words(parsed(figure)))


def test_name_that_is_an_address_loads_and_links_nothing() -> None:
    stranger = Character(id="mara", name="url(http://a.example)")
    figure = role_figure("roles", RoleCut(Viewpoint(StoryIndex(snapshot_of(stranger)))), SEATS)
    root = parsed(figure)

    shapes = {"svg", "title", "rect", "ellipse", "line", "path", "polygon", "circle", "text"}
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= shapes
    attributes = [pair for one in root.iter() for pair in one.items()]
    assert [pair for pair in attributes if "href" in pair[0] or "a.example" in pair[1]] == []
    assert "url(http://a.example)" in words(root)


@given(st.text(min_size=1, max_size=80).filter(str.strip))
def test_any_name_makes_a_well_formed_file(name: str) -> None:
    person = Character.model_construct(**{**dict(MARA), "name": name})
    figure = role_figure("roles", RoleCut(Viewpoint(StoryIndex(snapshot_of(MARA)))), SEATS)
    node = {**figure.picture.nodes[0], "label": person.name}
    picture = figure.picture.model_copy(update={"nodes": (node,)})

    assert parsed(figure.model_copy(update={"picture": picture})).tag == f"{SVG}svg"
