"""Handouts for a table of players: a zip of Word files, one for each.

Their names are those of people and stories, and so could be anything: only letters, digits, spaces and
hyphens of them go into the name of a file, behind a number that no other has.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
from collections.abc import Sequence

from store.formats.book.blocks import Book
from store.formats.book.docx import export_docx

_UNSAFE = re.compile(r"[^\w\- ]+")
_LONGEST = 60
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The oldest date that a zip can hold: the same handouts make the same file on any day."""


def export_handouts(handouts: Sequence[Book]) -> bytes:
    """Return a zip with a Word file for each handout, in order."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, book in enumerate(handouts):
            entry = zipfile.ZipInfo(file_name(number, book.title), _FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, export_docx(book))
    return packed.getvalue()


def file_name(number: int, title: str) -> str:
    """Return a name for a Word file that any system takes and no other number has."""
    plain = unicodedata.normalize("NFC", title)
    stem = " ".join(_UNSAFE.sub(" ", plain).split())[:_LONGEST].strip()
    return f"{number:02} {stem}.docx" if stem else f"{number:02}.docx"
