"""What workers are forked from: it has done what is the same for all, and holds nothing open."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.graph_flow.processes import ROOT

LOOK = """
import json, threading
import psutil
from graph_flow.command_line.experiments import preloaded
from graph_flow.machine.graph import _compile_story_graph
from store.database.migrating import _empty_library
print(json.dumps({
    "threads": threading.active_count(),
    "files": [one.path for one in psutil.Process().open_files() if one.path.endswith((".db", "-wal", "-shm"))],
    "kept": [_compile_story_graph.cache_info().currsize, _empty_library.cache_info().currsize],
}))
"""


def test_what_workers_are_forked_from_is_ready_and_has_neither_a_thread_nor_an_open_library() -> (
    None
):
    looked = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert json.loads(looked.stdout) == {"threads": 1, "files": [], "kept": [1, 1]}
