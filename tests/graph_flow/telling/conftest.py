"""Fixtures of the telling: a desk whose model is able."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.telling.bridge import telling


@pytest.fixture
def able(library_path: Path, server: ScriptedServer) -> Iterator[Desk]:
    """A desk with an able model, which tells the story of the bridge."""
    variables = {"TELLWRIGHT_MODEL": "scripted", "OPENAI_BASE_URL": server.url}
    server.answer = telling()
    workbench = assemble(
        library_path, Terms(OwnModels(variables.get)), lambda _seconds, _stop: None
    )
    yield Desk(workbench, server, library_path)
    server.release()
    workbench.close()


@pytest.fixture
def story_store(able: Desk) -> Iterator[Store]:
    """The same library, to look into."""
    opened = Store.open(able.library)
    yield opened
    opened.close()
