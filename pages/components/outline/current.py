"""The outline of the open branch: its state, how far the story has come, and how to change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from graph_flow.errors import WorkbenchError
from graph_flow.views import BranchStatus
from pages.components.outline import strings
from pages.serving.services import workbench
from store.models.outline import Outline, SubEvent


@dataclass(frozen=True)
class CurrentOutline:
    """An outline, with the chapter of each part that has been told."""

    branch: str
    outline: Outline
    plotted: int
    cap: int
    """The last chapter there can be; no part can be placed after it."""
    told: Mapping[str, int]

    @property
    def last(self) -> int:
        """The last chapter with anything to show."""
        placed = max((part.chapter or 0 for part in self.outline.sub_events), default=0)
        return max(self.cap, self.plotted, placed)

    @property
    def key(self) -> str:
        """The prefix of widget keys."""
        return f"outline-{self.outline.id}"

    def chapter_of(self, part: SubEvent) -> int | None:
        """Return the chapter that told a part, or is to tell it; None if it has none.

        A part that its chapter did not tell has none again.
        """
        if part.id in self.told:
            return self.told[part.id]
        return None if self.is_late(part) else part.chapter

    @cached_property
    def _by_event(self) -> Mapping[str, tuple[SubEvent, ...]]:
        grouped: dict[str, list[SubEvent]] = {event.id: [] for event in self.outline.events}
        for part in self.outline.sub_events:
            grouped[part.event].append(part)
        return {event: tuple(parts) for event, parts in grouped.items()}

    def parts_of(self, event_id: str) -> tuple[SubEvent, ...]:
        """Return the parts of an event, in the order of the telling."""
        return self._by_event[event_id]

    def is_late(self, part: SubEvent) -> bool:
        """Return whether a part's chapter was plotted without telling it."""
        has_gone_by = part.chapter is not None and part.chapter <= self.plotted
        return has_gone_by and part.id not in self.told

    def parts_in(self, chapter: int | None) -> list[SubEvent]:
        """Return the parts that a chapter tells, in order; for None, those without a chapter."""
        return [part for part in self.outline.sub_events if self.chapter_of(part) == chapter]

    def is_partly_told(self, event_ids: set[str]) -> bool:
        """Return whether any part of these events has been told."""
        return any(part.id in self.told for id_ in event_ids for part in self.parts_of(id_))

    def change(self, edit: Callable[[Outline], Outline]) -> None:
        """Edit the outline as stored now, which another window may have changed.

        Raises:
            WorkbenchError: if it no longer exists.
            ValidationError: if the edit results in an invalid outline.
        """
        now = workbench().outline.newest(self.branch)
        if now is None or now.id != self.outline.id:
            raise WorkbenchError(strings.OUTLINE_GONE)
        workbench().outline.save(edit(now))

    def place(self, part_id: str, chapter: int | None, before: str | None) -> None:
        """Move a part to a chapter, before another part or to the end, and save.

        Raises:
            WorkbenchError: if the part is already told, the chapter already plotted, or there is
                no such chapter.
        """
        workbench().outline.place_part(self.branch, part_id, chapter, before)


def open_outline(status: BranchStatus) -> CurrentOutline | None:
    """Return the outline of a branch; None if it has none."""
    branch = status.branch.id
    outline = workbench().outline.newest(branch)
    if outline is None:
        return None
    return CurrentOutline(
        branch=branch,
        outline=outline,
        plotted=status.plotted,
        cap=status.story.settings.outlined_until(status.plotted),
        told=workbench().outline.told_parts(branch),
    )
