"""Fixtures of the machine: a desk with a library of its own and a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.founding.able import able_answers
from tests.graph_flow.plot.relays import Weaving


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A model that makes its answers up, and never finds the story at its end."""
    with ScriptedServer(answer=going_on) as running:
        yield running


@pytest.fixture
def pauses() -> list[float]:
    """The seconds that were waited before a call was tried again; nobody really waits."""
    return []


@pytest.fixture
def open_workbench(
    library_path: Path, server: ScriptedServer, pauses: list[float]
) -> Iterator[Callable[[], Workbench]]:
    """Open workbenches on the test's library, as several processes would, and close them."""
    variables = {
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
        "OPENAI_BASE_URL": server.url,
    }
    opened: list[Workbench] = []

    def open_one() -> Workbench:
        opened.append(
            assemble(
                library_path,
                Terms(OwnModels(variables.get)),
                lambda seconds, _stop: pauses.append(seconds),
            )
        )
        return opened[-1]

    yield open_one
    server.release()
    for workbench in opened:
        workbench.close()


@pytest.fixture
def desk(
    open_workbench: Callable[[], Workbench], server: ScriptedServer, library_path: Path
) -> Desk:
    """A desk on the test's library."""
    return Desk(open_workbench(), server, library_path)


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


@pytest.fixture
def store(desk: Desk, library_path: Path) -> Iterator[Store]:  # noqa: ARG001 - the desk makes it
    """The same library, to look into."""
    opened = Store.open(library_path)
    yield opened
    opened.close()


@pytest.fixture
def begin(desk: Desk, store: Store) -> Callable[..., Weaving]:
    """Begin a story up to its cast, with settings that differ from a test's usual ones."""
    return lambda **settings: Weaving(desk, store, **settings)
