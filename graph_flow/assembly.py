"""Putting the parts together, for the app and for the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_data_path

from graph_flow.llm.exchange import Pause
from graph_flow.llm.gateway import Gateway, wait_or_stop
from graph_flow.llm.transport.embedded import EmbeddedModel
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.checkpoints import open_checkpoints
from graph_flow.machine.runner import Runner, is_alive, this_process
from graph_flow.workbench.library import MODEL_SETTINGS
from graph_flow.workbench.service import Parts
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import Dialect, Endpoint, ModelSettings
from store.open import Store
from store.records.runs import Owners


def library_path() -> Path:
    """Return where the library is: `TELLWRIGHT_LIBRARY`, or the user's data folder."""
    chosen = os.environ.get("FABULA_LIBRARY", "").strip()
    if chosen:
        return Path(chosen).expanduser()
    return user_data_path("fabula", appauthor=False) / "library.db"


def assemble(
    library: Path | None = None,
    lookup_key: Callable[[str], str | None] | None = None,
    pause: Pause = wait_or_stop,
) -> Workbench:
    """Return a workbench on a library.

    `lookup_key` finds the value of a named variable (a key, say); by default in the environment.
    `pause` waits before a call to a model is tried again.

    Raises:
        StoreError: if the library cannot be opened.
    """
    path = library or library_path()
    store = Store.open(path, Owners(this_process(), is_alive))

    def settings() -> ModelSettings:
        return store.library.read_setting(MODEL_SETTINGS, ModelSettings) or ModelSettings()

    def keep_dialect(endpoint: Endpoint, dialect: Dialect) -> None:
        stored = settings().endpoint
        if stored and (stored.base_url, stored.model) == (endpoint.base_url, endpoint.model):
            known = stored.model_copy(update={"dialect": dialect})
            store.library.write_setting(
                MODEL_SETTINGS, settings().model_copy(update={"endpoint": known})
            )

    book = EndpointBook(settings, lookup_key or os.environ.get, EmbeddedModel)
    gateway = Gateway(book, store.runs, on_dialect=keep_dialect, pause=pause)
    runner = Runner(store, gateway, open_checkpoints(path))
    return Workbench(Parts(store, gateway, book, runner))
