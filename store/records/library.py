"""The library: stories, their branches, and the settings of the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from store.database.database import Database, Row
from store.database.rows import Value, column, from_row, now, to_row
from store.errors import NotFound, StoreError
from store.models.base import dump_json, new_id
from store.models.form import DEFAULT_FORM
from store.models.story import Branch, Brief, Story, StoryCard, StorySettings
from store.prototype.lineage import head_at, newest_commit
from store.records.catalogue import BLANK, UNTOUCHED, matching, names_of_people
from store.records.sharing import newest_branch
from store.text import name_key

MAIN_BRANCH = "Main"
BRANCH_NAME_LIMIT = 80

S = TypeVar("S", bound=BaseModel)

_MISSING = "This story or branch is not in the library."
_STORIES = 8
"""Cached stories: those that somebody works on now."""
_STORY_COLUMNS = tuple(Story.model_fields)
_STORY_OF = f"""
SELECT {", ".join(f"stories.{name}" for name in _STORY_COLUMNS)}
FROM branches JOIN stories ON stories.id = branches.story WHERE branches.id = :id
"""
_CARDS = f"""
SELECT stories.*, opened.id AS opened_branch,
    coalesce((SELECT told FROM commits WHERE branch = opened.id ORDER BY id DESC LIMIT 1),
             opened.fork_chapter, 0) AS chapters
