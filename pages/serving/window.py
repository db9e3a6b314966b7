"""The window that opens on a writer's own machine when the app starts."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import streamlit as st
from streamlit import config


@asynccontextmanager
async def opening_a_window(_: st.App) -> AsyncGenerator[None]:
    """Open the app in a browser as it starts, unless the settings say that nobody looks.

    Streamlit does so for a script, but not for an app with guards.
    """
    if not config.get_option("server.headless"):
        address, port = config.get_option("browser.serverAddress"), config.get_option("server.port")
        open_it = partial(webbrowser.open, f"http://{address}:{port}")
        asyncio.get_running_loop().run_in_executor(None, open_it)
    yield
