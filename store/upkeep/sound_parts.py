"""What of the stories in a damaged library is sound: its records, and its chains of Deltas."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from store.database.rows import from_row
from store.deltas.canonical import NO_PARENT, chain_hash, parse_delta
from store.errors import StoreError
from store.formats.story_file import FiledBranch, FiledCommit, FiledConfiguration
from store.models.base import Record
from store.models.desk.contents import Contents, chapter_words
from store.models.desk.mystery import Mystery
from store.models.desk.telling import Telling
from store.models.manuscript import Draft, MarginNote, WritingPlan
from store.models.outline import Outline
from store.models.proposals import Candidate, Goal, Score, Verdict
from store.models.story import Branch
from store.records.sharing import Stamp, StampedTable
from store.upkeep.rescue import Rescued, Row

R = TypeVar("R", bound=Record)

_OF_BRANCHES: Mapping[str, type[Record]] = {
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
}
_STAMPED: Mapping[StampedTable, str] = {
    "goals": "id",
    "candidates": "id",
    "verdicts": "chapter",
    "plans": "id",
    "drafts": "id",
    "margin_notes": "id",
    "contents": "id",
    "tellings": "id",
    "outlines": "version",
}


class _Sound(NamedTuple):
    """The commits of a branch as far as they are sound, and the chapters of those after them."""

    commits: list[FiledCommit]
    lost: list[int]


class SoundParts:
    """The records that are still records; `gone` are sentences on what is not sound."""

    def __init__(self, found: Mapping[str, Rescued]) -> None:
        self._found = found
        self.gone: list[str] = []
        self.unreadable: Counter[str] = Counter()
        self.all_branches: list[Branch] = self._records("branches", Branch)
        self._of_branch: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for table, model in _OF_BRANCHES.items():
            for record in self._records(table, model):
                self._of_branch[table, getattr(record, "branch", "")].append(record)
        self.gone += [_altered_text(draft) for draft in self._altered_drafts()]
        self._scores: dict[str, list[Score]] = defaultdict(list)
        rows = sorted(found["scores"].rows, key=lambda row: str(row.get("position")).zfill(4))
        for row in rows:
            with suppress(StoreError):
                self._scores[str(row["candidate"])].append(from_row(Score, row))

    @property
    def drafts(self) -> list[Draft]:
        """All versions of texts that can be read."""
        return [
            draft
            for (table, _), some in self._of_branch.items()
            if table == "drafts"
            for draft in some
        ]

    def branches(self, story: str, title: str) -> list[FiledBranch]:
        """Return what a story file would hold of each branch of a story, as far as it is sound."""
        own = [one for one in self.all_branches if one.story == story]
        filed: dict[str, FiledBranch] = {}
        hashes: dict[int, str] = {}
        # Parents come before the branches that start from them.
        for branch in sorted(own, key=lambda one: (one.parent is not None, one.number)):
            start = branch.fork_commit or -1
            if branch.parent is not None and (branch.parent not in filed or start not in hashes):
                self.gone.append(
                    f"The branch “{branch.name}” of “{title}” starts from a chapter that no longer exists."
                )
                continue
            sound = self._sound_commits(branch.id, hashes.get(start, NO_PARENT))
            hashes |= {commit.id: commit.hash for commit in sound.commits}
            if sound.lost:
                self.gone.append(_lost_chapters(sound, branch, title))
            filed[branch.id] = self._filed(branch, sound)
        return list(filed.values())

    def _altered_drafts(self) -> list[Draft]:
        known = {row["id"]: row.get("fingerprint") for row in self._found["drafts"].rows}
        return [draft for draft in self.drafts if known[draft.id] not in {None, draft.fingerprint}]

    def _records(self, table: str, model: type[R]) -> list[R]:
        records: list[R] = []
        for row in self._found[table].rows:
            try:
                records.append(from_row(model, row))
            except StoreError:
                self.unreadable[table] += 1
        return records

    def _sound_commits(self, branch: str, parent_hash: str) -> _Sound:
        rows = [row for row in self._found["commits"].rows if row["branch"] == branch]
        commits: list[FiledCommit] = []
        for at, row in enumerate(rows):
            commit = _sound_commit(row, parent_hash)
            if commit is None:
                told = {one["chapter"] for one in rows[at:] if isinstance(one["chapter"], int)}
                return _Sound(commits, sorted(told))
            parent_hash = commit.hash
            commits.append(commit)
        return _Sound(commits, [])

    def _filed(self, branch: Branch, sound: _Sound) -> FiledBranch:
        known = {goal.id for goal in self._of_branch["goals", branch.id]}
        candidates = [
            one.model_copy(update={"scores": tuple(self._scores[one.id])})
            for one in self._of_branch["candidates", branch.id]
            if one.goal in known
        ]
        records = {table: tuple(self._of_branch[table, branch.id]) for table in _OF_BRANCHES}
        return FiledBranch(
            id=branch.id,
            name=branch.name,
            parent=branch.parent,
            fork_chapter=branch.fork_chapter,
            fork_commit=branch.fork_commit,
            deleted=branch.deleted,
            number=branch.number,
            commits=tuple(sound.commits),
            stamps=self._stamps(branch.id),
            **records | {"candidates": tuple(candidates)},
        )

    def _stamps(self, branch: str) -> dict[StampedTable, tuple[Stamp, ...]]:
        return {
            table: tuple(
                Stamp(id=str(row[key]), newest_branch=row["newest_branch"])
                for row in self._found[table].rows
                if row["branch"] == branch and row.get("newest_branch")
            )
            for table, key in _STAMPED.items()
        }


def _sound_commit(row: Row, parent_hash: str) -> FiledCommit | None:
    """Return the commit in a row if it follows from the one before."""
    fields = ("id", "chapter", "kind", "title", "origin", "hash")
    try:
        content = (row["chapter"], row["kind"], row["title"])
        if row["hash"] != chain_hash(parent_hash, content, row["delta"]):
            return None
        return FiledCommit(delta=parse_delta(row["delta"]), **{name: row[name] for name in fields})
    except (ValueError, TypeError):
        return None


def _altered_text(draft: Draft) -> str:
    return (
        f"The text of {chapter_words(draft.chapter)}, version {draft.version}, is not as it was "
        "written; it is kept as it is."
    )


def _lost_chapters(sound: _Sound, branch: Branch, title: str) -> str:
    on_branch = f" on the branch “{branch.name}”" if branch.parent else ""
    chapters = ", ".join(map(str, sound.lost))
    kept = max((commit.chapter for commit in sound.commits), default=None)
    rest = "nothing of its plot is left" if kept is None else f"it is whole up to chapter {kept}"
    return (
        f"“{title}”{on_branch}: the plot of chapters {chapters} is gone, or does not follow from "
        f"what comes before it; {rest}."
    )
