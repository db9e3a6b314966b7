"""Fixtures of the pages: a desk with a library of its own and a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.components import services
from tests.desk import going_on
from tests.fakes.scripted_server import ScriptedServer
from tests.pages.desk import Desk


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A model that makes its answers up, and never finds the story at its end."""
    with ScriptedServer(answer=going_on) as running:
        yield running


@pytest.fixture
def desk(
    library_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A desk whose pages and whose test share one workbench, as the windows of one app do."""
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(library_path))
    monkeypatch.setenv("TELLWRIGHT_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    services.workbench.clear()
    shared = services.workbench()
    yield Desk(shared, server)
    server.release()
    shared.close()
    services.workbench.clear()
