"""The errors of the store, each with a message for the writer."""

from __future__ import annotations

from collections.abc import Sequence


class StoreError(Exception):
    """The store refused something; the message is a sentence for the writer."""


class DeltaInvalid(StoreError):
    """A Delta does not fit the story. `problems` lists the reasons, a sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems: tuple[str, ...] = tuple(problems)
        super().__init__("This change does not fit the story: " + " ".join(self.problems))


class RecordInvalid(StoreError):
    """A record holds a value that it cannot have, so it was not kept. `name` is that of its type."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Something was not saved, because it could not be read back ({name}). "
            "What was saved before is unchanged."
        )


class BookUnreadable(StoreError):
    """Files that were to be imported as a book cannot be; the message says which, and why."""


class CardUnreadable(StoreError):
    """A file that was to be imported as a character card cannot be; the message says why."""


class StoryMoved(StoreError):
    """The story changed while an edit was being made; the edit must be made again."""


class ChangedElsewhere(StoreError):
    """A text was changed by somebody else since the writer began. `theirs` is what it is now."""

    def __init__(self, theirs: str) -> None:
        self.theirs = theirs
        super().__init__("This was changed in another window while you were writing.")


class TextTooLong(StoreError):
    """A chapter's text has more characters than a chapter can have."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"A chapter can have {limit:,} characters, and this is longer. Divide it into several chapters."
        )


class NotFound(StoreError):
    """What was asked for is not in the library."""


class LibraryUnavailable(StoreError):
    """The library file cannot be read or written now: busy, full disk, no permission.

    `reason` is a sentence, and `remedy` what the writer can do about it ("make some room").
    `is_passing` says whether the same may well succeed once that is done, or somebody else is.
    """

    def __init__(self, reason: str, remedy: str = "", *, is_passing: bool = False) -> None:
        self.reason = reason
        self.remedy = remedy
        self.is_passing = is_passing
        super().__init__(
            f"{reason} Nothing was changed: {remedy}, then try again." if remedy else reason
        )


class LibraryTooNew(StoreError):
    """A newer version of Tellwright wrote the library. `sign` says how this is known."""

    def __init__(self, sign: str) -> None:
        super().__init__(
            f"This library was made by a newer version of Tellwright ({sign}). "
            "Please update Tellwright; nothing was changed."
        )


class LibraryDamaged(StoreError):
    """The library no longer holds what was written. `chapter` is where, if known."""

    def __init__(self, problem: str, chapter: int | None = None) -> None:
        self.chapter = chapter
        super().__init__(problem)


class BundleInvalid(StoreError):
    """A story file cannot be imported; the library is unchanged."""
