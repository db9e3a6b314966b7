"""What is known of the health of a story, or of the library as a whole."""

from __future__ import annotations

from datetime import datetime

from store.models.base import Record

LIBRARY = "library"
"""The subject of what is known of the library's file."""


class Health(Record):
    """What the last check found. `subject` is the id of a story, or `LIBRARY`.

    `problems` are sentences for the writer, at most a few; none: it was sound.
    """

    subject: str
    checked: datetime
    found_sound: datetime | None = None
    """When it was last found to be as it was written; None: never."""
    problems: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing was damaged when it was last checked."""
        return not self.problems
