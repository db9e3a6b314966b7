"""The graphs as a browser draws them: when they are there, and a click into them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from playwright.sync_api import Locator, Page, Position, expect

from pages.components.pictures.layout import Point
from tests.e2e.browsing import wait_until_drawn

_BETWEEN_TRIES = 24
"""Pixels; less than the smallest thing in a picture is wide."""

_LARGEST = 1.15
_HALF_A_NAME = 95
_BUTTONS = 52
"""Of network.js: the largest scale at first, and what is left free around a picture."""

# Whether anything is drawn: some of the canvas is not as empty as its corner.
_IS_DRAWN = """picture => {
    const canvas = picture.querySelector('canvas');
    if (!canvas || !canvas.width) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let drawn = 0;
    for (let place = 3; place < data.length; place += 4) drawn += data[place] > 0;
    return drawn > 500;
}"""


def drawn_picture(page: Page, view: str = "") -> Locator:
    """Return the first picture of the page, of a view, once there is something in it."""
    wait_until_drawn(page)
    picture = page.get_by_role("img", name=f"{view}: ").first
    expect(picture).to_be_visible()
    page.wait_for_function(_IS_DRAWN, arg=picture.element_handle())
    return picture


SIDE_BY_SIDE = ".stage.beside"
"""Marks a picture that moves together with another. The single one of the view before, which a slow
page still shows for a moment, is none."""


def pictures_side_by_side(page: Page) -> tuple[Locator, Locator]:
    """Return the two pictures that move together, once there is something in both."""
    wait_until_drawn(page)
    pictures = page.locator(f"{SIDE_BY_SIDE} > [role=img][aria-label]")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        page.wait_for_function(_IS_DRAWN, arg=picture.element_handle())
    return pictures.first, pictures.last


def turn_to(page: Page, view: str) -> None:
    """Turn to another view, as its name says it."""
    page.get_by_test_id("stButtonGroup").get_by_text(view).first.click()
    wait_until_drawn(page)


def switch_to(page: Page, view: str) -> Locator:
    """Turn to another view that is one picture; return it."""
    page.get_by_test_id("stButtonGroup").get_by_text(view).first.click()
    expect(page.get_by_role("img", name=f"{view}: ")).to_be_visible()
    return drawn_picture(page, view)


def pixels(picture: Locator) -> str:
    """Return what the canvas shows, once the browser has painted it."""
    drawn: str = picture.evaluate(
        """picture => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
            () => done(picture.querySelector('canvas').toDataURL()))))"""
    )
    return drawn


def place_in(picture: Locator, seats: Mapping[str, Point], id_: str) -> Position:
    """Return where somebody stands in a Role Graph that shows all of these seats and no more.

    The picture is fitted with half a name left free on each side, and above its buttons: see
    `fitTo` in network.js.
    """
    box = picture.bounding_box()
    assert box is not None
    across, down = zip(*seats.values(), strict=True)
    scale = min(
        _LARGEST,
        (box["width"] - 12) / (max(across) - min(across) + 2 * _HALF_A_NAME),
        (box["height"] - _BUTTONS - 6) / (max(down) - min(down) + _HALF_A_NAME),
    )
    x = (seats[id_].x - (max(across) + min(across)) / 2) * scale
    y = (seats[id_].y - (max(down) + min(down)) / 2) * scale
    return {"x": box["width"] / 2 + x, "y": (box["height"] - _BUTTONS) / 2 + y}


def cursor_over(picture: Locator) -> str:
    """Return the shape of the mouse's cursor over a picture: a pointer says that one can click."""
    cursor: str = picture.evaluate("picture => getComputedStyle(picture).cursor")
    return cursor


def click_on_something(picture: Locator) -> None:
    """Click on the first person, event or tie that the mouse comes upon.

    Raises:
        AssertionError: if nothing in the picture can be clicked.
    """
    page, box = picture.page, picture.locator("canvas").bounding_box()
    assert box is not None
    places = product(
        range(10, int(box["width"]), _BETWEEN_TRIES), range(10, int(box["height"]), _BETWEEN_TRIES)
    )
    for x, y in places:
        page.mouse.move(box["x"] + x, box["y"] + y)
        if cursor_over(picture) == "pointer":
            page.mouse.click(box["x"] + x, box["y"] + y)
            return
    raise AssertionError("nothing in the picture can be clicked")
