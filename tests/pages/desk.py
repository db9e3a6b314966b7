"""A writer at the desk: pages opened without a browser, on a real workbench and a scripted model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from store.models.story import Story
from tests.desk import Desk as WorkingDesk

APP = Path(__file__).parents[2] / "app.py"

HOSTILE = "<b>x</b> **y** [l](javascript:a()) $z^2$ :rocket: ![i](//x/i.png)"
"""A name that is markup in every language that a page might take it for."""

SECONDS_FOR_A_PAGE = 120
"""A busy machine takes its time for a page that asks for a moment."""


class Desk(WorkingDesk):
    """A library with a model at hand, and the windows that are open on it."""

    def window(self, page: str = "app", story: Story | None = None) -> AppTest:
        """Open a page in a window of its own, as another person would."""
        window = AppTest.from_file(str(APP), default_timeout=SECONDS_FOR_A_PAGE)
        if story is not None:
            window.session_state["story"] = story.id
        window.run()
        return window if page == "app" else turn_to(window, page)


def turn_to(window: AppTest, page: str) -> AppTest:
    """Turn a window to another page."""
    return window.switch_page("app.py" if page == "app" else f"pages/{page}.py").run()


def button(window: AppTest, label: str) -> Button:
    """Return the one button with this label."""
    found = [one for one in window.button if one.label == label]
    assert len(found) == 1, f"{len(found)} buttons say {label!r}; there are {labels(window)}"
    return found[0]


def labels(window: AppTest) -> list[str]:
    """Return what the buttons of a page say."""
    return [one.label for one in window.button]


def primaries(window: AppTest) -> list[str]:
    """Return what the primary buttons of a page say."""
    pressed = (*window.main.button, *window.main.download_button)
    return [one.label for one in pressed if one.proto.type == "primary"]


def words(window: AppTest) -> str:
    """Return all that a page says outside of fields to type in, as Markdown."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "error", "warning", "info")
    said = [text for kind in kinds for text in texts_of(window.get(kind))]
    said += texts_of([*window.toast, *window.success])
    said += [one.label for one in (*window.expander, *window.button, *window.text_area)]
    return "\n".join(said)


def expect_whole(window: AppTest) -> None:
    """Fail if a page shows an error that nobody has put into words, or more than one primary."""
    assert [one.message for one in window.exception] == []
    assert len(primaries(window)) <= 1, f"more than one primary: {primaries(window)}"


def expect_only_text(window: AppTest, *texts: str) -> None:
    """Fail if words that are not ours are shown as markup, anywhere on a page."""
    said = words(window)
    assert not any(text in said for text in texts), "shown without being escaped"
    assert not any(one.allow_html for one in window.markdown), "HTML is allowed somewhere"


def texts_of(elements: Iterable[object]) -> list[str]:
    """Return the values of elements as text."""
    return [str(getattr(one, "value", "")) for one in elements]
