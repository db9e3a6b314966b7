"""The store as a whole, opened from one file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from store.database.database import Database
from store.errors import LibraryUnavailable
from store.prototype.excerpts import Excerpts
from store.prototype.neighbourhood import Vicinities
from store.prototype.prototype import PrototypeStore
from store.prototype.search import Search
from store.prototype.states import Timelines
from store.records.calls import CallRecords
from store.records.choices import Choices
from store.records.desk.consistency import ConsistencyChecks
from store.records.desk.evaluations import Evaluations
from store.records.desk.judge_cards import JudgeCards
from store.records.desk.pairs import PairTrials
from store.records.desk.suggestions import Suggestions
from store.records.desk.talk import Talks
from store.records.edits.comparisons import Comparisons
from store.records.edits.marks import IntendedFindings, Staleness
from store.records.health import HealthRecords
from store.records.imports import Imports
from store.records.ledger import Ledger
from store.records.library import Library
from store.records.manuscript import Manuscript
from store.records.old_prompts import OldPrompts
from store.records.outlines import Outlines
from store.records.proposals import Proposals
from store.records.runs import Owners, RunStore
from store.texts.contents import BookContents
from store.texts.finding import Finding
from store.texts.mysteries import Mysteries
from store.texts.notes import Notes
from store.texts.own_pages import OwnPages
from store.texts.tellings import Tellings
from store.texts.versions import Versions


@dataclass(frozen=True)
class Store:
    """Everything that the library keeps."""

    database: Database
    library: Library
    prototype: PrototypeStore
    excerpts: Excerpts
    timelines: Timelines
    vicinity: Vicinities
    intended: IntendedFindings
    proposals: Proposals
    choices: Choices
    outlines: Outlines
    manuscript: Manuscript
    runs: RunStore
    calls: CallRecords
    old_prompts: OldPrompts
    ledger: Ledger
    search: Search
    staleness: Staleness
    imports: Imports
    health: HealthRecords
    talks: Talks
    suggestions: Suggestions
    versions: Versions
    finding: Finding
    notes: Notes
    contents: BookContents
    tellings: Tellings
    mysteries: Mysteries
    comparisons: Comparisons
    evaluations: Evaluations
    consistency_checks: ConsistencyChecks
    judge_cards: JudgeCards
    pairs: PairTrials
    own_pages: OwnPages

    @classmethod
    def open(
        cls, path: Path, owners: Owners | None = None, most_stories: int | None = None
    ) -> Self:
        """Open a library file, creating it if there is none.

        What is left of an import that died is swept up. `owners` knows whether the process that
        worked on a run or an import is still alive. No more than `most_stories` can be in it.

        Raises:
            LibraryTooNew: if a newer version of Tellwright made the file.
            LibraryDamaged: if the file is not a library.
            LibraryUnavailable: if it cannot be opened.
        """
        store = cls.of(Database(path), owners, most_stories)
        with suppress(LibraryUnavailable):  # it is swept up the next time
            store.imports.sweep_dead()
        return store

    @classmethod
    def of(
        cls, database: Database, owners: Owners | None = None, most_stories: int | None = None
    ) -> Self:
        """Return the store of a library file that is open already."""
        library, calls = Library(database, most_stories), CallRecords(database)
        manuscript = Manuscript(database)
        tellings = Tellings(database, manuscript)
        contents = BookContents(database, manuscript, tellings)
        return cls(
            database=database,
            library=library,
            prototype=PrototypeStore(database),
            excerpts=Excerpts(database),
            timelines=Timelines(database),
            vicinity=Vicinities(database),
            intended=IntendedFindings(database),
            proposals=Proposals(database),
            choices=Choices(database),
            outlines=Outlines(database),
            manuscript=manuscript,
            runs=RunStore(database, owners, calls),
            calls=calls,
            old_prompts=OldPrompts(database, calls, library),
            ledger=Ledger(database),
            search=Search(database),
            staleness=Staleness(database),
            imports=Imports(database, owners),
            health=HealthRecords(database),
            talks=Talks(database),
            suggestions=Suggestions(database),
            versions=Versions(database, manuscript),
            finding=Finding(database, manuscript, contents),
            notes=Notes(database, manuscript),
            contents=contents,
            tellings=tellings,
            mysteries=Mysteries(database),
            comparisons=Comparisons(database),
            evaluations=Evaluations(database),
            consistency_checks=ConsistencyChecks(database),
            judge_cards=JudgeCards(database),
            pairs=PairTrials(database),
            own_pages=OwnPages(database),
        )

    def rest(self) -> None:
        """Give back the handles of the file that nobody needs at the moment."""
        self.database.rest()

    def close(self) -> None:
        """Close the library for all threads."""
        self.database.close()
