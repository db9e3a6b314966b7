"""An able judge, and books to judge."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graph_flow.workbench.beside.evaluating import EvaluationService
from store.formats.reading.parts import ReadBook, ReadChapter
from store.models.endpoint import Endpoint, ModelSettings
from tests.desk import Desk


@pytest.fixture
def able(desk: Desk) -> Desk:
    """A desk whose model is able."""
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    return desk


@pytest.fixture
def service(able: Desk) -> EvaluationService:
    """The service for evaluations, with an able judge."""
    return able.workbench.evaluation


def book(chapters: Sequence[str], title: str = "A Book") -> ReadBook:
    """Return a book of some texts."""
    return ReadBook(title, "", "", tuple(ReadChapter("", one) for one in chapters))
