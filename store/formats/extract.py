"""What an export is made of: a branch as of one chapter, or its written chapters."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import NamedTuple

from store.models.manuscript import Draft
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Brief
from store.open import Store
from store.texts.tellings import BookText

Cell = str | int | float

_UNWRITABLE = re.compile(
    r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]"
)
"""Characters that XML 1.0 forbids or advises against; no other format needs them either."""


class Extract(NamedTuple):
    """A snapshot, and whose it is. `branch` is the name of its branch."""

    story: str
    title: str
    branch: str
    snapshot: Snapshot


def extract_of(store: Store, branch_id: str, chapter: int | None = None) -> Extract:
    """Return a branch as of a chapter; None is the newest.

    Raises:
        NotFound: if there is no such branch.
    """
    branch = store.library.branch(branch_id)
    story = store.library.story(branch.story)
    return Extract(story.id, story.title, branch.name, store.prototype.snapshot(branch_id, chapter))


class Manuscript(NamedTuple):
    """The written chapters of a branch in the order of the book, each in its newest version.

    `story` is the id of the story whose branch it is.
    """

    story: str
    title: str
    brief: Brief
    texts: tuple[BookText, ...]

    @property
    def drafts(self) -> tuple[Draft, ...]:
        """The texts without their places in the book."""
        return tuple(one.draft for one in self.texts)


def manuscript_of(store: Store, branch_id: str, telling_id: str | None = None) -> Manuscript:
    """Return the written chapters of a branch's book, or of another telling of its story.

    Chapters typed by hand, which have no plot, belong to the book; those whose plot was taken back do not.

    Raises:
        NotFound: if there is no such branch or telling.
    """
    story = store.library.story_of(branch_id)
    if telling_id is None:
        texts = tuple(store.contents.texts(branch_id))
        return Manuscript(story.id, story.title, story.brief, texts)
    telling = store.tellings.get(telling_id)
    told_as = story.brief.model_copy(update={"form": telling.form})
    return Manuscript(story.id, story.title, told_as, tuple(store.tellings.texts(telling)))


def fingerprint_of(manuscript: Manuscript) -> str:
    """Return a hash of all that a book is made of."""
    digest = hashlib.sha256(repr((manuscript.title, manuscript.brief)).encode())
    for place, draft in manuscript.texts:
        digest.update(repr((place, draft.title, draft.form, draft.text)).encode())
    return digest.hexdigest()


def writable(text: str) -> str:
    """Return a text with each character that would break a file replaced by a mark."""
    return _UNWRITABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def name_of(entity: AnyEntity) -> str:
    """Return the name or title of an entity; empty if it has none."""
    return writable(getattr(entity, "name", "") or getattr(entity, "title", ""))


def cell_of(value: object) -> Cell:
    """Return the value of a field as one number or text; empty if there is none."""
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
