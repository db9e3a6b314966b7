"""The one thing that is asked of an endpoint: a completion, streamed.

langchain-openai is given this in place of openai's client, which checks and rebuilds each piece of
each answer: that was a third of all the work of our own that a chapter took.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import openai

Chunk = dict[str, Any]
"""A piece of an answer, as the endpoint sends it."""

LONGEST_LINE = 1_000_000
"""Bytes of one line of a stream: no piece of an answer has so many."""

_DONE = "[DONE]"


class Completions:
    """Asks one endpoint for completions. Threads may share it."""

    def __init__(self, http: httpx2.Client, base_url: str) -> None:
        self._http = http
        self._url = f"{base_url}/chat/completions"

    @contextmanager
    def create(
        self, *, extra_body: Chunk | None = None, **payload: object
    ) -> Iterator[Iterator[Chunk]]:
        """Send a request; the block gets the pieces of the answer as they arrive.

        `extra_body` is sent beside the rest, as it is by openai's client.

        Raises:
            httpx2.HTTPError: if the endpoint cannot be reached, is silent, or breaks off.
            openai.APIError: if it says in the middle of an answer that it failed.
            ValueError: if what it sends is no stream of pieces.
        """
        body = {**payload, **(extra_body or {})}
        with self._http.stream("POST", self._url, json=body) as response:
            yield _chunks(response)


def _chunks(response: httpx2.Response) -> Iterator[Chunk]:
    for data in events(response.iter_bytes()):
        if data.startswith(_DONE):
            return
        chunk = json.loads(data)
        if not isinstance(chunk, dict):
            raise ValueError("a piece of the answer is no object")
        if problem := chunk.get("error"):
            said = problem.get("message") if isinstance(problem, dict) else problem
            raise openai.APIError(f"{said}", response.request, body=problem)
        yield chunk


def events(stream: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of each server-sent event in a stream of bytes, wherever the stream is cut.

    An event that does not come to its end is none.

    Raises:
        ValueError: if a line is far too long, or is not UTF-8.
    """
    data: list[bytes] = []
    for line in _lines(stream):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data).decode()
            data = []


def _lines(stream: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in stream:
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in lines)
        if len(rest) > LONGEST_LINE:
            raise ValueError("a line of the answer does not end")
