"""Stories that the embedded model tells by the real command, and what its library keeps of the calls."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from graph_flow.agents import AGENTS
from store.models.run import Call, Outcome
from store.open import Store
from tests.graph_flow.processes import ROOT

PREMISES = (
    "A retired inspector is asked to sign off one last bridge, which his daughter has built.",
    "Two brothers run a ferry on a river that the county wants to dam. One of them has sold his share.",
    "The night porter of a hotel by the sea finds a guest's diary in which his own name stands.",
)
"""Premises as a writer types them at first: short."""

_OWN_MODELS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TELLWRIGHT_MODEL")
_MOST_CALLS = 10_000


class NotTold(Exception):
    """A story did not come to its end: there is nothing to measure."""


@dataclass(frozen=True)
class AgentCalls:
    """The calls of an agent that came to an answer, and how many of the answers could not be used."""

    agent: str
    calls: int
    unusable: int


@dataclass(frozen=True)
class ToldStory:
    """A story that was told: how long it took, and its calls."""

    seconds: float
    words: int
    agents: tuple[AgentCalls, ...]


def told(premise: str, chapters: int, folder: Path) -> ToldStory:
    """Have a story of some written chapters told, with a library of its own in an empty folder.

    Raises:
        NotTold: if it does not come to its end.
    """
    library = folder / "library.db"
    kept = {name: value for name, value in os.environ.items() if name not in _OWN_MODELS}
    asked = ["run", "--premise", premise, "--chapters", str(chapters), "--write", "--json"]
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-m", "graph_flow.command_line", *asked, "--out", str(folder / "story")],
        cwd=ROOT,
        env={**kept, "TELLWRIGHT_LIBRARY": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - began
    if ended.returncode != 0:
        raise NotTold(ended.stderr[-2_000:])
    with closing(Store.open(library)) as store:
        return _found(store, chapters, seconds)


def is_unusable(call: Call) -> bool:
    """Return whether a call's answer was of no use; a text that was cut short is gone on with."""
    if call.outcome is Outcome.TRUNCATED:
        return AGENTS[call.agent].answer is not None
    return call.outcome is Outcome.UNUSABLE


def _found(store: Store, chapters: int, seconds: float) -> ToldStory:
    [card] = store.library.stories()
    branch = store.library.main_branch(card.story.id).id
    texts = [one.draft for one in store.contents.texts(branch)]
    if len(texts) != chapters:
        raise NotTold(f"{len(texts)} of {chapters} chapters are written")
    counts: dict[str, list[int]] = {}
    for call in store.calls.newest(branch, limit=_MOST_CALLS):
        count = counts.setdefault(call.agent, [0, 0])
        count[0] += 1
        count[1] += is_unusable(call)
    agents = tuple(AgentCalls(agent, *count) for agent, count in sorted(counts.items()))
    return ToldStory(seconds, sum(draft.words for draft in texts), agents)
