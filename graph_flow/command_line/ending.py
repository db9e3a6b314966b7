"""How the command ends: its exit codes, what it says beside its output, and Ctrl-C as it starts.

It is read before anything else, and knows nothing that takes time to import.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

DONE, WRONG_USE, FAILED, INTERRUPTED = 0, 2, 3, 130

NOTHING_BEGUN = "Interrupted before anything was begun. To begin, run the same command again."


def say(words: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{words}\n")


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the program there and then, with a sentence, while nothing has been begun.

    As an exception it could be lost in a library that is being imported, or be told as its fault.
    A parent that has Ctrl-C ignored, as for a job in the background, is left its way.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os.write(2, f"{NOTHING_BEGUN}\n".encode())
    os._exit(INTERRUPTED)
