"""Ids, which are given by the store and never by a model."""

from __future__ import annotations

import secrets
import time

RANDOM_BYTES = 5


def new_id() -> str:
    """Return a url-safe id of 22 lower-case hexadecimal characters.

    It begins with the time, in milliseconds, so that what is made later is indexed behind what was
    made before: a commit then writes to the ends of the indexes, however long the story is.
    """
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(RANDOM_BYTES)}"
