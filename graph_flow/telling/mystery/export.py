"""A mystery as a file: a zip with the host guide, a booklet for each player, and the clue cards."""

from __future__ import annotations

from dataclasses import dataclass

from graph_flow.errors import WorkbenchError
from graph_flow.telling.mystery.kit import Kit, handouts_of, kit_of
from store.formats.book.handouts import export_handouts
from store.formats.exports import ExportFormat, Source
from store.open import Store


@dataclass(frozen=True)
class MysteryFormat(ExportFormat):
    """The mystery of a branch, as it stands."""

    def _content(self, source: Source) -> bytes:
        """Return the zip.

        Raises:
            WorkbenchError: if something is missing before there is anything to play.
        """
        kit = kit_of_branch(source.store, source.branch)
        if kit.lacks:
            raise WorkbenchError(" ".join(one.words for one in kit.lacks))
        return export_handouts(handouts_of(kit, source.store.library.story_of(source.branch)))


MYSTERY = MysteryFormat(
    "mystery",
    "Mystery game",
    "A zip of Word files: a guide for the host, a booklet for each player, and clue cards.",
    " mystery.zip",
    "application/zip",
)


def kit_of_branch(store: Store, branch: str) -> Kit:
    """Return the mystery of a branch as it stands now."""
    head = store.prototype.head(branch)
    newest = head.chapter if head else 0
    return kit_of(
        lambda chapter: store.prototype.snapshot(branch, chapter),
        newest,
        store.mysteries.of(branch),
    )
