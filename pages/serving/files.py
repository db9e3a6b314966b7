"""Who may have which file that a page offers.

Streamlit serves files by addresses that nobody can guess, to anybody who has one. On a site for
several writers an address alone is not enough.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_media_file_storage import _calculate_file_id

from pages.serving import visitors

_KEPT = 10_000
"""Files whose owners are remembered; the oldest are forgotten, and with that refused."""

_owners: OrderedDict[str, set[str]] = OrderedDict()
_lock = threading.Lock()


def belongs_to(writer: str, content: bytes, media_type: str, name: str) -> None:
    """Remember that a file was made for a writer."""
    file = _calculate_file_id(content, media_type, name)
    with _lock:
        _owners.setdefault(file, set()).add(writer)
        _owners.move_to_end(file)
        while len(_owners) > _KEPT:
            _owners.popitem(last=False)


def may_have(writer: str | None, file: str) -> bool:
    """Return whether somebody may have a file, by its name in the address.

    It was made for them, or a window of theirs shows it, or one in which nobody is signed in.
    """
    file = file.partition(".")[0]
    with _lock:
        if writer is not None and writer in _owners.get(file, ()):
            return True
    return any(visitors.writer_of(one) in {None, writer} for one in _windows_with(file))


def _windows_with(file: str) -> list[str]:
    if not exists():
        return []
    shown = get_instance().media_file_mgr._files_by_session_and_coord
    return [session for session, files in list(shown.items()) if file in list(files.values())]