FROM stories JOIN branches AS main ON main.story = stories.id AND main.parent IS NULL
JOIN branches AS opened ON opened.id = coalesce(stories.open_branch, main.id)
WHERE stories.deleted IS NULL AND stories.id NOT IN (SELECT story FROM imports) AND NOT {UNTOUCHED}
ORDER BY stories.touched DESC, stories.rowid DESC
"""
_WHOLE = "FROM stories WHERE id NOT IN (SELECT story FROM imports)"
_ANY = f"SELECT 1 {_WHOLE} LIMIT 1"
_PUT_AWAY = f"SELECT * {_WHOLE} AND deleted IS NOT NULL ORDER BY deleted DESC, rowid DESC"
_LISTED = f"SELECT id {_WHOLE} AND deleted IS NULL AND NOT {UNTOUCHED}"
_LEFT = f"SELECT * {_WHOLE} AND deleted IS NULL AND {UNTOUCHED} ORDER BY created DESC"
_STILL_AT_IT = timedelta(hours=1)
"""How long after it was begun a story with nothing in it counts as one that somebody is at."""
_ALL = f"SELECT id {_WHOLE} ORDER BY rowid"


class Library:
    """Keeps stories, at most so many if there is a limit; none is ever lost: a deleted one can be restored."""

    def __init__(self, database: Database, most_stories: int | None = None) -> None:
        self._database = database
        self._most = most_stories

    def create_story(self, brief: Brief | None = None, title: str = "") -> Story:
        """Create a story with an empty main branch, from the brief if there is one.

        Raises:
            StoreError: if there can be no more stories.
        """
        moment = now()
        settings = StorySettings().for_form(DEFAULT_FORM.spec, (brief or Brief()).form.spec)
        story = Story(
            id=new_id(),
            title=title,
            brief=brief or Brief(),
            settings=settings,
            created=moment,
            touched=moment,
        )
        branch = Branch(id=new_id(), story=story.id, name=MAIN_BRANCH)
        with self._database.write() as database:
            self.check_room()
            database.table("stories").insert(to_row(story))
            database.table("branches").insert(to_row(branch))
        return story

    def begin_story(self) -> Story:
        """Return a story with nothing in it: one that was begun before and left, or else a new one.

        It is not listed before something is typed in it or made of it. It is there meanwhile, so
        what is typed has a place, also if the window is closed at once.

        Raises:
            StoreError: if there can be no more stories.
        """
        with self._database.write() as database:
            left = [from_row(Story, row) for row in self._database.rows(_LEFT, BLANK)]
            old = [one for one in left if one.created < now() - _STILL_AT_IT]
            free = old or (left if self._is_full(len(left)) else [])
            if not free:
                return self.create_story()
            moment = column(now())
            database.table("stories").update(free[0].id, {"created": moment, "touched": moment})
            return self.story(free[0].id)

    def story(self, story_id: str) -> Story:
        """Return a story, even a deleted one.

        Raises:
            NotFound: if there is none.
        """
        return from_row(Story, self._one("SELECT * FROM stories WHERE id = :id", story_id))

    def stories(self) -> list[StoryCard]:
        """Return the stories that are not deleted, the most recently touched first.

        One in which nothing was ever typed is not among them.
        """
        return [_card(row) for row in self._database.rows(_CARDS, BLANK)]

    def find_stories(self, text: str) -> list[StoryCard]:
        """Return those of `stories` that hold every word of a text: title, premise, people's names."""
        return matching(self.stories(), names_of_people(self._database), text)

    def story_ids(self) -> list[str]:
        """Return the ids of all stories, also of deleted ones, in the order in which they began."""
        rows = self._database.rows(_ALL)
        return [row["id"] for row in rows]

    def stories_put_away(self) -> list[Story]:
        """Return the stories that are put away, the last one first."""
        rows = self._database.rows(_PUT_AWAY)
        return [from_row(Story, row) for row in rows]

    @property
    def is_untouched(self) -> bool:
        """Whether the library has never had a story; a deleted one counts, half an import does not."""
        return self._database.row(_ANY) is None

    def change_brief(self, story_id: str, change: Callable[[Brief], Brief]) -> Story:
        """Keep what the writer asks for; a new form brings its usual scene length.

        `change` is given what is kept now, in the transaction that keeps what it returns.
        """
        with self._database.write():
            story = self.story(story_id)
            brief = change(story.brief)
            settings = story.settings.for_form(story.brief.form.spec, brief.form.spec)
            if settings != story.settings:
                self.change_settings(story_id, lambda _: settings)
            return self._update(story_id, {"brief": dump_json(brief.model_dump(mode="json"))})

    def rename(self, story_id: str, title: str) -> Story:
        """Give a story another title.

        Raises:
            StoreError: if the title is too long.
        """
        try:
            checked = Story.model_validate({**dict(self.story(story_id)), "title": title})
        except ValidationError as error:
            raise StoreError("A title can have at most 400 characters.") from error
        return self._update(story_id, {"title": checked.title})

    def change_settings(
        self, story_id: str, change: Callable[[StorySettings], StorySettings]
    ) -> Story:
        """Keep how a story is made.

        `change` is given what is kept now, in the transaction that keeps what it returns.
        """
        with self._database.write():
            settings = change(self.story(story_id).settings)
            return self._update(story_id, {"settings": dump_json(settings.model_dump(mode="json"))})

    def delete(self, story_id: str) -> Story:
        """Put a story away: out of the list, and otherwise as it was; `restore` brings it back."""
        return self._update(story_id, {"deleted": column(now())})

    def restore(self, story_id: str) -> Story:
        """Bring a story back that was put away.

        Raises:
            StoreError: if there can be no more stories.
        """
        with self._database.write():
            self.check_room()
            return self._update(story_id, {"deleted": None})

    def check_room(self) -> None:
        """Check that there can be one story more.

        Raises:
            StoreError: if there cannot.
        """
        if self._is_full():
            raise StoreError(
                f"There can be at most {self._most:,} stories here. To begin another, export one if you "
                "like, and delete it."
            )

    def _is_full(self, others: int = 0) -> bool:
        """Return whether there can be no story more, if `others` that are not listed count too."""
        if self._most is None:
            return False
        return len(self._database.rows(_LISTED, BLANK)) + others >= self._most

    def branches(self, story_id: str) -> list[Branch]:
        """Return the branches of a story that are not put away: the main one, then as they started."""
        return [one for one in self.all_branches(story_id) if one.deleted is None]

    def all_branches(self, story_id: str) -> list[Branch]:
        """Return the branches of a story, also those put away: the main one, then as they started."""
        rows = self._database.rows(
            "SELECT * FROM branches WHERE story = :id ORDER BY number, rowid",
            {"id": story_id},
        )
        return [from_row(Branch, row) for row in rows]

    def put_branch_away(self, branch_id: str, moment: datetime | None = None) -> Branch:
        """Take a branch out of the list; nothing of it changes, and `bring_branch_back` lists it.

        Branches that start from it go on. If it was the open one, the main one is open now.

        Raises:
            StoreError: if it is the main branch: the story as a whole can be put away.
        """
        with self._database.write() as database:
            branch = self.branch(branch_id)
            if branch.parent is None:
                raise StoreError(
                    "The branch that a story began with cannot be archived; delete the story instead."
                )
            when = branch.deleted or moment or now()
            database.table("branches").update(branch_id, {"deleted": column(when)})
            database.execute(
                "UPDATE stories SET open_branch = NULL WHERE open_branch = ?", (branch_id,)
            )
            return self.branch(branch_id)

    def bring_branch_back(self, branch_id: str) -> Branch:
        """List a branch again that was put away."""
        with self._database.write() as database:
            self.branch(branch_id)
            database.table("branches").update(branch_id, {"deleted": None})
            return self.branch(branch_id)

    def branch(self, branch_id: str) -> Branch:
        """Return a branch.

        Raises:
            NotFound: if there is none.
        """
        return from_row(Branch, self._one("SELECT * FROM branches WHERE id = :id", branch_id))

    def main_branch(self, story_id: str) -> Branch:
        """Return the branch a story began with.

        Raises:
            NotFound: if there is no such story.
        """
        query = "SELECT * FROM branches WHERE story = :id AND parent IS NULL"
        return from_row(Branch, self._one(query, story_id))

    def story_of(self, branch_id: str) -> Story:
        """Return the story a branch belongs to.

        Raises:
            NotFound: if there is no such branch.
        """
        rows = self._database.tuples(_STORY_OF, {"id": branch_id})
        if not rows:
            raise NotFound(_MISSING)
        # Every part of a run asks what the writer wants now, which has mostly not changed.
        return _kept_story(rows[0])

    def fork(self, branch_id: str, chapter: int, name: str, what_if: str = "") -> Branch:
        """Start a branch from the end of a chapter; it shares everything up to there.

        `what_if` is what the writer wants to see come true there.

        Raises:
            NotFound: if the branch has not plotted that chapter.
            StoreError: if the name is empty, too long, or that of another branch of the story.
        """
        with self._database.write() as database:
            parent = self.branch(branch_id)
            name = branch_name(name, self.all_branches(parent.story))
            head = head_at(self._database, branch_id)
            start = newest_commit(self._database, branch_id, chapter)
            if head is None or start is None or not 0 <= chapter <= head.chapter:
                raise NotFound(
                    f"Chapter {chapter} is not plotted yet, so no branch can start from it."
                )
            branch = Branch(
                id=new_id(),
                story=parent.story,
                name=name,
                parent=parent.id,
                fork_chapter=chapter,
                fork_commit=start.id,
                what_if=what_if,
                number=newest_branch(self._database, branch_id) + 1,
            )
            database.table("branches").insert(to_row(branch))
        return branch

    def rename_branch(self, branch_id: str, name: str) -> Branch:
        """Give a branch another name.

        Raises:
            StoreError: if the name is empty, too long, or that of another branch of the story.
        """
        with self._database.write() as database:
            branch = self.branch(branch_id)
            others = [one for one in self.all_branches(branch.story) if one.id != branch_id]
            renamed = branch.model_copy(update={"name": branch_name(name, others)})
            database.table("branches").update(branch_id, {"name": renamed.name})
        return renamed

    def open_branch(self, story_id: str) -> Branch:
        """Return the branch that the writer works on; the main one until another is opened.

        Raises:
            NotFound: if there is no such story.
        """
        row = self._one("SELECT open_branch FROM stories WHERE id = :id", story_id)
        opened = row["open_branch"]
        return self.branch(opened) if opened else self.main_branch(story_id)

    def switch_branch(self, story_id: str, branch_id: str) -> Branch:
        """Make another branch of a story the one that the writer works on.

        Raises:
            NotFound: if the branch is not one of this story.
        """
        branch = self.branch(branch_id)
        if branch.story != story_id:
            raise NotFound("This branch belongs to another story.")
        if branch.deleted is not None:
            raise NotFound("This branch is archived; restore it first.")
        with self._database.write() as database:
            database.table("stories").update(story_id, {"open_branch": branch_id})
        return branch

    def read_setting(self, key: str, model_type: type[S]) -> S | None:
        """Return a setting of the app, or None if it was never written.

        Raises:
            StoreError: if what is kept cannot be read as this model.
        """
        row = self._database.row("SELECT value FROM settings WHERE key = :key", {"key": key})
        if row is None:
            return None
        try:
            return model_type.model_validate_json(row["value"])
        except ValidationError as error:
            raise StoreError(f"The setting “{key}” cannot be read; please set it again.") from error

    def change_setting(self, key: str, default: S, change: Callable[[S], S]) -> S:
        """Keep a setting of the app.

        `change` is given what is kept now, or `default`, in the transaction that keeps what it
        returns.

        Raises:
            StoreError: as `read_setting`.
        """
        with self._database.write() as database:
            changed = change(self.read_setting(key, type(default)) or default)
            row = {"key": key, "value": dump_json(changed.model_dump(mode="json"))}
            database.table("settings").upsert(row, pk="key")
        return changed

    def _update(self, story_id: str, values: Mapping[str, Value]) -> Story:
        with self._database.write() as database:
            self.story(story_id)
            database.table("stories").update(story_id, {**values, "touched": column(now())})
            return self.story(story_id)

    def _one(self, query: str, id_: str) -> Row:
        row = self._database.row(query, {"id": id_})
        if row is None:
            raise NotFound(_MISSING)
        return row


