"""Tellwright in processes of their own, which a test can kill."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.fakes.scripted_server import ScriptedServer

ROOT = Path(__file__).parents[2]
_PATIENCE = 100.0
"""Seconds to wait for what another process does."""

_HEARS_CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Python as from a terminal, also where these tests run in the background, where Ctrl-C is ignored."""


def begin_command(
    library: Path,
    server: ScriptedServer,
    *arguments: str,
    tells_imports: bool = False,
    strength: str = "small",
) -> subprocess.Popen[str]:
    """Begin the command line on a library and a scripted model, as from a terminal.

    If it `tells_imports`, its standard error has a line for each module that was imported.
    """
    environment = os.environ | {
        "TELLWRIGHT_LIBRARY": str(library),
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": strength,
        "OPENAI_BASE_URL": server.url,
    }
    environment.pop("OPENAI_API_KEY", None)
    options = ["-X", "importtime"] if tells_imports else []
    command = [*options, "-m", "graph_flow.command_line", *arguments]
    return subprocess.Popen(
        [sys.executable, "-c", _HEARS_CTRL_C, *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a process as a power cut would, and wait until it is gone."""
    process.kill()
    process.communicate()


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that another process or thread does."""
    end = time.monotonic() + _PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
