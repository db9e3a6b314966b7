"""A window opens when the app starts on the machine of somebody who looks at it."""

from __future__ import annotations

import asyncio
import threading
import webbrowser
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config

from pages.serving.window import opening_a_window


@pytest.mark.parametrize("is_headless", [False, True])
def test_window_opens_unless_nobody_looks(
    is_headless: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    is_open = threading.Event()
    options = {
        "server.headless": is_headless,
        "browser.serverAddress": "127.0.0.1",
        "server.port": 9000,
    }

    def note(address: str) -> bool:
        opened.append(address)
        is_open.set()
        return True

    async def start() -> None:
        async with opening_a_window(st.App(tmp_path / "app.py")):
            await asyncio.get_running_loop().run_in_executor(
                None, is_open.wait, 0 if is_headless else 60
            )

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setattr(config, "get_option", options.__getitem__)

    asyncio.run(start())

    assert opened == ([] if is_headless else ["http://127.0.0.1:9000"])
