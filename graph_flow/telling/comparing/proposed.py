"""The story as it would be with what was found in earlier chapters and waits for the writer."""

from __future__ import annotations

from dataclasses import dataclass

from graph_flow.cognition.continuity.chronicle import Chronicle
from graph_flow.telling.comparing.reading import merged
from store.deltas.delta import replay
from store.deltas.rebase import rebase
from store.models.edits.comparison import ComparisonState, TextComparison, undoubted
from store.models.manuscript import Draft, DraftState
from store.models.prototype import EntityKind, Snapshot
from store.open import Store

_WITH_TIMELINES: tuple[EntityKind, ...] = ("character", "relationship", "thread")


@dataclass(frozen=True)
class Proposed:
    """A story with what is proposed for it."""

    story: Snapshot
    chronicle: Chronicle


def proposed_before(store: Store, branch: str, chapter: int) -> Proposed:
    """Return the story before a chapter: as it is, and with what was found in those not yet decided on.

    What the writer has to decide on is not part of it. For a chapter that is plotted, or is the next
    to be, it is the story as it is.
    """
    as_of = chapter - 1
    story = store.prototype.snapshot(branch, as_of)
    timelines = store.timelines.of(branch, min(story.chapter, as_of), _WITH_TIMELINES)
    found = Proposed(story, Chronicle.of(story, timelines))
    for at in range(story.chapter + 1, chapter):
        waiting = store.comparisons.newest(branch, at)
        if waiting is not None and waiting.is_plot and waiting.state is ComparisonState.OPEN:
            found = with_lines(found, waiting)
    return found


def with_lines(before: Proposed, comparison: TextComparison) -> Proposed:
    """Return a story in which what was found in its next chapter is taken, but for what is in doubt."""
    lines = [comparison.lines[at] for at in undoubted(comparison.lines)]
    delta = rebase(merged(before.story, [line.delta for line in lines]), before.story)
    chapter = comparison.chapter
    return Proposed(replay(before.story, delta, chapter), before.chronicle.after(delta, chapter))


def unread_chapters(store: Store, branch: str) -> list[int]:
    """Return the chapters after the plot that were typed by hand and not been read as they are now.

    They follow one another; a chapter without text ends them.
    """
    head = store.prototype.head(branch)
    return [
        one.chapter
        for one in typed_chapters(store, branch, head.chapter if head else 0)
        if not is_read(store, one)
    ]


def typed_chapters(store: Store, branch: str, after: int) -> list[Draft]:
    """Return the texts of the chapters after a plotted one, typed by hand, that follow one another."""
    found: list[Draft] = []
    while (draft := store.manuscript.draft(branch, after + 1)) is not None:
        if not draft.is_by_hand or draft.state is DraftState.WRITING or not draft.text.strip():
            break
        found.append(draft)
        after += 1
    return found


def is_read(store: Store, draft: Draft) -> bool:
    """Return whether what a text says has been found, and the writer has not refused it."""
    newest = store.comparisons.newest(draft.branch, draft.chapter)
    is_open = newest is not None and newest.state is ComparisonState.OPEN
    return is_open and newest is not None and newest.text == draft.text
