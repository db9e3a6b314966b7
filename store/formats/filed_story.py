"""A story file that is being imported: checked as a whole, and then read one record at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from store.errors import BundleInvalid
from store.formats import bounds
from store.formats.checksum import check_checksum, has_checksum
from store.formats.sections import NOT_JSON, TOO_LARGE, Place, Spans, sections_of
from store.formats.story_file import (
    FIRST_VERSION,
    FORMAT,
    FORMER,
    VERSION,
    FiledBranch,
    FiledCommit,
    FiledConfiguration,
    StoryFile,
)
from store.models.base import Record
from store.models.desk.contents import Contents
from store.models.desk.mystery import Mystery
from store.models.desk.telling import Telling
from store.models.manuscript import Draft, MarginNote, WritingPlan
from store.models.outline import Outline
from store.models.proposals import Candidate, Goal, Verdict
from store.records.edits.marks import Intention
from store.records.sharing import Stamp, StampedTable

R = TypeVar("R", bound=Record)

_LISTS: Mapping[str, type[Record]] = {
    "commits": FiledCommit,
    "configurations": FiledConfiguration,
    "goals": Goal,
    "candidates": Candidate,
    "verdicts": Verdict,
    "outlines": Outline,
    "plans": WritingPlan,
    "drafts": Draft,
    "margin_notes": MarginNote,
    "contents": Contents,
    "tellings": Telling,
    "mysteries": Mystery,
    "intended": Intention,
}
_OTHER = "This file is not a Tellwright story."
_STAMPS = "stamps/"
_MOST_OUTLINES = 1_000


class _Link(NamedTuple):
    """Which commit of which branch is next; they are sorted by `id`."""

    id: int
    branch: int
    at: int


class FiledStory:
    """A story file. Its head is in memory; its records are parsed whenever they are read.

    Raises:
        BundleInvalid: if it is too large, no story file, or damaged.
    """

    def __init__(self, content: bytes) -> None:
        if len(content) > bounds.FILE_BYTES:
            raise BundleInvalid(TOO_LARGE)
        check_checksum(content)
        if content.lstrip()[:1] != b"{":
            raise BundleInvalid(_OTHER)
        self._content = content
        head, self._lists = sections_of(content)
        self.head: StoryFile = _head(head, is_sealed=has_checksum(content))
        self._links: list[_Link] = []
        self._goals: list[set[str]] = [set() for _ in self.head.branches]
        self.candidates: set[str] = set()
        """The ids of the candidates of all branches."""
        self._check()

    @property
    def count(self) -> int:
        """How many records the file has; when one was kept is not one."""
        return sum(len(spans) for place, spans in self._lists.items() if place.name in _LISTS)

    def commits(self) -> Iterator[tuple[FiledBranch, FiledCommit]]:
        """Yield the commits of all branches, in the order in which they were made."""
        for link in self._links:
            span = self._spans(Place(link.branch, "commits"))
            record = self._parsed(FiledCommit, slice(span.starts[link.at], span.ends[link.at]))
            yield self.head.branches[link.branch], record

    def has_distinct_commits(self) -> bool:
        """Return whether no two commits have one number."""
        return len({link.id for link in self._links}) == len(self._links)

    def records(self, branch: FiledBranch | None, name: str, model: type[R]) -> Iterator[R]:
        """Yield the records of a branch, or those of the whole story, in the order of the file."""
        at = -1 if branch is None else self.head.branches.index(branch)
        return (self._parsed(model, span) for span in self._spans(Place(at, name)))

    def stamps(self, branch: FiledBranch, table: StampedTable) -> Iterator[Stamp]:
        """Yield when the records of a branch were kept."""
        return self.records(branch, f"{_STAMPS}{table}", Stamp)

    def _check(self) -> None:
        """Read every record once."""
        for place, spans in self._lists.items():
            model = Stamp if place.name.startswith(_STAMPS) else _LISTS.get(place.name)
            if model is None or (place.name == "outlines" and len(spans) > _MOST_OUTLINES):
                raise BundleInvalid(_unreadable(place.name))
            for at, span in enumerate(spans):
                self._note(place, at, self._parsed(model, span, place))
        self._links.sort()
        for branch, goals in enumerate(self._goals):
            wanted = self.records(self.head.branches[branch], "candidates", Candidate)
            if any(candidate.goal not in goals for candidate in wanted):
                raise BundleInvalid("A candidate of this story file has no goal.")

    def _note(self, place: Place, at: int, record: Record) -> None:
        match record:
            case FiledCommit():
                self._links.append(_Link(record.id, place.branch, at))
            case Goal():
                self._goals[place.branch].add(record.id)
            case Candidate():
                self.candidates.add(record.id)

    def _spans(self, place: Place) -> Spans:
        return self._lists.get(place) or Spans()

    def _parsed(self, model: type[R], span: slice, place: Place | None = None) -> R:
        """Return the record at a span.

        Raises:
            BundleInvalid: if there is none; it says in which list.
        """
        try:
            # By Python's values: so a text is the same as in the head, whatever it holds.
            value = from_json(memoryview(self._content)[span].tobytes(), allow_inf_nan=False)
        except ValueError as error:
            raise BundleInvalid(NOT_JSON) from error
        try:
            return model.model_validate(value)
        except ValidationError as error:
            is_of_branch = place is not None and place.branch >= 0
            raise BundleInvalid(_unreadable("branches" if is_of_branch else "intended")) from error


def _head(content: bytes, *, is_sealed: bool) -> StoryFile:
    try:
        document = from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise BundleInvalid(NOT_JSON) from error
    if not isinstance(document, dict) or document.get("format") not in {FORMAT, FORMER}:
        raise BundleInvalid(_OTHER)
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise BundleInvalid(
            "This story file was made by a newer version of Tellwright. Please update Tellwright."
        )
    try:
        head = StoryFile.model_validate(document)
    except ValidationError as error:
        place = error.errors(include_url=False, include_input=False)[0]["loc"]
        raise BundleInvalid(_unreadable(str(next(iter(place), "content")))) from error
    if is_sealed is not (head.version != FIRST_VERSION) or "version" not in document:
        raise BundleInvalid("This story file is damaged: its checksum cannot be read.")
    return head


def _unreadable(part: str) -> str:
    """Return which part of a story file cannot be read, without quoting it."""
    name = part.removeprefix(_STAMPS).replace("_", " ")
    return f"This story file is damaged: its {name} cannot be read."
