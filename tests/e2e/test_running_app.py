"""The process that browser tests drive is like the one a writer starts, and leaves nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

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


is_preloaded = pytest.mark.parametrize("is_preloaded", [False, True], ids=["fresh", "preloaded"])


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "app.py"
    file.write_text(SCRIPT, "utf-8")
    return file


@is_preloaded
def test_restart_keeps_address_and_library(
    script: Path, tmp_path: Path, page: Page, is_preloaded: bool
) -> None:
    with RunningApp(tmp_path / "trial", {}, script, is_preloaded=is_preloaded) as running:
        address = running.url
        running.restart()

        visit(page, address)

        expect(page.get_by_text(f"library {running.library}")).to_be_visible()


@is_preloaded
def test_app_has_no_key_but_the_one_it_is_given(
    script: Path,
    tmp_path: Path,
    page: Page,
    monkeypatch: pytest.MonkeyPatch,
    is_preloaded: bool,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the developer's")
    with RunningApp(tmp_path / "bare", {}, script, is_preloaded=is_preloaded) as bare:
        visit(page, bare.url)
        expect(page.get_by_text("key none")).to_be_visible()

    key = {"OPENAI_API_KEY": "given"}
    with RunningApp(tmp_path / "given", key, script, is_preloaded=is_preloaded) as given:
        visit(page, given.url)
        expect(page.get_by_text("key given")).to_be_visible()


def test_page_that_an_app_test_left_as_the_main_module_is_not_run(
    script: Path, tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = ModuleType("__main__")
    left.__file__ = str(tmp_path / "left.py")
    (tmp_path / "left.py").write_text("raise SystemExit('run again')", "utf-8")
    monkeypatch.setitem(sys.modules, "__main__", left)

    with RunningApp(tmp_path / "trial", {}, script, is_preloaded=True) as running:
        visit(page, running.url)

        expect(page.get_by_role("heading", name="A trial")).to_be_visible()


@is_preloaded
def test_killed_app_answers_no_more(script: Path, tmp_path: Path, is_preloaded: bool) -> None:
    with RunningApp(tmp_path / "trial", {}, script, is_preloaded=is_preloaded) as running:
        running.kill()

        with pytest.raises(httpx2.ConnectError):
            httpx2.get(running.url)


@is_preloaded
def test_app_that_cannot_start_shows_its_log(tmp_path: Path, is_preloaded: bool) -> None:
    script = tmp_path / "missing.py"
    missing = RunningApp(tmp_path / "trial", {}, script, is_preloaded=is_preloaded)

    with pytest.raises(AssertionError, match=r"missing\.py"):
        missing.start()
