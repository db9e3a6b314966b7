"""Processes that do one thing with a library, forked from one that has imported all they need."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from graph_flow.command_line import main
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from tests.benchmarks.measures.trust.kills.moments import Moment, boundaries_in, counted
from tests.e2e import preloaded

LONGEST = 120.0
"""Seconds that such a process may take."""

Work = Callable[[Sequence[str]], int]


class Unending(Exception):
    """A process did not come to its end."""


def command(arguments: Sequence[str]) -> int:
    """Run the command line."""
    return main(arguments)


def bring_in(arguments: Sequence[str]) -> int:
    """Import a story file into the library, as the page Library does."""
    workbench = assemble(terms=Terms(OwnModels(lambda _name: None)))
    try:
        workbench.files.import_bundle(Path(arguments[0]).read_bytes())
    finally:
        workbench.close()
    return 0


class Child:
    """Such a process, from its beginning to its end or its kill."""

    def __init__(
        self,
        folder: Path,
        work: Work,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        moment: Moment | None = None,
    ) -> None:
        self.log = folder / "child.log"
        self._report = folder / "child.json"
        self._report.unlink(missing_ok=True)
        self._moment = moment
        context = _forking()
        self._begun, begins = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_do,
            args=(work, list(arguments), dict(environment), moment, folder, begins),
            daemon=True,
        )
        # A child runs the parent's main module first; ours is a script that would measure again.
        with patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):
            self._process.start()
        begins.close()

    def end(self) -> bool:
        """Wait until it has ended or its moment has come; return whether it was killed."""
        if self._moment is not None and self._moment.kind == "seconds":
            with suppress(EOFError):
                self._begun.recv()
            self._process.join(self._moment.number)
            if self._process.exitcode is None and self._process.pid is not None:
                os.kill(self._process.pid, signal.SIGKILL)
        self._process.join(LONGEST)
        if self._process.exitcode is None:
            self._process.kill()
            raise Unending(self.log.read_text("utf-8")[-2_000:])
        return self._process.exitcode == -signal.SIGKILL

    @property
    def code(self) -> int | None:
        """The code that it ended with."""
        return self._process.exitcode

    @property
    def boundaries(self) -> Mapping[str, float]:
        """How many boundaries it had, if it came to its end."""
        return boundaries_in(self._report)


def _do(
    work: Work,
    arguments: list[str],
    environment: dict[str, str],
    moment: Moment | None,
    folder: Path,
    begins: Connection,
) -> None:
    os.setsid()
    with (folder / "child.log").open("ab") as output:
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(output.fileno(), sys.stderr.fileno())
    os.environ.pop("OPENAI_API_KEY", None)
    os.environ.update(environment)
    with counted(folder, moment, folder / "child.json"):
        begins.send(True)
        code = work(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@cache
def _forking() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [
            __name__,
            preloaded.__name__,
            *preloaded.modules(),
            "graph_flow.command_line.playing",
            "graph_flow.command_line.upkeep",
            "graph_flow.command_line.serving",
        ]
    )
    return context
