"""The name of this process as the owner of runs, and whether the process of a name is still alive."""

from __future__ import annotations

import os
import secrets
import socket
from functools import cache

import psutil

_BEGAN = "began-"
_CLOCK_SET = 60.0
"""Seconds by which a process may seem to have begun later, because clocks get corrected."""


@cache
def this_process() -> str:
    """Return this process's name as the owner of runs: host, process id, and when it began."""
    began = round(psutil.Process().create_time())
    return f"{socket.gethostname()}/{os.getpid()}/{_BEGAN}{began}-{secrets.token_hex(8)}"


def is_alive(owner: str) -> bool:
    """Return whether an owner may still be at work; on other machines, only the heartbeat shows it."""
    host, number, word, *_ = [*owner.split("/"), "", ""]
    if host != socket.gethostname() or not number.isdigit():
        return True
    if int(number) == os.getpid():
        return owner.startswith(this_process())
    try:
        began = psutil.Process(int(number)).create_time()
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
    said = word.removeprefix(_BEGAN).partition("-")[0]
    # A process that reuses an ended one's number began later. Earlier versions kept no time.
    return not (word.startswith(_BEGAN) and said.isdigit()) or began - int(said) < _CLOCK_SET
