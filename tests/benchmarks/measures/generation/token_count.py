"""Tokens as a real model counts them: by the tokenizer of the model that comes with the app."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2

from graph_flow.llm.transport.embedded import EmbeddedModel

PATIENCE = 30.0
"""Seconds that a count may take."""


@contextmanager
def tokenizer() -> Iterator[Callable[[str], int]]:
    """Return what counts the tokens of a text until the block ends.

    It has 49,152 entries, which is few: a large model of today counts less.
    """
    model = EmbeddedModel()
    try:
        connection = model.ensure()
        server = connection.endpoint.base_url.removesuffix("/v1")
        headers = {"Authorization": f"Bearer {connection.key}"}
        with httpx2.Client(
            base_url=server, headers=headers, trust_env=False, timeout=PATIENCE
        ) as client:
            yield lambda text: _count(client, text)
    finally:
        model.stop()


def _count(client: httpx2.Client, text: str) -> int:
    answer = client.post("/tokenize", json={"content": text}).raise_for_status()
    return len(answer.json()["tokens"])
