"""What a story file holds: the records of the `tellwright-story` JSON format, version 2.

Version 1 had no checksum.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from store.models.base import Id, Line, Record
from store.models.delta import Delta
from store.models.desk.contents import Contents
from store.models.desk.mystery import Mystery
from store.models.desk.telling import Telling
from store.models.manuscript import Draft, MarginNote, WritingPlan
from store.models.outline import Outline
from store.models.proposals import Candidate, Configuration, Goal, Verdict
from store.models.story import Brief, CommitKind, StorySettings
from store.records.edits.marks import Intention
from store.records.sharing import Stamp, StampedTable

FORMAT: Literal["tellwright-story"] = "tellwright-story"
FORMER: Literal["fabula-story"] = "fabula-story"
"""What the format was called while the app was called Fabula; such files are read like any other."""
VERSION: Literal[2] = 2
FIRST_VERSION: Literal[1] = 1
"""The version without a checksum; such files are read like any other."""

Number = Annotated[int, Field(ge=0, lt=2**53)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class FiledCommit(Record):
    """A link of the hash chain. `id` orders the commits of all branches."""

    id: Number
    chapter: Number
    kind: CommitKind
    title: Line = ""
    origin: Id
    delta: Delta
    hash: Sha256


class FiledConfiguration(Configuration):
    """A proposed cast, also of a former version with a field that held nothing."""

    @model_validator(mode="before")
    @classmethod
    def _without_questions(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {name: value for name, value in values.items() if name != "questions"}


class FiledBranch(Record):
    """A branch with everything that belongs to it; the main one has no parent."""

    id: Id
    name: Line
    parent: Id | None = None
    fork_chapter: Number | None = None
    fork_commit: Number | None = None
    what_if: Line = ""
    deleted: datetime | None = None
    """When the branch was put away, if it is."""
    commits: tuple[FiledCommit, ...] = ()
    configurations: tuple[FiledConfiguration, ...] = ()
    goals: tuple[Goal, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    outlines: Annotated[tuple[Outline, ...], Field(max_length=1_000)] = ()
    plans: tuple[WritingPlan, ...] = ()
    drafts: tuple[Draft, ...] = ()
    margin_notes: tuple[MarginNote, ...] = ()
    contents: tuple[Contents, ...] = ()
    tellings: Annotated[tuple[Telling, ...], Field(max_length=1_000)] = ()
    mysteries: Annotated[tuple[Mystery, ...], Field(max_length=1)] = ()
    number: Number | None = None
    """The branch's number in the order in which they started; None: as listed."""
    stamps: dict[StampedTable, tuple[Stamp, ...]] = Field(default_factory=dict)
    """When records were kept, for those not kept before any other branch started."""


class StoryFile(Record):
    """A whole story."""

    format: Literal["fabula-story", "tellwright-story"] = FORMAT
    version: Literal[1, 2] = VERSION
    title: Line
    brief: Brief
    settings: StorySettings
    branches: Annotated[tuple[FiledBranch, ...], Field(min_length=1, max_length=200)]
    intended: tuple[Intention, ...] = ()
    """The findings of the continuity check that the writer intends, on all branches."""
    checksum: Sha256 | None = None
    """See `store.formats.checksum`; it is written last, whatever comes after it in the alphabet."""
