"""Export: what is there to take, and that it can be taken."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.export_cards import file_stem
from tests.pages.desk import HOSTILE, Desk, button, expect_whole, primaries, texts_of, words


def downloads(window: AppTest) -> list[str]:
    return [one.label for one in window.download_button]


def test_story_without_text_can_be_taken_whole_and_leads_on(desk: Desk) -> None:
    window = desk.window("export", desk.plotted())

    expect_whole(window)
    assert downloads(window) == ["Download the whole story"]
    assert "nothing to take" in words(window)
    button(window, "Write a chapter").click().run()

    assert texts_of(window.title) == ["Write"]


def test_written_story_can_be_taken_as_a_manuscript(desk: Desk) -> None:
    window = desk.window("export", desk.written())

    expect_whole(window)
    assert downloads(window) == ["Download the manuscript", "Download the whole story"]
    assert primaries(window) == ["Download the manuscript"]
    assert "1 chapter" in words(window)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("The lamp", "The lamp"),
        ("../../etc/passwd", "etc passwd"),
        (HOSTILE, "b x b y l javascript a z 2 rocket i x i png"),
        ("灯塔", "灯塔"),
        ("???", "story"),
        ("a" * 100, "a" * 60),
    ],
)
def test_title_makes_a_name_that_any_system_takes(title: str, stem: str) -> None:
    assert file_stem(title) == stem
