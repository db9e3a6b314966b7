"""What can go wrong at the door; each message is a sentence for the writer."""

from __future__ import annotations


class WorkbenchError(Exception):
    """Something that was asked of the workbench cannot be done now."""


class BranchBusy(WorkbenchError):
    """A run is at work on this branch already."""


class AlreadyAnswered(WorkbenchError):
    """The question was answered meanwhile, perhaps in another window."""


class NothingToContinue(WorkbenchError):
    """No run of this branch can go on."""


class PremiseUnusable(WorkbenchError):
    """The premise is empty, or longer than the model can read.

    `fits` is the number of its characters that the model can read.
    """

    def __init__(self, message: str, fits: int = 0) -> None:
        super().__init__(message)
        self.fits = fits


class WeavingFailed(WorkbenchError):
    """A relay came to no candidate."""
