"""Which models there are to be had here, and where their keys come from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from graph_flow.llm.errors import KeyMissing, NotOffered
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
"""The variable that holds the key of the model that the environment names."""

EMBEDDED_URL = "embedded://model"
"""A placeholder for the embedded server's address, which is known only once it has started."""

ReadVariable = Callable[[str], str | None]
"""Looks up a variable by name, in the environment or in Streamlit's secrets."""


def tidy_address(base_url: str) -> str:
    """Return an address as the client needs it, even if the writer pasted a longer one."""
    trimmed = base_url.strip().rstrip("/")
    return trimmed.removesuffix("/chat/completions").removesuffix("/completions").rstrip("/")


class Offer(Protocol):
    """The models that a writer can use, and the keys that go with them."""

    def usual(self) -> Endpoint | None:
        """Return the model of whoever has chosen none; None: the embedded one."""

    def admitted(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint of the writer's settings as it is to be called.

        Raises:
            ModelError: if it cannot be used here.
        """

    def key(self, endpoint: Endpoint) -> str:
        """Return the key for an endpoint; empty if it needs none.

        Raises:
            KeyMissing: if it needs one that is not there.
        """

    def of_file(self, settings: ModelSettings) -> str:
        """Return the path of the model file that the embedded server is to run; empty: its own."""

    def secrets(self, variables: Iterable[str]) -> frozenset[str]:
        """Return the keys that are known here; some are in the given variables."""


class OwnModels:
    """Any model that the writer, who is alone on their machine, names; keys are in variables.

    The usual one is that of the environment, only if `TELLWRIGHT_MODEL` is set: a key that happens to
    be there must never run up a bill.
    """

    def __init__(self, read_variable: ReadVariable) -> None:
        self._read = read_variable

    def usual(self) -> Endpoint | None:
        """Return the endpoint that the environment names; None if it names none."""
        model = (self._read("TELLWRIGHT_MODEL") or "").strip()
        if not model:
            return None
        address = (self._read("OPENAI_BASE_URL") or "").strip() or OPENAI_URL
        needs_key = address == OPENAI_URL or bool(self._read(OPENAI_KEY))
        return Endpoint(
            name=model[:80],
            base_url=address[:500],
            model=model[:400],
            key_variable=OPENAI_KEY if needs_key else None,
            strength=self._strength(),
        )

    def admitted(self, endpoint: Endpoint) -> Endpoint:
        """Return the endpoint."""
        return endpoint

    def key(self, endpoint: Endpoint) -> str:
        """Return what the endpoint's variable holds; empty if it needs no key.

        Raises:
            KeyMissing: if the variable is not set.
        """
        if endpoint.key_variable is None:
            return ""
        key = (self._read(endpoint.key_variable) or "").strip()
        if not key:
            raise KeyMissing(
                f"{endpoint.name} needs a key, but the variable {endpoint.key_variable} "
                "is not set. Set it and restart Tellwright, or choose another model in Settings."
            )
        return key

    def of_file(self, settings: ModelSettings) -> str:
        """Return the path in the settings."""
        return settings.model_file

    def secrets(self, variables: Iterable[str]) -> frozenset[str]:
        """Return what these variables hold, and the one of the environment's model."""
        return _without_blanks(self._read(name) for name in {OPENAI_KEY, *variables})

    def _strength(self) -> ModelStrength:
        """Return the strength that the environment gives its model; able if it says nothing known."""
        said = (self._read("TELLWRIGHT_STRENGTH") or "").strip().casefold()
        return ModelStrength.SMALL if said == ModelStrength.SMALL else ModelStrength.ABLE


class KeyRing:
    """Keys that a writer has given, by the address they are for: in memory, never in a file."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"KeyRing({len(self._keys)})"

    def keep(self, address: str, key: str) -> None:
        """Keep the key for an address; an empty one is forgotten."""
        with self._lock:
            if key.strip():
                self._keys[tidy_address(address)] = key.strip()
            else:
                self._keys.pop(tidy_address(address), None)

    def has(self, address: str) -> bool:
        """Return whether there is a key for an address."""
        return bool(self.find(address))

    def all(self) -> tuple[str, ...]:
        """Return all keys."""
        with self._lock:
            return tuple(self._keys.values())

    def find(self, address: str) -> str:
        """Return the key for an address; empty if there is none."""
        with self._lock:
            return self._keys.get(tidy_address(address), "")


@dataclass(frozen=True)
class SiteModels:
    """What a site for several writers offers: its own models, and places to use a key of one's own.

    A writer names no variable, no file and no address: with them they could have the site's keys sent
    to themselves, look around on its disk, or reach into its network.
    """

    models: tuple[Endpoint, ...]
    """The site's own; the first is the usual one."""
    addresses: tuple[str, ...]
    """Where a writer may use a key of their own."""
    has_sample: bool
    """Whether there is the embedded model."""
    read_variable: ReadVariable
    keys: KeyRing

    def usual(self) -> Endpoint | None:
        """Return the site's first model, if it has any."""
        return self.models[0] if self.models else None

    def of_site(self, endpoint: Endpoint) -> Endpoint | None:
        """Return the site's own model that an endpoint names, as the site has set it up."""
        named = (endpoint.name, endpoint.base_url, endpoint.model)
        found = (one for one in self.models if (one.name, one.base_url, one.model) == named)
        return next(found, None)

    def admitted(self, endpoint: Endpoint) -> Endpoint:
        """Return one of the site's models as the site has set it up, or one with the writer's key.

        Raises:
            NotOffered: if it is neither.
        """
        if endpoint.base_url == EMBEDDED_URL:
            if self.has_sample:
                return endpoint
            raise NotOffered("This site has no sample model. Choose another model in Settings.")
        if own := self.of_site(endpoint):
            return own
        if tidy_address(endpoint.base_url) in map(tidy_address, self.addresses):
            return endpoint.model_copy(update={"key_variable": None})
        raise NotOffered(
            f"{endpoint.name} cannot be used on this site. Choose another model in Settings."
        )

    def key(self, endpoint: Endpoint) -> str:
        """Return the site's key for one of its models, else the writer's for the address.

        Raises:
            KeyMissing: if it is not there.
        """
        if own := self.of_site(endpoint):
            if own.key_variable is None:
                return ""
            if key := (self.read_variable(own.key_variable) or "").strip():
                return key
            raise KeyMissing(
                f"This site has lost its key for {own.name}. Please tell whoever runs it."
            )
        if key := self.keys.find(endpoint.base_url):
            return key
        raise KeyMissing(
            f"{endpoint.name} needs your key. This site keeps keys in memory only, and forgets them when "
            "it is restarted: give it again in Settings, then continue."
        )

    def of_file(self, settings: ModelSettings) -> str:  # noqa: ARG002 - a site runs no writer's files
        """Return no path."""
        return ""

    def secrets(self, variables: Iterable[str]) -> frozenset[str]:  # noqa: ARG002 - writers name none
        """Return the keys of the site's models, and those that the writer has given."""
        names = {one.key_variable for one in self.models if one.key_variable}
        return _without_blanks((*map(self.read_variable, names), *self.keys.all()))


def _without_blanks(values: Iterable[str | None]) -> frozenset[str]:
    return frozenset(value.strip() for value in values if value and value.strip())
