"""Fixtures of stage 1: a desk whose model is able."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from tests.desk import Desk
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.founding.able import able_answers


@pytest.fixture
def able_desk(library_path: Path, server: ScriptedServer) -> Iterator[Desk]:
    """A desk with an able model, which founds the story of a bridge."""
    variables = {"TELLWRIGHT_MODEL": "scripted", "OPENAI_BASE_URL": server.url}
    server.answer = able_answers()
    workbench = assemble(
        library_path, Terms(OwnModels(variables.get)), lambda _seconds, _stop: None
    )
    yield Desk(workbench, server, library_path)
    server.release()
    workbench.close()
