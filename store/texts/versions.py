"""The versions of a chapter's text: listed without their texts, named, and restored."""

from __future__ import annotations

from store.database.database import Database
from store.database.rows import from_row
from store.models.base import dump_json
from store.models.manuscript import Draft, DraftState, VersionFacts
from store.records.manuscript import Manuscript
from store.records.sharing import SharedRecords, along, set_aside

_FACTS = f"""
{along("drafts", "t.version, t.state, t.words, t.created, t.name")}
WHERE t.chapter = :chapter AND (t.branch = :branch OR t.state <> '{DraftState.WRITING.value}')
ORDER BY t.version DESC
"""


class Versions:
    """The versions of a chapter, as `Manuscript` keeps them."""

    def __init__(self, database: Database, manuscript: Manuscript) -> None:
        self._database = database
        self._manuscript = manuscript
        self._drafts = SharedRecords(database, Draft, "drafts", "This version is gone.")

    def listed(self, branch: str, chapter: int) -> list[VersionFacts]:
        """Return what there is to know of all versions of a chapter but their texts, the newest first."""
        rows = self._database.rows(_FACTS, {"branch": branch, "chapter": chapter})
        return [from_row(VersionFacts, row) for row in rows]

    def get(self, branch: str, chapter: int, version: int) -> Draft:
        """Return a version with its text.

        Raises:
            NotFound: if there is no such version.
        """
        return self._manuscript.version(branch, chapter, version)

    def name(self, branch: str, chapter: int, version: int, name: str) -> Draft:
        """Give a version a name of up to 80 characters; an empty one takes it away.

        Other branches that share the version have it as it was.

        Raises:
            NotFound: if there is no such version.
            ValidationError: if the name is too long.
        """
        with self._database.write():
            draft = self._own(branch, self.get(branch, chapter, version))
            named = draft.model_dump() | {"name": name.strip() or None}
            return self._drafts.revise(draft.id, name=Draft.model_validate(named).name)

    def restore(self, branch: str, chapter: int, version: int) -> Draft:
        """Make the text of a version the newest again; the present one stays a version.

        Its paragraphs are those that they were, with what belongs to them.

        Raises:
            NotFound: if there is no such version.
        """
        with self._database.write():
            old = self.get(branch, chapter, version)
            newest = self._manuscript.draft(branch, chapter)
            restored = self._manuscript.save_text(branch, chapter, old.text)
            if not old.paragraphs or (newest is not None and newest.id == restored.id):
                return restored
            paragraphs = dump_json([one.model_dump(mode="json") for one in old.paragraphs])
            return self._drafts.revise(restored.id, paragraphs=paragraphs)

    def _own(self, branch: str, draft: Draft) -> Draft:
        """Return the branch's own copy of a version, which is made if the branch only shares it."""
        with self._database.write() as database:
            while draft.branch != branch:
                set_aside(database, "drafts", "t.id = :id", {"id": draft.id})
                self._drafts.update(draft.id, newest_branch=self._drafts.stamp(draft.branch))
                draft = self.get(branch, draft.chapter, draft.version)
            return draft
