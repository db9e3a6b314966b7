"""Which endpoint each agent asks, and the key that goes with it."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from graph_flow.llm.errors import EndpointUnreachable, KeyMissing, KeyRefused
from store.models.endpoint import EMBEDDED, Dialect, Endpoint, ModelSettings

NO_KEY = "no-key"
"""Sent where an endpoint needs none: the client wants something, and the environment's is secret."""

EMBEDDED_URL = "embedded://model"
"""Stands for the address of the embedded server, which is given when it starts."""

REDACTED = "[key]"
_SHORTEST_SECRET = 12


@dataclass(frozen=True)
class Connection:
    """An endpoint with the key for it; the key is in no `repr`."""

    endpoint: Endpoint
    key: str = field(repr=False)
    is_embedded: bool = False

    def redact(self, text: str) -> str:
        """Return a text without the key, should an endpoint have echoed it."""
        if len(self.key) < _SHORTEST_SECRET:
            return text
        return text.replace(self.key, REDACTED)


class LocalModel(Protocol):
    """A model server of our own."""

    def ensure(self) -> Connection:
        """Return the way to the server; start it where it is not running."""

    def revive(self, failed: Connection) -> None:
        """Restart the server that this connection led to, if nobody has done so since."""

    def stop(self) -> None:
        """Stop the server."""


ReadVariable = Callable[[str], str | None]
"""Looks a variable up by name, in the environment or in Streamlit's secrets."""


def embedded_endpoint(model_file: Path | None = None) -> Endpoint:
    """Return what is known of the embedded model before its server runs."""
    return Endpoint(
        name="Sample model, offline" if model_file is None else model_file.stem[:80],
        base_url=EMBEDDED_URL,
        model="SmolLM2-135M-Instruct" if model_file is None else model_file.stem[:80],
        context_window=4096,
        concurrency=3,
        timeout=120,
        dialect=Dialect.FULL,
    )


