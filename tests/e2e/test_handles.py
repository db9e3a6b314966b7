"""A running app gives back what windows that were closed had open."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import AppStarter
from tests.e2e.test_origins import CONNECTED, connect

pytestmark = pytest.mark.browser

WINDOWS = 60
OF_A_WINDOW = 3
"""Handles that Streamlit opens for each window."""
LATE = 6
"""Windows that are just being closed."""


def test_closed_windows_leave_no_handles_behind(start_app: AppStarter) -> None:
    app = start_app({"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "0"})
    assert connect(app, app.url) == CONNECTED
    begun = app.handles

    for _ in range(WINDOWS):
        assert connect(app, app.url) == CONNECTED

    assert app.handles <= begun + LATE * OF_A_WINDOW
