"""Keys that were given where the name or the address of a model belongs are found, and not used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from graph_flow.llm.transport.keys import address_holds_key, holds_secret, looks_like_key
from store.models.endpoint import Endpoint, ModelSettings

HIDDEN = "a key instead of a name"
"""Stands where a key was given for the name or the address of a model."""


class KeyGuard:
    """Know a key by how it looks, and by the variables in which models have theirs."""

    def __init__(
        self,
        settings: Callable[[], ModelSettings],
        secrets: Callable[[Iterable[str]], frozenset[str]],
    ) -> None:
        self._settings = settings
        self._known = secrets

    def holds_key(self, text: str, *variables: str) -> bool:
        """Return whether a text that was typed for a name holds a key.

        It is one of a known service, a long random one, or what a variable holds in which a model has
        its key; `variables` are further ones.
        """
        return looks_like_key(text) or self._holds_secret(text, variables)

    def address_holds_key(self, address: str, *variables: str) -> bool:
        """Return whether a text that was typed for an address holds a key, as `holds_key`."""
        return address_holds_key(address) or self._holds_secret(address, variables)

    def is_key_in(self, endpoint: Endpoint) -> bool:
        """Return whether a key stands for an endpoint's name, model or address."""
        variables = [endpoint.key_variable] if endpoint.key_variable else []
        secrets = self._secrets(self._settings(), variables)
        return _without_key(endpoint, secrets) != endpoint

    def without_key(
        self, endpoints: Mapping[str, Endpoint], settings: ModelSettings
    ) -> dict[str, Endpoint]:
        """Return endpoints with `HIDDEN` wherever a key stands; `settings` say which variables hold keys."""
        secrets = self._secrets(settings)
        return {name: _without_key(one, secrets) for name, one in endpoints.items()}

    def without_keys(self, settings: ModelSettings) -> ModelSettings:
        """Return settings with `HIDDEN` wherever a key stands for a name, a model or an address."""
        secrets = self._secrets(settings)
        others = _named_apart(_without_key(one, secrets) for one in settings.others)
        names = {old.name: new.name for old, new in zip(settings.others, others, strict=True)}
        changes = {
            "endpoint": settings.endpoint and _without_key(settings.endpoint, secrets),
            "others": others,
            "agents": {agent: names.get(name, name) for agent, name in settings.agents.items()},
        }
        return settings.model_copy(update=changes)

    def _holds_secret(self, text: str, variables: Iterable[str]) -> bool:
        return holds_secret(text, self._secrets(self._settings(), variables))

    def _secrets(self, settings: ModelSettings, variables: Iterable[str] = ()) -> frozenset[str]:
        """Return what the variables hold in which models have their keys."""
        endpoints = [*settings.others, *([settings.endpoint] if settings.endpoint else [])]
        names = {one.key_variable for one in endpoints if one.key_variable}
        return self._known({*names, *variables})


def _without_key(endpoint: Endpoint, secrets: Iterable[str]) -> Endpoint:
    """Return an endpoint with `HIDDEN` in place of what holds a key."""
    found = {
        "name": looks_like_key(endpoint.name),
        "model": looks_like_key(endpoint.model),
        "base_url": address_holds_key(endpoint.base_url),
    }
    hidden = {
        name: HIDDEN
        for name, is_key in found.items()
        if is_key or holds_secret(getattr(endpoint, name), secrets)
    }
    return endpoint.model_copy(update=hidden) if hidden else endpoint


def _named_apart(others: Iterable[Endpoint]) -> tuple[Endpoint, ...]:
    """Return endpoints of which several may have lost their names, each with one of its own."""
    return tuple(
        one.model_copy(update={"name": f"{HIDDEN} {number}"}) if one.name == HIDDEN else one
        for number, one in enumerate(others, 1)
    )
