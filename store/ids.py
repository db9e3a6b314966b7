"""Ids, which are given by the store and never by a model."""

from __future__ import annotations

import secrets

ID_BYTES = 8


def new_id() -> str:
    """Return a random, url-safe id of 16 lower-case hexadecimal characters."""
    return secrets.token_hex(ID_BYTES)
