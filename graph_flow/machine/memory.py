"""How the memory of a long run is kept together."""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX = -8
"""What `mallopt` of the GNU C library calls the number of its heaps."""
_HEAPS = 2


def keep_together() -> None:
    """Let all threads take their memory from the same two heaps, where the system has several.

    Each call to a model has a thread of its own. Otherwise these take turns in up to eight heaps for
    each core, of which every one comes to hold the most that any of them ever needed at once: a run of
    hundreds of chapters grew by a quarter of a megabyte for each, of which nothing was in use.
    """
    if sys.platform != "linux":
        return
    try:
        limit = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # another C library, which has no such heaps
        return
    limit(_ARENA_MAX, _HEAPS)
