"""The outline of a story: drafted by agents or by hand, placed on the board, accepted."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.outline.current import accept_outline, need_outline, outline_problems, span_of
from graph_flow.outline.structure import moved
from store.database.rows import now
from store.models.base import new_id
from store.models.outline import Outline, OutlineState
from store.models.run import DraftOutline
from store.open import Store

_BEING_DRAFTED = "The outline is being drafted just now. Wait for it, or stop it first."


class OutlineService:
    """For writers who plan. A draft is plotted by when it is accepted; from then on edits count at once."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def newest(self, branch_id: str) -> Outline | None:
        """Return the draft under work, else the accepted outline; None where there is none."""
        return self._store.outlines.newest(branch_id)

    def save(self, outline: Outline) -> Outline:
        """Keep an outline as the writer edited it.

        Raises:
            StoryMoved: if it was changed meanwhile, perhaps in another window.
            BranchBusy: if agents are drafting it.
            WorkbenchError: if it does not hold together, or is too long.
        """
        edited = _checked(outline)
        kept = self._store.outlines.newest(outline.branch)
        if kept is None:
            return self._keep_outline(edited, OutlineState.DRAFT)
        if kept == edited.model_copy(update={"state": kept.state}):
            return kept
        return self._keep_outline(edited, kept.state)

    def begin(self, branch_id: str) -> Outline:
        """Begin an empty outline for a writer who outlines by hand.

        Raises:
            WorkbenchError: if an outline is under work already.
        """
        newest = self._store.outlines.newest(branch_id)
        if newest is not None and newest.state is OutlineState.DRAFT:
            raise WorkbenchError("An outline is under work already. Go on with it, or discard it.")
        version = newest.version if newest else 0
        empty = Outline(id=new_id(), branch=branch_id, version=version, created=now())
        return self._keep_outline(empty, OutlineState.DRAFT)

    def place_part(
        self, branch_id: str, part_id: str, chapter: int | None, before: str | None = None
    ) -> Outline:
        """Move a part to a chapter, before another part of it or at its end; None: to no chapter.

        Raises:
            StoryMoved: if the outline was changed at the same moment.
            BranchBusy: if agents are drafting it.
            WorkbenchError: if the part is gone or told, or the chapter is told or beyond the last.
        """
        outline = need_outline(self._store, branch_id)
        if part_id not in {part.id for part in outline.sub_events}:
            raise WorkbenchError("This part is no longer in the outline.")
        told = self.told_parts(branch_id)
        if part_id in told:
            raise WorkbenchError(f"This part is told already, in chapter {told[part_id]}.")
        span = span_of(self._store, branch_id)
        if chapter is not None and chapter not in span.chapters:
            raise WorkbenchError(
                f"Chapter {chapter} is told already."
                if 0 < chapter <= span.told
                else f"The story's chapters end with chapter {span.cap}."
            )
        return self._keep_outline(moved(outline, part_id, chapter, before), outline.state)

    def problems(self, branch_id: str) -> list[str]:
        """Return what keeps the newest outline from being used, a sentence each; empty: nothing."""
        return outline_problems(self._store, branch_id)

    def accept(self, branch_id: str) -> Outline:
        """Let the story be plotted by the draft under work.

        Raises:
            WorkbenchError: if a part stands in no chapter that is left; the message names it.
            BranchBusy: if agents are drafting it.
        """
        self._check_not_drafting(branch_id)
        return accept_outline(self._store, branch_id)

    def discard(self, branch_id: str) -> None:
        """Throw the draft under work away, or go by the accepted outline no longer.

        `restore` brings it back. Where there is none, nothing happens.

        Raises:
            BranchBusy: if agents are drafting it.
        """
        outline = self._store.outlines.newest(branch_id)
        if outline is not None:
            is_draft = outline.state is OutlineState.DRAFT
            self._keep_outline(
                outline, OutlineState.DISCARDED if is_draft else OutlineState.LAID_ASIDE
            )

    def restore(self, branch_id: str) -> Outline:
        """Bring back the outline that was discarded last.

        Raises:
            NotFound: if none was, or an outline was saved since.
            BranchBusy: if agents are drafting one.
        """
        self._check_not_drafting(branch_id)
        return self._store.outlines.take_up(branch_id)

    def told_parts(self, branch_id: str) -> Mapping[str, int]:
        """Return the chapter that told it, for each part of an outline that is told."""
        return {one.part: one.chapter for one in self._store.outlines.told(branch_id)}

    def _keep_outline(self, outline: Outline, state: OutlineState) -> Outline:
        self._check_not_drafting(outline.branch)
        return self._store.outlines.save(outline.model_copy(update={"state": state}))

    def _check_not_drafting(self, branch_id: str) -> None:
        run = self._store.runs.active(branch_id)
        if run is not None and isinstance(run.task, DraftOutline):
            raise BranchBusy(_BEING_DRAFTED)


def _checked(outline: Outline) -> Outline:
    """Return an outline whose fields are validated, also where it was made by copying another."""
    try:
        return Outline.model_validate(outline.model_dump())
    except ValidationError as error:
        raise WorkbenchError(_said(error)) from error


def _said(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    if problem["type"] == "string_too_long":
        return f"A text of the outline is longer than {problem['ctx']['max_length']} characters."
    if problem["type"] == "string_too_short":
        return "Every event of the outline needs a title and a storyline."
    if problem["type"] == "too_long":
        return f"An outline has at most {problem['ctx']['max_length']} of its {problem['loc'][-1]}."
    return "This outline does not hold together: a link or a part belongs to none of its events."
