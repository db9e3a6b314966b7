"""Which endpoint is in use, and the key that goes with it."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from graph_flow.llm.errors import EndpointUnreachable, KeyMissing, KeyRefused
from store.models.endpoint import Dialect, Endpoint, ModelSettings

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
    """Say which endpoint is in use now, and open the way to it.

    The writer's settings come first; then the environment, but only where `TELLWRIGHT_MODEL` is
    set, so that a key that lies about never leads to a bill; else the embedded model. Settings
    are read anew at each call, for they can change while the app runs.
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

    def current(self) -> Endpoint:
        """Return the endpoint in use; nothing is started for it."""
        settings = self._settings()
        if settings.endpoint is not None:
            return settings.endpoint
        return self._from_environment() or embedded_endpoint(_file(settings))

    def connect(self, endpoint: Endpoint | None = None) -> Connection:
        """Return the way to an endpoint, by default the one in use; start the embedded server.

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
