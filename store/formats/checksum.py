"""The checksum of a story file: a SHA-256 over all of its bytes before it, written last."""

from __future__ import annotations

import hashlib

from store.errors import BundleInvalid

_BEFORE, _AFTER = b',"checksum":"', b'"}'
_DIGITS = 64
_LENGTH = len(_BEFORE) + _DIGITS + len(_AFTER)


def with_checksum(text: str) -> str:
    """Return the JSON text of an object with its checksum as the last field."""
    content = text.removesuffix("}")
    digest = hashlib.sha256(content.encode()).hexdigest()
    return f"{content}{_BEFORE.decode()}{digest}{_AFTER.decode()}"


def has_checksum(content: bytes) -> bool:
    """Return whether a file ends with a checksum, right or wrong."""
    return _split(content) is not None


def check_checksum(content: bytes) -> None:
    """Check the checksum of a file, if it ends with one.

    Raises:
        BundleInvalid: if the file is not what was once written.
    """
    found = _split(content)
    if found is None:
        return
    end, digest = found
    if hashlib.sha256(memoryview(content)[:end]).hexdigest().encode() != digest:
        raise BundleInvalid(
            "This story file is damaged or was changed after it was exported: its checksum does "
            "not fit. Nothing was imported; please export the story again, or take another copy."
        )


def _split(content: bytes) -> tuple[int, bytes] | None:
    """Return where the checksum begins, and its digits; None if there is none."""
    # An editor may have added an empty line.
    ending = content[-_LENGTH - 16 :].rstrip()[-_LENGTH:]
    if len(ending) < _LENGTH or not (ending.startswith(_BEFORE) and ending.endswith(_AFTER)):
        return None
    return content.rindex(ending), ending[len(_BEFORE) : -len(_AFTER)]
