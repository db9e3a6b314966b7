"""A premise for a book that was brought without one; it never takes the place of what the writer has typed."""

from __future__ import annotations

from zlib import crc32

from graph_flow.errors import WorkbenchError
from graph_flow.founding.book_premise import BOOK_PREMISE, book_text, draft_premise
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.views import RunEstimate, SideWorkSeen
from graph_flow.workbench.estimates import estimate_call
from store.models.story import PREMISE_LIMIT, Brief
from store.open import Store

_KEY = "book premise"


class BookPremiseService:
    """Drafts the premise of a story whose text came first."""

    def __init__(self, store: Store, side_work: SideWork, book: EndpointBook) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book

    def is_wanted(self, branch_id: str) -> bool:
        """Return whether a branch has text, and its story neither a premise nor a plot."""
        brief = self._store.library.story_of(branch_id).brief
        if brief.premise.strip() or self._store.prototype.head(branch_id) is not None:
            return False
        return self._store.contents.length(branch_id).words > 0

    def estimate(self, branch_id: str) -> RunEstimate:
        """Return roughly what a draft uses, and which model makes it."""
        past = self._store.ledger.by_agent(branch_id)
        return estimate_call(BOOK_PREMISE, self._book.current(BOOK_PREMISE.name), past)

    def draft(self, branch_id: str) -> None:
        """Begin to draft the premise; it is kept when it comes, if there is still none then.

        A draft that was interrupted goes on: what was paid for is found again.

        Raises:
            BranchBusy: if it is being drafted already.
            WorkbenchError: if there is no text, or there is a premise.
        """
        if not self.is_wanted(branch_id):
            raise WorkbenchError("There is no text without a premise here.")
        text = book_text(self._store, branch_id)
        step = f"0/book premise/{crc32(text.encode()):x}"

        def work(context: StoryContext) -> str:
            premise = cut(draft_premise(context, text, step), PREMISE_LIMIT)
            self._store.library.change_brief(context.story.id, lambda now: _filled(now, premise))
            return premise

        self._side_work.begin(branch_id, _KEY, work)

    def seen(self, branch_id: str) -> SideWorkSeen | None:
        """Return how a draft stands; None if none was begun since the app was started."""
        return self._side_work.seen(branch_id, _KEY)

    def stop(self, branch_id: str) -> None:
        """Stop drafting."""
        self._side_work.stop(branch_id, _KEY)

    def wait(self, branch_id: str, seconds: float | None = None) -> bool:
        """Wait until a draft has come or failed; return False if that takes too long."""
        return self._side_work.wait(branch_id, _KEY, seconds)


def _filled(brief: Brief, premise: str) -> Brief:
    return brief if brief.premise.strip() else brief.model_copy(update={"premise": premise})
