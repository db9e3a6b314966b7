"""A whole story as one JSON file that another library can import, with the same hashes.

A bundle holds what the writer and the agents made. It holds no runs, prompts or keys.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from store.errors import BundleInvalid
from store.formats.replay import Replay
from store.formats.story_file import FORMAT, FORMER, VERSION, FiledBranch, FiledCommit, StoryFile
from store.models.base import dump_json
from store.models.proposals import Candidate, Configuration, Goal, Verdict
from store.models.story import Branch, Story
from store.models.telling import Draft, WritingPlan
from store.open import Store
from store.records.marks import Intention
from store.records.sharing import read_stamps

R = TypeVar("R", Configuration, Goal, Candidate, Verdict, WritingPlan, Draft)

SIZE_LIMIT = 200_000_000
"""The most characters a bundle may have; a story of 2,770 chapters has about a quarter of them."""


def export_bundle(store: Store, story_id: str) -> str:
    """Return a story, with all its branches, as JSON text.

    Raises:
        NotFound: if there is no such story.
    """
    story = store.library.story(story_id)
    branches = store.library.branches(story_id)
    file = StoryFile(
        title=story.title,
        brief=story.brief,
        settings=story.settings,
        branches=tuple(_filed(store, branch) for branch in branches),
        intended=tuple(
            Intention(finding=one.finding, reason=one.reason) for one in store.intended.of(story_id)
        ),
    )
    return dump_json(file.model_dump(mode="json"))


def import_bundle(store: Store, text: str) -> Story:
    """Import a story as a new one, commit by commit through the one write path.

    Raises:
        BundleInvalid: if the text is not a bundle, or its hash chain is broken. Nothing is
            changed then.
    """
    file = _parse(text)
    try:
        with store.database.write():
            return Replay(store, file).story()
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
        commits=_filed_commits(store, branch.id),
        configurations=_own(store.proposals.configurations(branch.id), branch),
        goals=goals,
        candidates=_own(candidates, branch),
        verdicts=_own(store.proposals.verdicts(branch.id), branch),
        outlines=tuple(store.outlines.versions(branch.id)),
        plans=_own(reversed(store.manuscript.plans(branch.id)), branch),
        drafts=_own(reversed(store.manuscript.versions(branch.id)), branch),
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


def _parse(text: str) -> StoryFile:
    if len(text) > SIZE_LIMIT:
        raise BundleInvalid("This story file is too large to be one of Tellwright's.")
    try:
        document = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise BundleInvalid("This file is not a Tellwright story: it is not JSON.") from error
    if not isinstance(document, dict) or document.get("format") not in {FORMAT, FORMER}:
        raise BundleInvalid("This file is not a Tellwright story.")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise BundleInvalid(
            "This story file was made by a newer version of Tellwright. Please update Tellwright."
        )
    try:
        return StoryFile.model_validate(document)
    except ValidationError as error:
        raise BundleInvalid(_where(error)) from error


def _where(error: ValidationError) -> str:
    """Return which part of a story file cannot be read, without quoting it."""
    place = error.errors(include_url=False, include_input=False)[0]["loc"]
    parts = [str(part).replace("_", " ") for part in place if not isinstance(part, int)]
    return f"This story file is damaged: its {parts[0] if parts else 'content'} cannot be read."
