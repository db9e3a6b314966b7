"""The current outline as the store has it, and what keeps it from being used."""

from __future__ import annotations

from graph_flow.errors import WorkbenchError
from graph_flow.outline.structure import Span, misplaced, outline_links
from store.models.delta import Change, Delta
from store.models.outline import Outline, OutlineState
from store.models.plot import EventLink
from store.models.proposals import Candidate
from store.open import Store

NO_OUTLINE = "There is no outline yet. Have one drafted, or start one by hand."


def span_of(store: Store, branch_id: str) -> Span:
    """Return how many chapters of a branch are plotted, and which will be its last."""
    head = store.prototype.head(branch_id)
    told = head.chapter if head else 0
    return Span(told, cap=store.library.story_of(branch_id).settings.outlined_until(told))


def outline_problems(store: Store, branch_id: str) -> list[str]:
    """Return what keeps the newest outline from being used, in one sentence each."""
    outline = store.outlines.newest(branch_id)
    if outline is None:
        return [NO_OUTLINE]
    told = {one.part for one in store.outlines.told(branch_id)}
    return misplaced(outline, told, span_of(store, branch_id))


def check_outline(store: Store, branch_id: str) -> None:
    """Check that the newest outline can be used.

    Raises:
        WorkbenchError: if there is none, or a part of it is not in a chapter still to be plotted;
            the message names the part.
    """
    problems = outline_problems(store, branch_id)
    if problems:
        raise WorkbenchError(" ".join(problems))


def need_outline(store: Store, branch_id: str) -> Outline:
    """Return the newest outline.

    Raises:
        WorkbenchError: if there is none.
    """
    outline = store.outlines.newest(branch_id)
    if outline is None:
        raise WorkbenchError(NO_OUTLINE)
    return outline


def accept_outline(store: Store, branch_id: str) -> Outline:
    """Accept the current draft, for the story to be plotted from it; an accepted outline stays so.

    Raises:
        WorkbenchError: if there is no outline, or something keeps it from being used.
    """
    outline = need_outline(store, branch_id)
    if outline.state is OutlineState.ACCEPTED:
        return outline
    check_outline(store, branch_id)
    return store.outlines.save(outline.model_copy(update={"state": OutlineState.ACCEPTED}))


def own_draft(store: Store, branch_id: str, run: str) -> Outline:
    """Return the outline that a run is drafting, as it is now.

    Raises:
        WorkbenchError: if it was discarded, or another was started meanwhile.
    """
    outline = store.outlines.newest(branch_id)
    if outline is None or outline.id != run:
        raise WorkbenchError("The draft of the outline no longer exists. Have it drafted again.")
    return outline


def with_outline_links(store: Store, outline: Outline, candidate: Candidate) -> Candidate:
    """Return a candidate with the outline's links between its events and those told before.

    Links that it already has, or that lead to an event no longer in the story, are left out.
    """
    told = {one.part: one.event for one in store.outlines.told(candidate.branch)}
    links = outline_links(outline, told, candidate.tells)
    ends = {end for link in links for end in (link.source, link.target)}
    added = list(candidate.delta.additions())
    there = {one.id for one in added}
    there |= store.prototype.partial(candidate.branch, None, ends - there).entities.keys()
    known = {_ends(one) for one in added if isinstance(one, EventLink)}
    fresh = tuple(
        Change(after=link)
        for link in links
        if {link.source, link.target} <= there and _ends(link) not in known
    )
    if not fresh:
        return candidate
    delta = Delta(changes=(*candidate.delta.changes, *fresh))
    return candidate.model_copy(update={"delta": delta})


def _ends(link: EventLink) -> tuple[str, str, str]:
    return link.source, link.target, link.link
