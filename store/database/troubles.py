"""What SQLite and the file system say when they cannot go on, in words for the writer."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from store.errors import LibraryDamaged, LibraryUnavailable

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_DISK = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL})
"""What SQLite says of a disk that is full, has gone or is at fault, when it knows no more."""


def is_busy(error: Exception) -> bool:
    """Return whether an error only says that somebody else is writing."""
    return _code(error) in _BUSY


def is_full(error: Exception) -> bool:
    """Return whether an error says that there is no room left on the disk."""
    is_of_files = isinstance(error, OSError) and error.errno in _FULL
    return is_of_files or _code(error) == sqlite3.SQLITE_FULL


def is_read_only(error: Exception) -> bool:
    """Return whether an error says that nothing may be written there."""
    is_of_files = isinstance(error, OSError) and error.errno in _READ_ONLY
    return is_of_files or _code(error) in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}


def cause_of(error: Exception) -> str:
    """Return why something could not be read or written, as the end of a sentence."""
    if is_full(error):
        return "there is no room left on the disk"
    if is_read_only(error):
        return "Tellwright may not read or write there"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system into messages for the writer.

    Raises:
        LibraryUnavailable: if the file cannot be read or written now.
        LibraryDamaged: if it is no library, or not sound.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        say_plainly(error, path)
        raise


def say_plainly(error: Exception, path: Path) -> None:
    """Raise an error of SQLite or the file system in plain words; return if the fault is ours."""
    if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
        return
    if isinstance(error, OSError | sqlite3.OperationalError):
        raise _unavailable(error, path) from error
    if isinstance(error, sqlite3.DatabaseError):
        raise LibraryDamaged(
            f"The file {path.name} is not a Tellwright library, or it is damaged ({error})."
        ) from error


def _unavailable(error: OSError | sqlite3.OperationalError, path: Path) -> LibraryUnavailable:
    said = _passing(error, path)
    if said is not None:
        reason, remedy = said
        return LibraryUnavailable(reason, remedy, is_passing=True)
    if isinstance(error, OSError):
        return LibraryUnavailable(f"The library {path.name} cannot be opened: {error}.")
    return LibraryUnavailable(
        f"The library {path.name} cannot be used right now ({error}). Nothing was changed."
    )


def _passing(error: OSError | sqlite3.OperationalError, path: Path) -> tuple[str, str] | None:
    """Return the reason and the remedy of what may pass; None for anything else."""
    if is_full(error):
        return "There is no room left on the disk.", "make some room"
    if is_busy(error):
        return (
            f"Another window or program has been writing to the library {path.name} for too long.",
            "wait until it is done",
        )
    if is_read_only(error):
        return (
            f"{path.name} cannot be written: the file, its folder or the disk is read-only.",
            "let Tellwright write there",
        )
    if _code(error) in _DISK:
        return (
            f"{path.name} cannot be read or written: the disk is full, or does not work ({error}).",
            "see to the disk",
        )
    return None


def _code(error: Exception) -> int:
    """Return the primary code of an error of SQLite; 0 for any other error."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
