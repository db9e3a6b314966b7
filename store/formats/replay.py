"""Import the records of a story file into a library, as a new story."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from store.errors import BundleInvalid, LibraryDamaged, LibraryUnavailable, NotFound, StoreError
from store.formats.filed_story import FiledStory
from store.formats.story_file import FiledBranch, FiledCommit, FiledConfiguration
from store.models.base import Record, new_id
from store.models.desk.contents import Contents
from store.models.desk.mystery import Mystery
from store.models.desk.telling import Telling
from store.models.manuscript import Draft, MarginNote, WritingPlan
from store.models.outline import Outline
from store.models.proposals import Candidate, Configuration, Goal, Verdict
from store.models.story import Branch, Story
from store.open import Store
from store.records.edits.marks import Intention
from store.records.library import free_branch_name
from store.records.sharing import Stamp, StampedTable, number_branches, write_stamps

F = TypeVar("F", bound=Record)
R = TypeVar(
    "R",
    Configuration,
    Goal,
    Candidate,
    WritingPlan,
    Draft,
    MarginNote,
    Contents,
    Telling,
    Mystery,
    Outline,
)


class Replay:
    """One import. Commits are made again in their old order, and must give the old hashes.

    Entities keep their ids; story, branches, goals, candidates, plans and drafts get new ones, so a
    story can be imported into the library that it came from.
    """

    def __init__(self, store: Store, file: FiledStory, on_record: Callable[[int], None]) -> None:
        self._store = store
        self._file = file
        self._head = file.head
        self._on_record = on_record
        self._done = 0
        self._ids: dict[str, str] = {}
        self._branches: dict[str, str] = {}
        self._commits: dict[int, int] = {}

    def story(self) -> Story:
        """Create the story; call this inside a write transaction.

        Raises:
            BundleInvalid: if the file contradicts itself.
        """
        roots = [branch for branch in self._head.branches if branch.parent is None]
        if len(roots) != 1 or not self._has_unique_ids():
            raise BundleInvalid("The branches of this story file do not fit together.")
        story = self._store.library.create_story(self._head.brief, self._head.title)
        self._store.library.change_settings(story.id, lambda _: self._head.settings)
        self._branches[roots[0].id] = self._store.library.main_branch(story.id).id
        self._replay_commits()
        if len(self._branches) != len(self._head.branches):
            raise BundleInvalid("A branch of this story file starts from nothing.")
        for branch in self._head.branches:
            self._take_proposals(branch)
            self._take_manuscript(branch)
        self._take_sharing()
        for branch in self._head.branches:
            if branch.deleted is not None:
                self._store.library.put_branch_away(self._branches[branch.id], branch.deleted)
        for one in self._records(None, "intended", Intention):
            self._store.intended.mark(story.id, one.finding, one.reason)
        self._verify()
        return self._store.library.story(story.id)

    def _verify(self) -> None:
        """Raise if a commit claims to take back what was never there, so the chain is false."""
        for branch in self._branches.values():
            try:
                self._store.prototype.verify(branch)
            except LibraryDamaged as error:
                raise BundleInvalid(
                    f"This story file is damaged: what chapter {error.chapter} takes back was "
                    "never there. Nothing was imported."
                ) from error

    def _has_unique_ids(self) -> bool:
        branches = [branch.id for branch in self._head.branches]
        return len(set(branches)) == len(branches) and self._file.has_distinct_commits()

    def _replay_commits(self) -> None:
        for branch, commit in self._file.commits():
            self._commits[commit.id] = self._replay(commit, branch)
            self._fork_what_is_ready()
            self._count()

    def _records(self, branch: FiledBranch | None, name: str, model: type[F]) -> Iterator[F]:
        """Yield the records of a list in the file, and say how far the import has come."""
        for record in self._file.records(branch, name, model):
            yield record
            self._count()

    def _count(self) -> None:
        self._done += 1
        self._on_record(self._done)

    def _replay(self, commit: FiledCommit, branch: FiledBranch) -> int:
        if branch.id not in self._branches:
            raise BundleInvalid("A branch of this story file starts from nothing.")
        try:
            made = self._store.prototype.commit(
                self._branches[branch.id],
                commit.delta,
                chapter=commit.chapter,
                kind=commit.kind,
                title=commit.title,
                origin=self._new_origin(commit.origin),
            )
        except LibraryUnavailable:
            raise
        except StoreError as error:
            raise _broken(commit) from error
        if made.hash != commit.hash:
            raise _broken(commit)
        return made.id

    def _fork_what_is_ready(self) -> None:
        """Fork every branch whose parent and fork commit are there, before either goes on."""
        while ready := [branch for branch in self._head.branches if self._is_ready(branch)]:
            for branch in ready:
                self._fork(branch)

    def _is_ready(self, branch: FiledBranch) -> bool:
        return (
            branch.id not in self._branches
            and branch.parent in self._branches
            and branch.fork_commit in self._commits
        )

    def _fork(self, branch: FiledBranch) -> None:
        parent, chapter = self._branches[str(branch.parent)], branch.fork_chapter
        try:
            # A library of before may have two branches of one name.
            name = free_branch_name(branch.name, self._siblings(parent))
            start = -1 if chapter is None else chapter
            made = self._store.library.fork(parent, start, name, branch.what_if)
        except NotFound as error:
            raise BundleInvalid("A branch of this story file starts from nothing.") from error
        if made.fork_commit != self._commits[branch.fork_commit or 0]:
            raise BundleInvalid("A branch of this story file starts at the wrong place.")
        self._branches[branch.id] = made.id

    def _siblings(self, branch_id: str) -> list[Branch]:
        return self._store.library.all_branches(self._store.library.branch(branch_id).story)

    def _take_proposals(self, branch: FiledBranch) -> None:
        proposals = self._store.proposals
        for configuration in self._records(branch, "configurations", FiledConfiguration):
            proposals.save_configuration(self._renewed(configuration, branch))
        proposals.save_goals(
            self._renewed(goal, branch) for goal in self._records(branch, "goals", Goal)
        )
        for candidate in self._records(branch, "candidates", Candidate):
            origins = {
                "goal": self._new_id(candidate.goal),
                "parts_of": tuple(self._new_id(one) for one in candidate.parts_of),
            }
            proposals.save_candidate(self._renewed(candidate, branch).model_copy(update=origins))
        for verdict in self._records(branch, "verdicts", Verdict):
            new_branch = self._branches[branch.id]
            proposals.save_verdict(verdict.model_copy(update={"branch": new_branch}))

    def _take_manuscript(self, branch: FiledBranch) -> None:
        for plan in self._records(branch, "plans", WritingPlan):
            self._store.manuscript.save_plan(self._renewed(plan, branch))
        for draft in self._records(branch, "drafts", Draft):
            self._store.manuscript.import_draft(self._renewed(draft, branch))
        for note in self._records(branch, "margin_notes", MarginNote):
            self._store.notes.import_note(self._renewed(note, branch))
        for contents in self._records(branch, "contents", Contents):
            self._store.contents.import_contents(self._renewed(contents, branch))
        for telling in self._records(branch, "tellings", Telling):
            self._store.tellings.import_telling(self._renewed(telling, branch))
        for mystery in self._records(branch, "mysteries", Mystery):
            self._store.mysteries.import_mystery(self._renewed(mystery, branch))
        self._store.outlines.import_outlines(
            self._renewed(one, branch) for one in self._records(branch, "outlines", Outline)
        )

    def _take_sharing(self) -> None:
        """Let each branch share with its parent what it shared in the library of the file."""
        branches = self._head.branches
        numbers = {branch.id: branch.number for branch in branches if branch.number is not None}
        with self._store.database.write() as database:
            if len(numbers) == len(branches):
                self._check_order(numbers)
                number_branches(
                    database, {self._branches[id_]: number for id_, number in numbers.items()}
                )
            for branch in branches:
                write_stamps(database, self._branches[branch.id], self._renewed_stamps(branch))

    def _renewed_stamps(self, branch: FiledBranch) -> dict[StampedTable, list[Stamp]]:
        renewed: dict[StampedTable, list[Stamp]] = {}
        for table in branch.stamps:
            stamps = self._file.stamps(branch, table)
            # A verdict is known by its chapter and an outline by its version, which stay.
            has_id = table not in {"verdicts", "outlines"}
            renewed[table] = [
                stamp.model_copy(update={"id": self._new_id(stamp.id)}) if has_id else stamp
                for stamp in stamps
            ]
        return renewed

    def _check_order(self, numbers: Mapping[str, int]) -> None:
        is_distinct = len(set(numbers.values())) == len(numbers)
        is_in_order = all(
            branch.parent is None or numbers[branch.parent] < numbers[branch.id]
            for branch in self._head.branches
        )
        if not (is_distinct and is_in_order):
            raise BundleInvalid("The branches of this story file do not fit together.")

    def _renewed(self, record: R, branch: FiledBranch) -> R:
        """Return a record under a new id, on the new branch."""
        new = {"id": self._new_id(record.id), "branch": self._branches[branch.id]}
        return record.model_copy(update=new)

    def _new_origin(self, old: str) -> str:
        """Return an origin that still ends with the candidate that the chapter came from."""
        run, _, candidate = old.rpartition("-")
        if run and candidate in self._file.candidates:
            return f"{self._new_id(run)}-{self._new_id(candidate)}"
        return self._new_id(old)

    def _new_id(self, old: str) -> str:
        return self._ids.setdefault(old, new_id())


def _broken(commit: FiledCommit) -> BundleInvalid:
    return BundleInvalid(
        f"This story file is damaged: chapter {commit.chapter} does not follow from what comes "
        "before it. Nothing was imported."
    )
