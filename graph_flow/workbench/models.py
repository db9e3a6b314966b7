"""Models: which one is in use, whether it answers, and how much it can read."""

from __future__ import annotations

from collections.abc import Callable

from graph_flow.agents import AGENTS
from graph_flow.errors import WorkbenchError
from graph_flow.founding.premise import characters_that_fit, founding_window
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.request import ConnectionReport
from graph_flow.llm.transport.endpoints import EndpointBook, called
from graph_flow.llm.transport.offer import EMBEDDED_URL, SiteModels
from graph_flow.views import ModelChip, ModelUse
from store.models.endpoint import Endpoint, ModelSettings
from store.records.library import Library

MODEL_SETTINGS = "model"
"""The key under which the library keeps `ModelSettings`."""

KEY_REFUSED = "A key stands where a model’s name or address belongs, so nothing was saved."


class ModelService:
    """The model in use."""

    def __init__(self, library: Library, gateway: Gateway, book: EndpointBook) -> None:
        self._library = library
        self._gateway = gateway
        self._book = book

    def settings(self) -> ModelSettings:
        """Return the writer's choice of models."""
        stored = self._library.read_setting(MODEL_SETTINGS, ModelSettings)
        return stored or ModelSettings()

    def change_settings(self, change: Callable[[ModelSettings], ModelSettings]) -> None:
        """Save another choice of models, which counts from the next call on.

        `change` is given the choice as it is now.

        Raises:
            WorkbenchError: if a key stands in it where a name belongs; it is not kept.
        """

        def changed(now: ModelSettings) -> ModelSettings:
            wanted = change(self._book.keys.without_keys(now))
            if self._book.keys.without_keys(wanted) != wanted:
                raise WorkbenchError(KEY_REFUSED)
            return wanted

        self._library.change_setting(MODEL_SETTINGS, ModelSettings(), changed)

    def forget_keys(self) -> None:
        """Remove the keys that an earlier version kept, if the writer had typed one for a name.

        Raises:
            StoreError: if the settings cannot be read, or not be written now.
        """
        stored = self.settings()
        if self._book.keys.without_keys(stored) != stored:
            self.change_settings(lambda now: now)

    def holds_key(self, text: str, *variables: str) -> bool:
        """Return whether a text that was typed for a name holds a key: for no one to keep or to show.

        `variables` are names of variables that may hold it, besides those that models have.
        """
        return self._book.keys.holds_key(text, *variables)

    def address_holds_key(self, address: str, *variables: str) -> bool:
        """Return whether a text that was typed for an address holds a key, as `holds_key`."""
        return self._book.keys.address_holds_key(address, *variables)

    def chip(self) -> ModelChip:
        """Return a short label for the models in use."""
        usual, uses = self._uses()
        first, *more = uses
        others = f" and {'one' if len(more) == 1 else len(more)} more" if more else ""
        is_embedded = usual.base_url == EMBEDDED_URL
        return ModelChip(label=f"{first.label}{others}", is_embedded=is_embedded)

    def uses(self) -> list[ModelUse]:
        """Return the models that agents use, the usual one first if any agent uses it."""
        return self._uses()[1]

    def _uses(self) -> tuple[Endpoint, list[ModelUse]]:
        """Return the usual model, and the models that agents use."""
        settings = self.settings()
        given = self._book.current_of(["", *AGENTS], settings)
        usual, named = given.pop(""), settings.others
        agents: dict[Endpoint, list[str]] = {usual: []}
        for agent, endpoint in given.items():
            agents.setdefault(endpoint, []).append(agent)
        return usual, [
            ModelUse(
                label=endpoint.name if endpoint in named else _label(endpoint),
                agents=tuple(asking),
                is_usual=endpoint == usual,
            )
            for endpoint, asking in agents.items()
            if asking
        ]

    @property
    def of_site(self) -> SiteModels | None:
        """What a site for several writers offers; None if the writer can use any model."""
        offer = self._book.offer
        return offer if isinstance(offer, SiteModels) else None

    def usual(self) -> str | None:
        """Return which model is used if none is chosen, and where it is asked.

        That is the one that the environment names, or the site's; None if there is none.
        """
        endpoint = self._book.usual()
        return None if endpoint is None else called(endpoint)

    def embedded(self) -> Endpoint:
        """Return the embedded model, whether or not it is in use; start nothing."""
        return self._book.embedded()

    def embedded_label(self) -> str:
        """Return the name of the embedded model, whether or not it is in use."""
        return _label(self._book.embedded())

    def test_connection(self, endpoint: Endpoint | None = None) -> ConnectionReport:
        """Ask a model for a word and for an object, and report the results."""
        return self._gateway.test_connection(endpoint or self._book.current())

    def premise_limit(self, premise: str) -> int:
        """Return how many characters of a premise the present models can read."""
        return characters_that_fit(premise, founding_window(self._book.current))


def _label(endpoint: Endpoint) -> str:
    return endpoint.name if endpoint.base_url == EMBEDDED_URL else endpoint.model
