"""The app's settings keep it private and readable."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from streamlit import config

CONFIG = tomllib.loads(
    (Path(__file__).parents[1] / ".streamlit" / "config.toml").read_text("utf-8")
)

# Web Content Accessibility Guidelines 2.2, criteria 1.4.3 (text) and 1.4.11 (controls).
TEXT = 4.5
CONTROL = 3.0


def luminance(color: str) -> float:
    """Return the relative luminance, 0 to 1, of `#rrggbb`, as the guidelines define it."""
    shares = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours: 1 (none) to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def papers(theme: dict[str, Any]) -> list[str]:
    """Return every background that text stands on."""
    names = ("backgroundColor", "secondaryBackgroundColor")
    return [part[name] for part in (theme, theme["sidebar"]) for name in names]


def test_app_is_reached_from_this_machine_only() -> None:
    server = CONFIG["server"]

    assert server["address"] == "127.0.0.1"
    assert set(server["allowedHosts"]) == {"127.0.0.1", "localhost"}
    assert server["enableXsrfProtection"]
    assert server["enableCORS"]
    assert not CONFIG["browser"]["gatherUsageStats"]


@pytest.mark.parametrize("section", ["server", "browser", "client", "runner"])
def test_streamlit_knows_every_setting_by_its_name(section: str) -> None:
    for name, value in CONFIG[section].items():
        assert config.get_option(f"{section}.{name}") == value


def test_no_window_waits_until_all_memory_was_gone_through() -> None:
    assert config.get_option("runner.postScriptGC") is False


def test_reloading_once_a_second_takes_no_more_handles_than_a_system_gives() -> None:
    of_a_window, others = 3, 60

    kept = config.get_option("server.disconnectedSessionTTL") * of_a_window

    assert kept + others < 256


@pytest.mark.parametrize("tone", ["light", "dark"])
def test_text_and_links_stand_out_from_every_paper(tone: str) -> None:
    theme = CONFIG["theme"][tone]

    for paper in papers(theme):
        assert contrast(theme["textColor"], paper) >= TEXT
        assert contrast(theme["linkColor"], paper) >= TEXT


@pytest.mark.parametrize("tone", ["light", "dark"])
def test_accent_carries_white_words_and_stands_out_as_a_control(tone: str) -> None:
    theme = CONFIG["theme"][tone]

    assert contrast(theme["primaryColor"], "#FFFFFF") >= TEXT
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= CONTROL
