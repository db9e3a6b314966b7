"""The outline on the status: as it is, where the story stands, and the way to change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from graph_flow.errors import WorkbenchError
from graph_flow.views import BranchStatus
from pages.components.services import workbench
from store.models.outline import Outline, SubEvent

_GONE = "The outline is not there any more; perhaps it was taken away in another window."


@dataclass(frozen=True)
class CurrentOutline:
    """An outline with what was told of it: the chapter of each part that was."""

    branch: str
    outline: Outline
    plotted: int
    cap: int
    """The last chapter that there can be; no part can be placed after it."""
    told: Mapping[str, int]

    @property
    def last(self) -> int:
        """The last chapter that there is anything to see of."""
        placed = max((part.chapter or 0 for part in self.outline.sub_events), default=0)
        return max(self.cap, self.plotted, placed)

    @property
    def key(self) -> str:
        """What the keys of widgets begin with."""
        return f"outline-{self.outline.id}"

    def chapter_of(self, part: SubEvent) -> int | None:
        """Return the chapter that told a part, or that is to tell it; None where that is open.

        Where a chapter went by without telling a part, it is open again.
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
        """Return whether a part's chapter went by without telling it."""
        has_gone_by = part.chapter is not None and part.chapter <= self.plotted
        return has_gone_by and part.id not in self.told

    def parts_in(self, chapter: int | None) -> list[SubEvent]:
        """Return what a chapter tells, in order; of None what has no chapter."""
        return [part for part in self.outline.sub_events if self.chapter_of(part) == chapter]

    def is_partly_told(self, event_ids: set[str]) -> bool:
        """Return whether a chapter told a part of one of these events."""
        return any(part.id in self.told for id_ in event_ids for part in self.parts_of(id_))

    def change(self, edit: Callable[[Outline], Outline]) -> None:
        """Edit the outline as it stands at this moment, which another window may have changed.

        Raises:
            WorkbenchError: if there is none any more.
            ValidationError: if the edit makes something that cannot be kept.
        """
        now = workbench().outline.newest(self.branch)
        if now is None or now.id != self.outline.id:
            raise WorkbenchError(_GONE)
        workbench().outline.save(edit(now))

    def place(self, part_id: str, chapter: int | None, before: str | None) -> None:
        """Put a part into a chapter, before another one or at its end; saved at once.

        Raises:
            WorkbenchError: if it was told already, or the chapter was, or there is no such chapter.
        """
        workbench().outline.place_part(self.branch, part_id, chapter, before)


def open_outline(status: BranchStatus) -> CurrentOutline | None:
    """Return the outline of the branch on the desk; None if it has none."""
    branch = status.branch.id
    outline = workbench().outline.newest(branch)
    if outline is None:
        return None
    return CurrentOutline(
        branch=branch,
        outline=outline,
        plotted=status.plotted,
        cap=status.story.settings.chapter_cap,
        told=workbench().outline.told_parts(branch),
    )
