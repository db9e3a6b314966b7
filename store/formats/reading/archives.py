"""Zip files that somebody sent: what is in them is read by name, into memory, within bounds."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Self

from store.formats.reading import bounds
from store.formats.reading.parts import Unreadable

_DAMAGED = "it is damaged"
_LOCKED = "it is locked with a password: save it without one"
_ENCRYPTED = 0x1
"""The flag of an entry that is encrypted."""
_TOO_LARGE = "more comes out of it than any book holds"
_CHUNK = 1 << 20


class Archive:
    """A zip file, of which no more is unpacked in all than a book can hold."""

    def __init__(self, content: bytes) -> None:
        """Open a zip file.

        Raises:
            Unreadable: if it is none, or has more entries than any book.
        """
        try:
            self._file = zipfile.ZipFile(io.BytesIO(content))
            entries = self._file.infolist()
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as problem:
            raise Unreadable(_DAMAGED) from problem
        if len(entries) > bounds.MEMBERS:
            raise Unreadable(_TOO_LARGE)
        self._entries = {one.filename: one for one in entries}
        self._left = bounds.UNPACKED_BYTES

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def names(self) -> list[str]:
        """The names of its entries. They are names, never paths of this computer."""
        return list(self._entries)

    def read(self, name: str) -> bytes:
        """Return an entry.

        Raises:
            Unreadable: if there is none, or it is damaged, encrypted or too large.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise Unreadable(f"a part of it is missing ({name[:80]})")
        if entry.flag_bits & _ENCRYPTED:
            raise Unreadable(_LOCKED)
        pieces: list[bytes] = []
        try:
            with self._file.open(entry) as source:
                while piece := source.read(_CHUNK):
                    self._left -= len(piece)
                    if self._left < 0:
                        raise Unreadable(_TOO_LARGE)
                    pieces.append(piece)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            RuntimeError,
            ValueError,
        ) as problem:
            raise Unreadable(_DAMAGED) from problem
        return b"".join(pieces)

    def rebuilt(self, is_wanted: Callable[[str], bool]) -> io.BytesIO:
        """Return a zip file of the wanted entries, each as large as it says."""
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            for name in filter(is_wanted, self._entries):
                file.writestr(name, self.read(name))
        target.seek(0)
        return target
