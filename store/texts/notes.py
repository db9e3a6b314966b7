"""Notes in the margin: what a writer noted beside a paragraph, found again wherever that has gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from store.database.database import Database
from store.database.rows import now
from store.models.base import new_id
from store.models.manuscript import PARAGRAPH_BREAK, Draft, MarginNote
from store.records.manuscript import Manuscript
from store.records.sharing import SharedRecords, set_aside
from store.text import first_characters

_QUOTED = 120
"""Characters of a paragraph by which it is known when it is gone."""
_LONGEST = 400
"""Characters of a quote."""
_NOT_REMOVED = "t.chapter = :chapter AND t.is_removed = 0 ORDER BY t.created, t.key"


class NewNote(NamedTuple):
    """A note that is to be kept: beside which paragraph, from 0, and about which words of it, if any."""

    key: str
    at: int
    quote: str
    text: str


class PlacedNote(NamedTuple):
    """A note, and the paragraph, from 0, that it stands beside now; None: that is gone."""

    note: MarginNote
    at: int | None


class Notes:
    """Keeps what the writer noted; branches share notes as they share texts."""

    def __init__(self, database: Database, manuscript: Manuscript) -> None:
        self._database = database
        self._manuscript = manuscript
        self._notes = SharedRecords(database, MarginNote, "margin_notes", "This note is gone.")

    def add(self, branch: str, chapter: int, new: NewNote) -> MarginNote:
        """Keep a note beside a paragraph of the newest text; one that is there stays as it is.

        If the words that it is about stand in another paragraph only, it is that one.

        Raises:
            NotFound: if the chapter has no text.
            ValidationError: if the note is empty or too long.
        """
        with self._database.write():
            known = self._first(branch, new.key)
            if known is not None:
                return known
            draft = self._manuscript.require(branch, chapter)
            paragraphs = draft.text.split(PARAGRAPH_BREAK)
            at = _nearest(paragraphs, new.at, new.quote)
            ids = draft.paragraphs
            return self._notes.add(
                MarginNote(
                    id=new_id(),
                    key=new.key,
                    branch=branch,
                    chapter=chapter,
                    paragraph=ids[at].id if at < len(ids) else None,
                    quote=new.quote.strip()[:_LONGEST].strip(),
                    beginning=first_characters(paragraphs[at].strip(), _QUOTED),
                    text=new.text,
                    created=now(),
                )
            )

    def of(self, branch: str, chapter: int) -> list[PlacedNote]:
        """Return the notes of a chapter in the order of its text; those whose paragraph is gone come last."""
        notes = self._notes.along(branch, _NOT_REMOVED, {"chapter": chapter})
        draft = self._manuscript.draft(branch, chapter) if notes else None
        if draft is None:
            return [PlacedNote(note, None) for note in notes]
        places = {one.id: at for at, one in enumerate(draft.paragraphs)}
        placed = [PlacedNote(note, _place(note, draft, places)) for note in notes]
        return sorted(placed, key=lambda one: (one.at is None, one.at or 0))

    def own(self, branch: str) -> list[MarginNote]:
        """Return the notes that are kept for a branch itself, not those that it shares."""
        return self._notes.all(
            "branch = :branch AND is_removed = 0 ORDER BY created, key", {"branch": branch}
        )

    def reword(self, branch: str, key: str, text: str) -> MarginNote:
        """Give a note other words.

        Raises:
            NotFound: if there is no such note.
            ValidationError: if they are none, or too many.
        """
        with self._database.write():
            note = self._own(branch, key)
            changed = MarginNote.model_validate(note.model_dump() | {"text": text})
            return self._notes.revise(note.id, text=changed.text)

    def settle(self, branch: str, key: str, *, is_done: bool) -> MarginNote:
        """Mark a note as done, or as open again.

        Raises:
            NotFound: if there is no such note.
        """
        with self._database.write():
            return self._notes.revise(self._own(branch, key).id, is_done=int(is_done))

    def move(self, branch: str, chapter: int, to: int, since: int | None = None) -> None:
        """Move the notes of a chapter to another, with their text; only those from a paragraph on, if given."""
        with self._database.write():
            for note, at in self.of(branch, chapter):
                if since is None or (at is not None and at >= since):
                    self._notes.revise(self._own(branch, note.key).id, chapter=to)

    def remove(self, branch: str, key: str) -> None:
        """Remove a note from a branch; other branches that share it keep it.

        Raises:
            NotFound: if there is no such note.
        """
        with self._database.write():
            self._notes.revise(self._own(branch, key).id, is_removed=1)

    def import_note(self, note: MarginNote) -> MarginNote:
        """Keep a note of an imported story."""
        return self._notes.add(note)

    def _first(self, branch: str, key: str) -> MarginNote | None:
        return self._notes.first_along(branch, "t.key = :key", {"key": key})

    def _own(self, branch: str, key: str) -> MarginNote:
        """Return the branch's own copy of a note, which is made if the branch only shares it."""
        with self._database.write() as database:
            note = self._notes.require(self._first(branch, key))
            while note.branch != branch:
                set_aside(database, "margin_notes", "t.id = :id", {"id": note.id})
                self._notes.update(note.id, newest_branch=self._notes.stamp(note.branch))
                note = self._notes.require(self._first(branch, key))
            return note


def _nearest(paragraphs: Sequence[str], at: int, quote: str) -> int:
    """Return the paragraph that holds a quote, the nearest to where it was; without one, that place."""
    at = min(max(at, 0), len(paragraphs) - 1)
    holding = [place for place, text in enumerate(paragraphs) if quote in text] if quote else [at]
    return min(holding, key=lambda place: abs(place - at), default=at)


def _place(note: MarginNote, draft: Draft, places: dict[str, int]) -> int | None:
    """Return the paragraph of a note: the one it had, or else the only one with the words quoted."""
    at = places.get(note.paragraph or "")
    words = note.quote or note.beginning
    if at is not None or not words:
        return at
    texts = draft.text.split(PARAGRAPH_BREAK)
    holding = [place for place, text in enumerate(texts) if words in text]
    return holding[0] if len(holding) == 1 else None
