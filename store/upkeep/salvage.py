"""Save into a new library whatever can still be read of a damaged one.

The texts of the chapters come first, in a file that any program can read. Then each story is made
anew from its Deltas, through the same import as a story file, as far as its chain of hashes holds.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from store.database.troubles import cause_of
from store.errors import LibraryUnavailable, StoreError
from store.formats.bundle import import_bundle
from store.formats.checksum import with_checksum
from store.formats.story_file import FiledBranch, StoryFile
from store.models.base import dump_json
from store.models.desk.contents import chapter_words
from store.models.manuscript import Draft
from store.models.story import Brief, StorySettings
from store.open import Store
from store.upkeep.files import (
    PART,
    files_of,
    put_in_place,
    remove_if_there,
    without_log,
    write_whole,
)
from store.upkeep.rescue import Rescued, Row, damaged_file
from store.upkeep.sound_parts import SoundParts

_TABLES: Mapping[str, str] = {
    "stories": "titles and premises of stories",
    "branches": "branches",
    "commits": "chapters",
    "configurations": "proposed casts",
    "goals": "goals",
    "candidates": "candidates",
    "scores": "scores",
    "verdicts": "verdicts",
    "outlines": "outlines",
    "plans": "writing plans",
    "drafts": "texts",
    "margin_notes": "notes in the margin",
    "contents": "tables of contents",
    "tellings": "tellings",
    "mysteries": "mysteries",
    "settings": "settings",
}
"""The tables that are saved, in a writer's words. What agents were told, and marks, are not."""

_UNNAMED = "Rescued story"
_ONLY_CHAPTERS = ("configurations", "goals", "candidates", "verdicts", "outlines", "plans")


class Salvaged(NamedTuple):
    """What was saved: how many stories and versions of texts; what is gone, a sentence each."""

    stories: int
    texts: int
    gone: tuple[str, ...]
    text_file: Path


def salvage(damaged: Path, target: Path) -> Salvaged:
    """Save what can be read of a damaged library into a new one, and its texts beside it.

    The damaged one is only read.

    Raises:
        LibraryUnavailable: if there is a file of that name already, or one cannot be read or
            written.
    """
    if target.exists():
        raise LibraryUnavailable(f"There is a file {target} already; please choose another name.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with damaged_file(damaged) as file:
            found = {table: file.rows(table) for table in _TABLES}
        return _saved(found, target)
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnavailable(
            f"{damaged.name} cannot be salvaged: {cause_of(error)}."
        ) from error


def _saved(found: Mapping[str, Rescued], target: Path) -> Salvaged:
    gone = [
        f"Some of the library's {words} cannot be read any more."
        for table, words in _TABLES.items()
        if found[table].has_gaps
    ]
    parts = SoundParts(found)
    text_file = target.with_name(f"{target.stem} texts.md")
    _write_texts(text_file, parts)
    count = _write_library(found, parts, target)
    gone += [
        f"{many} of the {_TABLES[table]} are damaged." for table, many in parts.unreadable.items()
    ]
    return Salvaged(count, len(parts.drafts), tuple([*gone, *parts.gone]), text_file)


def _write_library(found: Mapping[str, Rescued], parts: SoundParts, target: Path) -> int:
    """Make the new library, which has its name once all of it is there; return its stories."""
    coming = target.with_name(f"{target.name}{PART}")
    remove_if_there(*files_of(coming))
    try:
        with closing(Store.open(coming)) as store:
            count = sum(_save_story(store, story, parts) for story in _stories(found, parts))
            _save_settings(store, found["settings"].rows)
        without_log(coming)
        put_in_place(coming, target)
    finally:
        remove_if_there(*files_of(coming))
    return count


def _write_texts(file: Path, parts: SoundParts) -> None:
    """Write the newest text of every chapter that can be read, whatever becomes of its story."""
    newest: dict[tuple[str, int], Draft] = {}
    for draft in sorted(parts.drafts, key=lambda one: one.version):
        newest[draft.branch, draft.chapter] = draft
    names = {branch.id: branch.name for branch in parts.all_branches}
    text = "\n".join(
        f"## {names.get(branch, 'Branch')}, {chapter_words(chapter)}: {draft.title}\n\n{draft.text}\n"
        for (branch, chapter), draft in sorted(newest.items(), key=lambda one: one[0])
    )
    write_whole(file, text.encode("utf-8"))


def _stories(found: Mapping[str, Rescued], parts: SoundParts) -> list[Row]:
    """Return the stories, also those of which only branches can be read."""
    known = {str(row["id"]): row for row in found["stories"].rows}
    lost = {branch.story for branch in parts.all_branches} - set(known)
    unnamed: list[Row] = [{"id": story, "title": _UNNAMED} for story in sorted(lost)]
    return [*known.values(), *unnamed]


def _save_story(store: Store, story: Row, parts: SoundParts) -> bool:
    title = str(story.get("title") or "")[:400]
    name = title or _UNNAMED
    branches = parts.branches(str(story["id"]), name)
    main = [one for one in branches if one.parent is None]
    empty = dict.fromkeys(_ONLY_CHAPTERS, ())
    bare = [one.model_copy(update={**empty, "stamps": {}}) for one in main]
    for attempt in filter(None, (branches, main, bare)):
        with suppress(StoreError):
            made = import_bundle(store, _filed(story, title, attempt))
            if story.get("deleted"):
                store.library.delete(made.id)
            if attempt is not branches:
                parts.gone.append(f"Of “{name}”, only the main branch could be put together.")
            return True
    parts.gone.append(f"“{name}” could not be put together; what it has of texts is in their file.")
    return False


def _filed(story: Row, title: str, branches: Iterable[FiledBranch]) -> str:
    brief, settings = Brief(), StorySettings()
    with suppress(ValueError, KeyError, TypeError):
        brief = Brief.model_validate_json(story["brief"])
    with suppress(ValueError, KeyError, TypeError):
        settings = StorySettings.model_validate_json(story["settings"])
    file = StoryFile(title=title, brief=brief, settings=settings, branches=tuple(branches))
    return with_checksum(dump_json(file.model_dump(mode="json", exclude={"checksum"})))


def _save_settings(store: Store, rows: Iterable[Row]) -> None:
    with store.database.write() as database:
        for row in rows:
            with suppress(ValueError, TypeError):
                json.loads(row["value"])
                database.table("settings").upsert(row, pk="key")
