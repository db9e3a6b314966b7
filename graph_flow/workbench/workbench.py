"""Everything that a writer can do, for the pages and the command line.

Every call returns at once; long work runs in a thread of the runner.
"""

from __future__ import annotations

import logging

from graph_flow.errors import WorkbenchError
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.runner import Runner
from graph_flow.machine.side_work import SideWork
from graph_flow.workbench.beside.book_premise import BookPremiseService
from graph_flow.workbench.beside.book_reading import BookReadingService
from graph_flow.workbench.beside.comparing import ComparingService
from graph_flow.workbench.beside.consistency import ConsistencyService
from graph_flow.workbench.beside.contents import ContentsService
from graph_flow.workbench.beside.counting import CountingService
from graph_flow.workbench.beside.evaluating import EvaluationService
from graph_flow.workbench.beside.likelihood import LikelihoodService
from graph_flow.workbench.beside.mysteries import MysteryService
from graph_flow.workbench.beside.pairing import PairService
from graph_flow.workbench.beside.suggestions import SuggestionService
from graph_flow.workbench.beside.talk import TalkService
from graph_flow.workbench.beside.tellings import TellingService
from graph_flow.workbench.branches import BranchService
from graph_flow.workbench.continuity import ContinuityService
from graph_flow.workbench.desk import DeskService
from graph_flow.workbench.models import ModelService
from graph_flow.workbench.outline import OutlineService
from graph_flow.workbench.plot import PlotService
from graph_flow.workbench.reading import ProposalReads, PrototypeReads
from graph_flow.workbench.runs import RunService
from graph_flow.workbench.scoring import ScoringService
from graph_flow.workbench.story import StoryService
from graph_flow.workbench.upkeep.backups import BackupService
from graph_flow.workbench.upkeep.files import FileService, FormerLibrary
from graph_flow.workbench.upkeep.health import HealthService
from graph_flow.workbench.upkeep.prompts import PromptService
from store.errors import StoreError
from store.open import Store
from store.records.ledger import Ledger
from store.records.library import Library
from store.records.manuscript import Manuscript
from store.texts.finding import Finding
from store.texts.notes import Notes
from store.texts.versions import Versions

_AT_WORK = "Tellwright is working on a story. Wait for it to finish, or stop it first."

_log = logging.getLogger(__name__)


class Workbench:
    """The services of the app, one for each part of the work, and access to parts of the store.

    Whatever needs no service is read from the store's own objects; the story graphs and the agents'
    proposals only through read-only views.
    """

    def __init__(
        self,
        store: Store,
        gateway: Gateway,
        book: EndpointBook,
        runner: Runner,
        former: FormerLibrary | None = None,
    ) -> None:
        self.library: Library = store.library
        self.prototype: PrototypeReads = store.prototype
        self.proposals: ProposalReads = store.proposals
        self.manuscript: Manuscript = store.manuscript
        self.versions: Versions = store.versions
        self.finding: Finding = store.finding
        self.notes: Notes = store.notes
        self.ledger: Ledger = store.ledger
        self.files = FileService(store, former)
        self.backups = BackupService(store)
        self.health = HealthService(store)
        self.story = StoryService(store)
        self.branches = BranchService(store, runner)
        self.side_work = SideWork(store, gateway)
        self.suggestions = SuggestionService(store, self.side_work, book)
        self.talk = TalkService(store, self.side_work, book, self.story)
        self.book_premise = BookPremiseService(store, self.side_work, book)
        self.comparing = ComparingService(store, self.side_work, book, self.story)
        self.continuity = ContinuityService(store)
        self.consistency = ConsistencyService(store, book, self.continuity)
        self.counting = CountingService(store)
        self.evaluation = EvaluationService(
            store, self.side_work, book, self.counting, self.consistency
        )
        self.pairs = PairService(store, self.side_work, book)
        self.likelihood = LikelihoodService(store, self.side_work, book)
        self.book_reading = BookReadingService(store, self.comparing)
        self.runs = RunService(store, runner, book)
        self.outline = OutlineService(store)
        self.plot = PlotService(store)
        self.prompts = PromptService(store)
        self.desk = DeskService(store)
        self.contents = ContentsService(store)
        self.tellings = TellingService(store)
        self.mysteries = MysteryService(store, self.side_work, book)
        self.scoring = ScoringService(store.library, store.choices)
        self.models = ModelService(store.library, gateway, book)
        self._store = store
        self._gateway = gateway
        self._runner = runner
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether the library has been closed."""
        return self._is_closed

    @property
    def is_at_work(self) -> bool:
        """Whether this program is working on any story, in a run or beside one."""
        return self.runs.are_at_work or self.side_work.is_at_work

    def check_at_rest(self) -> None:
        """Check that this program is working on no story.

        Raises:
            WorkbenchError: if it is.
        """
        if self.is_at_work:
            raise WorkbenchError(_AT_WORK)

    def keep_safe(self) -> None:
        """Back the library up and check it, each if it is due and nothing is at work here.

        Old prompts are summed up, as the writer wishes. Handles of its file that windows have left open are given back.
        """
        if self.is_closed or self.is_at_work:
            return
        try:
            self.backups.make_if_due()
            self.health.check_if_due()
            self.prompts.tidy(lambda: not (self.is_closed or self.is_at_work))
        except StoreError as problem:
            _log.warning("the library was not backed up, checked or tidied: %s", problem)
        finally:
            self._store.rest()

    def close(self) -> None:
        """Stop all runs, the work beside them and the embedded model, and close the library."""
        self._is_closed = True
        self.side_work.close()
        self._runner.close()
        self._gateway.close()
        self._store.close()
