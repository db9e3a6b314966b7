"""What the scripted model says to each agent, and which agent asked."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from graph_flow.agents import AGENTS
from graph_flow.llm.request import Message, as_text
from store.models.endpoint import ModelStrength
from store.models.run import Outcome
from store.open import Store
from tests.desk import going_on
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent

Say = Callable[[Sent], Reply | None]


@cache
def agents() -> tuple[str, ...]:
    """Return the names of all agents."""
    return tuple(sorted(AGENTS))


def agent_of(sent: Sent) -> str:
    """Return which agent a request is for, by how its instructions begin."""
    system = sent.messages[0]["content"]
    found = {
        beginning: agent
        for agent in agents()
        for beginning in _beginnings(agent)
        if system.startswith(beginning)
    }
    return found[max(found, key=len)]


@cache
def _beginnings(agent: str) -> tuple[str, ...]:
    prompts = (AGENTS[agent].prompt(strength) for strength in ModelStrength)
    return tuple(re.split(r"\{[{%]", prompt.instructions)[0].rstrip() for prompt in prompts)


def request_of(sent: Sent) -> str:
    """Return the last message of a prompt: what is asked, without the worked example."""
    return str(sent.messages[-1]["content"])


def asked(server: ScriptedServer, *wanted: str) -> list[Sent]:
    """Return the requests that some agents made, or all, in order."""
    return [sent for sent in server.history if not wanted or agent_of(sent) in wanted]


def repeated(history: Iterable[Sent]) -> list[str]:
    """Return the prompts that were sent more than once."""
    return [
        prompt for prompt, count in Counter(sent.prompt for sent in history).items() if count > 1
    ]


def finished_prompts(store: Store, branch: str) -> set[str]:
    """Return the prompts of the calls of a branch that ended well."""
    calls = store.calls.newest(branch, limit=10_000)
    return {call.prompt for call in calls if call.outcome is Outcome.OK}


def expect_none_again(server: ScriptedServer, finished: set[str]) -> None:
    """Fail if a call that had finished was made again; there must have been some."""
    times = Counter(_as_kept(sent) for sent in server.history)
    assert finished <= times.keys()
    assert {prompt: times[prompt] for prompt in finished if times[prompt] != 1} == {}
    assert finished


def _as_kept(sent: Sent) -> str:
    """Return a prompt as the ledger keeps it."""
    return as_text([Message(one["role"], one["content"]) for one in sent.messages])  # type: ignore[arg-type] # as it came


def saying(**replies: Reply | Say) -> Say:
    """Return a script: a reply, or a way to one, for each agent named; the rest is made up."""

    def say(sent: Sent) -> Reply | None:
        reply = replies.get(agent_of(sent))
        said = reply(sent) if callable(reply) else reply
        return said if said is not None else going_on(sent)

    return say


def enumerated(sent: Sent, *path: str) -> list[Any]:
    """Return the values that the schema of a request allows at a place in the answer."""
    node: dict[str, Any] = sent.schema or {}
    for name in path:
        node = node["items"] if name == "[]" else node["properties"][name]
    return list(node["enum"])


class Held:
    """Hold back the reply to one request until a test lets it go.

    `is_the_one` says which request; the first that it says yes to is held.
    """

    def __init__(self, is_the_one: Callable[[Sent], bool], otherwise: Say = going_on) -> None:
        self.has_come = threading.Event()
        self._is_the_one = is_the_one
        self._otherwise = otherwise
        self._may_go = threading.Event()
        self._lock = threading.Lock()
        self.prompt = ""

    def __call__(self, sent: Sent) -> Reply | None:
        with self._lock:
            is_held = not self.prompt and self._is_the_one(sent)
            if is_held:
                self.prompt = sent.prompt
        if is_held:
            self.has_come.set()
            self._may_go.wait()
        return self._otherwise(sent)

    def let_go(self) -> None:
        """Let the held reply go."""
        self._may_go.set()


def the_nth(agent: str, number: int) -> Callable[[Sent], bool]:
    """Return whether a request is the `number`-th of an agent, counted from 1."""
    seen = [0]

    def is_it(sent: Sent) -> bool:
        seen[0] += agent_of(sent) == agent
        return agent_of(sent) == agent and seen[0] == number

    return is_it
