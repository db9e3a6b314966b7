from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.llm.desk import Desk


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def make_desk() -> Iterator[Callable[..., Desk]]:
    """Give gateways, and close them."""
    made: list[Desk] = []

    def make(server: ScriptedServer, **endpoint: object) -> Desk:
        made.append(Desk(server, **endpoint))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


@pytest.fixture
def desk(server: ScriptedServer, make_desk: Callable[..., Desk]) -> Desk:
    return make_desk(server)
