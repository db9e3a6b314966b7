"""How likely an endpoint finds a given text: the log-probability of each of its tokens.

Servers tell it in one of two ways. vLLM gives a prompt back, with what is known of its tokens, if it is
asked to `echo` it. llama.cpp tells it of tokens that it writes, and of none that it reads; so it is left
nothing to write but the text, by a grammar of that text's tokens. That changes nothing about what it tells:
log-probabilities are taken before anything is chosen.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from pydantic import BaseModel, ValidationError

from graph_flow.llm.errors import RequestRefused, untold
from graph_flow.llm.transport.line import Lines
from graph_flow.llm.transport.wire import Piece, Wire, WireCall, events
from store.models.endpoint import Endpoint

MOST_ECHOED = 20_000_000
"""Bytes of an echo, which has some hundred for each token."""


class _Echo(BaseModel):
    """What is known of the tokens of a prompt; of the first there is nothing."""

    token_logprobs: list[float | None]
    text_offset: list[int]


class _Choice(BaseModel):
    logprobs: _Echo


class _Usage(BaseModel):
    prompt_tokens: int | None = None


class _Echoed(BaseModel):
    choices: list[_Choice]
    usage: _Usage = _Usage()


class _Tokens(BaseModel):
    tokens: list[int]


class _Token(BaseModel):
    id: int
    logprob: float


class _Written(BaseModel):
    """A piece of what llama.cpp writes."""

    completion_probabilities: list[_Token] = []
    stop: bool = False
    tokens_evaluated: int | None = None
    tokens_predicted: int | None = None


class _NotThisWay(Exception):
    """The endpoint does not tell it in this way; the message says what it answered."""


Pieces = Iterator[Piece | None]
Way = Callable[[Lines, Endpoint, str, str], Pieces]


class Likelihoods:
    """Ask endpoints how likely they find texts, and remember in which way each tells it. Thread-safe."""

    def __init__(self) -> None:
        self._ways: dict[tuple[str, str], Way] = {}
        self._lock = threading.Lock()

    def call(self, wire: Wire, before: str, text: str) -> WireCall:
        """Return a call that tells, token by token, how likely a text is after another.

        It is made when it is read. Its pieces are numbers, with a blank after each.
        """
        lines = Lines(wire.client)
        return WireCall(
            wire.connection, lines, self._answer(wire, partial(_told, lines, before, text))
        )

    @contextmanager
    def _answer(self, wire: Wire, tell: Callable[[Endpoint, Way], Pieces]) -> Iterator[Pieces]:
        yield self._pieces(wire, tell)

    def _pieces(self, wire: Wire, tell: Callable[[Endpoint, Way], Pieces]) -> Pieces:
        endpoint = wire.connection.endpoint
        name = (endpoint.base_url, endpoint.model)
        known = self._ways.get(name)
        possible = (_written,) if wire.connection.is_embedded else (_echoed, _written)
        answers = []
        for way in (known,) if known else possible:
            try:
                yield from tell(endpoint, way)
            except _NotThisWay as problem:
                answers.append(str(problem))
            else:
                with self._lock:
                    self._ways[name] = way
                return
        raise untold(endpoint, " ".join(answers))


def _told(lines: Lines, before: str, text: str, endpoint: Endpoint, way: Way) -> Pieces:
    return way(lines, endpoint, before, text)


def _echoed(lines: Lines, endpoint: Endpoint, before: str, text: str) -> Pieces:
    """Have both texts given back, and tell of the tokens of the second; one may begin in the first."""
    body = {
        "model": endpoint.model,
        "prompt": before + text,
        "echo": True,
        "logprobs": 1,
        "max_tokens": 1,
        "temperature": 0,
    }
    yield None
    said = _asked(lines, f"{endpoint.base_url}/completions", body)
    try:
        answer = _Echoed.model_validate_json(said)
        told = answer.choices[0].logprobs
    except (ValidationError, IndexError):
        raise _NotThisWay("It gives no prompt back.") from None
    end = len(before) + len(text)
    ends = [*told.text_offset[1:], end]
    found = [
        number
        for number, at, until in zip(told.token_logprobs, told.text_offset, ends, strict=False)
        if number is not None and at < end and until > len(before)
    ]
    if not found:
        raise _NotThisWay("It tells nothing of the tokens of a prompt.")
    yield Piece(_line(found), "stop", answer.usage.prompt_tokens, 1)


def _written(lines: Lines, endpoint: Endpoint, before: str, text: str) -> Pieces:
    """Let the text be written, and tell of each token as it comes."""
    server = endpoint.base_url.removesuffix("/v1")
    yield None
    # Marks of a chat that stand in a text are words like any others.
    plain = {"parse_special": False}
    read = _tokens(lines, server, {"content": before, "add_special": True, **plain})
    wanted = _tokens(lines, server, {"content": text, **plain})
    body = {
        "prompt": read,
        "grammar": f"root ::= {' '.join(f'<[{one}]>' for one in wanted)}",
        "n_predict": len(wanted),
        "n_probs": 1,
        "cache_prompt": True,
        "stream": True,
        "temperature": 0,
    }
    written: list[int] = []
    for piece in _streamed(lines, f"{server}/completion", body):
        ids = [one.id for one in piece.completion_probabilities]
        written += ids
        if written != wanted[: len(written)]:
            raise _NotThisWay("It writes something else than it is held to.")
        usage = (piece.tokens_evaluated, piece.tokens_predicted) if piece.stop else (None, None)
        finish = "stop" if piece.stop and written == wanted else None
        yield Piece(_line([one.logprob for one in piece.completion_probabilities]), finish, *usage)


def _tokens(lines: Lines, server: str, body: object) -> list[int]:
    try:
        return _Tokens.model_validate_json(_asked(lines, f"{server}/tokenize", body)).tokens
    except ValidationError:
        raise _NotThisWay("It does not say of which tokens a text is made.") from None


def _line(numbers: Sequence[float]) -> str:
    return "".join(f"{one:.4f} " for one in numbers)


def _asked(lines: Lines, url: str, body: object) -> bytes:
    """Return what an endpoint answers.

    Raises:
        _NotThisWay: if it does not know what is asked, or says far too much.
    """
    try:
        with lines.next().post(url, body) as response:
            said = b""
            for part in response.iter_bytes():
                said += part
                if len(said) > MOST_ECHOED:
                    raise _NotThisWay("Its answer is too long.")
            return said
    except RequestRefused as refused:
        raise _NotThisWay(refused.detail or str(refused)) from None


def _streamed(lines: Lines, url: str, body: object) -> Iterator[_Written]:
    try:
        with lines.next().post(url, body) as response:
            for arrived in events(response.iter_bytes()):
                for data in arrived:
                    yield _Written.model_validate(json.loads(data))
    except RequestRefused as refused:
        raise _NotThisWay(refused.detail or str(refused)) from None
