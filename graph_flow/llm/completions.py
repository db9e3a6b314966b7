"""The one thing that is asked of an endpoint: a completion, streamed.

langchain-openai is given this in place of openai's client, which checks and rebuilds each piece of
each answer: that was a third of all the work of our own that a chapter took. Pieces that have
arrived together are handed on as one, for langchain-openai makes several objects of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
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
        self._url = httpx2.URL(f"{base_url}/chat/completions")

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
    for arrived in events(response.iter_bytes()):
        yield from joined(_parsed(data, response.request) for data in _before_end(arrived))
        if any(data.startswith(_DONE) for data in arrived):
            return


def _before_end(arrived: Iterable[str]) -> Iterator[str]:
    return takewhile(lambda data: not data.startswith(_DONE), arrived)


def _parsed(data: str, request: httpx2.Request) -> Chunk:
    chunk = json.loads(data)
    if not isinstance(chunk, dict):
        raise ValueError("a piece of the answer is no object")
    if problem := chunk.get("error"):
        said = problem.get("message") if isinstance(problem, dict) else problem
        raise openai.APIError(f"{said}", request, body=problem)
    return chunk


def joined(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield chunks that have arrived together, those in a row that bring only text as one.

    Where the next one cannot be had, what came before it is yielded first.
    """
    texts: list[Chunk] = []
    try:
        for chunk in chunks:
            if _is_text(chunk):
                texts.append(chunk)
                continue
            yield from _as_one(texts)
            texts = []
            yield chunk
    except Exception:
        yield from _as_one(texts)
        raise
    yield from _as_one(texts)


def _is_text(chunk: Chunk) -> bool:
    """Return whether a chunk brings text and nothing else."""
    match chunk.get("choices"):
        case [{"delta": {"content": str(), **more}, **about}]:
            has_more = more.keys() - {"role"} or about.get("finish_reason") or about.get("logprobs")
            return not has_more and not chunk.get("usage")
        case _:
            return False


def _as_one(texts: Sequence[Chunk]) -> Iterator[Chunk]:
    if texts:
        first = texts[0]["choices"][0]
        whole = "".join(chunk["choices"][0]["delta"]["content"] for chunk in texts)
        yield {
            **texts[0],
            "choices": [{**first, "delta": {**first["delta"], "content": whole}}],
        }


def events(stream: Iterable[bytes]) -> Iterator[list[str]]:
    """Yield the data of the server-sent events that end with each piece of a stream of bytes.

    An event that does not come to its end is none.

    Raises:
        ValueError: if a line is far too long, or is not UTF-8.
    """
    data: list[bytes] = []
    for lines in _lines(stream):
        ended: list[str] = []
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                ended.append(b"\n".join(data).decode())
                data = []
        yield ended


def _lines(stream: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines that end with each piece of a stream, wherever it is cut."""
    rest = b""
    for piece in stream:
        *lines, rest = (rest + piece).split(b"\n")
        yield [line.removesuffix(b"\r") for line in lines]
        if len(rest) > LONGEST_LINE:
            raise ValueError("a line of the answer does not end")
