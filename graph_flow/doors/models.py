"""Models and cost: which model is used, whether it answers, and what it has used."""

from __future__ import annotations

from graph_flow.doors.door import Door
from graph_flow.llm.endpoints import EMBEDDED_URL
from graph_flow.llm.request import ConnectionReport
from graph_flow.premise import characters_that_fit
from graph_flow.views import ModelChip
from store.models.endpoint import Endpoint, ModelSettings
from store.models.run import Totals

MODEL_SETTINGS = "model"
"""The key under which the library keeps `ModelSettings`."""


class ModelDoor(Door):
    """The model in use."""

    def model_settings(self) -> ModelSettings:
        """Return which model the app is told to use."""
        stored = self._store.library.read_setting(MODEL_SETTINGS, ModelSettings)
        return stored or ModelSettings()

    def save_model_settings(self, settings: ModelSettings) -> None:
        """Use another model from the next call on."""
        self._store.library.write_setting(MODEL_SETTINGS, settings)

    def model_chip(self) -> ModelChip:
        """Return which model is in use, in a few words."""
        endpoint = self._book.current()
        is_embedded = endpoint.base_url == EMBEDDED_URL
        return ModelChip(
            label=endpoint.name if is_embedded else endpoint.model, is_embedded=is_embedded
        )

    def test_connection(self, endpoint: Endpoint | None = None) -> ConnectionReport:
        """Ask a model for a word and for an object, and report how that went."""
        return self._gateway.test_connection(endpoint or self._book.current())

    def totals(self, branch_id: str) -> Totals:
        """Return what a branch has used so far."""
        return self._store.runs.totals(branch=branch_id)

    def premise_limit(self, premise: str) -> int:
        """Return how many characters of a premise, from its beginning, the present model can read."""
        return characters_that_fit(premise, self._book.current().context_window)
