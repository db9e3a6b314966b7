"""What can go wrong in the store, each with a sentence that a writer understands."""

from __future__ import annotations

from collections.abc import Sequence


class StoreError(Exception):
    """Something the store will not do; its text is a sentence for the writer."""


class DeltaInvalid(StoreError):
    """A Delta that does not fit the story. `problems` lists why, a sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems: tuple[str, ...] = tuple(problems)
        super().__init__("This change does not fit the story: " + " ".join(self.problems))


class StoryMoved(StoreError):
    """The story went on while a change to it was being made; the change must be made anew."""


class NotFound(StoreError):
    """What was asked for is not in the library."""


class LibraryUnavailable(StoreError):
    """The library file cannot be read or written just now: busy, full disk, no permission."""


class LibraryTooNew(StoreError):
    """The library was written by a newer version of Tellwright and is left alone."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            "This library was made by a newer version of Tellwright "
            f"(its format is {found}, this version knows {known}). Please update Tellwright; nothing was changed."
        )


class LibraryDamaged(StoreError):
    """The library does not hold what was once written. `chapter` is where, if it is known."""

    def __init__(self, problem: str, chapter: int | None = None) -> None:
        self.chapter = chapter
        super().__init__(problem)


class BundleInvalid(StoreError):
    """A story file that cannot be imported; the library is as it was."""
