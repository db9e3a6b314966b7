"""Servers that say how likely a text is, in the two ways in which servers do.

A token is a word with the blank before it, or any other white space. How likely one is follows from the text alone: a word that
stands in what was said before is likelier than one that does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tests.fakes.scripted_server import Answer, Reply, Sent, refuse

KNOWN, NEW = -1.0, -3.0
_TOKEN = re.compile(r" ?\S+|\s+")
_ID = re.compile(r"<\[(\d+)\]>")


def tokens_of(text: str) -> list[str]:
    """Return a text in its tokens."""
    return _TOKEN.findall(text)


def log_probabilities(text: str) -> Iterator[float]:
    """Yield how likely each token of a text is after those before."""
    seen: set[str] = set()
    for token in tokens_of(text):
        yield KNOWN if token.strip() in seen else NEW
        seen.add(token.strip())


def echoing(sent: Sent) -> Reply:
    """Give a prompt back with what is known of its tokens, as vLLM does."""
    if not sent.path.endswith("/v1/completions"):
        return refuse(404, "Not Found")
    text = str(sent.body["prompt"])
    found: list[float | None] = [*log_probabilities(text), NEW]
    found[0] = None
    tokens = [*tokens_of(text), " and"]
    offsets = [sum(map(len, tokens[:at])) for at in range(len(tokens))]
    told = {"tokens": tokens, "token_logprobs": found, "text_offset": offsets}
    usage = {"prompt_tokens": len(tokens) - 1, "completion_tokens": 1}
    choice = {"index": 0, "text": f"{text} and", "logprobs": told, "finish_reason": "length"}
    return Reply(whole_body=json.dumps({"choices": [choice], "usage": usage}))


def writing(*, strays_at: int | None = None) -> Answer:
    """Return what tells only of tokens that it writes, as llama.cpp does; it may write something else once."""
    known: list[str] = []

    def number(token: str) -> int:
        if token not in known:
            known.append(token)
        return known.index(token)

    def answer(sent: Sent) -> Reply:
        if sent.path == "/tokenize":
            numbers = [number(one) for one in tokens_of(str(sent.body["content"]))]
            return Reply(whole_body=json.dumps({"tokens": numbers}))
        if sent.path == "/completion":
            return _written(sent, known, strays_at)
        choice = {"text": " and", "logprobs": {"content": [{"logprob": -1.0}]}}
        return Reply(whole_body=json.dumps({"choices": [choice]}))

    return answer


def _written(sent: Sent, known: list[str], strays_at: int | None) -> Reply:
    wanted = [int(one) for one in _ID.findall(str(sent.body["grammar"]))]
    text = "".join(known[one] for one in [*sent.body["prompt"], *wanted])
    found = list(log_probabilities(text))[-len(wanted) :]
    lines = []
    for at, (one, value) in enumerate(zip(wanted, found, strict=True)):
        token = {"id": 10_000 if at == strays_at else one, "logprob": value}
        lines.append({"content": known[one], "stop": False, "completion_probabilities": [token]})
    lines.append(
        {
            "content": "",
            "stop": True,
            "tokens_evaluated": len(sent.body["prompt"]),
            "tokens_predicted": len(wanted),
        }
    )
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in lines)
    return Reply(whole_body=body, headers={"Content-Type": "text/event-stream"})
