"""How processes of this machine are started: forked from one that has all they need ready.

It is read before anything that takes time to import, so that both import side by side.
"""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing.context import ForkServerContext, SpawnContext

_READY = "graph_flow.command_line.experiments.preloaded"


def context() -> SpawnContext | ForkServerContext:
    """Return a way to start processes that share nothing; but on Windows, what all need is made ready once."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload([_READY])
    return forking


def prepare() -> None:
    """Begin to make ready what the processes need, beside whatever is done before they are needed."""
    if sys.platform != "win32":
        from multiprocessing import forkserver

        context()
        forkserver.ensure_running()
