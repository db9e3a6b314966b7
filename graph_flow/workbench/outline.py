"""The outline of a story: drafted by agents or by hand, arranged, and accepted."""

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

_BEING_DRAFTED = "The outline is being drafted. Wait for it to finish, or stop it first."


class OutlineService:
    """The outline. A draft is used once it is accepted; after that, edits count at once."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def newest(self, branch_id: str) -> Outline | None:
        """Return the current draft, or else the accepted outline; None if there is neither."""
        return self._store.outlines.newest(branch_id)

    def save(self, outline: Outline) -> Outline:
        """Save an outline as the writer edited it.

        Raises:
            StoryMoved: if it was changed meanwhile, perhaps in another window.
            BranchBusy: if agents are drafting it.
            WorkbenchError: if it does not fit together, or is too long.
        """
        edited = _checked(outline)
        kept = self._store.outlines.newest(outline.branch)
        if kept is None:
            return self._keep_outline(edited, OutlineState.DRAFT)
        if kept == edited.model_copy(update={"state": kept.state}):
            return kept
        return self._keep_outline(edited, kept.state)

    def begin(self, branch_id: str) -> Outline:
        """Start an empty outline for a writer who outlines by hand.

        Raises:
            WorkbenchError: if there is already a draft.
        """
        newest = self._store.outlines.newest(branch_id)
        if newest is not None and newest.state is OutlineState.DRAFT:
            raise WorkbenchError(
                "There is already a draft of an outline. Go on with it, or discard it."
            )
        version = newest.version if newest else 0
        empty = Outline(id=new_id(), branch=branch_id, version=version, created=now())
        return self._keep_outline(empty, OutlineState.DRAFT)

    def place_part(
        self, branch_id: str, part_id: str, chapter: int | None, before: str | None = None
    ) -> Outline:
        """Move a part to a chapter, before another part or at its end; None takes it out of any.

        Raises:
            StoryMoved: if the outline was changed at the same moment.
            BranchBusy: if agents are drafting it.
            WorkbenchError: if the part is gone or told, or the chapter is plotted or too late.
        """
        outline = need_outline(self._store, branch_id)
        if part_id not in {part.id for part in outline.sub_events}:
            raise WorkbenchError("This part is no longer in the outline.")
        told = self.told_parts(branch_id)
        if part_id in told:
            raise WorkbenchError(f"This part is already told, in chapter {told[part_id]}.")
        span = span_of(self._store, branch_id)
        if chapter is not None and chapter not in span.chapters:
            raise WorkbenchError(
                f"Chapter {chapter} is already plotted."
                if 0 < chapter <= span.told
                else f"The story’s last chapter is chapter {span.cap}."
            )
        return self._keep_outline(moved(outline, part_id, chapter, before), outline.state)

    def problems(self, branch_id: str) -> list[str]:
        """Return what keeps the newest outline from being used, in one sentence each."""
        return outline_problems(self._store, branch_id)

    def accept(self, branch_id: str) -> Outline:
        """Accept the current draft, for the story to be plotted from it.

        Raises:
            WorkbenchError: if a part is not in a chapter still to be plotted; the message names it.
            BranchBusy: if agents are drafting it.
        """
        self._check_not_drafting(branch_id)
        return accept_outline(self._store, branch_id)

    def discard(self, branch_id: str) -> None:
        """Discard the current draft, or set the accepted outline aside.

        `restore` brings it back. If there is none, do nothing.

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
            NotFound: if none was discarded, or an outline was saved since.
            BranchBusy: if agents are drafting one.
        """
        self._check_not_drafting(branch_id)
        return self._store.outlines.take_up(branch_id)

    def told_parts(self, branch_id: str) -> Mapping[str, int]:
        """Return the chapter that tells it, for each part of an outline that is told."""
        return {one.part: one.chapter for one in self._store.outlines.told(branch_id)}

    def _keep_outline(self, outline: Outline, state: OutlineState) -> Outline:
        self._check_not_drafting(outline.branch)
        return self._store.outlines.save(outline.model_copy(update={"state": state}))

    def _check_not_drafting(self, branch_id: str) -> None:
        run = self._store.runs.active(branch_id)
        if run is not None and isinstance(run.task, DraftOutline):
            raise BranchBusy(_BEING_DRAFTED)


def _checked(outline: Outline) -> Outline:
    """Return an outline with its fields validated, which a copy with updates is not."""
    try:
        return Outline.model_validate(outline.model_dump())
    except ValidationError as error:
        raise WorkbenchError(_said(error)) from error


def _said(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    if problem["type"] == "string_too_long":
        return f"A text in the outline is longer than {problem['ctx']['max_length']} characters."
    if problem["type"] == "string_too_short":
        return "Every event in the outline needs a title and a storyline."
    if problem["type"] == "too_long":
        words = {"sub_events": "parts"}.get(str(problem["loc"][-1]), problem["loc"][-1])
        return f"An outline can have at most {problem['ctx']['max_length']} {words}."
    return "This outline does not fit together: a link or a part belongs to none of its events."
