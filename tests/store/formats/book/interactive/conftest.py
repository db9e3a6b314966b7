"""Programs that are not ours, which read Twee and play Ink."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from store.formats.book.interactive.ink import export_ink
from store.formats.book.interactive.model import InteractiveFiction
from store.formats.book.interactive.twee import export_twee

_ROOT = Path(__file__).parents[5]
_PROGRAMS = _ROOT / ".tools" / "node"


class Players:
    """A process of Node with inkjs and extwee, which answers one request after another."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self._requests = requests
        self._answers = answers

    def play(self, fiction: InteractiveFiction) -> Any:
        """Play it as Ink on every path: problems, tags, and states with text, labels and next ones."""
        return self._ask("ink", export_ink(fiction))

    def read(self, fiction: InteractiveFiction) -> Any:
        """Read it as Twee: title, IFID, format, start and passages."""
        return self._ask("twee", export_twee(fiction))

    def _ask(self, format_: str, source: str) -> Any:
        self._requests.write(f"{json.dumps({'format': format_, 'source': source})}\n")
        self._requests.flush()
        return json.loads(self._answers.readline())


@pytest.fixture(scope="session")
def players() -> Iterator[Players]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("what reads and plays interactive fiction needs Node")
    assert _PROGRAMS.is_dir(), "inkjs and extwee are missing: make node"
    script = Path(__file__).parent / "players.mjs"
    with subprocess.Popen(
        [node, str(script), str(_PROGRAMS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Players(process.stdin, process.stdout)
        process.stdin.close()
        assert process.wait() == 0
