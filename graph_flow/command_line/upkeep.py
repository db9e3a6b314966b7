"""The commands that keep a library: `tellwright backup`, `restore`, `verify` and `salvage`.

Exit codes: 0 done, or sound; 2 wrong usage, or it could not be done; 3 something is damaged.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel

from store.errors import LibraryDamaged, StoreError
from store.models.health import LIBRARY, Health
from store.open import Store
from store.upkeep.backups import make_backup
from store.upkeep.checks import check_library
from store.upkeep.salvage import salvage

ABOUT: Mapping[str, str] = {
    "backup": "copy the library into a folder, checked and with the date in its name",
    "restore": "put a backup in the place of the library, which is set aside",
    "verify": "check that the library still is what was once written",
    "salvage": "save what can be read of a damaged library into a new one",
}
"""The commands, with what each does."""

Restore = Callable[[Path], Path | None]
"""Puts a backup in the place of the library; returns where the present one is set aside."""

_DONE, _WRONG_USE, _DAMAGED = 0, 2, 3


class StoryReport(BaseModel):
    """What `tellwright verify --json` says of a story."""

    story: str
    title: str
    is_sound: bool
    problems: tuple[str, ...]


class LibraryReport(BaseModel):
    """What `tellwright verify --json` prints; `problems` are those of the file as a whole."""

    library: str
    is_sound: bool
    problems: tuple[str, ...]
    stories: tuple[StoryReport, ...] = ()


def run(arguments: Sequence[str], library: Path, restore: Restore) -> int:
    """Run one of the commands on a library and return its exit code."""
    given = _read(arguments)
    try:
        match given.command:
            case "backup":
                return _back_up(library, given.to)
            case "restore":
                return _restore(library, given.file, restore)
            case "salvage":
                return _salvage(given.file, given.to)
        return _verify(library, is_json=given.json)
    except StoreError as problem:
        _say(str(problem))
        return _DAMAGED if isinstance(problem, LibraryDamaged) else _WRONG_USE


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tellwright")
    commands = parser.add_subparsers(dest="command", required=True)
    parts = {name: commands.add_parser(name, help=about) for name, about in ABOUT.items()}
    parts["backup"].add_argument(
        "--to", type=Path, help="a folder other than the one that the library names"
    )
    parts["restore"].add_argument("file", type=Path, help="a backup of a library")
    parts["verify"].add_argument("--json", action="store_true", help="print a report in JSON")
    parts["salvage"].add_argument("file", type=Path, help="a damaged library")
    parts["salvage"].add_argument("--to", type=Path, required=True, help="the new library")
    return parser.parse_args(arguments)


def _back_up(library: Path, folder: Path | None) -> int:
    with closing(_open(library)) as store:
        backup = make_backup(store, folder)
    _print(str(backup.path))
    return _DONE


def _restore(library: Path, file: Path, restore: Restore) -> int:
    aside = restore(file)
    _say(f"The library {library.name} now is what {file.name} holds.")
    if aside is not None:
        _say(f"The one before is kept as {aside}.")
    return _DONE


def _salvage(file: Path, target: Path) -> int:
    saved = salvage(file, target)
    _say(f"{saved.stories} stories are saved in {target}.")
    _say(f"{saved.texts} texts could be read; the newest of each chapter is in {saved.text_file}.")
    for sentence in saved.gone:
        _say(sentence)
    return _DAMAGED if saved.gone else _DONE


def _verify(library: Path, *, is_json: bool) -> int:
    try:
        with closing(_open(library)) as store:
            report = _report(store)
    except LibraryDamaged as damage:
        report = LibraryReport(library=str(library), is_sound=False, problems=(str(damage),))
    _print(report.model_dump_json() if is_json else "\n".join(_lines(report)))
    return _DONE if report.is_sound else _DAMAGED


def _report(store: Store) -> LibraryReport:
    file, *stories = check_library(store)
    reports = tuple(_story_report(store, one) for one in stories if one.subject != LIBRARY)
    return LibraryReport(
        library=str(store.database.path),
        is_sound=file.is_sound and all(one.is_sound for one in reports),
        problems=file.problems,
        stories=reports,
    )


def _story_report(store: Store, health: Health) -> StoryReport:
    try:
        title = store.library.story(health.subject).title
    except StoreError:
        title = ""
    return StoryReport(
        story=health.subject, title=title, is_sound=health.is_sound, problems=health.problems
    )


def _lines(report: LibraryReport) -> list[str]:
    lines = list(report.problems) or ["The file of the library is sound."]
    for story in report.stories:
        name = story.title or story.story
        lines += [f"“{name}” is sound."] if story.is_sound else [f"“{name}” is damaged:"]
        lines += [f"  {problem}" for problem in story.problems]
    if not report.is_sound:
        lines.append("A backup can be restored; “tellwright salvage” saves what can be read.")
    return lines


def _open(library: Path) -> Store:
    """Open a library that is there.

    Raises:
        StoreError: if there is none, or it cannot be opened.
    """
    if not library.exists():
        raise StoreError(f"There is no library {library}.")
    return Store.open(library)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")
