"""The graphs as a browser draws them: when they are there, and a click into them."""

from __future__ import annotations

from itertools import product

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browsing import wait_until_drawn

_BETWEEN_TRIES = 24
"""Pixels; less than the smallest thing in a picture is wide."""

# Whether anything is drawn: some of the canvas is not as empty as its corner.
_IS_DRAWN = """picture => {
    const canvas = picture.querySelector('canvas');
    if (!canvas || !canvas.width) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let drawn = 0;
    for (let place = 3; place < data.length; place += 4) drawn += data[place] > 0;
    return drawn > 500;
}"""


def drawn_picture(page: Page) -> Locator:
    """Return the picture of the page once there is something in it."""
    wait_until_drawn(page)
    picture = page.get_by_role("img", name="Graph: ")
    expect(picture).to_be_visible()
    page.wait_for_function(_IS_DRAWN, arg=picture.element_handle())
    return picture


def switch_to(page: Page, graph: str) -> Locator:
    """Turn to the other graph, as its name says it; return its picture."""
    page.get_by_test_id("stButtonGroup").get_by_text(graph).click()
    expect(page.get_by_role("img", name=f"{graph}: ")).to_be_visible()
    return drawn_picture(page)


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
