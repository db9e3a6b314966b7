"""Colours that can be seen on light and on dark paper."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pages.components.pictures.palette import LINK_COLORS, PART_COLORS, TIE_COLORS

CONFIG = Path(__file__).parents[4] / ".streamlit" / "config.toml"
ENOUGH = 3.0
"""The contrast that WCAG 2.2 (1.4.11) asks of graphics."""


@pytest.mark.parametrize("tone", ["light", "dark"])
@pytest.mark.parametrize(
    "color", sorted({*TIE_COLORS.values(), *LINK_COLORS.values(), *PART_COLORS.values()})
)
def test_every_colour_stands_out_from_the_paper(color: str, tone: str) -> None:
    theme = tomllib.loads(CONFIG.read_text("utf-8"))["theme"][tone]

    assert contrast(color, theme["backgroundColor"]) >= ENOUGH


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