def short_branch_name(words: str) -> str:
    """Return a name for a branch that begins with some words, cut at the end of one."""
    tidy = " ".join(words.split())
    if len(tidy) <= BRANCH_NAME_LIMIT:
        return tidy
    return f"{tidy[: BRANCH_NAME_LIMIT - 1].rsplit(' ', 1)[0]}…"


def free_branch_name(wanted: str, others: Iterable[Branch]) -> str:
    """Return `wanted`, or, if another branch is called so, the first of "wanted (2)" … that is free."""
    taken = {name_key(other.name) for other in others}
    name, number = wanted, 1
    while name_key(name) in taken:
        number += 1
        mark = f" ({number})"
        name = f"{wanted[: BRANCH_NAME_LIMIT - len(mark)]}{mark}"
    return name


def branch_name(name: str, others: Iterable[Branch]) -> str:
    """Return a name for a branch in the form in which it is kept.

    Raises:
        StoreError: if it is empty, too long, or that of another branch.
    """
    wanted = " ".join(name.split())
    if not wanted or len(wanted) > BRANCH_NAME_LIMIT:
        raise StoreError(f"A branch needs a name of 1 to {BRANCH_NAME_LIMIT} characters.")
    if any(name_key(other.name) == name_key(wanted) for other in others):
        raise StoreError(
            f"There is already a branch called “{wanted}”; please choose another name."
        )
    return wanted


@lru_cache(maxsize=_STORIES)
def _kept_story(row: tuple[Any, ...]) -> Story:
    """Return the story that a row holds.

    Only a few are cached: every chapter touches its story, whose row is another one then.
    """
    return from_row(Story, dict(zip(_STORY_COLUMNS, row, strict=True)))


def _card(row: Row) -> StoryCard:
    return StoryCard(
        story=from_row(Story, row), branch=row["opened_branch"], chapters=row["chapters"]
    )
