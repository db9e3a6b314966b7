"""The bounds of a book that is imported: what is beyond them is refused before it is built."""

from __future__ import annotations

FILES = 500
"""The most files of one book."""

FILE_BYTES = 100_000_000
"""The most bytes of one file."""

MEMBERS = 10_000
"""The most entries of a zip file."""

UNPACKED_BYTES = 300_000_000
"""The most bytes that may come out of one zip file, counted as they come."""

MARKUP_BYTES = 60_000_000
"""The most bytes of one document of markup; 2 million words take about 12 million."""

CHARACTERS = 30_000_000
"""The most characters of a book."""

CHAPTERS = 10_000
"""The most chapters of a book."""

CHAPTER_CHARACTERS = 900_000
"""Where a chapter is divided, so that it can still be added to in the app."""

TITLE_CHARACTERS = 80
"""The most characters of a title."""
