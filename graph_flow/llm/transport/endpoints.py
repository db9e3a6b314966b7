"""Which endpoint each agent uses, and the key that goes with it."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from graph_flow.llm.errors import EndpointUnreachable, KeyGiven, KeyRefused
from graph_flow.llm.transport.key_guard import HIDDEN, KeyGuard
from graph_flow.llm.transport.keys import SHORTEST_SECRET
from graph_flow.llm.transport.offer import EMBEDDED_URL, Offer, tidy_address
from store.models.endpoint import EMBEDDED, Dialect, Endpoint, ModelSettings, ModelStrength

NO_KEY = "no-key"
"""Sent if an endpoint needs no key: otherwise the client would take one from the environment."""

REDACTED = "[key]"


@dataclass(frozen=True)
class Connection:
    """An endpoint and its key, which is left out of `repr`."""

    endpoint: Endpoint
    key: str = field(repr=False)
    is_embedded: bool = False

    def redact(self, text: str) -> str:
        """Return a text without the key, in case an endpoint has echoed it."""
        if len(self.key) < SHORTEST_SECRET:
            return text
        return text.replace(self.key, REDACTED)


class LocalModel(Protocol):
    """A model server of our own."""

    def ensure(self) -> Connection:
        """Return a connection to the server, starting it if it is not running."""

    def revive(self, failed: Connection) -> None:
        """Restart the server behind a failed connection, unless it has been restarted since."""

    def stop(self) -> None:
        """Stop the server."""


@dataclass(frozen=True)
class LocalFile:
    """A model file that the embedded server runs."""

    path: Path
    strength: ModelStrength = ModelStrength.SMALL


def embedded_endpoint(file: LocalFile | None = None) -> Endpoint:
    """Return the embedded model, or the one in a file, as an endpoint, before its server runs.

    In the same memory, an able one reads more at once and a small one answers more calls at a time.
    """
    is_able = file is not None and file.strength is ModelStrength.ABLE
    return Endpoint(
        name="Sample model, offline" if file is None else file.path.stem[:80],
        base_url=EMBEDDED_URL,
        model="SmolLM2-135M-Instruct" if file is None else file.path.stem[:80],
        context_window=12_288 if is_able else 4096,
        concurrency=1 if is_able else 3,
        timeout=120,
        dialect=Dialect.FULL,
        strength=ModelStrength.ABLE if is_able else ModelStrength.SMALL,
    )


class EndpointBook:
    """Look up the endpoint that an agent uses, and connect to it.

    An agent uses the endpoint that the writer chose for it. All others use what is chosen in the
    writer's settings, or else the usual one of what is on offer here, or else the embedded model.
    Settings are read again at each call, since they can change while the app runs.
    """

    def __init__(
        self,
        settings: Callable[[], ModelSettings],
        offer: Offer,
        make_local: Callable[[LocalFile | None], LocalModel],
    ) -> None:
        self.keys = KeyGuard(settings, offer.secrets)
        self._settings = settings
        self.offer = offer
        self._make_local = make_local
        self._lock = threading.Lock()
        self._local: tuple[LocalFile | None, LocalModel] | None = None

    def current(self, agent: str = "") -> Endpoint:
        """Return the endpoint that an agent uses; start nothing.

        Without a name, return the default endpoint.
        """
        return self.current_of([agent])[agent]

    def current_of(
        self, agents: Iterable[str], settings: ModelSettings | None = None
    ) -> dict[str, Endpoint]:
        """Return the endpoint that each of these agents uses; start nothing.

        An empty name stands for all agents without an endpoint of their own. `settings` are the
        ones in force, if they have been read already.
        """
        settings = settings or self._settings()
        usual = cache(self.offer.usual)  # looking it up may read files
        given = {agent: self._given(settings, agent, usual) for agent in agents}
        return self.keys.without_key(given, settings)

    def embedded(self) -> Endpoint:
        """Return the embedded model, whether or not any agent uses it; start nothing."""
        return embedded_endpoint(self._file(self._settings()))

    def connect(self, endpoint: Endpoint | None = None) -> Connection:
        """Return a connection to an endpoint (default: the app's); start the embedded server if needed.

        Raises:
            KeyGiven: if a key stands for the endpoint's name, model or address.
            KeyMissing: if the endpoint needs a key that is not there.
            KeyRefused: if what is there cannot be a key.
            EndpointUnreachable: if the address is not a web address.
            EmbeddedModelUnavailable: if the embedded server does not start.
        """
        endpoint = endpoint or self.current()
        if self.keys.is_key_in(endpoint) or HIDDEN in (endpoint.model, endpoint.base_url):
            raise KeyGiven
        endpoint = self.offer.admitted(endpoint)
        if endpoint.base_url == EMBEDDED_URL:
            return self._embedded().ensure()
        address = tidy_address(endpoint.base_url)
        if not address.startswith(("http://", "https://")):
            raise EndpointUnreachable(
                f"The address of {endpoint.name} must begin with http:// or https://. "
                "Correct it in Settings."
            )
        return Connection(endpoint.model_copy(update={"base_url": address}), self._key(endpoint))

    def revive(self, failed: Connection) -> None:
        """Restart the embedded server behind a failed connection."""
        self._embedded().revive(failed)

    def close(self) -> None:
        """Stop the embedded server, if one is running."""
        with self._lock:
            if self._local is not None:
                self._local[1].stop()
                self._local = None

    def _given(
        self, settings: ModelSettings, agent: str, usual: Callable[[], Endpoint | None]
    ) -> Endpoint:
        name = settings.agents.get(agent, "")
        if name == EMBEDDED:
            return embedded_endpoint(self._file(settings))
        own = settings.other(name) or settings.endpoint
        if own is None and not settings.is_embedded:
            own = usual()
        return own or embedded_endpoint(self._file(settings))

    def usual(self) -> Endpoint | None:
        """Return the model of whoever has chosen none; None: the embedded one."""
        endpoint = self.offer.usual()
        return endpoint and self.keys.without_key({"": endpoint}, ModelSettings())[""]

    def _key(self, endpoint: Endpoint) -> str:
        key = self.offer.key(endpoint)
        if not (key.isascii() and key.isprintable()) or " " in key:
            where = (
                f"The variable {endpoint.key_variable}"
                if endpoint.key_variable
                else "What was given"
            )
            raise KeyRefused(
                f"{where} does not hold a key: "
                "it contains spaces or letters that no key has. Copy the key again."
            )
        return key or NO_KEY

    def _embedded(self) -> LocalModel:
        """Return the embedded model for the file named in the settings."""
        wanted = self._file(self._settings())
        with self._lock:
            if self._local is not None and self._local[0] != wanted:
                self._local[1].stop()
                self._local = None
            if self._local is None:
                self._local = (wanted, self._make_local(wanted))
            return self._local[1]

    def _file(self, settings: ModelSettings) -> LocalFile | None:
        path = self.offer.of_file(settings).strip()
        return LocalFile(Path(path).expanduser(), settings.file_strength) if path else None


def with_dialect(settings: ModelSettings, found: Endpoint, dialect: Dialect) -> ModelSettings:
    """Return the settings with an endpoint's dialect saved wherever that endpoint occurs."""

    def learned(one: Endpoint) -> Endpoint:
        is_it = (tidy_address(one.base_url), one.model) == (found.base_url, found.model)
        return one.model_copy(update={"dialect": dialect}) if is_it else one

    changes = {
        "endpoint": settings.endpoint and learned(settings.endpoint),
        "others": tuple(map(learned, settings.others)),
    }
    return settings.model_copy(update=changes)


def called(endpoint: Endpoint) -> str:
    """Return which model is asked, and where, in a writer's words."""
    if endpoint.base_url == EMBEDDED_URL:
        return f"{endpoint.name} (run by Tellwright itself)"
    return f"{endpoint.model} at {host_of(endpoint.base_url)}"


def host_of(base_url: str) -> str:
    """Return the computer and the port that an address names, and no password that stands before them."""
    return urlsplit(base_url).netloc.rpartition("@")[2]


def is_own_network(base_url: str) -> bool:
    """Return whether an address is on this machine or in a private network."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host  # a bare name: a container, or a machine on the local network
    return address.is_loopback or address.is_private or address.is_link_local


def is_openai(base_url: str) -> bool:
    """Return whether an address is OpenAI's own."""
    host = urlsplit(base_url).hostname or ""
    return host == "openai.com" or host.endswith((".openai.com", ".openai.azure.com"))
