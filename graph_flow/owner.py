"""Who works on a run: a process of this machine, told apart from a later one with the same number."""

from __future__ import annotations

import os
import secrets
import socket
from functools import cache


@cache
def this_process() -> str:
    """Return the name of this process as the owner of a run: host, process id, and a word of its own."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(8)}"


def is_alive(owner: str) -> bool:
    """Return whether an owner may still be at work; of other machines only the heartbeat tells."""
    host, number, *_ = [*owner.split("/"), ""]
    if host != socket.gethostname() or not number.isdigit():
        return True
    if int(number) == os.getpid():
        return owner.startswith(this_process())
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
