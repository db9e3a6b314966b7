"""What every worker needs before its first call, read once, by the process from which workers are forked.

It ends without a thread or an open file: what is forked has neither.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from graph_flow.agents import AGENTS
from graph_flow.command_line.experiments import working
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from store.errors import StoreError

__all__ = ["working"]


def _make_ready() -> None:
    """Compile the graph, make an empty library and read all prompts, each of which a cache keeps."""
    with suppress(OSError, StoreError), TemporaryDirectory() as folder:
        assemble(Path(folder) / "library.db", Terms(OwnModels(lambda _name: None))).close()
    for agent in AGENTS.values():
        _ = agent.prompts
    # What is here stays, so no worker need look through it for what can go.
    gc.collect()
    gc.freeze()


_make_ready()
