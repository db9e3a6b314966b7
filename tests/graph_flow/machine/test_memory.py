"""Many threads do not spread their memory over many heaps."""

from __future__ import annotations

import subprocess
import sys

import pytest

_COUNT = """
import ctypes, sys, tempfile, threading
from graph_flow.machine.memory import keep_together

if sys.argv[1] == "together":
    keep_together()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
everybody = threading.Barrier(24)

def work():
    libc.malloc(1_000)
    everybody.wait()

threads = [threading.Thread(target=work) for _ in range(24)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.fdopen.restype = ctypes.c_void_p
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
libc.fflush.argtypes = [ctypes.c_void_p]
with tempfile.TemporaryFile() as file:
    stream = libc.fdopen(file.fileno(), b"w")
    libc.malloc_info(0, stream)
    libc.fflush(stream)
    file.seek(0)
    print(file.read().count(b"<heap nr="))
"""


def heaps(how: str) -> int:
    """Return how many heaps a process has after it had many threads at once."""
    command = [sys.executable, "-c", _COUNT, how]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(ended.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one heap")
def test_threads_share_their_heaps() -> None:
    assert heaps("apart") > 4
    assert heaps("together") <= 3
