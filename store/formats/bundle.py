"""A whole story as one JSON file that another library can import, with the same hashes.

A bundle holds what the writer and the agents made. It holds no runs, prompts or keys.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import TypeVar

from pydantic import ValidationError

from store.database.database import Database
from store.errors import BundleInvalid
from store.formats.checksum import with_checksum
from store.formats.filed_story import FiledStory
from store.formats.replay import Replay
from store.formats.story_file import FiledBranch, FiledCommit, FiledConfiguration, StoryFile
from store.formats.transfer import Transfer
from store.models.base import dump_json
from store.models.manuscript import Draft, WritingPlan
from store.models.proposals import Candidate, Configuration, Goal, Verdict
from store.models.story import Branch, Story
from store.open import Store
from store.records.edits.marks import Intention
from store.records.sharing import read_stamps

R = TypeVar("R", Configuration, Goal, Candidate, Verdict, WritingPlan, Draft)

OnProgress = Callable[[int, int], None]
"""Is told how much of an import is done: a part, and the whole."""


def export_bundle(store: Store, story_id: str, title: str | None = None) -> str:
    """Return a story, with all its branches, as JSON text; under another title if one is given.

    Raises:
        NotFound: if there is no such story.
    """
    story = store.library.story(story_id)
    branches = store.library.all_branches(story_id)
    file = StoryFile(
        title=story.title if title is None else title,
        brief=story.brief,
        settings=story.settings,
        branches=tuple(_filed(store, branch) for branch in branches),
        intended=tuple(
            Intention(finding=one.finding, reason=one.reason) for one in store.intended.of(story_id)
        ),
    )
    return with_checksum(dump_json(file.model_dump(mode="json", exclude={"checksum"})))


def import_bundle(
    store: Store, content: str | bytes, on_progress: OnProgress = lambda _part, _whole: None
) -> Story:
    """Import a story as a new one, commit by commit through the one write path.

    It is made in a library of its own beside this one, where whatever is wrong with it shows, and
    is then brought over a little at a time, so nobody waits long to write. It is listed once all
    of it is there. Text is taken to be in UTF-8.

    Raises:
        BundleInvalid: if the file is too large, not a bundle, or damaged. Nothing is changed then.
        LibraryUnavailable: if the library stays busy, or the disk is full.
    """
    file = FiledStory(_encoded(content))
    half, whole = file.count, 2 * file.count

    def on_share(share: float) -> None:
        on_progress(half + round(share * half), whole)

    with store.imports.workplace() as folder:
        database = Database(folder / "story.db")
        try:
            story = _made(Store.of(database), file, lambda part: on_progress(part, whole))
            Transfer(database, store, story.id).run(on_share)
        finally:
            database.close()
    return store.library.story(story.id)


def _encoded(content: str | bytes) -> bytes:
    try:
        return content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:
        raise BundleInvalid("This file is not a Tellwright story: it is not text.") from error


def _made(staging: Store, file: FiledStory, on_record: Callable[[int], None]) -> Story:
    """Make the story of a file in a library that has no other."""
    try:
        with staging.database.write():
            return Replay(staging, file, on_record).story()
    except (sqlite3.IntegrityError, OverflowError, ValidationError) as error:
        raise BundleInvalid(
            "This story file contradicts itself, so it was not imported."
        ) from error


def _filed(store: Store, branch: Branch) -> FiledBranch:
    goals = _own(store.proposals.all_goals(branch.id), branch)
    chapters = sorted({goal.chapter for goal in goals})
    candidates = [
        one for chapter in chapters for one in store.proposals.candidates(branch.id, chapter)
    ]
    return FiledBranch(
        id=branch.id,
        name=branch.name,
        parent=branch.parent,
        fork_chapter=branch.fork_chapter,
        fork_commit=branch.fork_commit,
        what_if=branch.what_if,
        deleted=branch.deleted,
        commits=_filed_commits(store, branch.id),
        configurations=tuple(
            FiledConfiguration.model_validate(dict(one))
            for one in _own(store.proposals.configurations(branch.id), branch)
        ),
        goals=goals,
        candidates=_own(candidates, branch),
        verdicts=_own(store.proposals.verdicts(branch.id), branch),
        outlines=tuple(store.outlines.versions(branch.id)),
        plans=_own(reversed(store.manuscript.plans(branch.id)), branch),
        drafts=_own(reversed(store.manuscript.versions(branch.id)), branch),
        margin_notes=tuple(store.notes.own(branch.id)),
        contents=tuple(store.contents.own(branch.id)),
        tellings=tuple(store.tellings.own(branch.id)),
        mysteries=tuple(store.mysteries.own(branch.id)),
        number=branch.number,
        stamps=read_stamps(store.database, branch.id),
    )


def _own(records: Iterable[R], branch: Branch) -> tuple[R, ...]:
    """Return a branch's own records, not those that it shares with its parent."""
    return tuple(record for record in records if record.branch == branch.id)


def _filed_commits(store: Store, branch_id: str) -> tuple[FiledCommit, ...]:
    return tuple(
        FiledCommit(
            id=commit.id,
            chapter=commit.chapter,
            kind=commit.kind,
            title=commit.title,
            origin=commit.origin,
            delta=store.prototype.delta_of(commit.id),
            hash=commit.hash,
        )
        for commit in store.prototype.commits(branch_id)
        if commit.branch == branch_id
    )
