"""The board of an outline in a browser: cards that are dragged stay where they were put."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from store.models.outline import Outline
from store.open import Store
from tests.e2e.browsing import (
    DESKTOP,
    PHONE,
    Size,
    expect_no_exception,
    expect_no_sideways_scroll,
    run_of_page,
    visit,
    wait_until_drawn,
    wait_until_idle,
)
from tests.e2e.conftest import WindowOpener
from tests.e2e.running_app import RunningApp
from tests.pages.planned_story import plan_into
from tests.pages.told_story import HOSTILE_NAME, begin_into, tell_into

pytestmark = pytest.mark.browser


class Planned:
    """A running app with an outline."""

    def __init__(self, app: RunningApp, story: str) -> None:
        self.app = app
        self.url = f"{app.url}/outline?story={story}"
        self._story = story

    def chapter(self, number: int) -> list[str]:
        """Return the parts that a chapter is to tell, as they are kept."""
        return [part.id for part in self._outline().parts_of(number)]

    def chapter_of(self, part_id: str) -> int | None:
        """Return the chapter that a part is kept in."""
        return next(part.chapter for part in self._outline().sub_events if part.id == part_id)

    def _outline(self) -> Outline:
        store = Store.open(self.app.library)
        try:
            outline = store.outlines.newest(store.library.main_branch(self._story).id)
        finally:
            store.close()
        assert outline is not None
        return outline


@pytest.fixture
def planned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planned]:
    """A story that has begun, with an outline of eight chapters."""
    app = RunningApp(tmp_path_factory.mktemp("outline"), is_preloaded=True)
    story = begin_into(app.library)
    plan_into(app.library, story)
    with app:
        yield Planned(app, story)


def open_board(page: Page, planned: Planned) -> None:
    visit(page, planned.url)
    page.get_by_test_id("stButtonGroup").get_by_text("Board", exact=True).click()
    expect(card(page, "p1")).to_be_visible()
    wait_until_drawn(page)


def card(page: Page, part: str) -> Locator:
    return page.locator(f'.board [data-part="{part}"]')


def column(page: Page, chapter: int) -> Locator:
    return page.locator(f'.board .chapter[data-chapter="{chapter}"]')


def expect_cards(page: Page, chapter: int, parts: list[str]) -> None:
    """Expect these cards in a chapter, in the order of its telling as the board numbers them."""
    cards = column(page, chapter).locator(".card")
    for place, part in enumerate(parts, start=1):
        numbered = cards.and_(page.locator(f'[data-part="{part}"]')).locator(".place")
        expect(numbered).to_have_text(str(place))
    expect(cards).to_have_count(len(parts))


# What the board says of a move may be gone before a test looks: the server's answer draws it anew.
_KEEP_WHAT_IS_SAID = """(said) => {
    window.saidOnBoard = [];
    const keep = () => window.saidOnBoard.push(said.innerText);
    new MutationObserver(keep).observe(said, { childList: true, characterData: true, subtree: true });
}"""


def drag(page: Page, part: str, onto: Locator, *, at_top: bool = False) -> None:
    """Drag a card with the mouse, as a hand does: in several moves."""
    box = onto.bounding_box()
    assert box is not None
    card(page, part).locator(".event").hover()
    page.mouse.down()
    y = box["y"] + (3 if at_top else box["height"] / 2)
    page.mouse.move(box["x"] + box["width"] / 2, y, steps=8)
    page.mouse.up()


def test_card_is_dragged_to_another_chapter_and_stays_there(
    planned: Planned, page: Page, console_errors: list[str]
) -> None:
    open_board(page, planned)

    drag(page, "p16", column(page, 2).locator(".head"))

    expect(column(page, 2).locator('[data-part="p16"]')).to_be_visible()
    expect(page.get_by_text("Use this outline")).to_be_visible()  # Nothing is unplaced any more.
    assert planned.chapter(2) == ["p3", "p4", "p16"]

    open_board(page, planned)
    expect_cards(page, 2, ["p3", "p4", "p16"])
    expect_no_exception(page)
    assert console_errors == []


def test_card_is_dragged_before_one_of_another_line(planned: Planned, page: Page) -> None:
    open_board(page, planned)

    with run_of_page(page):
        drag(page, "p1", card(page, "p4"), at_top=True)

    expect(column(page, 2).locator(".card")).to_have_count(3)
    assert planned.chapter(2) == ["p3", "p1", "p4"]
    expect_cards(page, 2, ["p3", "p1", "p4"])


def test_drag_that_ends_nowhere_or_is_given_up_changes_nothing(
    planned: Planned, page: Page
) -> None:
    open_board(page, planned)

    drag(page, "p1", page.get_by_role("heading", name="Outline", level=1))
    card(page, "p2").locator(".event").hover()
    page.mouse.down()
    page.mouse.move(10, 10, steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()

    expect_cards(page, 1, ["p1", "p2"])
    wait_until_idle(page)
    assert planned.chapter(1) == ["p1", "p2"]


def test_several_fast_moves_with_the_keyboard_are_all_kept(planned: Planned, page: Page) -> None:
    open_board(page, planned)
    page.locator(".board .said").evaluate(_KEEP_WHAT_IS_SAID)

    card(page, "p1").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    card(page, "p16").focus()
    page.keyboard.press("ArrowRight")

    expect_cards(page, 4, ["p7", "p1", "p8"])
    assert "Chapter 1, 2 of 2" in page.evaluate("() => window.saidOnBoard")
    expect(page.get_by_text("Use this outline")).to_be_visible()
    assert (planned.chapter(4), planned.chapter(1)) == (["p7", "p1", "p8"], ["p2", "p16"])


def test_card_is_opened_with_the_keyboard_and_edited_beside_the_board(
    planned: Planned, page: Page
) -> None:
    open_board(page, planned)

    card(page, "p3").press("Enter")
    field = page.get_by_label("Action", exact=True)
    expect(field).to_have_value("Hale takes rooms at the customs house and begins to ask.")
    field.fill(f"He asks {HOSTILE_NAME}.")
    field.blur()

    expect(card(page, "p3").get_by_text(f"He asks {HOSTILE_NAME}.")).to_be_visible()
    assert page.title() == "Outline · Tellwright"
    expect_no_exception(page)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_told_chapters_take_no_card(
    tmp_path_factory: pytest.TempPathFactory, new_window: WindowOpener, size: Size
) -> None:
    app = RunningApp(tmp_path_factory.mktemp("told"), is_preloaded=True)
    story = tell_into(app.library)
    plan_into(app.library, story, told=("p1",))
    with app:
        planned, page = Planned(app, story), new_window(size)
        visit(page, planned.url)
        page.get_by_test_id("stButtonGroup").get_by_text("Board", exact=True).click()
        # What is told is folded away at first, and what it left out waits to be placed.
        expect(card(page, "p2").get_by_text("Left over from chapter 1")).to_be_visible()
        expect(column(page, 1)).to_have_count(0)
        page.get_by_role("button", name="Earlier chapters").click()
        expect(column(page, 1).locator('[data-part="p1"]')).to_be_visible()
        wait_until_drawn(page)

        drag(page, "p2", column(page, 2).locator(".head"))
        drag(page, "p1", card(page, "p2"))

        wait_until_idle(page)
        assert (planned.chapter_of("p1"), planned.chapter_of("p2")) == (1, 1)
        expect(column(page, 1).locator('[data-part="p1"]')).to_be_visible()
        expect_no_sideways_scroll(page)
        expect_no_exception(page)
