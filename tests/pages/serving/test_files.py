"""A file that was asked for can be fetched, by its writer only, however many pages are shown meanwhile."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.serving import files, visitors

CONTENT, TYPE, NAME = b"# The Lamp", "text/markdown", "lamp.md"
PAGES = 3
"""Pages that are shown to others before the browser fetches the file."""


class Served:
    """Streamlit's keeper of files, for a window whose page offers one."""

    def __init__(self) -> None:
        self.storage = MemoryMediaFileStorage("/media")
        self.manager = MediaFileManager(self.storage)

    def ask(self, content: bytes = CONTENT) -> str:
        """Ask for a file as a window does; return its name in the address."""

        def made() -> bytes:
            files.belongs_to("ann", content, TYPE, NAME)
            return content

        offered = self.manager.add_deferred(made, TYPE, "1.2", NAME)
        name = self.manager.execute_deferred(offered).rpartition("/")[2]
        for _ in range(PAGES):
            self.manager.clear_session_refs()
            self.manager.remove_orphaned_files()
        return name

    def has(self, name: str) -> bool:
        """Return whether a browser would get a file."""
        try:
            return bool(self.storage.get_file(name).content)
        except MediaFileStorageError:
            return False


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    served = Served()
    runtime = SimpleNamespace(media_file_mgr=served.manager, is_active_session=lambda _: False)
    for module in (files, visitors):
        monkeypatch.setattr(module, "exists", lambda: True)
        monkeypatch.setattr(module, "get_instance", lambda: runtime)
    monkeypatch.setattr(files, "_held", type(files._held)())
    return served


def test_file_is_there_until_its_writer_has_fetched_it(served: Served) -> None:
    name = served.ask()

    assert served.has(name)
    assert files.may_have("ann", name)


def test_file_that_is_kept_is_nobody_else_s(served: Served) -> None:
    name = served.ask(b"Ann's alone")

    assert not files.may_have("ben", name)
    assert not files.may_have(None, name)


def test_file_is_let_go_after_a_while(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    first = served.ask()
    monkeypatch.setattr(files, "HELD", 0.0)
    served.ask(b"Another one")

    for _ in range(PAGES):
        served.manager.remove_orphaned_files()
    assert not served.has(first)
