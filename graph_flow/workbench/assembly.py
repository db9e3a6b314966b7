"""Assemble the workbench, for the app and for the command line."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver
from platformdirs import user_data_path

from graph_flow.llm.exchange import Capacity, Ledger, Pause
from graph_flow.llm.gateway import Gateway, wait_or_stop
from graph_flow.llm.transport.embedded import EmbeddedModel
from graph_flow.llm.transport.endpoints import EndpointBook, LocalFile, LocalModel, with_dialect
from graph_flow.llm.transport.offer import Offer, OwnModels
from graph_flow.machine.checkpoints import checkpoints_path, copy_checkpoints, open_checkpoints
from graph_flow.machine.memory import keep_together
from graph_flow.machine.owner import is_alive, this_process
from graph_flow.machine.runner import Runner
from graph_flow.workbench.models import MODEL_SETTINGS
from graph_flow.workbench.upkeep.files import FormerLibrary
from graph_flow.workbench.workbench import Workbench
from store.errors import LibraryUnavailable, StoreError
from store.models.endpoint import Dialect, Endpoint, ModelSettings
from store.open import Store
from store.records.calls import CallRecords
from store.records.runs import Owners
from store.upkeep.restoring import restore

_log = logging.getLogger(__name__)


def library_path() -> Path:
    """Return where the library is: `TELLWRIGHT_LIBRARY`, or the user's data folder."""
    return _chosen_library() or user_data_path("tellwright", appauthor=False) / "library.db"


def former_library_path() -> Path:
    """Return where the library was when the app was called Fabula."""
    chosen = os.environ.get("FABULA_LIBRARY", "").strip()
    folder = user_data_path("fabula", appauthor=False)
    return Path(chosen).expanduser() if chosen else folder / "library.db"


def _chosen_library() -> Path | None:
    chosen = os.environ.get("TELLWRIGHT_LIBRARY", "").strip()
    return Path(chosen).expanduser() if chosen else None


embedded_model: Callable[[LocalFile | None], LocalModel] = EmbeddedModel
"""Makes the embedded model, or the one in a file."""


def own_ledger(calls: CallRecords) -> Ledger:
    """Return the ledger of a library that is kept nowhere else."""
    return calls


@dataclass(frozen=True)
class Terms:
    """On what terms a library is opened: which models there are, and how much of everything.

    `is_alive` says whether a process that worked on a run may still be at work, and `ledger_of` gives
    the ledger of a library whose calls are kept elsewhere, too.
    """

    offer: Offer
    make_local: Callable[[LocalFile | None], LocalModel] = embedded_model
    capacity: Capacity = field(default_factory=Capacity)
    most_stories: int | None = None
    is_alive: Callable[[str], bool] = is_alive
    ledger_of: Callable[[CallRecords], Ledger] = own_ledger


def assemble(
    library: Path | None = None, terms: Terms | None = None, pause: Pause = wait_or_stop
) -> Workbench:
    """Return a workbench for a library.

    By default it is for somebody alone on their machine, with any model they like, and keys from the
    environment. `pause` waits before a call to a model is retried, or a write to a library that cannot
    be written.

    Raises:
        StoreError: if the library cannot be opened.
    """
    keep_together()
    path = library or library_path()
    terms = terms or Terms(OwnModels(os.environ.get))
    store = Store.open(path, Owners(this_process(), terms.is_alive), terms.most_stories)

    def settings() -> ModelSettings:
        return store.library.read_setting(MODEL_SETTINGS, ModelSettings) or ModelSettings()

    def keep_dialect(endpoint: Endpoint, dialect: Dialect) -> None:
        known = settings()
        if with_dialect(known, endpoint, dialect) == known:
            return
        try:
            store.library.change_setting(
                MODEL_SETTINGS, known, lambda now: with_dialect(now, endpoint, dialect)
            )
        except LibraryUnavailable as problem:  # the gateway knows it, and finds it out again
            _log.warning("how to ask %s was not kept: %s", endpoint.name, problem)

    book = EndpointBook(settings, terms.offer, terms.make_local)
    ledger = terms.ledger_of(store.calls)
    gateway = Gateway(book, ledger, on_dialect=keep_dialect, pause=pause, capacity=terms.capacity)
    saver = open_checkpoints(path)
    runner = Runner(store, gateway, saver, pause)
    former = None if library or _chosen_library() else _former_library(store, saver)
    workbench = Workbench(store, gateway, book, runner, former)
    with suppress(StoreError):  # Settings says that they cannot be read
        workbench.models.forget_keys()
    return workbench


def restore_library(backup: Path, library: Path | None = None) -> Path | None:
    """Put a backup in the place of a library; return where the present one is set aside.

    Whoever has the library open closes it before; checkpoints are set aside too.

    Raises:
        LibraryInUse: if a program has the library open. Nothing is changed then.
        StoreError: if the backup cannot take its place. The library is there, old or new.
    """
    path = library or library_path()
    return restore(path, backup, [checkpoints_path(path)])


def _former_library(store: Store, saver: SqliteSaver) -> FormerLibrary:
    path = former_library_path()

    def take_over() -> None:
        copy_checkpoints(
            saver, path
        )  # the library comes last: once copied, it counts as taken over
        store.database.replace_with(path)

    return FormerLibrary(path, take_over)
