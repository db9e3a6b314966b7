"""A site: it opens a library for each writer who has signed in, and closes it when nobody uses it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from graph_flow.errors import NotSignedIn
from graph_flow.llm.exchange import Capacity
from graph_flow.llm.transport.endpoints import Connection, LocalFile, LocalModel
from graph_flow.llm.transport.offer import KeyRing, ReadVariable, SiteModels
from graph_flow.llm.transport.pump import SlotBook
from graph_flow.workbench.assembly import Terms, assemble, embedded_model, restore_library
from graph_flow.workbench.workbench import Workbench
from pages.serving.quotas import Quota, today
from pages.serving.settings import SiteFile, read_site
from store.errors import StoreError
from store.hosting.records import AuditEvent, AuditLine, Identity, LibraryState, Use, Writer
from store.hosting.registry import Registry

_log = logging.getLogger(__name__)
audit_log = logging.getLogger("tellwright.audit")

WRITERS = "writers"
"""The folder with a folder for each writer."""
LIBRARY = "library.db"

IDLE = 600.0
"""Seconds after which a library is closed that no window shows and no run works on."""
_LEAST_OPEN = 5.0
"""Seconds for which a library stays open, so that nobody's window finds it closed again at once."""

NOT_WELCOME = (
    "Your account may not use this site. Ask whoever runs it to add the address "
    "with which you signed in."
)
_UNSEEN = "a library could not be looked at: %s"
SHUT_OUT = "Whoever runs this site has closed it to you. Your stories are kept."


class _Shared:
    """The one embedded model of a site: no writer's workbench stops it for the others."""

    def __init__(self, model: LocalModel) -> None:
        self._model = model

    def ensure(self) -> Connection:
        """Return a connection to the server, starting it if it is not running."""
        return self._model.ensure()

    def revive(self, failed: Connection) -> None:
        """Restart the server behind a failed connection."""
        self._model.revive(failed)

    def stop(self) -> None:
        """Leave it running."""


@dataclass
class _Open:
    """A library that is open, and when it was last asked for."""

    workbench: Workbench
    asked: float = field(default_factory=time.monotonic)


