"""The tellings of a branch's story beside the one that follows its plot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from store.database.database import Database
from store.database.rows import now
from store.models.base import dump_json, new_id
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.desk.telling import Arrangement, Telling, ToldChapter, ToldPart
from store.models.form import Form
from store.models.manuscript import Draft
from store.records.manuscript import Manuscript
from store.records.sharing import SharedRecords

_KEYS = """
SELECT json_extract(one.value, '$.key') AS key FROM branches
JOIN tellings ON tellings.branch = branches.id, json_each(tellings.{column}) AS one
WHERE branches.story = (SELECT story FROM branches WHERE id = :branch)
"""
_LAST_KEY = f"""
SELECT max(key) FROM (
    {_KEYS.format(column="chapters")} UNION ALL {_KEYS.format(column="taken_out")}
)
"""
_LAST_TEXT = """
SELECT max(drafts.chapter) FROM branches JOIN drafts ON drafts.branch = branches.id
WHERE branches.story = (SELECT story FROM branches WHERE id = :branch)
"""


class ChapterOfTelling(NamedTuple):
    """A chapter of a telling, and its place in it, from 1."""

    telling: Telling
    place: int

    @property
    def chapter(self) -> ToldChapter:
        """What it shows."""
        return self.telling.chapters[self.place - 1]


class BookText(NamedTuple):
    """A chapter with text: its place in the book, from 1, and its newest text."""

    place: int
    draft: Draft


class NewChapter(NamedTuple):
    """What a chapter is to show that has no key yet."""

    parts: tuple[ToldPart, ...]
    title: str | None = None


class Tellings:
    """Keeps the tellings of each branch. A branch does not share those of its parent."""

    def __init__(self, database: Database, manuscript: Manuscript) -> None:
        self._database = database
        self._manuscript = manuscript
        self._tellings = SharedRecords(database, Telling, "tellings", "This telling is gone.")

    def of(self, branch: str) -> list[Telling]:
        """Return the tellings of a branch, in the order in which they were made."""
        return [one for one in self.own(branch) if not one.is_removed]

    def get(self, telling_id: str) -> Telling:
        """Return a telling, also one that was put away.

        Raises:
            NotFound: if there is none.
        """
        return self._tellings.get(telling_id)

    def of_chapter(self, branch: str, key: int) -> ChapterOfTelling | None:
        """Return whose chapter is kept by a key; None if it is no telling's."""
        if key < FIRST_OF_TELLING:
            return None
        for telling in self.own(branch):
            if key in telling.keys:
                return ChapterOfTelling(telling, telling.keys.index(key) + 1)
        return None

    def make(
        self,
        branch: str,
        name: str,
        form: Form,
        arrangement: Arrangement,
        chapters: Sequence[NewChapter],
    ) -> Telling:
        """Keep a new telling.

        Raises:
            ValidationError: if its name is empty or too long.
        """
        with self._database.write():
            return self._tellings.add(
                Telling(
                    id=new_id(),
                    branch=branch,
                    name=name,
                    form=form,
                    arrangement=arrangement,
                    chapters=self._with_keys(branch, chapters),
                    created=now(),
                )
            )

    def add_chapters(
        self, telling_id: str, chapters: Sequence[NewChapter], at: int | None = None
    ) -> Telling:
        """Add chapters to a telling behind its first `at` ones; None: behind all.

        Raises:
            NotFound: if there is no such telling.
        """
        with self._database.write():
            branch = self.get(telling_id).branch
            more = self._with_keys(branch, chapters)

            def longer(telling: Telling) -> Telling:
                there = telling.chapters
                place = len(there) if at is None else at
                return telling.model_copy(
                    update={"chapters": (*there[:place], *more, *there[place:])}
                )

            return self.change(telling_id, longer)

    def change(self, telling_id: str, change: Callable[[Telling], Telling]) -> Telling:
        """Change a telling as it is kept now.

        Raises:
            NotFound: if there is no such telling.
            ValidationError: if what it would become is none.
        """
        with self._database.write():
            changed = change(self.get(telling_id))
            checked = Telling.model_validate(changed.model_dump())
            return self._tellings.update(
                telling_id,
                name=checked.name,
                chapters=_as_json(checked.chapters),
                taken_out=_as_json(checked.taken_out),
                is_removed=int(checked.is_removed),
            )

    def texts(self, telling: Telling, keys: Collection[int] | None = None) -> Iterator[BookText]:
        """Yield what is written of a telling in order, or of some of its chapters."""
        for place, one in enumerate(telling.chapters, start=1):
            if keys is not None and one.key not in keys:
                continue
            draft = self._manuscript.draft(telling.branch, one.key)
            if draft is not None:
                named = draft.model_copy(update={"title": one.title}) if one.title else draft
                yield BookText(place, named)

    def own(self, branch: str) -> list[Telling]:
        """Return what is kept for a branch, those that were put away among it."""
        return self._tellings.all("branch = :branch ORDER BY created, rowid", {"branch": branch})

    def import_telling(self, telling: Telling) -> Telling:
        """Keep a telling of an imported story."""
        return self._tellings.add(telling)

    def _with_keys(self, branch: str, chapters: Sequence[NewChapter]) -> tuple[ToldChapter, ...]:
        """Return chapters with keys that no other chapter of the story has, or has had a text by."""
        values = {"branch": branch}
        [[listed]] = self._database.tuples(_LAST_KEY, values)
        [[written]] = self._database.tuples(_LAST_TEXT, values)
        first = max((listed or 0) + 1, (written or 0) + 1, FIRST_OF_TELLING)
        return tuple(
            ToldChapter(key=key, title=one.title, parts=one.parts)
            for key, one in enumerate(chapters, start=first)
        )


def _as_json(chapters: Sequence[ToldChapter]) -> str:
    return dump_json([one.model_dump(mode="json") for one in chapters])
