"""Apps that start at once: forked from one process that has already imported what they need.

An import takes an app longer than all that most tests do with it. Nothing else is shared: each app
is a process with its own library, home directory, environment and log.
"""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from streamlit.web.cli import main as streamlit

import pages.components


class PreloadedApp:
    """`streamlit run` in such a process, used like a `subprocess.Popen`."""

    def __init__(
        self, script: Path, options: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> None:
        command = ("run", script.name, *options)
        self._process = _forking().Process(
            target=_serve, args=(script.parent, command, dict(environment), log), daemon=True
        )
        # A child runs the parent's main module first. Streamlit's AppTest leaves the page that it
        # ran last in that place, which would run again, without Streamlit.
        with patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):
            self._process.start()

    @property
    def pid(self) -> int:
        """The id of the process, and of its group."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the code that the process has ended with, the negative number of a signal among
        them; None if it runs.
        """
        return self._process.exitcode

    def wait(self, timeout: float) -> None:
        """Wait until the process has ended.

        Raises:
            subprocess.TimeoutExpired: if it has not after so many seconds.
        """
        self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("streamlit", timeout)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process with no time to tidy up."""
        self.send_signal(signal.SIGKILL)


@cache
def _forking() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *modules()])
    return context


def modules() -> Iterator[str]:
    """Return the names of what pages import; pages themselves are scripts, which Streamlit runs."""
    yield "streamlit.web.server"
    yield "uvicorn.main"
    for module in pkgutil.walk_packages(pages.components.__path__, "pages.components."):
        yield module.name


def _serve(folder: Path, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    # As in a process that is started anew: its own group, its own output, no variables but these.
    os.setsid()
    with log.open("ab") as output:
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(output.fileno(), sys.stderr.fileno())
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    streamlit(args=[*command], prog_name="streamlit")
