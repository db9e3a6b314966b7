"""What the writer types about a model of their own, checked before it is kept. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from store.models.endpoint import Endpoint

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY_BEGINNINGS = (
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "hf_",
    "gsk_",
    "ghp_",
    "xai-",
    "aiza",
    "r8_",
    "nvapi-",
)
_SHORTEST_KEY = 20

THIS_IS_A_KEY = (
    "This looks like the key itself. Fabula never stores a key: put it into an environment variable, "
    "OPENAI_API_KEY for instance, and write the name of that variable here. The field was emptied "
    "and nothing was kept."
)


class FieldsRefused(Exception):
    """What was typed cannot be kept; the text is a sentence for the writer, without what was typed."""


class EndpointFields(NamedTuple):
    """The fields as typed."""

    base_url: str
    model: str
    key_variable: str = ""
    context_window: int = 32_768
    price_in: float = 0.0
    price_out: float = 0.0
    concurrency: int = 4
    timeout: float = 120.0


def looks_like_key(text: str) -> bool:
    """Return whether a text looks like a key itself and not like the name of a variable.

    Variables are named in words; a key is long, and mixes digits with letters of both cases or
    has no words at all.
    """
    text = text.strip()
    if text.casefold().startswith(_KEY_BEGINNINGS):
        return True
    if len(text) < _SHORTEST_KEY:
        return False
    has_digits = any(character.isdigit() for character in text)
    has_small = any(character.islower() for character in text)
    return (has_digits and (has_small or "_" not in text)) or not _NAME.fullmatch(text)


def endpoint_from(fields: EndpointFields, known: Endpoint | None) -> Endpoint:
    """Return the endpoint that the fields describe.

    What was found out about `known` stays where address and model are the same.

    Raises:
        FieldsRefused: if a field cannot be right.
        ValidationError: if a number is out of its range.
    """
    address, model = fields.base_url.strip(), fields.model.strip()
    _check_address(address)
    if not model:
        raise FieldsRefused("Name the model, as its provider writes it.")
    is_same = known is not None and (known.base_url, known.model) == (address, model)
    return Endpoint(
        name=model[:80],
        base_url=address,
        model=model,
        key_variable=variable_from(fields.key_variable),
        context_window=fields.context_window,
        price_in=fields.price_in,
        price_out=fields.price_out,
        concurrency=fields.concurrency,
        timeout=fields.timeout,
        dialect=known.dialect if known is not None and is_same else None,
    )


def variable_from(text: str) -> str | None:
    """Return the name of a variable, or None where none is given.

    Raises:
        FieldsRefused: if it is a key, or cannot be a name.
    """
    name = text.strip()
    if not name:
        return None
    if looks_like_key(name):
        raise FieldsRefused(THIS_IS_A_KEY)
    if not _NAME.fullmatch(name):
        raise FieldsRefused(
            "The name of a variable has letters, digits and underscores only, and begins with no digit."
        )
    return name


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname)
    except ValueError:
        raise FieldsRefused("This is not an address that can be read.") from None
    if parts.scheme not in {"http", "https"} or not has_host:
        raise FieldsRefused("The address begins with http:// or https:// and names a computer.")
    if parts.username or parts.password or parts.query:
        raise FieldsRefused(
            "The address must hold no password or key. Put the key into an environment variable "
            "and name that variable here."
        )
