"""Who may have which file that a page offers.

Streamlit serves files by addresses that nobody can guess, to anybody who has one. On a site for
several writers an address alone is not enough. And it forgets a file that was asked for as soon as
two pages of anybody's have been shown since: with many writers, before a browser has fetched it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_media_file_storage import _calculate_file_id

from pages.serving import visitors

_KEPT = 10_000
"""Files whose owners are remembered; the oldest are forgotten, and with that refused."""

HELD = 60.0
"""Seconds for which a file can be fetched, at least, once it has been asked for."""

_DOWNLOADS = "files that were asked for"
"""What Streamlit takes for a window that shows these files; nobody looks at it."""

_owners: OrderedDict[str, set[str]] = OrderedDict()
_held: OrderedDict[str, float] = OrderedDict()
_lock = threading.Lock()


def belongs_to(writer: str, content: bytes, media_type: str, name: str) -> None:
    """Remember that a file was made for a writer, who is about to fetch it."""
    file = _calculate_file_id(content, media_type, name)
    with _lock:
        _owners.setdefault(file, set()).add(writer)
        _owners.move_to_end(file)
        while len(_owners) > _KEPT:
            _owners.popitem(last=False)
        _hold(file)


def may_have(writer: str | None, file: str) -> bool:
    """Return whether somebody may have a file, by its name in the address.

    It was made for them, or a window of theirs shows it, or one in which nobody is signed in.
    """
    file = file.partition(".")[0]
    with _lock:
        if writer is not None and writer in _owners.get(file, ()):
            return True
    return any(visitors.writer_of(one) in {None, writer} for one in _windows_with(file))


def _hold(file: str) -> None:
    """Have Streamlit keep a file, and let it forget those that have been kept long enough."""
    if not exists():
        return
    now, manager = time.monotonic(), get_instance().media_file_mgr
    _held[file] = now
    _held.move_to_end(file)
    with manager._lock:
        kept = manager._files_by_session_and_coord[_DOWNLOADS]
        kept[file] = file
        while now - next(iter(_held.values())) > HELD:
            kept.pop(_held.popitem(last=False)[0], None)


def _windows_with(file: str) -> list[str]:
    if not exists():
        return []
    shown = get_instance().media_file_mgr._files_by_session_and_coord
    return [
        session
        for session, files in list(shown.items())
        if session != _DOWNLOADS and file in list(files.values())
    ]
