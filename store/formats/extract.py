"""What is taken out of the library as data: one line of a story as of one chapter."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from store.models.prototype import AnyEntity, Snapshot
from store.open import Store

Cell = str | int | float

_UNWRITABLE = re.compile(
    r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]"
)
"""What XML 1.0 has no place for, or advises against; no other format gains by it either."""


class Extract(NamedTuple):
    """A snapshot, and whose it is. `branch` is the name of the line it stands on."""

    story: str
    title: str
    branch: str
    snapshot: Snapshot


def extract_of(store: Store, branch_id: str, chapter: int | None = None) -> Extract:
    """Return a branch as of a chapter; None is as it is now.

    Raises:
        NotFound: if there is no such branch.
    """
    branch = store.library.branch(branch_id)
    story = store.library.story(branch.story)
    return Extract(story.id, story.title, branch.name, store.prototype.snapshot(branch_id, chapter))


def writable(text: str) -> str:
    """Return a text with a mark for each character that would break a file; all others stay."""
    return _UNWRITABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def name_of(entity: AnyEntity) -> str:
    """Return the name or title of something that has one of its own; empty where it has none."""
    return writable(getattr(entity, "name", "") or getattr(entity, "title", ""))


def cell_of(value: object) -> Cell:
    """Return the value of a field as one number or text; empty where there is none."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case StrEnum():
            return value.value
        case int() | float():
            return value
        case tuple():
            return "; ".join(writable(str(one)) for one in value)
    return writable(str(value))