class Site:
    """A folder with a library for each writer. Thread-safe; several processes can share the folder.

    Raises:
        SiteUnusable: if the settings are missing or wrong.
        StoreError: if the registry cannot be opened.
    """

    def __init__(
        self,
        folder: Path,
        read_variable: ReadVariable,
        make_local: Callable[[LocalFile | None], LocalModel] = embedded_model,
    ) -> None:
        self.folder = folder
        self._file: SiteFile = read_site(folder)
        self._read = read_variable
        self._registry = Registry(folder)
        self._local = make_local(None)
        self._slots = SlotBook()
        self._keys: dict[str, KeyRing] = {}
        self._open: dict[str, _Open] = {}
        self._lock = threading.Lock()
        self._opening: dict[str, threading.Lock] = {}

    @property
    def name(self) -> str:
        """What the site is called."""
        return self._file.site.name

    def sign_in(self, identity: Identity, ticket: str) -> Writer:
        """Return the writer that somebody is; note it if they have just signed in.

        `ticket` is the same for all visits of one sign-in.

        Raises:
            NotSignedIn: if they may not be here.
        """
        if not self._file.site.welcomes(identity):
            self.note(AuditEvent.REFUSED, identity.writer)
            raise NotSignedIn(NOT_WELCOME)
        writer, is_new = self._registry.arrived(identity, ticket)
        if writer.is_shut_out:
            if is_new:
                self.note(AuditEvent.REFUSED, writer.id)
            raise NotSignedIn(SHUT_OUT)
        if is_new:
            self.note(AuditEvent.SIGN_IN, writer.id)
        return writer

    def is_admin(self, writer: Writer) -> bool:
        """Return whether somebody looks after the site."""
        said = Identity(issuer=writer.issuer, subject=writer.subject, email=writer.email)
        return self._file.site.is_admin(said)

    def note(self, event: AuditEvent, writer: str, about: str = "") -> None:
        """Write an audit line, into the registry and into the log."""
        line = self._registry.note(event, writer, about)
        fields = {"event": line.event.value, "writer": line.writer, "about": line.about}
        audit_log.info(line.event.value, extra={"fields": fields})

    def workbench_of(self, writer: str) -> Workbench:
        """Return the workbench for a writer's own library, opened if it is not.

        Raises:
            StoreError: if it cannot be opened.
        """
        with self._lock:
            opening = self._opening.setdefault(writer, threading.Lock())
        with opening:  # a library that takes long to open keeps nobody else waiting
            with self._lock:
                found = self._open.get(writer)
                if found is not None and not found.workbench.is_closed:
                    found.asked = time.monotonic()
                    return found.workbench
            made = assemble(self._library_of(writer), self._terms(writer))
            with self._lock:
                self._open[writer] = _Open(made)
            return made

    def restore(self, writer: str, backup: Path) -> Path | None:
        """Put a backup in the place of a writer's library; return where the present one is set aside.

        Raises:
            WorkbenchError: if it is at work.
            StoreError: if the backup cannot take its place.
        """
        present = self.workbench_of(writer)
        present.check_at_rest()
        with self._lock:
            self._open.pop(writer, None)
        present.close()
        self.note(AuditEvent.RESTORE, writer)
        return restore_library(backup, self._library_of(writer))

    def keep_safe(self, shown: Collection[str]) -> None:
        """Look after the open libraries, and close those that nobody uses.

        `shown` are the writers who have a window open.
        """
        for writer, found in self._all_open():
            found.workbench.keep_safe()
            self._keep_state(writer, found.workbench)
            if writer not in shown:
                self._close_idle(writer, IDLE)

    def _close_idle(self, writer: str, seconds: float) -> bool:
        """Close a library that was not asked for lately and in which nothing is at work."""
        with self._lock:
            found = self._open.get(writer)
            if found is None or time.monotonic() - found.asked < max(seconds, _LEAST_OPEN):
                return False
            if found.workbench.is_at_work:
                return False
            del self._open[writer]
        found.workbench.close()
        return True

    # What whoever looks after the site sees and does

    def writers(self) -> list[Writer]:
        """Return all writers, whoever was seen last first."""
        return self._registry.writers()

    def states(self) -> Mapping[str, LibraryState]:
        """Return how each library is, or was when the site last looked, by the writer's id."""
        for writer, found in self._all_open():
            self._keep_state(writer, found.workbench)
        return self._registry.states()

    def used_today(self, writer: str) -> Use:
        """Return what a writer has used today."""
        return self._registry.use(writer, today(), today())

    def used_this_month(self, writer: str) -> Use:
        """Return what a writer has used this month."""
        return self._registry.use(writer, today().replace(day=1), today())

    def audit(self, limit: int = 200) -> list[AuditLine]:
        """Return the newest audit lines, the newest first."""
        return self._registry.audit(limit)

    def shut_out(self, writer: str, is_shut_out: bool) -> None:
        """Refuse a writer from now on, and end their runs here; or let them in again."""
        self._registry.shut_out(writer, is_shut_out)
        self.note(AuditEvent.SHUT_OUT if is_shut_out else AuditEvent.LET_IN, writer)
        with self._lock:
            found = self._open.pop(writer, None) if is_shut_out else None
        if found is not None:
            found.workbench.close()

    @property
    def open_libraries(self) -> int:
        """How many libraries are open in this process."""
        with self._lock:
            return len(self._open)

    @property
    def settings(self) -> SiteFile:
        """The settings of the site."""
        return self._file

    def close(self) -> None:
        """Stop all runs and the embedded model, and close all libraries."""
        for _writer, found in self._all_open():
            found.workbench.close()
        self._local.stop()

    def _all_open(self) -> list[tuple[str, _Open]]:
        with self._lock:
            return list(self._open.items())

    def _keep_state(self, writer: str, workbench: Workbench) -> None:
        path = self._library_of(writer)
        try:
            found = workbench.health.all().values()
            backups = workbench.backups.all()
            state = LibraryState(
                looked=datetime.now().astimezone(),
                size=path.stat().st_size,
                stories=len(workbench.library.stories()),
                is_sound=all(one.is_sound for one in found) if found else None,
                backed_up=backups[0].made if backups else None,
            )
            self._registry.keep_state(writer, state)
        except (OSError, StoreError) as problem:
            _log.warning(_UNSEEN, type(problem).__name__)

    def _library_of(self, writer: str) -> Path:
        return self.folder / WRITERS / writer / LIBRARY

    def _terms(self, writer: str) -> Terms:
        site = self._file.site
        with self._lock:
            keys = self._keys.setdefault(writer, KeyRing())
        models = SiteModels(
            self._file.models, site.own_keys_at, site.sample_model, self._read, keys
        )
        return Terms(
            offer=models,
            make_local=lambda _file: _Shared(self._local),
            capacity=Capacity(Quota(self._registry, site, models, writer), self._slots),
            most_stories=site.stories,
        )
