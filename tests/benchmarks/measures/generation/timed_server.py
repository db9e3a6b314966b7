"""The scripted server in a process of its own, so that its work is not taken for ours.

It keeps a line for each call: who asked, when, and what came in and went out. Its texts are as long
as those of a good model. What it says to the goals agent is about the three people of an `Epic` who
are there most often, so that the relays are made of people with a long past.

    python -m tests.benchmarks.measures.generation.timed_server LOG --latency 1.0
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from graph_flow.plot.agents import CHAPTER_SKETCH
from graph_flow.telling.agents import WRITERS
from store.models.form import Form
from tests.desk import going_on
from tests.fakes.invention import invent, prose, sentence
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say_json
from tests.fakes.scripted_server import say as say_text
from tests.graph_flow.scripting import agent_of, request_of

ROOT = Path(__file__).parents[4]

LEADS = ("Mara Lenz", "Hale Lenz", "Ida Lenz")
"""Who an `Epic` is about: each way into a chapter names all of them."""

_DEEDS = (
    "follows the drowned ledger to the mill before the ferry leaves",
    "trades the copper key for what the archive keeps of the lamp",
    "burns the forged oath and must say at the quay who wrote it",
    "opens the silent chapel and finds the winter chart gone",
    "sells the last map of the reef to pay a borrowed debt",
    "hides the broken seal where the market can see it",
)


@dataclass(frozen=True)
class ServedCall:
    """One call as the server saw it. Times are seconds since the epoch."""

    agent: str
    began: float
    ended: float
    prompt: str
    answer: str


class TimedServer(ScriptedServer):
    """Makes its answers up, and keeps in a file when it was asked what."""

    def __init__(self, log: Path, latency: float) -> None:
        super().__init__(latency=latency, answer=answer)
        self._log = log.open("a", encoding="utf-8", buffering=1)
        self._writing = threading.Lock()

    def reply_to(self, sent: Sent) -> Reply:
        """Choose the reply to a request, after the latency, and keep the call."""
        began = time.time()
        reply = super().reply_to(sent)
        call = ServedCall(
            agent=agent_of(sent),
            began=began,
            ended=time.time(),
            prompt="\n".join(one["content"] for one in sent.messages),
            answer=reply.text,
        )
        with self._writing:
            self._log.write(json.dumps(asdict(call)) + "\n")
        return reply


def answer(sent: Sent) -> Reply | None:
    """Say where a chapter could go and what its people do, never end the story, and make the rest up."""
    dice, agent = Random(sent.prompt), agent_of(sent)
    if agent == WRITERS[Form.NOVEL].name:
        asked = re.search(r"Write about (\d+) words", request_of(sent))
        return say_text(prose(dice, int(asked.group(1)))) if asked else None
    if agent == CHAPTER_SKETCH.name:
        asked = re.search(r"in about (\d+) words", request_of(sent))
        told = prose(dice, int(asked.group(1))) if asked else ""
        return say_text(f"## {sentence(dice)}\n\n{' and '.join(LEADS)}. {told}")
    says = {"goals": _goals, "role": _move, "review": _review}
    say = (says | dict.fromkeys(("chapter_analysis", "global_evaluation"), _notes)).get(agent)
    if say is None or sent.schema is None:
        return going_on(sent)
    found: dict[str, Any] = invent(sent.schema, dice)
    say(found, sent, dice)
    return say_json(found)


def _goals(found: dict[str, Any], sent: Sent, dice: Random) -> None:
    # A whole answer has no bounds in its schema: as many as the request asks for are given.
    wanted = re.search(r"(\d+) different chapters", request_of(sent))
    if wanted:
        first = found["goals"][0]
        found["goals"] = [
            dict(first) | {"title": f"{deed.capitalize()}"}
            for deed in dice.sample(_DEEDS, int(wanted.group(1)))
        ]
    deeds = dice.sample(_DEEDS, len(found["goals"]))
    for at, (goal, deed) in enumerate(zip(found["goals"], deeds, strict=True)):
        first, second, third = LEADS[at % 3 :] + LEADS[: at % 3]
        goal["goal"] = f"{first} {deed}, while {second} and {third} must choose a side."
        if "relay" in goal:
            goal["goal"] += f" {prose(dice, 50)}"
            goal["relay"] = [
                {"name": name, "aim": prose(dice, 45)} for name in (first, second, third)
            ]


def _move(found: dict[str, Any], sent: Sent, dice: Random) -> None:
    who = request_of(sent).rpartition("What does ")[2].removesuffix(" do?")
    if "action" in found:
        found["action"] = f"{who} {dice.choice(_DEEDS)}. {sentence(dice)}"
    # A whole answer is in beats, each seen by another of the people.
    for beat in found.get("beats", ()):
        other = dice.choice([one for one in LEADS if one != who])
        beat["observed"] = f"{who} {dice.choice(_DEEDS)}. {prose(dice, 55)}"
        beat["said"], beat["inner"] = prose(dice, 25), prose(dice, 40)
        beat["present"] = [{"name": other, "part": "witnesses", "learns": sentence(dice)}]


def _review(found: dict[str, Any], sent: Sent, _: Random) -> None:
    # A reviewer finds something in nearly every chapter: its text is revised.
    words = request_of(sent).rpartition("\n\n")[2].split()
    remark = {"kind": "unclear", "quote": " ".join(words[:12]), "remark": "Who is it?"}
    found["remarks"] = [remark | {"remedy": "Name them."}]


def _notes(found: dict[str, Any], _: Sent, dice: Random) -> None:
    # A judge's notes are as long as they may be, so that prompts are as long as they get.
    for name in found.keys() & {"summary", "synopsis", "state"}:
        found[name] = prose(dice, 80)
    for name in found.keys() & {"things", "relationships", "places", "tasks"}:
        found[name] = prose(dice, 30)
    if "people" in found:
        found["people"] = [prose(dice, 33) for _ in range(3)]


@dataclass(frozen=True)
class RunningServer:
    """A server in another process: its address, and what it was asked."""

    url: str
    log: Path

    def calls(self, since: float = 0.0) -> list[ServedCall]:
        """Return the calls that came in after a moment, in the order in which they ended."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        calls = [ServedCall(**json.loads(line)) for line in lines]
        return [call for call in calls if call.began >= since]


@contextmanager
def running(log: Path, latency: float) -> Iterator[RunningServer]:
    """Run a server beside us until the block ends."""
    log.touch()
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(log), "--latency", str(latency)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stdout is None or not (url := process.stdout.readline().strip()):
            raise RuntimeError("the scripted server does not start")
        yield RunningServer(url, log)
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    """Serve until killed, and print the base URL first."""
    parser = argparse.ArgumentParser(description="A scripted server that keeps when it was asked.")
    parser.add_argument("log", type=Path)
    parser.add_argument("--latency", type=float, default=0.0)
    options = parser.parse_args()
    with TimedServer(options.log, options.latency) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
