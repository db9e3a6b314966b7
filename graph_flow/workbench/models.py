"""Models: which one is in use, whether it answers, and how much it can read."""

from __future__ import annotations

from graph_flow.founding.premise import characters_that_fit
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.request import ConnectionReport
from graph_flow.llm.transport.endpoints import EMBEDDED_URL, EndpointBook
from graph_flow.views import ModelChip
from store.models.endpoint import Endpoint, ModelSettings
from store.records.library import Library

MODEL_SETTINGS = "model"
"""The key under which the library keeps `ModelSettings`."""


class ModelService:
    """The model in use."""

    def __init__(self, library: Library, gateway: Gateway, book: EndpointBook) -> None:
        self._library = library
        self._gateway = gateway
        self._book = book

    def settings(self) -> ModelSettings:
        """Return which model the app is told to use."""
        stored = self._library.read_setting(MODEL_SETTINGS, ModelSettings)
        return stored or ModelSettings()

    def save_settings(self, settings: ModelSettings) -> None:
        """Use another model from the next call on."""
        self._library.write_setting(MODEL_SETTINGS, settings)

    def chip(self) -> ModelChip:
        """Return which model is in use, in a few words."""
        endpoint = self._book.current()
        is_embedded = endpoint.base_url == EMBEDDED_URL
        return ModelChip(
            label=endpoint.name if is_embedded else endpoint.model, is_embedded=is_embedded
        )

    def test_connection(self, endpoint: Endpoint | None = None) -> ConnectionReport:
        """Ask a model for a word and for an object, and report how that went."""
        return self._gateway.test_connection(endpoint or self._book.current())

    def premise_limit(self, premise: str) -> int:
        """Return how many characters of a premise, from its beginning, the present model can read."""
        return characters_that_fit(premise, self._book.current().context_window)
