"""Tellwright in processes of their own, which a test can kill."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.fakes.scripted_server import ScriptedServer

ROOT = Path(__file__).parents[2]


def begin_command(library: Path, server: ScriptedServer, *arguments: str) -> subprocess.Popen[str]:
    """Begin the command line on a library and a scripted model."""
    environment = os.environ | {
        "TELLWRIGHT_LIBRARY": str(library),
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
        "OPENAI_BASE_URL": server.url,
    }
    environment.pop("OPENAI_API_KEY", None)
    return subprocess.Popen(
        [sys.executable, "-m", "graph_flow.command_line", *arguments],
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
