"""Fixtures of the pages: a desk with a library of its own and a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from pages.serving import services
from tests.desk import going_on
from tests.fakes.scripted_server import ScriptedServer
from tests.pages.desk import Desk


@pytest.fixture(scope="session", autouse=True)
def packages_looked_through_once() -> Iterator[None]:
    """Let Streamlit look once, not for each window, which packages bring components.

    It reads the metadata of everything that is installed, which takes longer than most pages do.
    """
    with pytest.MonkeyPatch.context() as patch:
        once = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


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
    monkeypatch.setenv("TELLWRIGHT_STRENGTH", "small")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    services.forget()
    shared = services.workbench()
    yield Desk(shared, server, library_path)
    server.release()
    shared.close()
    services.forget()
