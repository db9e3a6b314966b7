"""An evaluation that is killed in the middle of a chapter: what is asked twice when it goes on."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

from tests.benchmarks.measures.evaluation.experiments import wait_until
from tests.fakes.invention import prose
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.processes import begin_command, kill

CHAPTERS, WORDS = 5, 2_500
"""Of the book: a small judge reads each chapter in three parts."""
KILLED_AT = 8
"""The call during which it is killed: the second part of the third chapter."""


def calls_repeated(folder: Path, latency: float) -> int:
    """Return how many calls of an evaluation were made twice, since it was killed (-9) and run again.

    Raises:
        RuntimeError: if it does not come to its end, or asks for less than there is to read.
    """
    book = folder / "book"
    book.mkdir(parents=True)
    for at in range(1, CHAPTERS + 1):
        (book / f"{at:02}.md").write_text(prose(Random(at), WORDS), encoding="utf-8")
    with ScriptedServer(latency=latency) as server:
        first = _begun(folder, server)
        wait_until(lambda: server.asked >= KILLED_AT, lambda: first.poll() is not None)
        kill(first)
        again = _begun(folder, server)
        said, problem = again.communicate()
        asked = Counter(sent.prompt for sent in server.history)
    if again.returncode != 0:
        raise RuntimeError(problem)
    report = json.loads(said.splitlines()[-1])
    if report["chapters"] != CHAPTERS or len(asked) < CHAPTERS * 3:
        raise RuntimeError(f"{report['chapters']} chapters were judged by {len(asked)} calls")
    return sum(asked.values()) - len(asked)


def _begun(folder: Path, server: ScriptedServer) -> subprocess.Popen[str]:
    what = ("evaluate", str(folder / "book"), "--skip-card", "--json")
    return begin_command(folder / "library.db", server, *what)
