"""The process that browser tests drive is like the one a writer starts, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import visit
from tests.e2e.running_app import RunningApp

pytestmark = pytest.mark.browser

SCRIPT = """
import os
import streamlit as st

st.title("A trial")
st.write("library", os.environ["TELLWRIGHT_LIBRARY"])
st.write("key", os.environ.get("OPENAI_API_KEY", "none"))
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "app.py"
    file.write_text(SCRIPT, "utf-8")
    return file


def test_restart_keeps_address_and_library(script: Path, tmp_path: Path, page: Page) -> None:
    with RunningApp(tmp_path / "trial", {}, script) as running:
        address = running.url
        running.restart()

        visit(page, address)

        expect(page.get_by_text(f"library {running.library}")).to_be_visible()


def test_app_has_no_key_but_the_one_it_is_given(
    script: Path, tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the developer's")
    with RunningApp(tmp_path / "bare", {}, script) as bare:
        visit(page, bare.url)
        expect(page.get_by_text("key none")).to_be_visible()

    with RunningApp(tmp_path / "given", {"OPENAI_API_KEY": "given"}, script) as given:
        visit(page, given.url)
        expect(page.get_by_text("key given")).to_be_visible()


def test_killed_app_answers_no_more(script: Path, tmp_path: Path) -> None:
    with RunningApp(tmp_path / "trial", {}, script) as running:
        running.kill()

        with pytest.raises(httpx2.ConnectError):
            httpx2.get(running.url)


def test_app_that_cannot_start_shows_its_log(tmp_path: Path) -> None:
    missing = RunningApp(tmp_path / "trial", {}, tmp_path / "missing.py")

    with pytest.raises(AssertionError, match=r"missing\.py"):
        missing.start()