class EndpointBook:
    """Say which endpoint an agent asks now, and open the way to it.

    An agent asks the endpoint that the writer gave it. For all others the writer's settings come
    first; then the environment, but only where `TELLWRIGHT_MODEL` is set, so that a key that lies about
    never leads to a bill; else the embedded model. Settings are read anew at each call, for they can
    change while the app runs.
    """

    def __init__(
        self,
        settings: Callable[[], ModelSettings],
        read_variable: ReadVariable,
        make_local: Callable[[Path | None], LocalModel],
    ) -> None:
        self._settings = settings
        self._read = read_variable
        self._make_local = make_local
        self._lock = threading.Lock()
        self._local: tuple[Path | None, LocalModel] | None = None

    def current(self, agent: str = "") -> Endpoint:
        """Return the endpoint that an agent asks; nothing is started for it.

        With no name it is the one of all agents that the writer gave no other.
        """
        return self._given(self._settings(), agent)

    def current_of(
        self, agents: Iterable[str], settings: ModelSettings | None = None
    ) -> dict[str, Endpoint]:
        """Return the endpoint that each of some agents asks; nothing is started for them.

        With no name it is the one of all agents that the writer gave no other. `settings` are
        those in force, where they were read already.
        """
        settings = settings or self._settings()
        return {agent: self._given(settings, agent) for agent in agents}

    def embedded(self) -> Endpoint:
        """Return the embedded model, whoever asks it; nothing is started for it."""
        return embedded_endpoint(_file(self._settings()))

    def connect(self, endpoint: Endpoint | None = None) -> Connection:
        """Return the way to an endpoint, by default the app's; start the embedded server.

        Raises:
            KeyMissing: if the endpoint's key variable is not set.
            KeyRefused: if the key cannot be one.
            EndpointUnreachable: if the address is none.
            EmbeddedModelUnavailable: if the embedded server does not start.
        """
        endpoint = endpoint or self.current()
        if endpoint.base_url == EMBEDDED_URL:
            return self._embedded().ensure()
        address = tidy_address(endpoint.base_url)
        if not address.startswith(("http://", "https://")):
            raise EndpointUnreachable(
                f"The address of {endpoint.name} has to begin with http:// or https://. "
                "Correct it in Settings."
            )
        return Connection(endpoint.model_copy(update={"base_url": address}), self._key(endpoint))

    def revive(self, failed: Connection) -> None:
        """Restart the embedded server that a connection led to."""
        self._embedded().revive(failed)

    def close(self) -> None:
        """Stop the embedded server, if one runs."""
        with self._lock:
            if self._local is not None:
                self._local[1].stop()
                self._local = None

    def _given(self, settings: ModelSettings, agent: str) -> Endpoint:
        name = settings.agents.get(agent, "")
        if name == EMBEDDED:
            return embedded_endpoint(_file(settings))
        own = settings.other(name) or settings.endpoint or self._from_environment()
        return own or embedded_endpoint(_file(settings))

    def _from_environment(self) -> Endpoint | None:
        model = (self._read("TELLWRIGHT_MODEL") or "").strip()
        if not model:
            return None
        address = (self._read("OPENAI_BASE_URL") or "").strip() or OPENAI_URL
        needs_key = address == OPENAI_URL or bool(self._read("OPENAI_API_KEY"))
        return Endpoint(
            name=model[:80],
            base_url=address,
            model=model,
            key_variable="OPENAI_API_KEY" if needs_key else None,
        )

    def _key(self, endpoint: Endpoint) -> str:
        if endpoint.key_variable is None:
            return NO_KEY
        key = (self._read(endpoint.key_variable) or "").strip()
        if not key:
            raise KeyMissing(
                f"{endpoint.name} needs a key, but the variable {endpoint.key_variable} "
                "holds none. Set it and start Tellwright again, or choose another model in Settings."
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise KeyRefused(
                f"What the variable {endpoint.key_variable} holds cannot be a key: "
                "it has spaces or letters that no key has. Copy the key again."
            )
        return key

    def _embedded(self) -> LocalModel:
        """Return the embedded model for the file that the settings name."""
        wanted = _file(self._settings())
        with self._lock:
            if self._local is not None and self._local[0] != wanted:
                self._local[1].stop()
                self._local = None
            if self._local is None:
                self._local = (wanted, self._make_local(wanted))
            return self._local[1]


def _file(settings: ModelSettings) -> Path | None:
    return Path(settings.model_file).expanduser() if settings.model_file.strip() else None


def with_dialect(settings: ModelSettings, found: Endpoint, dialect: Dialect) -> ModelSettings:
    """Return settings that remember the dialect of an endpoint, wherever they have it."""

    def learnt(one: Endpoint) -> Endpoint:
        is_it = (tidy_address(one.base_url), one.model) == (found.base_url, found.model)
        return one.model_copy(update={"dialect": dialect}) if is_it else one

    changes = {
        "endpoint": settings.endpoint and learnt(settings.endpoint),
        "others": tuple(map(learnt, settings.others)),
    }
    return settings.model_copy(update=changes)


OPENAI_URL = "https://api.openai.com/v1"


def tidy_address(base_url: str) -> str:
    """Return an address as the client wants it, also if the writer pasted a longer one."""
    trimmed = base_url.strip().rstrip("/")
    return trimmed.removesuffix("/chat/completions").removesuffix("/completions").rstrip("/")


def is_own_network(base_url: str) -> bool:
    """Return whether an address is on this machine or in a private network."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host  # a bare name is one of a container's or of the local network
    return address.is_loopback or address.is_private or address.is_link_local


def is_openai(base_url: str) -> bool:
    """Return whether an address is OpenAI's own."""
    host = urlsplit(base_url).hostname or ""
    return host == "openai.com" or host.endswith((".openai.com", ".openai.azure.com"))
