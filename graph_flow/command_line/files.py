"""`tellwright import` and `tellwright export`: bring a book that was written elsewhere, and take one.

Neither needs a model. Exit codes: 0 done; 2 wrong usage, or there is nothing to do it with; 3 it failed
on the way, and nothing is left half done.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel

from graph_flow.command_line.ending import DONE, FAILED, WRONG_USE, say
from graph_flow.errors import WorkbenchError
from graph_flow.telling.mystery.export import MYSTERY
from store.database.troubles import cause_of
from store.errors import LibraryUnavailable, NotFound, StoreError
from store.formats.exports import FORMATS, BookFormat, DocumentFormat, ExportFormat, Source
from store.formats.reading.files import SUFFIXES, NamedFile, read_files
from store.formats.reading.keeping import keep_as_story
from store.models.desk.telling import Telling
from store.open import Store
from store.records.library import Library
from store.text import length_unit
from store.upkeep.files import write_whole

ABOUT: Mapping[str, str] = {
    "import": "make a story of a book that was written elsewhere, word for word",
    "export": "write a story as a file, in any of its formats",
}
"""The commands, with what each does."""


_EVERY: Mapping[str, ExportFormat] = {**FORMATS, MYSTERY.key: MYSTERY}

_NOTES = frozenset({"readme", "license", "changelog"})
"""Files that say what a folder is."""


class ImportReport(BaseModel):
    """The last line of `tellwright import --json`; `story` is an id."""

    story: str
    title: str
    chapters: int
    words: int


class ExportReport(BaseModel):
    """The last line of `tellwright export --json`; `size` is in bytes."""

    story: str
    format: str
    file: str
    size: int


class Impossible(Exception):
    """What was asked for cannot be done; the message says why."""


def run(arguments: Sequence[str], library: Path) -> int:
    """Run one of the commands on a library and return its exit code."""
    given = _read(arguments)
    try:
        with closing(Store.open(library)) as store:
            report = _import(store, given) if given.command == "import" else _export(store, given)
    except LibraryUnavailable as problem:
        say(str(problem))
        return FAILED
    except (StoreError, Impossible) as problem:
        say(str(problem))
        return FAILED if isinstance(problem, _Failed) else WRONG_USE
    if given.json:
        sys.stdout.write(f"{report.model_dump_json()}\n")
    return DONE


class _Failed(Impossible):
    """It went wrong on the way."""


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tellwright")
    commands = parser.add_subparsers(dest="command", required=True)
    parts = {name: commands.add_parser(name, help=about) for name, about in ABOUT.items()}
    parts["import"].add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="PATH",
        help="DOCX, EPUB, Markdown, HTML or plain text, or a folder of such files",
    )
    parts["export"].add_argument("story", help="the id of a story, or its title")
    parts["export"].add_argument("--format", required=True, choices=_EVERY, help="kind of file")
    parts["export"].add_argument(
        "--telling", metavar="NAME", help="another telling of the story, instead of its book"
    )
    parts["export"].add_argument("--out", type=Path, required=True, help="the file to write")
    for part in parts.values():
        part.add_argument("--json", action="store_true", help="print a report as the last line")
    return parser.parse_args(arguments)


def _import(store: Store, given: argparse.Namespace) -> ImportReport:
    files = [one for path in given.files for one in files_at(path)]
    say(f"Reading {len(files)} {'file' if len(files) == 1 else 'files'} …")
    folders = [path.resolve().name for path in given.files if path.is_dir()]
    book = read_files(files, folders[0] if folders else "")
    story = keep_as_story(store, book)
    length = store.contents.length(store.library.main_branch(story.id).id)
    unit = length_unit(story.brief.language, book.chapters[0].text)
    chapters = "1 chapter" if length.chapters == 1 else f"{length.chapters:,} chapters"
    say(f"“{story.title}” is in the library: {chapters}, {length.words:,} {unit}.")
    return ImportReport(
        story=story.id, title=story.title, chapters=length.chapters, words=length.words
    )


def files_at(path: Path) -> list[NamedFile]:
    """Return a file, or those in a folder that may be of a book: not hidden, and no notes on the folder.

    Raises:
        Impossible: if it cannot be read.
    """
    try:
        if not path.is_dir():
            return [NamedFile(path.name, path.read_bytes())]
        inside = sorted(one for one in path.iterdir() if one.is_file() and _may_be_of_a_book(one))
        return [NamedFile(one.name, one.read_bytes()) for one in inside]
    except OSError as problem:
        raise Impossible(f"{path} cannot be read: {cause_of(problem)}.") from problem


def _may_be_of_a_book(path: Path) -> bool:
    is_readable = path.suffix.lower().lstrip(".") in SUFFIXES
    return is_readable and path.name[:1] != "." and path.stem.lower() not in _NOTES


def _export(store: Store, given: argparse.Namespace) -> ExportReport:
    story = story_named(store.library, given.story)
    branch = store.library.main_branch(story).id
    form = _EVERY[given.format]
    telling = _telling(store, branch, given.telling)
    source = Source(store, branch, telling=telling.id if telling else None)
    _check_text(source, form)
    say(f"Writing {given.out} …")
    try:
        content = form.export(source)
        write_whole(given.out, content)
    except WorkbenchError as problem:
        raise Impossible(str(problem)) from problem
    except OSError as problem:
        raise _Failed(f"{given.out} cannot be written: {cause_of(problem)}.") from problem
    return ExportReport(story=story, format=form.key, file=str(given.out), size=len(content))


def _check_text(source: Source, form: ExportFormat) -> None:
    is_text = isinstance(form, BookFormat | DocumentFormat)
    if is_text and not any(draft.words for draft in source.manuscript.drafts):
        raise Impossible("No chapter of this is written yet, so there is nothing to export.")


def _telling(store: Store, branch: str, name: str | None) -> Telling | None:
    """Return the telling of a name; None: the book is meant."""
    if name is None:
        return None
    tellings = store.tellings.of(branch)
    for one in tellings:
        if one.name.casefold() == name.strip().casefold():
            return one
    names = ", ".join(f"“{one.name}”" for one in tellings)
    there = f"There are these: {names}." if names else "It has none beside its book."
    raise Impossible(f"This story has no telling called “{name}”. {there}")


def story_named(library: Library, asked: str) -> str:
    """Return the id of a story by its id, or by its title if no other story has the same.

    Raises:
        NotFound: if there is none.
        Impossible: if several have this title.
    """
    try:
        return library.story(asked).id
    except NotFound:
        named = [one.story.id for one in library.stories() if one.story.title == asked]
        if len(named) == 1:
            return named[0]
        if named:
            ids = ", ".join(named)
            raise Impossible(f"Several stories are called “{asked}”: give an id ({ids}).") from None
        raise
