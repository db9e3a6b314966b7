"""What stands between an outline and its use, read from the store."""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from graph_flow.outlining import Span, misplaced
from store.models.outline import Outline
from store.open import Store

NO_OUTLINE = "There is no outline yet. Have one drafted, or begin one by hand."


def span_of(store: Store, branch_id: str) -> Span:
    """Return which chapters of a branch are told, and which is its last."""
    head = store.prototype.head(branch_id)
    settings = store.library.story_of(branch_id).settings
    return Span(told=head.chapter if head else 0, cap=settings.chapter_cap)


def outline_problems(store: Store, branch_id: str) -> list[str]:
    """Return what keeps the newest outline from being used, a sentence each; empty: nothing."""
    outline = store.outlines.newest(branch_id)
    if outline is None:
        return [NO_OUTLINE]
    told = {one.part for one in store.outlines.told(branch_id)}
    return misplaced(outline, told, span_of(store, branch_id))


def own_draft(store: Store, branch_id: str, run: str) -> Outline:
    """Return the outline that a run is drafting, as it stands now.

    Raises:
        WorkbenchError: if it was discarded, or another was begun meanwhile.
    """
    outline = store.outlines.newest(branch_id)
    if outline is None or outline.id != run:
        raise WorkbenchError("The draft of the outline is gone. Have it drafted again.")
    return outline
